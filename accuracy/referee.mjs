// Keeps what the referee said about a folder of pages, because a browser is slow and its answer does not change:
//
//   node accuracy/referee.mjs PAGES CACHE
//
// writes CACHE/axe/<page>.json and CACHE/values/<page>.json for every page that has none yet.
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { context, judge, launch, open, values } from "./browser.mjs";
import { PATIENCE, within } from "./patience.mjs";
import { axe } from "./tools.mjs";

/** What an answer depends on beside the page. */
const QUESTION = createHash("sha256")
  .update(axe.version)
  .update(await readFile(new URL("in-page.mjs", import.meta.url)))
  .update(await readFile(new URL("browser.mjs", import.meta.url)))
  .digest("hex");

/** The pages of a folder by name. */
export async function pagesIn(folder) {
  return (await readdir(folder)).filter((name) => name.endsWith(".html")).sort();
}

/** `{ page, axe, values }` for every page of a folder. A page that the browser does not manage is left out and said to `lose`. */
export async function referee(folder, cache, say = () => undefined, lose = (page, why) => console.error(`lost: ${page}: ${why}`)) {
  await mkdir(join(cache, "axe"), { recursive: true });
  await mkdir(join(cache, "values"), { recursive: true });
  const answers = [];
  let browser;
  let place;
  try {
    for (const name of await pagesIn(folder)) {
      const digest = createHash("sha256").update(QUESTION).update(await readFile(join(folder, name))).digest("hex");
      const files = ["axe", "values"].map((kind) => join(cache, kind, name.replace(/\.html$/, ".json")));
      const known = await Promise.all(files.map((file) => readFile(file, "utf8").then(JSON.parse, () => undefined)));
      if (known.every((answer) => answer?.digest === digest)) {
        answers.push({ page: name, axe: known[0], values: known[1].values });
        continue;
      }
      let page;
      try {
        browser ??= await launch();
        place ??= await context(browser, folder);
        page = await within(PATIENCE, open(place, name));
        const computed = await within(PATIENCE, values(page));
        const judged = await within(PATIENCE, judge(page));
        const about = { page: name, digest };
        await writeFile(files[0], JSON.stringify({ ...about, ...judged }, undefined, 1));
        await writeFile(files[1], JSON.stringify({ ...about, values: computed }, undefined, 1));
        answers.push({ page: name, axe: judged, values: computed });
        say(`${name}: ${judged.violations.length} rules violated`);
        await within(PATIENCE, page.close());
      } catch (error) {
        lose(name, String(error.message).split("\n")[0]);
        // It may hang: the next page gets a browser of its own.
        const hung = browser;
        browser = undefined;
        place = undefined;
        if (hung) await within(PATIENCE, hung.close()).catch(() => undefined);
      }
    }
  } finally {
    await browser?.close();
  }
  return answers;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, cache] = process.argv.slice(2);
  if (!folder || !cache) {
    console.error("usage: node accuracy/referee.mjs PAGES CACHE");
    process.exit(2);
  }
  await referee(folder, cache, console.log);
}
