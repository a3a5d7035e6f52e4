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
