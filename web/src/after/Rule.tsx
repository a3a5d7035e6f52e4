// The ship rule once a run is over: how it was met, or why it was not, and what ended the run.
import { count, exact, score, t } from "../i18n";
import { consensus, ending, type Phase, roundOf } from "../state/selectors";
import { facts } from "../state/verdict";
import type { Board, RoundBoard } from "../words";

export function Rule({ board, round, phase }: { board: Board; round: RoundBoard | undefined; phase: Phase }) {
  return <p class="rule">{ruleText(board, round, phase)}</p>;
}

export function ruleText(board: Board, round: RoundBoard | undefined, phase: Phase): string {
  const bar = board.started?.threshold ?? 0;
  const max = board.started?.maxRounds ?? 0;
  const values = { threshold: exact(bar), max };
  const { by, met, closed, keptBest } = facts(board);
  if (met === null && by === "request" && keptBest) return t("rule.interrupted", values);
  const named = phase === "shipped" ? ending(board).round : met;
  const passed = roundOf(board, named ?? 0) ?? round;
  const [n, of] = consensus(board, passed);
  const all = { ...values, round: named ?? 0, composite: score(passed?.end?.composite ?? 0, bar), n, of };
  const rule = phase === "shipped" ? t("rule.shipped", all) : met !== null ? t("rule.met", all) : closed ? count("rule.missed", max, values) : t("rule.unapplied", values);
  return by ? `${rule} ${t(`ended.${by}`)}` : rule;
}
