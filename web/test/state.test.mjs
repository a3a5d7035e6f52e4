// Selectors, the timeline and the diff.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

const { EMPTY, fold } = await load("state/board");
const select = await load("state/selectors", "state/lanes");
const { IDLE, indexAt, placeOf, readTranscript, stepRound, timeline } = await load("state/timeline");
const { diff, fold: foldLines } = await load("state/diff");
const { compare } = await load("state/compare");

const golden = (name) => JSON.parse(readFileSync(join(web, `test/golden/${name}.json`), "utf8"));
const review = (over) => ({ role: "critic", closed: true, score: 7, dimensions: [], mustFix: [], notes: "", ...over });

test("a folded lane says its first must-fix, else the note of its worst dimension", () => {
  const dimensions = [
    { name: "a", score: 9, note: "fine" },
    { name: "b", score: 4, note: "poor" },
    { name: "c", score: 1, note: "" },
  ];
  const mustFix = [{ finding: "x", text: "Fix it" }];
  assert.equal(select.summary(review({ dimensions, mustFix })), "Fix it");
  assert.equal(select.summary(review({ dimensions })), "poor");
  assert.equal(select.summary(review({ notes: "only this" })), "only this");
  assert.equal(select.summary(undefined), "");
});

test("an added seat has its weight, its share and its dot", () => {
  const weights = { designer: 0, critic: 0.4, brand: 0.2, a11y: 0.2, copy: 0.2 };
  const cast = ["designer", "critic", "brand", "a11y", "copy", "legal"];
  const started = { weights, cast, seats: [{ name: "legal", looksAt: "claims", dimensions: ["claims"], weight: 1, playedBy: "agent" }] };
  const board = { ...EMPTY, started };
  assert.equal(select.weightOf(started, "legal"), 1);
  assert.equal(select.weightOf(started, "critic"), 0.4);
  assert.equal(select.weightOf({ weights }, "legal"), 0);
  assert.equal(select.weightOf(null, "legal"), 0);
  const round = { round: 1, reviews: [review({ score: 8 }), review({ role: "legal", score: 4 })], artifact: null, evidence: [], end: null };
  assert.ok(Math.abs(select.composite(board, round).value - (0.4 * 8 + 4) / 1.4) < 1e-9);
  assert.ok(Math.abs(select.shares(board, round).legal - 1 / 1.4) < 1e-9);
  assert.equal(select.weighs(board, "legal"), true);
  assert.deepEqual(select.dots(cast).map(([, letter]) => letter), ["C", "B", "A", "W", "L"]);
  assert.equal(select.dots(cast.slice(0, 5)).length, 4);
});

test("density decides what is open, and a person decides before it", () => {
  const table = [
    ["smart", true, undefined, "open"],
    ["smart", false, undefined, "summary"],
    ["active", true, undefined, "open"],
    ["active", false, undefined, "head"],
    ["all", false, undefined, "open"],
    ["all", true, false, "summary"],
    ["smart", true, false, "summary"],
    ["active", true, false, "head"],
    ["active", false, false, "head"],
    ["active", false, true, "open"],
    ["smart", false, true, "open"],
  ];
  for (const [density, active, override, expected] of table) {
    assert.equal(select.openness(density, active, override), expected);
  }
});

test("who matters is who speaks, and afterwards who scored lowest", () => {
  const { records, board } = golden("happy_three_rounds_and_ship");
  const at = records.findIndex((record) => record.event === "critique.panelist_dim") + 1;
  const early = fold(EMPTY, records, 0, at);
  assert.equal(select.active(early, early.rounds[0]), select.speaker(early));
  const last = board.rounds.at(-1);
  const scores = last.reviews.filter((one) => one.score !== null).map((one) => one.score);
  const found = last.reviews.find((one) => one.role === select.active(board, last));
  assert.equal(found.score, Math.min(...scores));
});

test("the composite so far uses the weights of those who spoke, and then the program's", () => {
  const { board } = golden("happy_three_rounds_and_ship");
  const round = board.rounds[0];
  assert.deepEqual(select.composite(board, round), { value: round.end.composite, settled: true });
  const open = { ...round, end: null };
  const soFar = select.composite(board, open);
  assert.equal(soFar.settled, false);
  assert.ok(Math.abs(soFar.value - round.end.composite) < 0.01);
});

test("a lane counts what it asked for over all rounds, each once, and what of it is open", () => {
  const entry = (role, state) => ({ role, text: "", first: 1, last: 1, state });
  const ledger = { a: entry("critic", "open"), b: entry("critic", "fixed"), c: entry("copy", "regressed"), d: entry("critic", "fixed") };
  assert.deepEqual(select.asked(ledger), { critic: [3, 1], copy: [1, 1] });
  assert.deepEqual(select.asked({}), {});
  const { board } = golden("happy_three_rounds_and_ship");
  const all = Object.values(select.asked(board.ledger)).reduce((sum, [n]) => sum + n, 0);
  assert.equal(all, Object.keys(board.ledger).length);
});

test("scores over the rounds are those of the lane or of one dimension, with holes where there was none", () => {
  const dim = (name, score) => ({ name, score, note: "" });
  const round = (n, ...reviews) => ({ round: n, reviews, artifact: null, evidence: [], end: null });
  const rounds = [round(1, review({ score: 6, dimensions: [dim("rhythm", 5), dim("type", null)] })), round(2), round(3, review({ score: 8, dimensions: [dim("type", 9), dim("rhythm", 7.5)] }))];
  const board = { ...EMPTY, rounds };
  assert.equal(select.scores(board, "critic"), "6,,8");
  assert.equal(select.scores(board, "critic", "rhythm"), "5,,7.5");
  assert.equal(select.scores(board, "critic", "type"), ",,9");
  assert.equal(select.scores(board, "brand", "type"), ",,");
});

test("shares add up to one and leave out who does not count", () => {
  const { board } = golden("happy_three_rounds_and_ship");
  const shares = select.shares(board, board.rounds[0]);
  assert.equal(shares.designer, undefined);
  assert.ok(Math.abs(Object.values(shares).reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
});

test("every golden board has a phase, and over is over", () => {
  for (const [name, phase] of [
    ["ends_interrupted_before_a_round", "interrupted"],
    ["ends_timed_out", "timed_out"],
    ["ends_shipped", "shipped"],
    ["ends_failed", "failed"],
    ["ends_legacy", "legacy"],
    ["ends_degraded_with_a_page", "degraded"],
    ["waits_for_the_page", "fallback"],
  ]) {
    const { board } = golden(name);
    assert.equal(select.phase(board), phase, name);
    assert.equal(select.isOver(select.phase(board)), phase !== "fallback", name);
  }
  assert.equal(select.unreviewed(golden("ends_degraded_with_a_page").board), true);
  assert.equal(select.unreviewed(golden("ends_shipped").board), false);
  assert.equal(select.phase(EMPTY), "idle");
});

test("a timeline of another workflow has marks for its passes, seats and rounds", () => {
  const marked = (events) => timeline(events.map((event, index) => ({ seq: index + 1, at: index, ...event })));
  const critic = marked([{ event: "critic.queued" }, { event: "critic.verdict", pass: 1 }, { event: "critic.pass_ended", pass: 1 }, { event: "critic.converged" }]);
  assert.deepEqual([critic.unit, critic.marks], ["pass", [{ index: 3, kind: "round", round: 1 }, { index: 4, kind: "end", round: 0 }]]);
  assert.equal(placeOf(critic, 2).round, 1);
  assert.deepEqual([stepRound(critic, 0, 1), stepRound(critic, 3, 1), stepRound(critic, 3, -1)], [3, 4, 0]);
  const judge = marked([{ event: "judge.queued" }, { event: "judge.seat_judged", seat: 2 }, { event: "judge.seat_absent", seat: 1 }]);
  assert.deepEqual([judge.unit, judge.marks.map(({ index, round }) => [index, round])], ["seat", [[2, 2], [3, 1], [3, 0]]]);
  const content = marked([{ event: "content.queued" }, { event: "content.decided", round: 1 }]);
  assert.deepEqual([content.unit, content.marks[0]], ["round", { index: 2, kind: "round", round: 1 }]);
});

test("a timeline steps by rounds, cuts idle time and finds places", () => {
  const { records } = golden("happy_three_rounds_and_ship");
  const slow = records.map((record, index) => ({ ...record, at: index * 5000 }));
  const line = timeline(slow);
  assert.equal(line.brisk.at(-1), (slow.length - 1) * IDLE);
  const ends = records.flatMap((record, index) => (record.event === "critique.round_end" ? [index + 1] : []));
  assert.equal(stepRound(line, 0, 1), ends[0]);
  assert.equal(stepRound(line, ends[0], 1), ends[1]);
  assert.equal(stepRound(line, ends[1], -1), ends[0]);
  assert.equal(stepRound(line, 1, -1), 0);
  assert.equal(stepRound(line, ends[2], 1), records.length);
  assert.equal(indexAt(line.times, 0), 1);
  assert.equal(indexAt(line.times, 4999), 1);
  assert.equal(indexAt(line.times, 1e9), records.length);
  assert.equal(placeOf(line, ends[0]).round, 1);
});

/** An answer of which the body comes in these pieces. */
const coming = (...pieces) => ({ body: ReadableStream.from(pieces.map((piece) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece))) });

test("a transcript that was cut is read as far as it goes", async () => {
  assert.deepEqual(await readTranscript(coming('{"seq":1}\n\n{"seq":2}\n{"se')), [{ seq: 1 }, { seq: 2 }]);
  assert.deepEqual(await readTranscript(coming('{"seq":1}\n{"se\n{"seq":3}\n', '{"seq":4}')), [{ seq: 1 }]);
  assert.deepEqual(await readTranscript({ body: null }), []);
});

test("a transcript is read line by line as it comes, wherever it is cut, and its text is never held whole", async () => {
  const text = '{"seq":1,"text":"Grüße, 世界"}\n{"seq":2}\n{"seq":3}';
  const expected = text.split("\n").map((line) => JSON.parse(line));
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
    assert.deepEqual(await readTranscript(coming(...pieces)), expected);
  }
  // A line is a record before the next piece is asked for.
  const { parse } = JSON;
  const read = [];
  const asked = [];
  JSON.parse = (line) => (read.push(line), parse(line));
  try {
    const pieces = ['{"seq":1}\n', '{"seq":2}\n', '{"seq":3}\n', '{"seq":4}\n', '{"seq":5}\n', '{"seq":6}\n'];
    const body = new ReadableStream({
      pull(stream) {
        asked.push(read.length);
        const next = pieces.shift();
        if (next) stream.enqueue(new TextEncoder().encode(next));
        else stream.close();
      },
    });
    assert.equal((await readTranscript({ body })).length, 6);
  } finally {
    JSON.parse = parse;
  }
  assert.ok(asked.at(-1) >= 3, `lines that were read before each piece: ${asked}`);
});

test("a diff turns one text into the other", () => {
  const texts = ["", "a", "a\nb\nc", "a\nx\nc\nd", "b\nc", "q\nr\ns\nt", "a\nb\nc\nd\ne\nf\ng", "a\nc\nb\nd\nf\ne\ng"];
  for (const before of texts) {
    for (const after of texts) {
      const { lines } = diff(before, after);
      const side = (kind) => lines.filter((line) => line.kind !== kind).map((line) => line.text).join("\n");
      assert.equal(side("new"), before);
      assert.equal(side("gone"), after);
    }
  }
  assert.equal(diff("a\nb\nc", "a\nx\nc").added, 1);
});

test("a diff of texts that share nothing ends soon", () => {
  const many = (word) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join("\n");
  const began = performance.now();
  const result = diff(many("a"), many("b"));
  assert.equal(result.coarse, true);
  assert.ok(performance.now() - began < 5000);
});

test("what is the same and far away is left out of a diff", () => {
  const before = Array.from({ length: 50 }, (_, index) => String(index));
  const after = before.with ? before.with(25, "x") : Object.assign([...before], { 25: "x" });
  const folded = foldLines(diff(before.join("\n"), after.join("\n")).lines);
  assert.equal(folded[0], 22);
  assert.equal(folded.at(-1), 21);
});

test("two runs are compared by role, dimension and finding", () => {
  const { board } = golden("happy_three_rounds_and_ship");
  const same = compare(board, board);
  assert.ok(same.rows.every((row) => row.a === row.b));
  assert.equal(same.onlyA.length + same.onlyB.length, 0);
  const none = compare(board, EMPTY);
  assert.equal(none.onlyA.length, Object.keys(board.ledger).length);
  assert.equal(none.rows[0].b, null);
});
