// The reducer of a content run gives what the program's fold gives, after every event of every golden log.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

const { EMPTY, apply, fold, standing } = await load("state/studio");
const { progress, steps, tenths } = await load("state/progress");
const folder = join(web, "test/golden-content");
const pairs = readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))]);

function frozen(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** The same line as the program writes after each event. */
function line(studio) {
  const now = progress(studio);
  if (!now) return "";
  const decisions = now.critiqueHistory.map(({ editorDecision }) => editorDecision ?? "-");
  return `${standing(studio)} ${now.currentStep} ${now.round} ${now.steps.map(({ status }) => status[0]).join("")} ${decisions.join()}`;
}

test("there are golden logs of every way to stand", () => {
  const ways = new Set(pairs.flatMap(([, { along }]) => along.map((one) => one.split(" ")[0])));
  const all = ["running", "paused", "halted", "needs-human", "approved", "unreviewed", "stalled", "max-rounds-reached", "abandoned"];
  assert.deepEqual(all.filter((one) => !ways.has(one)), []);
});

for (const [file, { records, along, usage, progress: expected }] of pairs) {
  test(`${file}: the same progress, at once and event by event`, () => {
    assert.deepEqual(progress(fold(EMPTY, records)), expected);
    let studio = frozen(EMPTY);
    records.forEach((record, index) => {
      // No event changes a studio that somebody holds.
      studio = frozen(apply(studio, frozen(record)));
      assert.equal(line(studio), along[index], `after ${record.seq} ${record.event}`);
    });
    assert.deepEqual(progress(studio), expected);
    assert.deepEqual(studio.usage, usage);
  });
}

test("an event that this page does not know changes nothing", () => {
  const [, { records }] = pairs.find(([file]) => file === "published.json");
  const studio = fold(EMPTY, records);
  assert.equal(apply(studio, { event: "content.dreamt", round: 1 }), studio);
  assert.deepEqual(steps(EMPTY), []);
});

test("a score has one decimal, of two that are as near the even one", () => {
  for (const [value, text] of [[8.25, "8.2"], [8.75, "8.8"], [0.25, "0.2"], [7, "7.0"], [9.95, "9.9"], [8.15, "8.2"], [6.35, "6.3"], [10, "10.0"]]) {
    assert.equal(tenths(value), text, String(value));
  }
});
