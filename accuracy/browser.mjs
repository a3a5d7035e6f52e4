// Chromium as the referee: one window size, no network, no script of the page's own, everything that moves at rest.
import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";

import { givePaths, readValues, runAxe, settle } from "./in-page.mjs";
import { axe, chromium } from "./tools.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ORIGIN = "http://page.test";
export const WINDOW = { width: 1280, height: 800 };

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".xhtml": "application/xhtml+xml",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** A browser, started for this run. */
export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"] });
}

/** A context that answers from `folder` and from nowhere else, and in which no page may run a script. */
export async function context(browser, folder) {
  const root = await realpath(folder);
  const made = await browser.newContext({ viewport: WINDOW, reducedMotion: "reduce", offline: false });
  await made.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    if (url.protocol === "data:") return route.continue();
    if (url.origin !== ORIGIN) return route.abort();
    const path = join(root, decodeURIComponent(url.pathname));
    if (!path.startsWith(root + sep)) return route.abort();
    try {
      return await route.fulfill({
        body: await readFile(path),
        headers: {
          "content-type": KINDS[extname(path)] ?? "application/octet-stream",
          "content-security-policy": "script-src 'none'",
        },
      });
    } catch {
      return route.abort();
    }
  });
  return made;
}

/** A page of the context's folder, at rest. */
export async function open(context, name) {
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/${name.split("/").map(encodeURIComponent).join("/")}`, { waitUntil: "load" });
  await page.evaluate(givePaths);
  await page.evaluate(settle);
  return page;
}

/** What axe says about an open page. */
export async function judge(page) {
  await page.evaluate(axe.source);
  return page.evaluate(runAxe);
}

/** What the browser computed for the text of an open page. */
export function values(page) {
  return page.evaluate(readValues);
}
