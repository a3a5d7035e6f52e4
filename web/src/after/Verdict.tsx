// How a run ended, what that means, and what can be done about it: one notice for each way.
import { count, exact, maybe, number, score, t } from "../i18n";
import * as icon from "../lib/icons";
import { ending, type Phase, roundOf } from "../state/selectors";
import { conditions, facts, own } from "../state/verdict";
import { type NoticeProps, Slip, type Words } from "../theater/Notice";
import type { Board } from "../words";

export function Verdict({ board, phase, children }: NoticeProps) {
  const words = wordsOf(board, phase);
  return (
    words && (
      <Slip board={board} phase={phase} words={words} strong={conditions(board).map((name) => t(`condition.${name}`, { threshold: exact(board.started?.threshold ?? 0), scale: board.started?.scale ?? 0 }))}>
        {children}
      </Slip>
    )
  );
}

export function wordsOf(board: Board, phase: Phase): Words | null {
  const { ended, started } = board;
  const end = ending(board);
  const { by, met } = facts(board);
  const bar = started?.threshold ?? 0;
  const numbers = {
    round: end.round ?? 0,
    composite: end.composite === null ? "–" : score(end.composite, bar),
    threshold: exact(bar),
  };
  // What jury holds against it by itself. Whatever was measured, a round that met the rule has nothing of it.
  const items = own(board);
  const measured = items.filter((item) => item.kind === "failure").length;
  const lost = items.some((item) => item.check === "user/replaced") ? t("own.replaced") : items.length > measured && t("own.lost");
  const mine = end.round === null ? [] : [lost, measured > 0 && t("own.measured", { n: number(measured) })];
  // Which page was kept, if one was; and that a round had met the rule, where the run did not ship it.
  const kept = [
    ...mine,
    met !== null && by !== "lint" && t("met.had", { round: met }),
    t(end.round === null ? "kept.unclosed" : end.hasArtifact ? "kept.page" : "kept.none", numbers),
  ];
  const join = (...sentences: (string | false)[]) => sentences.filter(Boolean).join(" ");
  const ship = ended?.event === "critique.ship" ? ended : null;
  switch (phase) {
    case "shipped":
      return { icon: icon.check, title: t("shipped.title", numbers), text: t("shipped.text"), detail: ship?.summary };
    case "below_threshold":
      return { icon: icon.dash, title: belowTitle(), text: join(t(by ? "below.lint" : "below.text"), ...kept), detail: ship?.summary };
    case "timed_out":
      return { icon: icon.clock, title: t(ship?.cause === "round_timeout" ? "timeout.round" : "timeout.total"), text: join(...kept), detail: ship?.summary };
    case "interrupted":
      return {
        icon: icon.stop,
        title: end.round === null ? t("interrupted.early") : t("interrupted.title", numbers),
        text: join(by === "restart" && t("interrupted.restart"), ...kept, t("interrupted.stays")),
      };
    case "degraded": {
      const event = ended?.event === "critique.degraded" ? ended : null;
      const reason = event?.reason ?? "malformed_block";
      const page = end.round !== null ? kept : [t(end.hasArtifact ? "degraded.page" : "degraded.nothing")];
      return { icon: icon.alert, title: t(end.round === null ? "degraded.title" : "degraded.cut"), text: join(maybe(`degraded.${reason}`, reason), ...page), detail: event?.detail };
    }
    case "failed": {
      const event = ended?.event === "critique.failed" ? ended : null;
      const cause = event?.cause ?? "orchestrator_internal";
      return { icon: icon.cross, title: t("failed.title"), text: join(maybe(`failed.${cause}`, cause), ...kept), detail: event?.detail };
    }
    case "legacy":
      return { icon: icon.dash, title: t("legacy.title"), text: t("legacy.text"), detail: board.fallback?.detail };
    default:
      return null;
  }

  /** What held it back: the final pass, the score, what is open. */
  function belowTitle(): string {
    const open = roundOf(board, end.round ?? 0)?.end?.mustFix ?? 0;
    const under = end.composite !== null && end.composite < bar - 1e-9;
    if (by || (!under && !open)) return t(by ? "below.found" : "below.rule", numbers);
    return open ? count(under ? "below.both" : "below.open", open, numbers) : t("below.score", numbers);
  }
}
