// Which pages of a package are measured, and which half a page belongs to. Nothing here asks what the house thinks of a page.
import { createHash } from "node:crypto";

/** The most pages of one package. */
export const PAGES = 2;
/** Pages that share this much of their structure count as one. */
export const ALIKE = 0.5;
const SMALLEST = 1_500;
export const LARGEST = 60_000;
const LETTERS = 200;

export const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** `open` may be looked at. Of `sealed` only totals are printed and written. The last digit decides, because the first ones put in order. */
export function half(bytes) {
  return Number.parseInt(digest(bytes).at(-1), 16) < 8 ? "open" : "sealed";
}

/** What is left of a page when everything that is not text is taken away. */
function words(html) {
  return html
    .replace(/<!--[^]*?-->/g, " ")
    .replace(/<(script|style|template|noscript)\b[^]*?<\/\1\s*>/gi, " ")
    .replace(/<[^>]*>/g, " ");
}

/** Whether a file is a whole page with something to read, and no form that a program has yet to fill in. */
export function isPage(bytes) {
  if (bytes.length < SMALLEST || bytes.length > LARGEST || bytes.includes(0)) return false;
  const html = bytes.toString();
  if (!/<html[\s>]/i.test(html) || /<frameset[\s>]/i.test(html)) return false;
  if (/http-equiv\s*=\s*["']?refresh/i.test(html)) return false;
  // Code that a page shows has braces of its own, so what is between `pre`, `code` and `script` does not count.
  const markup = html.replace(/<(script|style|pre|code)\b[^]*?<\/\1\s*>/gi, " ");
  if (/\{\{|\{%|<%|<\?(?!xml)|\$\{|\[%|%[A-Z_]{3,}%|<v-app|<!--#/.test(markup)) return false;
  return (words(html).match(/\p{L}/gu) ?? []).length >= LETTERS;
}

/** The structure of a page: every run of four tags with their classes, in the order of the source. */
export function skeleton(html) {
  const plain = html.replace(/<!--[^]*?-->/g, "").replace(/<(script|style)\b[^]*?<\/\1\s*>/gi, "");
  const tags = [...plain.matchAll(/<([a-z][a-z0-9-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi)].map(([, tag, rest]) => {
    const names = /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(rest);
    const classes = (names?.[1] ?? names?.[2] ?? names?.[3] ?? "").trim().split(/\s+/).sort().join(".");
    return `${tag.toLowerCase()}.${classes}`;
  });
  const runs = new Set();
  for (let at = 0; at + 4 <= tags.length; at += 1) runs.add(tags.slice(at, at + 4).join(" "));
  if (runs.size === 0) runs.add(tags.join(" "));
  return runs;
}

/** The share of structure that two pages have in common. */
export function likeness(one, other) {
  let common = 0;
  for (const run of one) if (other.has(run)) common += 1;
  return common / (one.size + other.size - common);
}

/**
 * Chooses pages, package by package. `packages` has `{ name, files }`, and each file `{ path, bytes }`. The order within a package
 * is that of the digests, so that no name decides.
 */
export function choose(packages, most = PAGES) {
  const chosen = [];
  for (const { files, ...about } of packages) {
    let taken = 0;
    const ordered = files.map((file) => ({ ...file, digest: digest(file.bytes) })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
    for (const { path, bytes, digest: own } of ordered) {
      if (taken === most) break;
      if (!isPage(bytes)) continue;
      const structure = skeleton(bytes.toString());
      if (chosen.some((other) => likeness(structure, other.structure) >= ALIKE)) continue;
      chosen.push({ ...about, path, digest: own, half: half(bytes), structure });
      taken += 1;
    }
  }
  return chosen.map(({ structure: _, ...page }) => page);
}
