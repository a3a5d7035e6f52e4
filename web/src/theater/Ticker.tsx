// The composite over the rounds, against the bar.
import { count, exact, score, t } from "../i18n";
import { composite, mustFix } from "../state/selectors";
import type { Board } from "../words";

interface TickerProps {
  board: Board;
  selected: number;
  onSelect: (round: number) => void;
}

export function Ticker({ board, selected, onSelect }: TickerProps) {
  const { started, rounds } = board;
  if (!started) return null;
  const slots = Math.max(started.maxRounds, rounds.at(-1)?.round ?? 0);
  const numbers = Array.from({ length: Math.min(slots, 20) }, (_, index) => index + 1);
  const under = 1 - started.threshold / started.scale;
  return (
    <section class="ticker" aria-labelledby="ticker-name">
      <header class="panel-head">
        <h2 id="ticker-name">{t("ticker.name")}</h2>
        <p class="ticker-key">{t("ticker.bar", { threshold: exact(started.threshold) })}</p>
      </header>
      <div class="ticker-plot">
        <div class="ticker-bar" style={{ top: `calc(var(--well) * ${under})` }} />
        <ol class="ticker-rounds">
          {numbers.map((number) => {
            const round = rounds.find((one) => one.round === number);
            const value = composite(board, round);
            const met = value !== null && value.settled && round?.end?.decision === "ship";
            return (
              <li key={number}>
                <button
                  type="button"
                  class={`tick ${met ? "is-met" : ""} ${value && !value.settled ? "is-open" : ""}`}
                  aria-pressed={selected === number}
                  disabled={!round}
                  onClick={() => onSelect(number)}
                >
                  <span class="tick-well">
                    {value && <span class="tick-fill" style={{ height: `${(value.value / started.scale) * 100}%` }} />}
                    {value && <span class="tick-value">{score(value.value)}</span>}
                  </span>
                  <span class="tick-name">{t("round.name", { n: number })}</span>
                  <span class="tick-note">{note(number)}</span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );

  function note(number: number): string {
    const round = rounds.find((one) => one.round === number);
    if (!round) return t(board.ended ? "round.unused" : "round.empty");
    if (!round.end) return t(board.ended ? "round.cut" : "round.open");
    if (round.end.decision === "ship") return t("round.clears");
    return round.end.quorum ? count("lane.mustFix", mustFix(round)) : t("round.noQuorum");
  }
}
