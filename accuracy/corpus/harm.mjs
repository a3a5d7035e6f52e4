// What a repair did to texts that were in order. The judge does not know what a repair was for: it compares two pages.

/** Lengths that differ by less are the same to a reader. */
const PIXEL = 1;
const OPACITY = 0.005;

/** Pairs each text of one page with the same text of the other, however the markup around it has changed. */
export function pairs(before, after) {
  const byText = new Map();
  for (const text of after) byText.set(text.text, [...(byText.get(text.text) ?? []), text]);
  const found = new Map();
  const waiting = new Map();
  for (const text of before) waiting.set(text.text, [...(waiting.get(text.text) ?? []), text]);
  for (const [words, here] of waiting) {
    let there = byText.get(words) ?? [];
    let left = here;
    if (here.length !== there.length) {
      // Some of several equal texts are gone or new. Those that are where they were are themselves.
      for (const text of here) {
        const same = there.find(({ path }) => path === text.path);
        if (!same) continue;
        found.set(text, same);
        there = there.filter((other) => other !== same);
        left = left.filter((other) => other !== text);
      }
    }
    left.forEach((text, place) => found.set(text, there[place]));
  }
  return before.map((text) => [text, found.get(text)]);
}

/** In what a text differs. `pushed` is a text that only stands higher or lower than it did. */
export function changes(was, is) {
  if (!is) return ["gone"];
  if (was.visible && !is.visible) return ["hidden"];
  const far = (one, other) => Math.abs(one - other) > PIXEL;
  const found = [];
  if (was.colour !== is.colour || Math.abs(was.opacity - is.opacity) > OPACITY) found.push("colour");
  if (was.backdrop !== is.backdrop) found.push("backdrop");
  if (Math.abs(was.size - is.size) > 0.1 || was.weight !== is.weight || was.family !== is.family) found.push("size");
  else if (far(was.box[2], is.box[2]) || far(was.box[3], is.box[3])) found.push("box");
  if (far(was.box[0], is.box[0])) found.push("position");
  else if (far(was.box[1], is.box[1])) found.push(found.length === 0 ? "pushed" : "position");
  return found;
}

/**
 * Texts that axe had passed, that could be seen, and that are not as they were. `before` and `after` are what a page was in one
 * window: `{ texts, passed, failed }`, the last two being sets of paths. `faulty` has the paths at which axe found a fault that can be
 * seen, in any window: those may change.
 */
export function harmed(before, after, faulty) {
  const sound = before.texts.filter(({ path, visible }) => visible && before.passed.has(path) && !faulty.has(path));
  const partner = new Map(pairs(before.texts, after.texts));
  const list = [];
  for (const was of sound) {
    const is = partner.get(was);
    const kinds = changes(was, is);
    // It looks as it did and reads worse: something else has come under it.
    if (is && after.failed.has(is.path)) kinds.push("fails now");
    if (kinds.length > 0) list.push({ path: was.path, text: was.text.slice(0, 40), kinds, was: look(was, kinds), is: is && look(is, kinds) });
  }
  return { sound: sound.length, list };
}

/** Of a look, what is worth saying. */
function look(text, kinds) {
  const said = {};
  if (kinds.includes("colour")) Object.assign(said, { colour: text.colour, opacity: text.opacity });
  if (kinds.includes("backdrop")) said.backdrop = text.backdrop;
  if (kinds.includes("size")) Object.assign(said, { size: text.size, weight: text.weight });
  if (kinds.some((kind) => ["box", "position", "pushed"].includes(kind))) said.box = text.box.map(Math.round);
  return said;
}
