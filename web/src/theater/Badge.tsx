// How a run stands, in one chip: a mark, a word, the four dots, the composite.
import { maybe, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { cast, composite, dots, ending, isOver, type Phase, phase, reviewOf, roundOf, standing } from "../state/selectors";
import type { Board, Role } from "../words";

const ICONS: Record<Phase, string> = {
  idle: icon.ring,
  queued: icon.clock,
  running: icon.ring,
  fallback: icon.ring,
  shipped: icon.check,
  below_threshold: icon.dash,
  timed_out: icon.clock,
  interrupted: icon.stop,
  degraded: icon.alert,
  failed: icon.cross,
  legacy: icon.dash,
};

export function StatusMark({ phase, word = phase }: { phase: Phase; word?: Phase | "under" }) {
  return (
    <span class={`status is-${phase}`}>
      <Icon path={ICONS[phase]} />
      {t(`status.${word}`)}
    </span>
  );
}

/** Each dot is filled when its panelist reached the bar, and a ring when not; its letter says whose it is. */
export function Dots({ of, bar }: { of: Scores; bar: number }) {
  const all = dots(Object.keys(of));
  return (
    <span class="dots" role="img" aria-label={all.map(([role]) => spoken(role)).join(", ")}>
      {all.map(([role, letter]) => {
        const value = of[role] ?? null;
        const kind = value === null ? "is-none" : value >= bar ? "is-met" : "is-under";
        return (
          <span key={role} class={`dim-dot ink-${role} ${kind}`} title={spoken(role)}>
            {letter}
          </span>
        );
      })}
    </span>
  );

  function spoken(role: Role): string {
    const value = of[role] ?? null;
    return `${maybe(`role.${role}`, role)} ${value === null ? t("lane.noScore") : score(value)}`;
  }
}

/** What each panelist gave. */
type Scores = { [role: string]: number | null | undefined };

function given(board: Board, round: number | null): Scores {
  const shown = round === null ? board.rounds.at(-1) : roundOf(board, round);
  return Object.fromEntries(dots(cast(board)).map(([role]) => [role, reviewOf(shown, role)?.score]));
}

export function Badge({ board }: { board: Board }) {
  const now = phase(board);
  const end = ending(board);
  const value = isOver(now) ? end.composite : (composite(board, board.rounds.at(-1))?.value ?? null);
  return (
    <span class="badge">
      <StatusMark phase={now} word={standing(board)} />
      {board.rounds.length > 0 && board.started && (
        <Dots of={given(board, end.round)} bar={board.started.threshold} />
      )}
      {value !== null && <b class="badge-score">{score(value)}</b>}
      {end.round !== null && <span class="meta-pill">{t("round.short", { n: end.round })}</span>}
    </span>
  );
}
