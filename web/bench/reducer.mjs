// How long an event takes to fold into the board, over a transcript of 1 MiB. CPU time of this process, each event by itself.
//
//   node bench/reducer.mjs
import { load } from "../test/load.mjs";

const BAR = 50;
const { apply, EMPTY, fold } = await load("state/board.ts");

/** Records as the log has them: ten rounds in which everybody has a lot to say. */
function records() {
  const note = "The call to action competes with the logo at the top left; the eye lands twice before it finds the headline.";
  const all = [];
  const push = (event, more) => all.push({ runId: "r", seq: all.length + 1, at: all.length * 10, event: `critique.${event}`, ...more });
  push("queued", { agent: "a", title: "t" });
  push("run_started", { agent: "a", cast: ["designer", "critic", "brand", "a11y", "copy"], maxRounds: 10, threshold: 8, scale: 10, weights: { critic: 0.4, brand: 0.2, a11y: 0.2, copy: 0.2, designer: 0 } });
  for (let round = 1; round <= 10; round++) {
    for (const role of ["critic", "brand", "a11y", "copy"]) {
      push("panelist_open", { round, role });
      for (let n = 0; n < 80; n++) push("panelist_dim", { round, role, dimName: `dimension-${n}`, dimScore: n / 8, dimNote: note });
      for (let n = 0; n < 30; n++) push("panelist_must_fix", { round, role, finding: `${role}${n}r${n % 3 === 0 ? 1 : round}`, text: note, state: "open" });
      push("panelist_close", { round, role, score: 6, notes: note });
    }
    push("round_end", { round, composite: 6, mustFix: 120, decision: "continue", quorum: true, reason: note });
  }
  return all;
}

const log = records();
const bytes = log.reduce((sum, record) => sum + JSON.stringify(record).length + 1, 0);
for (let warm = 0; warm < 5; warm++) fold(EMPTY, log);
const times = [];
for (let turn = 0; turn < 5; turn++) {
  let board = EMPTY;
  for (const record of log) {
    const { user, system } = process.cpuUsage();
    const began = process.hrtime.bigint();
    board = apply(board, record);
    const wall = Number(process.hrtime.bigint() - began) / 1000;
    const used = process.cpuUsage();
    // The clock of the processor has coarse steps and the other counts what others do: the smaller is nearer.
    times.push(Math.min(wall, used.user + used.system - user - system || wall));
  }
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(times.length * share)];
const over = at(0.99) > BAR;
console.log(`reducer, ${log.length} events of ${(bytes / 1024 / 1024).toFixed(2)} MiB   p50 ${at(0.5).toFixed(1)} µs   p99 ${at(0.99).toFixed(1)} µs   bar p99 ≤ ${BAR} µs${over ? "   OVER" : ""}`);
if (over) process.exitCode = 1;
