// The composite, what it is made of, and the rule that decides.
import { count, exact, maybe, percent, score, t } from "../i18n";
import { After } from "../lib/later";
import { cast, composite, isOver, mustFix, type Phase, reviewOf, shares } from "../state/selectors";
import type { Board, Role, RoundBoard } from "../words";

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
            {value === null ? "–" : score(value.value, bar)}
            <span class="composite-of">{t("card.of", { scale })}</span>
          </p>
        </div>
        <dl class="card-facts">
          <div>
            <dt>{t("card.bar")}</dt>
            <dd>{exact(bar)}</dd>
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
          const said = counts(board, round, role);
          return (
            <li key={role} class={`part ink-${role} ${share === undefined ? "is-out" : ""}`}>
              <span class="part-name">{maybe(`role.${role}`, role)}</span>
              <span class="part-weight">{share === undefined ? t("card.notCounted") : percent(share)}</span>
              {share !== undefined && <span class="part-gives">{said === null ? "" : score(said)}</span>}
            </li>
          );
        })}
      </ul>
      <Rule board={board} round={round} phase={phase} />
    </section>
  );
}

/** The contract in plain words: what it takes, and once it is over, how it was met or why it was not. */
function Rule({ board, round, phase }: { board: Board; round: RoundBoard | undefined; phase: Phase }) {
  if (isOver(phase)) return <After what="rule" board={board} shown={round} phase={phase} />;
  const max = board.started?.maxRounds ?? 0;
  return <p class="rule">{count("rule.running", max, { threshold: exact(board.started?.threshold ?? 0), max })}</p>;
}

/** What a role counts with: its score, or where facts are a gate and it gave more, what was measured. */
function counts(board: Board, round: RoundBoard | undefined, role: Role): number | null {
  const bound = round?.evidence.find((item) => item.kind === "score" && item.role === role && !item.dimension && item.standing === "overrated");
  return (board.started?.evidence === "gate" ? bound?.value : null) ?? reviewOf(round, role)?.score ?? null;
}
