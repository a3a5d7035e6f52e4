// Every way in which the domain says that a run can stand has its pictures, at three widths and in two themes; and no picture is
// left of a state that is gone. The browser tests compare them: see test/browser/pictures.mjs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";

const here = (path) => new URL(path, import.meta.url);
const FOLDER = here("browser/pictures/");
const files = readdirSync(FOLDER).filter((file) => /^[^.]+\.png$/.test(file));
const kept = new Map();
for (const file of files) {
  const [, name, view] = file.match(/^(.+)-(\d+-\w+)\.png$/);
  kept.set(name, [...(kept.get(name) ?? []), view]);
}

const source = (path) => readFileSync(here(`../src/${path}`), "utf8");
const words = (text) => [...text.matchAll(/"([\w-]+)"/g)].map(([, word]) => word);
/** The words of a type of the API. */
function union(name) {
  const found = source("api.gen.ts").match(new RegExp(`^ {8}${name}: ((?:"[\\w-]+"(?: \\| )?)+);$`, "m"));
  assert.ok(found, `no type ${name}`);
  return words(found[1]);
}
/** The screens of a run that has not ended. */
const phases = words(source("state/selectors.ts").match(/^export type Phase = (.*) \| Status;$/m)[1]);

/** Where the names of pictures begin, from the types of the domain. A run of which nothing is known is not shown. */
const STATES = [
  ...phases.filter((phase) => phase !== "idle").map((phase) => `run-${phase}`),
  ...union("Status").map((status) => `run-${status}`),
  ...union("DegradedReason").map((reason) => `run-degraded-${reason}`),
  ...union("FailedCause").map((cause) => `run-failed-${cause}`),
  ...union("TimeoutCause").map((cause) => `run-timed_out-${cause}`),
  ...union("RecoveryReason").map((reason) => `run-interrupted-${reason}`),
  ...["critic", "judge", "content"].map((workflow) => `${workflow}-queued`),
  ...union("CriticStanding").map((standing) => `critic-${standing}`),
  ...union("JudgeStanding").map((standing) => `judge-${standing}`),
  ...union("ContentStanding").map((standing) => `content-${standing}`),
];
const belongs = (name, state) => name === state || name.startsWith(`${state}-`);

test("every state of the domain has pictures", () => {
  const names = [...kept.keys()];
  assert.deepEqual(STATES.filter((state) => !names.some((name) => belongs(name, state))), []);
});

test("every picture is there at 375, 768 and 1280 pixels, light and dark", () => {
  const views = [375, 768, 1280].flatMap((width) => [`${width}-dark`, `${width}-light`]).sort();
  assert.deepEqual([...kept].filter(([, has]) => has.sort().join() !== views.join()), []);
});

test("no picture is left of what no test takes", () => {
  const tests = readdirSync(here("browser/")).filter((file) => file.endsWith(".mjs")).map((file) => readFileSync(here(`browser/${file}`), "utf8")).join("");
  const taken = (name) => tests.includes(`"${name}"`) || STATES.some((state) => belongs(name, state)) || /^(critic|judge|content)-replay$/.test(name);
  assert.deepEqual([...kept.keys()].filter((name) => !taken(name)), []);
});

test("the pictures take less than 8 MiB", () => {
  const bytes = files.reduce((sum, file) => sum + statSync(new URL(file, FOLDER)).size, 0);
  assert.ok(bytes < 8 * 1024 * 1024, `${bytes} bytes`);
});
