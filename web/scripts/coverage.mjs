// What the tests reach of the state, which is what the page computes. Of each file, at least 95 % of the lines. Of the reducer,
// every branch: one that no test can take stands in MISSING with its reason, and nothing else does. Branches are those that the
// engine counts: an `if` without an `else` has one, and `?.` has none.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const folder = join(web, "src/state");
/** Of the lines of each file. */
const LINES = 0.95;
/** The fold of a log into a board, and what it is made of. By file: where an untaken branch begins, as it stands in the source,
 * and why no test takes it. */
const MISSING = {
  "board.ts": {
    "[]).filter(isUsable).map((review) => review.role);": "The round that ends is there: the line before it has just changed it. The types do not know.",
  },
  "event.ts": {},
  "ledger.ts": {},
  "usable.ts": {},
};

const out = mkdtempSync(join(tmpdir(), "jury-coverage-"));
/** By file and place: whether some test came by. */
const places = new Map(readdirSync(folder).map((file) => [file, new Map()]));
try {
  const tests = readdirSync(join(web, "test")).filter((file) => file.endsWith(".test.mjs")).map((file) => join("test", file));
  const { status, stdout } = spawnSync(process.execPath, ["--test", ...tests], {
    cwd: web,
    encoding: "utf8",
    env: { ...process.env, COVERED_MODULES: out, NODE_V8_COVERAGE: join(out, "v8") },
  });
  if (status !== 0) throw new Error(`the tests fail:\n${stdout}`);
  for (const report of readdirSync(join(out, "v8"))) {
    for (const script of JSON.parse(readFileSync(join(out, "v8", report), "utf8")).result) {
      if (script.url.startsWith(pathToFileURL(join(out, "module")).href)) take(script);
    }
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

/** Marks the places of the source that a script came by. */
function take({ url, functions }) {
  const path = fileURLToPath(url);
  const text = readFileSync(path, "utf8");
  // The narrower range says more, and comes later.
  const counts = new Uint8Array(text.length);
  for (const { ranges } of functions) for (const { startOffset, endOffset, count } of ranges) counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
  let start = 0;
  text.split("\n").forEach((line, row) => {
    for (let column = 0, last = ""; column < line.length; column++) {
      const { originalSource, originalLine, originalColumn } = map.findEntry(row, column);
      const file = originalSource && basename(originalSource);
      if (!originalSource?.endsWith(`src/state/${file}`)) continue;
      const place = `${originalLine}:${originalColumn}`;
      if (place === last || line[column].trim() === "" || line[column] === "}") continue;
      last = place;
      const seen = places.get(file);
      seen.set(place, seen.get(place) || counts[start + column] === 1);
    }
    start += line.length + 1;
  });
}

let poor = false;
for (const [file, seen] of places) {
  const source = readFileSync(join(folder, file), "utf8").split("\n");
  const rows = new Map();
  const all = [...seen].map(([place, came]) => [...place.split(":").map(Number), came]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const missed = [];
  let before = true;
  for (const [row, column, came] of all) {
    rows.set(row, rows.get(row) || came);
    if (!came && before) missed.push([row, source[row].slice(column).trim()]);
    before = came;
  }
  const share = all.length === 0 ? 1 : [...rows.values()].filter(Boolean).length / rows.size;
  const known = MISSING[file] ?? {};
  const news = file in MISSING ? missed.filter(([, text]) => !(text in known)) : [];
  const gone = Object.keys(known).filter((text) => !missed.some(([, one]) => one === text));
  console.log(`  ${file.padEnd(16)} ${(share * 100).toFixed(1)} % of ${rows.size} lines, ${missed.length} branches not taken${file in MISSING ? ` of the reducer, ${Object.keys(known).length} of them known` : ""}`);
  if (share < LINES) console.log(`    src/state/${file}: ${LINES * 100} % of the lines are asked for`);
  for (const [row, text] of news) console.log(`    src/state/${file}:${row + 1}: no test comes to \`${text}\``);
  for (const text of gone) console.log(`    src/state/${file}: \`${text}\` is taken now: leave it out of MISSING`);
  if (news.length > 0 || gone.length > 0 || share < LINES) poor = true;
}
if (poor) process.exitCode = 1;
