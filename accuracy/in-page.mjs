// What runs inside the browser's page. Each function is sent as text, so none may use anything around it.

/** Puts `juryPath(element)` into the page: the way to an element as the house writes it. */
export function givePaths() {
  globalThis.juryPath = (element) => {
    const steps = [];
    for (let current = element; current; current = current.parentElement) {
      const tag = current.localName.toLowerCase();
      const parent = current.parentElement;
      if (!parent || !parent.parentElement) {
        steps.push(tag);
        continue;
      }
      let place = 1;
      for (let before = current.previousElementSibling; before; before = before.previousElementSibling) place += 1;
      steps.push(`${tag}:nth-child(${place})`);
    }
    return steps.reverse().join(">");
  };
}

/** Every animation at its end; an endless one an hour later, which is where the house looks too. */
export function settle() {
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      animation.pause();
      animation.currentTime = 3_600_000;
    }
  }
}

/** All rules of axe that are on by default, with the way to every element. */
export async function runAxe() {
  const results = await globalThis.axe.run(document, { iframes: false, elementRef: true });
  const node = (found) => {
    const element = found.element;
    const data = [...found.any, ...found.all, ...found.none].map((check) => check.data).find((data) => data?.fgColor);
    return {
      path: element ? globalThis.juryPath(element) : "",
      target: found.target.flat().join(" "),
      text: (element?.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 60),
      why: [...found.any, ...found.all, ...found.none].map((check) => check.message).join("; ").slice(0, 300),
      ...(data
        ? { fg: data.fgColor, bg: data.bgColor, ratio: data.contrastRatio, need: data.expectedContrastRatio, size: data.fontSize }
        : {}),
    };
  };
  const rule = (result) => ({ id: result.id, impact: result.impact, tags: result.tags, nodes: result.nodes.map(node) });
  return {
    version: results.testEngine.version,
    violations: results.violations.map(rule),
    incomplete: results.incomplete.map(rule),
    passes: results.passes.map((result) =>
      result.id === "color-contrast" ? rule(result) : { id: result.id, nodes: result.nodes.map((found) => ({ path: found.element ? globalThis.juryPath(found.element) : "" })) },
    ),
    inapplicable: results.inapplicable.map((result) => result.id),
  };
}

/** The computed values of every element that has text of its own. */
export function readValues() {
  const values = [];
  for (const element of document.querySelectorAll("body, body *")) {
    if (["script", "style", "noscript", "template", "title"].includes(element.localName)) continue;
    const text = [...element.childNodes]
      .filter((child) => child.nodeType === Node.TEXT_NODE)
      .map((child) => child.data)
      .join(" ")
      .trim();
    if (!text) continue;
    const style = getComputedStyle(element);
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect();
    let opacity = 1;
    let cut = false;
    for (let current = element; current; current = current.parentElement) {
      const around = getComputedStyle(current);
      opacity *= Number(around.opacity);
      // What lies in a box that is cut down to nothing is not seen, and a browser says it is visible all the same.
      if (around.display !== "inline" && around.display !== "contents" && around.overflow !== "visible" && current !== document.body && current.parentElement) {
        const room = current.getBoundingClientRect();
        cut ||= room.width <= 1 || room.height <= 1;
      }
    }
    values.push({
      path: globalThis.juryPath(element),
      text: text.replace(/\s+/g, " ").slice(0, 40),
      color: style.color,
      fill: style.webkitTextFillColor,
      background: style.backgroundColor,
      image: style.backgroundImage !== "none",
      size: Number.parseFloat(style.fontSize),
      weight: Number.parseFloat(style.fontWeight),
      visible: element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && box.width * box.height > 0,
      visibility: style.visibility,
      displayed: element.checkVisibility(),
      opacity,
      cut,
      box: [box.x + scrollX, box.y + scrollY, box.width, box.height],
    });
  }
  return values;
}

/** Where every element is, and in which colours it paints itself: one that is dyed by a repair has been repaired. */
export function readLooks() {
  const COLOURS = ["color", "backgroundColor", "backgroundImage", "borderColor", "outlineColor", "fill", "stroke", "textDecoration", "boxShadow", "opacity"];
  return [...document.querySelectorAll("body, body *")].map((element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      path: globalThis.juryPath(element),
      colours: COLOURS.map((name) => style[name]).join("|"),
      box: [box.x + scrollX, box.y + scrollY, box.width, box.height],
    };
  });
}
