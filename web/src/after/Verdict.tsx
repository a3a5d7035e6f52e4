// How a run ended, what that means, and what can be done about it: one notice for each way.
import { maybe, score, t } from "../i18n";
import * as icon from "../lib/icons";
import { ending, type Phase } from "../state/selectors";
import { type NoticeProps, Slip, type Words } from "../theater/Notice";
import type { Board } from "../words";

export function Verdict({ board, phase, children }: NoticeProps) {
  const words = wordsOf(board, phase);
  return (
    words && (
      <Slip board={board} phase={phase} words={words}>
        {children}
      </Slip>
    )
  );
}

function wordsOf(board: Board, phase: Phase): Words | null {
  const { ended, started } = board;
  const end = ending(board);
  const numbers = {
    round: end.round ?? 0,
    composite: end.composite === null ? "–" : score(end.composite),
    max: started?.maxRounds ?? 0,
  };
  switch (phase) {
    case "shipped": {
      const detail = ended?.event === "critique.ship" ? ended.summary : undefined;
      return { icon: icon.check, title: t("shipped.title", numbers), text: t("shipped.text", numbers), detail };
    }
    case "below_threshold": {
      const lint = board.lint?.findings.length ?? 0;
      const text = lint > 0 ? "below.lint" : end.hasArtifact ? "below.kept" : "below.nothing";
      const detail = ended?.event === "critique.ship" ? ended.summary : undefined;
      return { icon: icon.dash, title: t("below.title", numbers), text: t(text, numbers), detail };
    }
    case "timed_out": {
      const ship = ended?.event === "critique.ship" ? ended : null;
      const title = t(ship?.cause === "round_timeout" ? "timeout.round" : "timeout.total");
      return { icon: icon.clock, title, text: t(end.hasArtifact ? "timeout.kept" : "timeout.nothing", numbers), detail: ship?.summary };
    }
    case "interrupted": {
      const late = ended?.event === "critique.interrupted" && ended.recoveryReason !== undefined;
      if (end.round === null) return { icon: icon.stop, title: t("interrupted.early"), text: t(late ? "interrupted.restart" : "interrupted.earlyText") };
      return { icon: icon.stop, title: t("interrupted.title", numbers), text: t(late ? "interrupted.restart" : "interrupted.text", numbers) };
    }
    case "degraded": {
      const event = ended?.event === "critique.degraded" ? ended : null;
      const reason = event?.reason ?? "malformed_block";
      const text = `${maybe(`degraded.${reason}`, reason)} ${t(end.round !== null ? "degraded.kept" : end.hasArtifact ? "degraded.page" : "degraded.nothing", numbers)}`;
      return { icon: icon.alert, title: t("degraded.title"), text, detail: event?.detail };
    }
    case "failed": {
      const event = ended?.event === "critique.failed" ? ended : null;
      const cause = event?.cause ?? "orchestrator_internal";
      return { icon: icon.cross, title: t("failed.title"), text: maybe(`failed.${cause}`, cause), detail: event?.detail };
    }
    case "legacy":
      return { icon: icon.dash, title: t("legacy.title"), text: t("legacy.text"), detail: board.fallback?.detail };
    default:
      return null;
  }
}
