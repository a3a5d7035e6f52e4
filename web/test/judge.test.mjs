// Numbers and days of the judge's pages, also where files have what no program would write.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./load.mjs";

const { at, calendar, place, span, sum } = await load("judge/figures");

test("a score and its interval lie on their bar, whatever the file says", () => {
  assert.deepEqual(span({ value: 0.5, low: 0.25, high: 0.75 }), { left: 25, width: 50, tick: 50 });
  assert.deepEqual(span({ value: 0.5, low: 0.75, high: 0.25 }), { left: 25, width: 50, tick: 50 });
  assert.deepEqual(span({ value: 7, low: -3, high: 1e300 }), { left: 0, width: 100, tick: 100 });
  assert.deepEqual([at(NaN), at(null), at(undefined), at(-1), at(2)], [0, 0, 0, 0, 100]);
});

test("the place of an issue is its file and line, as far as there are any", () => {
  assert.equal(place({ evidence: { file: "src/a.rs", line: 14 } }), "src/a.rs:14");
  assert.equal(place({ evidence: { file: "src/a.rs" } }), "src/a.rs");
  assert.equal(place({ evidence: { line: 14 } }), "");
  assert.equal(place({}), "");
});

const day = (date, judgements, costUsd) => ({ date, judgements, unpriced: 0, inputTokens: 10, outputTokens: 1, costUsd });

test("a calendar has no gaps and ends with the newest day", () => {
  assert.deepEqual(calendar([]), []);
  assert.deepEqual(calendar([day("no day", 1, 1)]), []);
  const days = calendar([day("2025-02-27", 1, 0.5), day("2025-03-01", 2, 0.25)], 4);
  assert.deepEqual(days.map(({ date, judgements }) => [date, judgements]), [["2025-02-26", 0], ["2025-02-27", 1], ["2025-02-28", 0], ["2025-03-01", 2]]);
  assert.deepEqual(calendar([day("2020-01-01", 1, 1), day("2026-01-01", 1, 1)]).length, 30);
  assert.deepEqual(sum(days), { judgements: 3, unpriced: 0, inputTokens: 20, outputTokens: 2, costUsd: 0.75 });
});
