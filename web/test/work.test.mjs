// How much work there is behind what must be fast. No test here looks at a clock: `npm run bench` measures, and what is counted
// here is the same on every machine. An event is folded by making a bounded number of new things, however long the log is; a
// seek reads no more than the events since the last checkpoint.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./load.mjs";

const { apply, EMPTY, fold } = await load("state/board");
const { boardAt, timeline } = await load("state/timeline");

/** A log of so many rounds, each with the same to say. */
function log(rounds) {
  const all = [];
  const push = (event, more) => all.push({ runId: "r", seq: all.length + 1, at: all.length * 10, event: `critique.${event}`, ...more });
  push("queued", { agent: "a", title: "t" });
  push("run_started", { agent: "a", cast: ["critic", "brand"], maxRounds: rounds, threshold: 8, scale: 10, weights: {} });
  for (let round = 1; round <= rounds; round++) {
    for (const role of ["critic", "brand"]) {
      push("panelist_open", { round, role });
      for (let n = 0; n < 20; n++) push("panelist_dim", { round, role, dimName: `d${n}`, dimScore: 5, dimNote: "A word." });
      for (let n = 0; n < 8; n++) push("panelist_must_fix", { round, role, finding: `${role}${n}r${round}`, text: "Mend it.", state: "open" });
      push("panelist_close", { round, role, score: 6, notes: "A word." });
    }
    push("round_end", { round, composite: 6, mustFix: 16, decision: "continue", quorum: true, reason: "Below the bar." });
  }
  return all;
}

/** How many places were written to make one value out of another: those of every list and object that is not shared. */
function made(before, after) {
  if (before === after || after === null || typeof after !== "object") return 0;
  return Object.keys(after).reduce((sum, key) => sum + 1 + made(before?.[key], after[key]), 0);
}

/** The most places that one event writes, and the rounds' own list apart: it has one for each round. */
function most(records) {
  let board = EMPTY;
  let worst = 0;
  for (const record of records) {
    const next = apply(board, record);
    // The ledger is put together when somebody looks; to look here would be the work that is not done.
    const bare = ({ queued, started, rounds, superseded, warnings, usage, lint, fallback, ended }) => ({ queued, started, rounds, superseded, warnings, usage, lint, fallback, ended });
    worst = Math.max(worst, made(bare(board), bare(next)) - next.rounds.length);
    board = next;
  }
  return worst;
}

test("an event makes as much anew in a long log as in a short one", () => {
  const short = most(log(3));
  assert.equal(most(log(60)), short);
  assert.ok(short < 120, `${short} places`);
});

test("rounds and lanes that an event does not touch are the same objects afterwards", () => {
  const records = log(4);
  const last = records.findLastIndex(({ event }) => event === "critique.panelist_dim");
  const before = fold(EMPTY, records, 0, last);
  const after = apply(before, records[last]);
  assert.deepEqual(after.rounds.map((round, at) => round === before.rounds[at]), [true, true, true, false]);
  assert.deepEqual(after.rounds[3].reviews.map((review, at) => review === before.rounds[3].reviews[at]), [true, false]);
});

test("a seek reads at most the events since a checkpoint, wherever it comes from and goes to", () => {
  let read = 0;
  const records = new Proxy(log(60), {
    get(all, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) read++;
      return Reflect.get(all, key);
    },
  });
  const line = timeline(records);
  assert.ok(records.length > 3000);
  read = 0;
  boardAt(line, records.length);
  assert.ok(read <= records.length, `${read} for the first way through`);
  for (let place = 0, seed = 7; place < 400; place++) {
    seed = (seed * 48271) % 2147483647;
    read = 0;
    boardAt(line, seed % (records.length + 1));
    assert.ok(read < 32, `${read} events for one seek`);
  }
});
