// What happened, for the words of an ending: every sentence about it is made of this. The program has the same in
// crates/jury-core/src/report/verdict.rs.
import type { Board, Evidence } from "../words";
import { ending, roundOf, status } from "./selectors";

/** What ended a run, where that was not the rule. */
type EndedBy = "lint" | "request" | "restart" | "clock" | "degraded" | "failed";

interface Facts {
  by: EndedBy | null;
  /** The last round that met the rule. */
  met: number | null;
  /** How many rounds were closed. */
  closed: number;
  /** Whether the best round, and not the last one, is kept when none ships, and was. */
  keptBest: boolean;
}

export function facts(board: Board): Facts {
  const { ended, rounds, started } = board;
  const word = status(board);
  const by =
    word === "timed_out" ? "clock"
    : word === "degraded" || word === "failed" ? word
    : ended?.event === "critique.interrupted" ? (ended.recoveryReason ? "restart" : "request")
    : word === "below_threshold" && board.lint?.findings.length ? "lint"
    : null;
  return {
    by,
    met: rounds.findLast((one) => one.end?.decision === "ship")?.round ?? null,
    closed: rounds.filter((one) => one.end).length,
    keptBest: ending(board).hasArtifact && started?.fallbackPolicy === "ship_best",
  };
}

/** Whether it is a must-fix of jury's own. That the page was replaced is one whatever is made of measured facts. */
const holds = (item: Evidence, gates: boolean) =>
  item.kind === "loss" ? gates || item.check === "user/replaced" : gates && item.kind === "failure" && item.standing === "overrated";

/** The must-fixes that are jury's own, of the round that the run ended with or has come to. */
export function own(board: Board): Evidence[] {
  const round = roundOf(board, ending(board).round ?? 0) ?? board.rounds.at(-1);
  return (round?.evidence ?? []).filter((item) => holds(item, board.started?.evidence === "gate"));
}

/** Settings that made the verdict easier to get. The house measures, whatever is made of facts beside it. */
export function conditions({ started }: Board): ("low" | "warn" | "off")[] {
  if (!started) return [];
  const { threshold, scale, evidence = "off", agent } = started;
  const weak = agent !== "house" && evidence !== "gate" ? [evidence] : [];
  return threshold < scale / 2 - 1e-9 ? ["low", ...weak] : weak;
}
