// One round: the draft's writer, what each critic says, what was decided and why, and what the revision is asked to do.
import type { ComponentChildren } from "preact";

import { count, number, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { of, type Round as RoundState, type Studio } from "../state/studio";
import { Critic, One } from "./Critic";

export function Round({ studio, round, open }: { studio: Studio; round: RoundState; open: boolean }) {
  const { ruling, summary } = round;
  const seats = studio.panel?.seats ?? [];
  const goesOn = open && !studio.ended && !studio.halted && !studio.paused;
  return (
    <details class="panel pass" open={open}>
      <summary>
        <h2>{t("round.name", { n: round.round })}</h2>
        <span class="meta-pill">{ruling ? t(`ruled.${ruling.decision}`) : t(goesOn ? "round.open" : "studio.undecided")}</span>
        {ruling?.mean != null && <span class="pass-sum">{t("studio.mean", { n: score(ruling.mean) })}</span>}
        <span class="pass-sum">
          {t(`writer.${round.writer}`, { author: studio.started?.author ?? "" })}, {count("studio.words", round.words)}
        </span>
      </summary>
      {studio.panel && seats.length === 0 && <p class="panel-text">{t("studio.nobody")}</p>}
      {!studio.panel && <p class="panel-text">{t("studio.choosing")}</p>}
      {seats.length > 0 && (
        <ol class="verdicts">
          {seats.map((seat) => {
            const who = seat.advisorId;
            return <Critic key={who} seat={seat} said={of(round.critiques, who)} absent={of(round.absent, who)} attempt={of(round.asked, who) ?? 0} goesOn={goesOn} open={round.open} />;
          })}
        </ol>
      )}
      <Measured studio={studio} round={round} />
      {ruling && <Decision studio={studio} round={round} />}
      <Notes name={t("studio.remarks")} list={round.remarks} />
      <Notes name={t("studio.done")} list={round.done} />
      {round.lost.length > 0 && (
        <Notes name={t("studio.lost")} mark={icon.alert} list={round.lost.map(({ passage, because }) => `“${passage}” ${t(`lost.${because}`)}`)} />
      )}
      {summary && (
        <>
          <Notes
            name={t("studio.regressed")}
            mark={icon.again}
            list={(summary.regressed ?? []).map((id) => round.open.find((issue) => issue.id === id)?.description ?? id)}
          />
          <Notes name={t("studio.fixed")} mark={icon.check} list={summary.fixedItems.map(({ description, round: n }) => `${description} (${t("round.name", { n })})`)} />
          <Notes name={t("studio.well")} mark={icon.check} list={summary.wellScoredAspects.map((one) => `${one.domain || one.name}: ${score(one.score)}`)} />
          {summary.brief && (
            <details class="log">
              <summary>{t("studio.brief")}</summary>
              <pre class="brief" tabIndex={0}>
                {summary.brief}
              </pre>
            </details>
          )}
        </>
      )}
    </details>
  );
}

/** What was held against the documents beside the panel; without it, that nothing was. */
function Measured({ studio, round }: { studio: Studio; round: RoundState }) {
  if (studio.started?.evidence === "off") return <p class="panel-text">{t("studio.evidenceOff")}</p>;
  const { measured } = round;
  if (!measured || measured.issues.length === 0) return null;
  return (
    <div class="notes">
      <h3>
        <Icon path={icon.alert} />
        {t("studio.evidence")}
      </h3>
      {measured.mode === "warn" && <p class="said-basis">{t("studio.evidenceWarn")}</p>}
      <ul class="issues">
        {measured.issues.map((issue) => (
          <One key={issue.id} issue={issue} since={round.open.find(({ id }) => id === issue.id)?.since} />
        ))}
      </ul>
    </div>
  );
}

function Decision({ studio, round }: { studio: Studio; round: RoundState }) {
  const { ruling } = round;
  if (!ruling) return null;
  const { mean, common, high, answered, seats, missing = [] } = ruling;
  const name = (id: string) => studio.panel?.seats.find(({ advisorId }) => advisorId === id)?.name ?? id;
  return (
    <div class={`decided is-${ruling.decision}`}>
      <p class="decided-word">
        <Icon path={ruling.decision === "approve" ? icon.check : ruling.decision === "error" ? icon.alert : icon.again} />
        <b>{t(`ruled.${ruling.decision}`)}</b> {t(`because.${ruling.reason}`)}
        {missing.length > 0 && ` ${t("studio.missing", { names: missing.map(name).join(", ") })}`}
      </p>
      <dl class="facts">
        <Fact name={t("studio.meanName")}>{mean === null ? "–" : t("studio.meanOf", { n: score(mean), min: score(studio.started?.recipe.minAggregateScore ?? 0) })}</Fact>
        <Fact name={t("studio.high")}>{number(high)}</Fact>
        <Fact name={t("studio.openName")}>{number(round.open.length)}</Fact>
        <Fact name={t("studio.answered")}>{t("studio.heard", { n: answered, of: seats })}</Fact>
        {common && (
          <Fact name={t("studio.common")}>
            {score(common.before)} → {score(common.now)}
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Notes({ name, list, mark }: { name: string; list: readonly string[]; mark?: string }) {
  if (list.length === 0) return null;
  return (
    <div class="notes">
      <h3>
        {mark && <Icon path={mark} />}
        {name}
      </h3>
      <ul class="claims">
        {list.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
