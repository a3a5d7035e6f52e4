// (b) Computed values of text, against what Chromium computed.
import { percent } from "./table.mjs";

/** A computed colour of the browser as bytes and an opacity; nothing for a notation that no page here ends in. */
function rgba(text) {
  const hit = /^rgba?\(([^)]+)\)$/.exec(text);
  if (hit) {
    const parts = hit[1].split(/[\s,/]+/).map(Number);
    return [parts[0], parts[1], parts[2], parts[3] ?? 1];
  }
  const srgb = /^color\(srgb ([^)]+)\)$/.exec(text);
  if (srgb) {
    const parts = srgb[1].split(/[\s/]+/).map(Number);
    return [255 * parts[0], 255 * parts[1], 255 * parts[2], parts[3] ?? 1];
  }
  return undefined;
}

function sameColour(theirs, ours) {
  const wanted = rgba(theirs);
  if (!wanted) return undefined;
  const got = [255 * ours.red, 255 * ours.green, 255 * ours.blue, ours.alpha];
  if (wanted[3] === 0 && got[3] === 0) return true;
  return wanted.every((part, index) => Math.abs(part - got[index]) <= (index === 3 ? 0.005 : 1.01));
}

/** The nodes of a snapshot by the way to them. */
export function byPath(snapshot) {
  const children = new Map();
  const paths = [];
  const known = new Map();
  for (const node of snapshot.nodes) {
    const parent = node.parent === null ? undefined : snapshot.nodes[node.parent];
    const place = (children.get(node.parent) ?? 0) + 1;
    children.set(node.parent, place);
    if (!parent) paths[node.id] = node.tag;
    else paths[node.id] = `${paths[parent.id]}>${node.tag}${parent.parent === null ? "" : `:nth-child(${place})`}`;
    known.set(paths[node.id], node);
  }
  return known;
}

/** Seen by a reader, as the house puts it: rendered, visible, not faded out, on the canvas. */
function seen(value) {
  const [x, y, width] = value.box;
  return value.visible && !value.cut && value.opacity >= 0.02 && x + width > 0 && x < 4 * 1280 && y > -2000;
}

export function values(answers, snapshots) {
  const kinds = ["colour", "size", "weight", "background", "visibility", "hidden"];
  const right = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const all = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const wrong = [];
  const cleanPages = new Set();
  for (const { page, values } of answers) {
    const snapshot = snapshots.get(page);
    if (!snapshot) continue;
    cleanPages.add(page);
    const nodes = byPath(snapshot);
    for (const value of values) {
      const node = nodes.get(value.path);
      const note = (kind, same, ours) => {
        if (same === undefined) return;
        all[kind] += 1;
        if (same) right[kind] += 1;
        else {
          cleanPages.delete(page);
          wrong.push({ page, path: value.path, kind, theirs: { colour: value.color, size: value.size, weight: value.weight, background: value.background, visibility: seen(value), hidden: true }[kind], ours, text: value.text });
        }
      };
      const shown = seen(value);
      if (!node) {
        if (shown && !value.path.includes(">svg")) note("visibility", false, "no such element");
        continue;
      }
      // Text in a drawing is not set like text on a page.
      if (value.path.includes(">svg")) continue;
      if (shown) note("visibility", node.shown, node.shown);
      // The other way round: what nobody sees there must not be judged here.
      else note("hidden", !node.shown, !node.shown);
      if (!shown || !node.style) continue;
      const style = node.style;
      note("colour", sameColour(value.color, style.color), JSON.stringify(style.color));
      note("size", Math.abs(value.size - style.font_size) <= Math.max(0.05, value.size / 1000), style.font_size);
      note("weight", value.weight === style.font_weight, style.font_weight);
      note("background", sameColour(value.background, style.backdrop.color), JSON.stringify(style.backdrop.color));
    }
  }
  return {
    title: "Computed values of visible text, against Chromium",
    columns: ["value", "same", "of", "share"],
    rows: kinds.map((kind) => [kind, right[kind], all[kind], percent(right[kind], all[kind])]),
    wrong,
    bars: ["colour", "size", "weight", "visibility"].map((kind) => ({
      what: `${kind} same as in Chromium ≥ 99.5 %`,
      holds: right[kind] >= 0.995 * all[kind],
      figure: percent(right[kind], all[kind]),
    })),
  };
}
