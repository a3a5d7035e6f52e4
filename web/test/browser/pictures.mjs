// Pictures of the page as it stands: three widths, two themes, against those in `pictures/`. Whoever brings a page into a state
// takes them right there, with `looks`, in a tab from `posed`: times and ids are the same every time in it, and letters are those
// of one font. A picture is compared with some patience: see `differs`. One that differs is taken again for a while, because a
// page that is still on its way is no failure.
//
//   JURY_UPDATE=1 npm run test:looks     writes the pictures anew
//
// Where a picture differs, what was seen and the difference lie beside it, as NAME.seen.png and NAME.diff.png.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { tab } from "./stand.mjs";

const FOLDER = fileURLToPath(new URL("pictures", import.meta.url));
const UPDATE = process.env.JURY_UPDATE === "1";
/** So many of the picture's points may differ: edges of letters, a border that falls on half a pixel. */
const SHARE = 0.005;
/** So long a page may take to look as it should. */
const PATIENCE = 8_000;
/** How much of a page is shown at each width. */
const HEIGHTS = { 375: 600, 768: 440, 1280: 420 };
/** For pages with a sentence on them, and for those with a stage or a form. */
export const LOW = { 375: 400, 768: 360, 1280: 360 };
export const HIGH = { 375: 1000, 768: 860, 1280: 860 };

/** In the page: whatever the daemon says of times is the same every time. Times of fixtures, which are long ago, stay. */
function freeze(now) {
  const DAY = 86_400_000;
  const began = Date.parse("2026-01-05T09:00:00Z");
  const time = (key) => new Date(began + (/^(ended|finished)/i.test(key) ? 42_000 : 0)).toISOString();
  const recent = (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/.test(text) && Date.parse(text) > now - DAY && Date.parse(text) < now + 60 * DAY;
  const still = (value, key = "", parent = {}) => {
    if (typeof value === "string") return recent(value) ? time(key) : value;
    if (typeof value === "number") return key === "at" && typeof parent.seq === "number" ? parent.seq * 1000 : /duration_?ms|elapsed/i.test(key) ? 14_200 : value;
    // Which programs there are is up to the machine.
    if (Array.isArray(value)) return value.filter((one) => !(key === "agents" && one?.kind === "program")).map((one) => still(one));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, still(one, name, value)]));
  };
  const { parse } = JSON;
  JSON.parse = (text, ...rest) => still(parse(text, ...rest));
  Response.prototype.json = async function () {
    return JSON.parse(await this.text());
  };
}

/** A tab in which everything is the same every time. */
export async function posed(browser, options = {}) {
  const page = await tab(browser, { reducedMotion: "reduce", ...options });
  await page.clock.setFixedTime("2026-01-05T09:03:00Z");
  await page.addInitScript(freeze, Date.now());
  return page;
}

const LETTERS = `:root { --sans: "Liberation Sans", "Noto Sans CJK JP"; --mono: "Liberation Mono", "Noto Sans CJK JP" }
* { caret-color: transparent !important } .panel { content-visibility: visible !important }`;

/** In the page: one font, no focus, and ids that are the same every time. */
function pose(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
  const focus = document.activeElement;
  const { theme } = document.documentElement.dataset;
  focus?.blur?.();
  globalThis.unpose = () => {
    document.adoptedStyleSheets = [];
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    focus?.focus?.({ preventScroll: true });
  };
}

/** In the page, before each picture. */
function hold(theme) {
  document.documentElement.dataset.theme = theme;
  scrollTo(0, 0);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const held = node.data
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "0198c0de-0000-7000-8000-000000000008")
      .replace(/\b[0-9a-f]{8}-(\d)\b/g, "5f0c9a1e-$1")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-01-06 09:00 UTC")
      .replace(/\/\S*\/(node|agent\.\w+)\b/g, "/bin/agent");
    if (held !== node.data) node.data = held;
  }
  // Frames are scaled by an observer: two frames later they are.
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

/** The most that a part of a colour is changed to save room: less than what `differs` counts. */
const NEAR = 20;

/** A PNG with a palette. The colours that are used most stay as they are, and one that is near to such a one becomes it: grounds and
 * inks are true, and the edges of letters take a third of the room. */
function small({ width, height, data }) {
  const colours = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const split = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const far = (a, b) => Math.max(...split(a).map((part, at) => Math.abs(part - split(b)[at])));
  const palette = [];
  const places = new Map();
  for (const [colour] of [...colours].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    const nearest = palette.reduce((best, one, at) => (best < 0 || far(one, colour) < far(palette[best], colour) ? at : best), -1);
    const fits = nearest >= 0 && (palette.length === 256 || far(palette[nearest], colour) <= NEAR);
    places.set(colour, fits ? nearest : palette.push(colour) - 1);
  }
  const place = (colour) => places.get(colour);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++, at += 4) rows[y * (width + 1) + x + 1] = place((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  const part = (name, content) => {
    const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(content.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    part("IHDR", head),
    part("PLTE", Buffer.from(palette.flatMap(split))),
    part("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    part("IEND", Buffer.alloc(0)),
  ]);
}

/** The share of points that differ, and a picture of where. */
function differs(seen, kept) {
  if (seen.width !== kept.width || seen.height !== kept.height) return [1, null];
  const diff = new PNG({ width: seen.width, height: seen.height });
  const points = pixelmatch(seen.data, kept.data, diff.data, seen.width, seen.height, { threshold: 0.2 });
  return [points / (seen.width * seen.height), diff];
}

/** Takes a picture until it is what it should be; when it is written anew, until it stays what it is. */
async function compare(page, name, theme) {
  const [path, seenPath, diffPath] = ["png", "seen.png", "diff.png"].map((end) => join(FOLDER, `${name}.${end}`));
  rmSync(seenPath, { force: true });
  rmSync(diffPath, { force: true });
  // The door has no theme of its own: it follows the system.
  await page.emulateMedia({ colorScheme: theme });
  const shoot = async () => {
    await page.evaluate(hold, theme);
    for (const frame of page.frames()) await frame.waitForLoadState("load").catch(() => undefined);
    return PNG.sync.read(await page.screenshot({ animations: "disabled", caret: "hide" }));
  };
  const kept = existsSync(path) ? PNG.sync.read(readFileSync(path)) : null;
  const end = Date.now() + PATIENCE;
  for (let last = null, same = 0; ; ) {
    const seen = await shoot();
    const [share, diff] = kept ? differs(seen, kept) : [1, null];
    if (share <= SHARE) return null;
    same = last?.equals(seen.data) ? same + 1 : 0;
    last = seen.data;
    if (UPDATE && same === 3) return void writeFileSync(path, small(seen));
    if (Date.now() < end) continue;
    writeFileSync(seenPath, small(seen));
    if (diff) writeFileSync(diffPath, PNG.sync.write(diff));
    return `${name}: ${(share * 100).toFixed(2)} % of it differs; see ${seenPath}`;
  }
}

/** Takes pictures of the page as it stands, and leaves it so. Heights are for pages that need another. */
export async function looks(page, name, heights = {}) {
  mkdirSync(FOLDER, { recursive: true });
  const size = page.viewportSize();
  const wrong = [];
  await page.mouse.move(0, 0);
  await page.evaluate(pose, LETTERS);
  for (const [width, height] of Object.entries({ ...HEIGHTS, ...heights })) {
    await page.setViewportSize({ width: Number(width), height });
    for (const theme of ["light", "dark"]) wrong.push(await compare(page, `${name}-${width}-${theme}`, theme));
  }
  await page.evaluate(() => globalThis.unpose());
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
  assert.deepEqual(wrong.filter(Boolean), []);
}
