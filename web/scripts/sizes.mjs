// How large the page is, gzipped, and whether that is allowed. The stage is everything that a browser runs to show a
// live run: the main script and all that it imports, the runtime included. What it fetches once the stage stands (the page
// under review, the ledger, the replay) counts towards all pages. Locales are data, fetched one at a time, and not counted.
// What a report carries is in files of its own and is fetched by nobody; its words are in six languages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const assets = fileURLToPath(new URL("../dist/assets", import.meta.url));
const report = fileURLToPath(new URL("../dist/report", import.meta.url));
const read = (file, folder = assets) => readFileSync(join(folder, file));
const size = (file, folder = assets) => gzipSync(read(file, folder), { level: 9 }).length;
const kib = (bytes) => `${(bytes / 1024).toFixed(2)} KiB`;

/** What a script imports before it runs; not what it fetches later. */
function needs(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of read(file).toString().matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) needs(name, seen);
  return seen;
}

const scripts = readdirSync(assets).filter((file) => file.endsWith(".js"));
const stage = needs("main.js");
const sum = (files) => [...files].reduce((total, file) => total + size(file), 0);
const bars = [
  ["stage with runtime", sum(stage), 18],
  ["all pages", sum(scripts), 68.5],
  ["styles", size("main.css"), 8],
  ["styles of content", size("content.css"), 1.5],
  ["report script", size("report.js", report), 24],
  ["report styles", size("report.css", report), 8],
  ["report words", size("words.json", report), 24],
];
for (const file of scripts) console.log(`  ${file.padEnd(16)} ${kib(size(file))}${stage.has(file) ? "  stage" : ""}`);
for (const [name, bytes, most] of bars) {
  const over = bytes > most * 1024;
  console.log(`${over ? "OVER " : ""}${name}: ${kib(bytes)} of ${most} KiB`);
  if (over) process.exitCode = 1;
}
