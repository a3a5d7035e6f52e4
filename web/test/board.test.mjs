// The reducer of the page gives what the program's fold gives, on every golden transcript.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

const { EMPTY, apply, fold } = await load("state/board");
const { boardAt, timeline } = await load("state/timeline");
const folder = join(web, "test/golden");
const pairs = readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))]);

function frozen(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

test("there are golden transcripts of every ending", () => {
  const ends = new Set(pairs.map(([, { board }]) => (board.ended ? (board.ended.status ?? board.ended.event) : "")));
  for (const end of [
    "shipped",
    "below_threshold",
    "timed_out",
    "legacy",
    "critique.degraded",
    "critique.interrupted",
    "critique.failed",
    "",
  ]) {
    assert.ok(ends.has(end), `none ends as ${end || "still running"}`);
  }
});

for (const [file, { records, board }] of pairs) {
  test(`${file}: the same board, at once and event by event`, () => {
    assert.deepEqual(fold(EMPTY, records), board);
    // No event changes a board that somebody holds.
    const lived = records.reduce((before, record) => frozen(apply(before, frozen(record))), frozen(EMPTY));
    assert.deepEqual(lived, board);
  });
}

test("a seek gives the board of that place, from wherever it comes", () => {
  const [, { records }] = pairs.find(([file]) => file === "happy_three_rounds_and_ship.json");
  const line = timeline(records);
  const places = records.map((_, index) => index + 1);
  for (const place of [...places, ...[...places].reverse(), 0, 7, records.length]) {
    assert.deepEqual(boardAt(line, place), fold(EMPTY, records, 0, place));
  }
});

test("what an event does not say, or says of a review that never began, changes nothing", () => {
  const [, { records, board }] = pairs.find(([file]) => file === "happy_three_rounds_and_ship.json");
  const { runId } = records[0];
  const of = (event, more = {}) => ({ runId, seq: 99, at: 0, event, ...more });
  const same = (...events) => assert.deepEqual(fold(board, events), board);
  // A kind of a later version, and an agent that does not say what it used.
  same(of("critique.of_a_later_version", { round: 1 }));
  same(of("critique.agent", { version: "1" }));
  // No log has it, and a fold that meets it goes on.
  same(of("critique.panelist_dim", { round: 1, role: "nobody", dimName: "type", dimScore: 1, dimNote: "" }));
  same(of("critique.panelist_close", { round: 1, role: "nobody", score: 1 }));
});

test("a cost that is known of one part is the cost of that part, in either order", () => {
  const part = (costUsd) => ({ event: "critique.agent", usage: { inputTokens: 10, outputTokens: 2, ...(costUsd === undefined ? {} : { costUsd }) } });
  const used = (...costs) => fold(EMPTY, costs.map(part)).usage;
  assert.deepEqual(used(undefined, undefined), { inputTokens: 20, outputTokens: 4 });
  assert.deepEqual(used(0.5), { inputTokens: 10, outputTokens: 2, costUsd: 0.5 });
  assert.deepEqual(used(undefined, 0.5), { inputTokens: 20, outputTokens: 4, costUsd: 0.5 });
  assert.deepEqual(used(0.5, undefined), { inputTokens: 20, outputTokens: 4, costUsd: 0.5 });
  assert.deepEqual(used(0.5, 0.25), { inputTokens: 20, outputTokens: 4, costUsd: 0.75 });
});
