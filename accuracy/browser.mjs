// Chromium as the referee: one window size, no network, no script of the page's own, everything that moves at rest.
import { isUtf8 } from "node:buffer";
import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";

import { givePaths, readValues, runAxe, settle } from "./in-page.mjs";
import { axe, chromium } from "./tools.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ORIGIN = "http://page.test";
export const WINDOW = { width: 1280, height: 800 };

const KINDS = {
  ".html": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/** How bytes are announced. A page in another encoding than UTF-8 says itself which one. */
function kind(path, body) {
  const known = KINDS[extname(path)] ?? "application/octet-stream";
  return known === "text/html" && isUtf8(Buffer.from(body)) ? `${known}; charset=utf-8` : known;
}

/** A browser, started for this run. */
export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"] });
}

/**
 * A context that answers from `folder` and from nowhere else, and in which no page may run a script. `instead` has what is to be
 * shown in place of some of its files.
 */
export async function context(browser, folder, instead = new Map()) {
  const root = await realpath(folder);
  const made = await browser.newContext({ viewport: WINDOW, reducedMotion: "reduce", offline: false });
  await made.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    if (url.protocol === "data:") return route.continue();
    if (url.origin !== ORIGIN) return route.abort();
    const path = join(root, decodeURIComponent(url.pathname));
    if (!path.startsWith(root + sep)) return route.abort();
    try {
      // A link in a package may lead anywhere on this machine.
      if (!(await realpath(path)).startsWith(root + sep)) return await route.abort();
      const body = instead.get(path.slice(root.length + 1)) ?? (await readFile(path));
      return await route.fulfill({
        body,
        headers: {
          "content-type": kind(path, body),
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
