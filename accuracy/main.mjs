// Holds the house against others and prints how far they agree:
//
//   JURY_TRUTH_DIR=… JURY=target/release/jury MUTATIONS=target/release/examples/mutations node accuracy/main.mjs [--doc FILE]
//
// Without JURY_TRUTH_DIR the parts that need it are left out, and said to be, and the document keeps what it has of them. The exit code is 0 when every bar holds, 1 when
// one fails, and 2 for a call that measures nothing.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { act } from "./act.mjs";
import { document } from "./document.mjs";
import { corpora } from "./corpus/corpora.mjs";
import { HALVES } from "./corpus/total.mjs";
import { checks, reports, snapshot } from "./jury.mjs";
import { judge } from "./judge.mjs";
import { brokenPages, mutations } from "./mutations.mjs";
import { nodes } from "./nodes.mjs";
import { own } from "./own.mjs";
import { referee } from "./referee.mjs";
import { repairs } from "./repairs.mjs";
import { pictures } from "./pictures.mjs";
import { plain } from "./table.mjs";
import { values } from "./values.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const OWN = join(here, "../crates/jury-house/tests/pages");
const truth = process.env.JURY_TRUTH_DIR;
const cache = resolve(process.env.ACCURACY_CACHE ?? join(here, "../target/accuracy"));
const PARTS = ["act", "pages", "pictures", "own", "mutations", "repairs", "corpora", "judge"];
const wanted = new Set(process.env.ACCURACY_PARTS?.split(",") ?? PARTS);
const program = process.env.MUTATIONS ?? "target/release/examples/mutations";
const gaming = process.env.GAMING ?? "target/release/examples/gaming";
const unknown = [...wanted].filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`accuracy: ACCURACY_PARTS has '${unknown.join(",")}', and the parts are ${PARTS.join(", ")}`);
  process.exit(2);
}
const halves = HALVES.filter((half) => (process.env.ACCURACY_HALVES ?? HALVES.join(",")).split(",").includes(half));
const table = await checks();

/** Reports by the name of the page. */
async function measured(folder, answers) {
  const known = await reports(answers.map(({ page }) => join(folder, page)));
  return new Map([...known].map(([path, report]) => [basename(path), report]));
}

/** The cases with the folders where their addresses look for them. */
async function cases(folder) {
  const root = await mkdtemp(join(tmpdir(), "jury-act-"));
  try {
    await mkdir(join(root, "WAI/content-assets"), { recursive: true });
    await symlink(resolve(folder), join(root, "WAI/content-assets/wcag-act-rules"));
    return await act(folder, table, (files) => reports(files, ["--root", root]));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const lost = [];
const lose = (page, why) => lost.push({ page, what: why });
const parts = [];
const show = (part) => {
  parts.push(part);
  console.log(`\n${part.title}\n\n${plain(part)}\n`);
  for (const { what, holds, figure } of part.bars) console.log(`${holds ? "holds" : "FAILS"}  ${what}: ${figure}`);
};

if (truth && !existsSync(truth)) {
  console.error(`accuracy: JURY_TRUTH_DIR is ${truth}, and there is no such folder; name the one with act/ and pages/ in it`);
  process.exit(2);
}
if (!truth) {
  console.log("JURY_TRUTH_DIR is not set: the ACT cases and the comparison with axe on real pages are skipped.");
  console.log("Repairs are judged on pages of this project with defects put into them.");
}

if (truth && wanted.has("act")) show(await cases(join(truth, "act")));
if (truth && wanted.has("pages")) {
  const folder = join(truth, "pages");
  const answers = await referee(folder, cache, undefined, lose);
  const known = await measured(folder, answers);
  show(nodes(answers, known, table));
  const snapshots = new Map();
  for (const { page } of answers) snapshots.set(page, await snapshot(join(folder, page)).catch(() => undefined));
  show(values(answers, snapshots));
  if (wanted.has("repairs")) show(await repairs(folder, answers, known, table, lose));
}
if (wanted.has("pictures")) show(await pictures());
if (wanted.has("own")) {
  const answers = await referee(OWN, join(cache, "own"), undefined, lose);
  show(own(answers, await measured(OWN, answers)));
}
if (wanted.has("mutations")) show(await mutations(program));
if (!truth && wanted.has("repairs")) {
  const folder = await mkdtemp(join(tmpdir(), "jury-broken-"));
  try {
    await brokenPages(program, folder);
    const answers = await referee(folder, join(cache, "broken"), undefined, lose);
    show(await repairs(folder, answers, await measured(folder, answers), table, lose));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
if (wanted.has("corpora")) for (const part of await corpora(cache, table, { wanted: halves, minutes: Number(process.env.ACCURACY_MINUTES ?? Infinity) })) show(part);
if (wanted.has("judge")) show(await judge(gaming));
if (lost.length > 0) {
  show({
    title: "Pages that the browser did not manage",
    columns: ["page", "why"],
    rows: lost.map(({ page, what }) => [page, what]),
    wrong: lost,
    bars: [{ what: "no page lost", holds: false, figure: `${lost.length} lost` }],
  });
}

if (parts.length === 0) {
  console.error("accuracy: nothing was measured: the parts that were asked for need JURY_TRUTH_DIR");
  process.exit(2);
}
await mkdir(cache, { recursive: true });
await writeFile(join(cache, "wrong.json"), JSON.stringify(Object.fromEntries(parts.map((part) => [part.title, part.wrong])), undefined, 1));
console.log(`\nwhat does not agree, one by one: ${join(cache, "wrong.json")}`);

const doc = process.argv.indexOf("--doc");
if (doc !== -1) {
  const file = process.argv[doc + 1];
  await writeFile(file, document(parts, Boolean(truth), await readFile(file, "utf8").catch(() => "")));
}

const bars = parts.flatMap((part) => part.bars);
const failing = bars.filter(({ holds }) => !holds);
console.log(`${bars.length - failing.length} of ${bars.length} bars hold`);
if (failing.length > 0) process.exitCode = 1;
