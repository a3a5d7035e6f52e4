// (d) Repairs, judged by axe before and after, and by what else has changed on the screen.
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { context, judge, launch, open } from "./browser.mjs";
import { readLooks } from "./in-page.mjs";
import { repair } from "./jury.mjs";
import { PATIENCE, within } from "./patience.mjs";
import { percent } from "./table.mjs";
import { PNG, pixelmatch } from "./tools.mjs";

/** The share of pixels that may change outside of what was repaired. */
const QUIET = 0.005;

/** Screenshot and looks of an open page. */
async function picture(page) {
  const looks = await page.evaluate(readLooks);
  return { looks: new Map(looks.map((look) => [look.path, look])), image: PNG.sync.read(await page.screenshot({ fullPage: true })) };
}

/** Fills a box of a picture with one colour. */
function cover(image, [x, y, width, height]) {
  const right = Math.min(image.width, Math.ceil(x + width) + 2);
  const bottom = Math.min(image.height, Math.ceil(y + height) + 2);
  for (let row = Math.max(0, Math.floor(y) - 2); row < bottom; row += 1) {
    const from = 4 * (row * image.width + Math.max(0, Math.floor(x) - 2));
    const to = 4 * (row * image.width + right);
    if (to > from) image.data.fill(0, from, to);
  }
}

/** A picture on a canvas of another height. */
function grown(image, height) {
  if (image.height === height) return image;
  const canvas = new PNG({ width: image.width, height });
  PNG.bitblt(image, canvas, 0, 0, image.width, Math.min(height, image.height), 0, 0);
  return canvas;
}

/** The share of pixels that differ outside the boxes of these elements. */
function strayed(before, after, touched) {
  const height = Math.max(before.image.height, after.image.height);
  const [left, right] = [grown(before.image, height), grown(after.image, height)].map((image) => {
    const copy = new PNG({ width: image.width, height });
    image.data.copy(copy.data);
    return copy;
  });
  for (const path of touched) {
    for (const box of [before.looks.get(path)?.box, after.looks.get(path)?.box]) {
      if (!box) continue;
      cover(left, box);
      cover(right, box);
    }
  }
  return pixelmatch(left.data, right.data, undefined, left.width, height, { threshold: 0.1 }) / (left.width * height);
}

const counts = (axe) => new Map(axe.violations.map((rule) => [rule.id, rule.nodes.length]));

/**
 * `answers` is what the referee said about the pages of `folder` before; `reports` what the house said. A page that the browser does
 * not manage is left out and said to `lose`.
 */
export async function repairs(folder, answers, reports, checks, lose) {
  const repairable = new Set(checks.filter((check) => check.repair === "automatic").flatMap((check) => check.axe));
  const answered = new Set(checks.filter((check) => check.repair !== "none").map((check) => check.id));
  const made = await mkdtemp(join(tmpdir(), "jury-repaired-"));
  const rules = new Map();
  const wrong = [];
  let clean = [0, 0];
  let loud = 0;
  let quietest = 0;
  let pages = 0;
  let browser;
  let places;
  /** A page before and after: pictures, and what axe says now. */
  const both = async (name) => {
    browser ??= await launch();
    places ??= [await context(browser, folder), await context(browser, made)];
    const [was, is] = [await open(places[0], name), await open(places[1], name)];
    const seen = { left: await picture(was), right: await picture(is), after: counts(await judge(is)) };
    await was.close();
    await is.close();
    return seen;
  };
  try {
    await mkdir(made, { recursive: true });
    await repair(answers.map(({ page }) => join(folder, page)), made);
    const written = new Set(await readdir(made));
    for (const { page: name, axe } of answers) {
      const before = counts(axe);
      let after = before;
      if (written.has(name)) {
        let seen;
        try {
          seen = await within(PATIENCE, both(name));
        } catch (error) {
          lose(name, String(error.message).split("\n")[0]);
          const hung = browser;
          browser = undefined;
          places = undefined;
          if (hung) await within(PATIENCE, hung.close()).catch(() => undefined);
          continue;
        }
        const { left, right } = seen;
        after = seen.after;
        const named = (reports.get(name)?.findings ?? [])
          .filter((found) => answered.has(found.check))
          .flatMap((found) => found.places.map((place) => place.path));
        const dyed = [...left.looks].filter(([path, look]) => right.looks.has(path) && right.looks.get(path).colours !== look.colours);
        const share = strayed(left, right, new Set([...named, ...dyed.map(([path]) => path)].filter((path) => path !== "html" && path !== "html>body")));
        quietest = Math.max(quietest, share);
        if (share > QUIET) {
          loud += 1;
          wrong.push({ page: name, what: `${percent(share, 1)} of the pixels outside repaired elements changed`, height: [left.image.height, right.image.height] });
        }
      }
      for (const [rule, nodes] of before) {
        const sum = rules.get(rule) ?? { before: 0, after: 0, pagesBefore: 0, pagesAfter: 0 };
        rules.set(rule, { ...sum, before: sum.before + nodes, pagesBefore: sum.pagesBefore + 1 });
      }
      for (const [rule, nodes] of after) {
        const sum = rules.get(rule) ?? { before: 0, after: 0, pagesBefore: 0, pagesAfter: 0 };
        rules.set(rule, { ...sum, after: sum.after + nodes, pagesAfter: sum.pagesAfter + 1 });
        if (nodes > (before.get(rule) ?? 0)) wrong.push({ page: name, what: `new violation of ${rule}`, before: before.get(rule) ?? 0, after: nodes });
      }
      pages += 1;
      clean = [clean[0] + (before.size === 0), clean[1] + (after.size === 0)];
    }
  } finally {
    await browser?.close();
    await rm(made, { recursive: true, force: true });
  }
  const sum = { before: 0, after: 0 };
  for (const [rule, { before, after }] of rules) {
    if (!repairable.has(rule)) continue;
    sum.before += before;
    sum.after += after;
  }
  const fresh = wrong.filter(({ what }) => what.startsWith("new violation"));
  return {
    title: "Repairs, judged by axe",
    columns: ["rule of axe", "repaired", "pages before", "pages after", "elements before", "elements after"],
    rows: [
      ...[...rules]
        .sort(([, left], [, right]) => right.before - left.before)
        .map(([rule, { pagesBefore, pagesAfter, before, after }]) => [rule, repairable.has(rule) ? "yes" : "no", pagesBefore, pagesAfter, before, after]),
      ["pages without a violation", "", clean[0], clean[1], "", ""],
    ],
    wrong,
    bars: [
      { what: "violations of repairable rules down by ≥ 95 %", holds: sum.after <= 0.05 * sum.before, figure: `${sum.before} to ${sum.after}` },
      { what: "no new violation on any page", holds: fresh.length === 0, figure: `${fresh.length} on ${pages} pages` },
      {
        what: "≤ 0.5 % of the pixels outside repaired elements changed",
        holds: loud === 0,
        figure: `${pages - loud} of ${pages} pages, the most ${percent(quietest, 1)}`,
      },
    ],
  };
}
