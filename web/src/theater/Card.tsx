// The composite, what it is made of, and the rule that decides.
import { hundredths, percent, score, t } from "../i18n";
import { cast, composite, consensus, ending, isOver, mustFix, type Phase, reviewOf, shares } from "../state/selectors";
import type { Board, RoundBoard } from "../words";

export function Card({ board, round, phase }: { board: Board; round: RoundBoard | undefined; phase: Phase }) {
  const value = composite(board, round);
  const scale = board.started?.scale ?? 10;
  const bar = board.started?.threshold ?? 0;
  const open = mustFix(round);
  const part = shares(board, round);
  const met = value !== null && value.value >= bar - 1e-9;
  return (
    <section class="card" aria-labelledby="composite-name">
      <div class="card-top">
        <div>
          <h2 class="card-name" id="composite-name">
            {t(value && !value.settled ? "card.soFar" : "card.composite")}
          </h2>
          <p class={`composite ${value === null ? "is-none" : met ? "is-met" : "is-under"}`}>
            {value === null ? "–" : score(value.value)}
            <span class="composite-of">{t("card.of", { scale })}</span>
          </p>
        </div>
        <dl class="card-facts">
          <div>
            <dt>{t("card.bar")}</dt>
            <dd>{score(bar)}</dd>
          </div>
          <div>
            <dt>{t("card.mustFix")}</dt>
            <dd class={open > 0 ? "is-under" : ""}>{open}</dd>
          </div>
        </dl>
      </div>
      <ul class="parts" aria-label={t("card.parts")}>
        {cast(board).map((role) => {
          const share = part[role];
          const said = reviewOf(round, role)?.score ?? null;
          return (
            <li key={role} class={`part ink-${role} ${share === undefined ? "is-out" : ""}`}>
              <span class="part-name">{t(`role.${role}`)}</span>
              <span class="part-weight">{share === undefined ? t("card.notCounted") : percent(share)}</span>
              {share !== undefined && <span class="part-gives">{said === null ? "" : t("card.gives", { n: hundredths(share * said) })}</span>}
            </li>
          );
        })}
      </ul>
      <Rule board={board} round={round} phase={phase} />
    </section>
  );
}

/** The contract in plain words: what it takes, how it was met, or why it was not. */
function Rule({ board, round, phase }: { board: Board; round: RoundBoard | undefined; phase: Phase }) {
  const threshold = score(board.started?.threshold ?? 0);
  const max = board.started?.maxRounds ?? 0;
  return <p class="rule">{text()}</p>;

  function text(): string {
    if (phase === "shipped") {
      const end = ending(board);
      const shipped = board.rounds.findLast((one) => one.round === end.round) ?? round;
      const [n, of] = consensus(board, shipped);
      return t("rule.shipped", { composite: score(end.composite ?? 0), threshold, n, of });
    }
    if (phase === "interrupted") return t(ending(board).round === null ? "rule.stoppedEarly" : "rule.interrupted", { threshold });
    if (isOver(phase)) return t("rule.missed", { threshold, max });
    return t("rule.running", { threshold, max });
  }
}
