// One page in Chromium: as it came, and as the house left it, in four windows.

import { context, judge, launch, open, WINDOW } from "../browser.mjs";
import { givePaths, settle } from "../in-page.mjs";
import { PATIENCE, within } from "../patience.mjs";

export const WIDTHS = [1280, 768, 375, 320];

/** Faults that can be seen. Who repairs another one, such as a missing landmark, has no reason to change how a text looks. */
const SEEN = new Set(["color-contrast", "link-in-text-block", "avoid-inline-spacing"]);

/** Every element with text of its own, as it is painted. Runs in the browser. */
function readTexts() {
  const texts = [];
  for (const element of document.querySelectorAll("body, body *")) {
    if (["script", "style", "noscript", "template", "title"].includes(element.localName)) continue;
    const own = [...element.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
    if (own.length === 0) continue;
    const style = getComputedStyle(element);
    const range = document.createRange();
    range.setStartBefore(own[0]);
    range.setEndAfter(own.at(-1));
    const box = range.getBoundingClientRect();
    let opacity = 1;
    let cut = false;
    const paints = [];
    let covered = false;
    for (let current = element; current; current = current.parentElement) {
      const around = getComputedStyle(current);
      opacity *= Number(around.opacity);
      if (!covered && (around.backgroundColor !== "rgba(0, 0, 0, 0)" || around.backgroundImage !== "none")) {
        paints.push(`${around.backgroundColor} ${around.backgroundImage}`);
        covered = /^rgb\(/.test(around.backgroundColor);
      }
      if (around.display !== "inline" && around.display !== "contents" && around.overflow !== "visible" && current !== document.body && current.parentElement) {
        const room = current.getBoundingClientRect();
        cut ||= room.width <= 1 || room.height <= 1 || box.right <= room.left || box.left >= room.right || box.bottom <= room.top || box.top >= room.bottom;
      }
    }
    texts.push({
      path: globalThis.juryPath(element),
      text: own.map((child) => child.data).join(" ").trim().replace(/\s+/g, " ").slice(0, 200),
      colour: style.webkitTextFillColor,
      opacity: Math.round(opacity * 1000) / 1000,
      backdrop: paints.join(" over "),
      size: Number.parseFloat(style.fontSize),
      weight: style.fontWeight,
      family: style.fontFamily,
      visible:
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && box.width * box.height > 0 && opacity >= 0.02 && !cut && box.right + scrollX > 0 && box.bottom + scrollY > 0,
      box: [box.x + scrollX, box.y + scrollY, box.width, box.height],
    });
  }
  return texts;
}

/** axe's verdict on the contrast of every element in this window. Runs in the browser. */
async function runContrast() {
  const results = await globalThis.axe.run(document, { iframes: false, elementRef: true, runOnly: ["color-contrast"] });
  const rule = (result) => ({ id: result.id, nodes: result.nodes.map((node) => ({ path: node.element ? globalThis.juryPath(node.element) : "" })) });
  return { violations: results.violations.map(rule), incomplete: results.incomplete.map(rule), passes: results.passes.map(rule) };
}

const paths = (results, id) => new Set(results.filter((result) => id === undefined || result.id === id).flatMap((result) => result.nodes.map(({ path }) => path)));

/** `{ axe, windows, faulty }` of a page that is shown: axe on all rules in the first window, texts and contrast in all of `widths`. */
async function examine(page, widths) {
  const axe = await judge(page);
  const windows = new Map();
  const faulty = paths(axe.violations.filter(({ id }) => SEEN.has(id)));
  for (const width of widths) {
    if (width !== WINDOW.width) {
      await page.setViewportSize({ width, height: WINDOW.height });
      await page.evaluate(givePaths);
      await page.evaluate(settle);
    }
    const contrast = width === WINDOW.width ? axe : await page.evaluate(runContrast);
    for (const path of paths(contrast.violations)) faulty.add(path);
    windows.set(width, {
      texts: await page.evaluate(readTexts),
      passed: paths(contrast.passes, "color-contrast"),
      failed: paths(contrast.violations, "color-contrast"),
    });
  }
  return { axe, windows, faulty };
}

/** A browser that is started when it is needed, and anew after a page that it did not survive. */
export class Eyes {
  #browser;

  /** The page at `path` below `folder`, with `html` in place of what the file has when there is any. */
  async examine(folder, path, widths, html) {
    this.#browser ??= await launch();
    const place = await context(this.#browser, folder, html === undefined ? undefined : new Map([[path, html]]));
    try {
      return await within(PATIENCE, open(place, path).then((page) => examine(page, widths)));
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      // A browser that hangs does not close a context either.
      await within(5_000, place.close()).catch(() => this.close());
    }
  }

  async close() {
    const browser = this.#browser;
    this.#browser = undefined;
    if (browser) await within(5_000, browser.close()).catch(() => undefined);
  }
}
