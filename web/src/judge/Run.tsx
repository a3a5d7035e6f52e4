// The page of one run of the judge: how it stands and what to do about it, the seats as they answer, and what they come to.
import { ago, count, mark, maybe, number, percent, t, when } from "../i18n";
import { money } from "../i18n/format";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links } from "../lib/router";
import type { SheetProps } from "../lib/RunFrame";
import { MARKS, Stands } from "../lib/Stands";
import type { JudgeState, SeatState, Standing } from "../net/judge";
import { Prose } from "../theater/Prose";
import { DIMENSIONS, Issues, Said } from "./One";
import { Says, Section } from "./parts";

export function Run({ project, run, state, past, actions, banner }: SheetProps<JudgeState>) {
  const { started, seats, signals, disputed, ended, usage } = state;
  const standing = standingOf(state, run.status);
  const judgement = ended?.event === "judge.judged" ? ended.judgement : disputed?.judgement;
  const goesOn = !ended && !disputed;
  return (
    <div class={`sheet-page is-case is-${standing}`}>
      <header class="page-head">
        <div class="run-words">
          <p class="eyebrow">{t("judging.name")}</p>
          <h1>{run.title}</h1>
          <div class="run-facts">
            <Stands as={standing} />
            <span class="fact">{t("run.by", { agent: run.agent })}</span>
            {started && <span class="fact">{t("judge.from", { template: started.template })}</span>}
            {started && <span class="fact">{t("judge.saw", { share: percent(started.coverage.share) })}</span>}
            {signals && <span class="fact">{t(`outcome.${signals.outcome}`)}</span>}
            <span class="fact" title={when(run.createdAt)}>
              {ago(run.createdAt)}
            </span>
            {usage.inputTokens + usage.outputTokens > 0 && (
              <span class="fact">
                {t("judge.tokens", { n: number(usage.inputTokens + usage.outputTokens) })}
                {usage.costUsd != null && `, ${money(usage.costUsd)}`}
              </span>
            )}
            {signals?.failurePatterns.map((name) => (
              <code key={name} class="fact">
                {name}
              </code>
            ))}
          </div>
        </div>
        <div class="run-actions">{actions}</div>
      </header>
      {banner}
      <p class="sr-only" aria-live="polite">
        {t(`stands.${standing}`)} {seats.length > 0 && t("studio.heard", { n: seats.filter(isDone).length, of: seats.length })}
      </p>
      <Notice project={project} state={state} standing={standing} bead={run.title} past={past} />
      {seats.length > 0 && (
        <Section name={t("judging.seats")} beside={t("studio.heard", { n: seats.filter(isDone).length, of: seats.length })}>
          <ul class="findings">
            {seats.map((seat, index) => (
              <Seat key={index} seat={seat} goesOn={goesOn} />
            ))}
          </ul>
        </Section>
      )}
      {judgement ? <Said judgement={judgement} /> : seats.some(({ judged }) => judged) && <Issues list={seats.flatMap(({ judged }) => judged?.issues ?? [])} />}
    </div>
  );
}

const isDone = ({ judged, absent }: SeatState) => !!(judged ?? absent);

function standingOf({ started, throttled, disputed, settled, ended }: JudgeState, word: string | null): Standing {
  if (ended) return (word as Standing | null) ?? "running";
  if (disputed && !settled) return "disputed";
  return throttled ? "throttled" : started ? "running" : "queued";
}

interface NoticeProps {
  project: string;
  state: JudgeState;
  standing: Standing;
  bead: string;
  past: boolean;
}

function Notice({ project, state, standing, bead, past }: NoticeProps) {
  const { text, detail } = wordsOf(state, standing);
  return (
    <section class={`notice is-${standing}`} aria-labelledby="notice-title">
      <Icon path={MARKS[standing]} />
      <div class="notice-words">
        <h2 id="notice-title">{t(`judging.${standing}`)}</h2>
        {text && <p>{text}</p>}
        <Prose class="notice-detail" text={detail} />
        <div class="notice-actions">
          {standing === "disputed" && !past && (
            <Link class="button is-main" to={links.page(project, "inbox")}>
              {t("docket.inbox")}
            </Link>
          )}
          {state.ended?.event === "judge.judged" && (
            <Link class="button" to={links.page(project, "judge", bead)}>
              {t("judge.one")}
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

function wordsOf({ throttled, disputed, settled, ended, redispatch }: JudgeState, standing: Standing): { text: string; detail: string } {
  switch (ended?.event) {
    case "judge.judged":
      return { text: settled ? t("judging.settled", { by: settled.by }) : "", detail: redispatch?.reason ?? "" };
    case "judge.skipped":
      return { text: t(`outcome.${ended.outcome}`), detail: "" };
    case "judge.inconclusive":
      return { text: t("studio.heard", { n: ended.answered, of: ended.seats }), detail: ended.reasons.join("\n") };
    case "judge.interrupted":
      return { text: t(ended.recoveryReason ? "docket.restartText" : "judging.stopped"), detail: "" };
    case "judge.failed":
      return { text: maybe(`failed.${ended.cause}`, ended.cause), detail: ended.detail ?? "" };
    default:
      if (standing === "disputed") return { text: disputed?.dispute.question ?? "", detail: disputed?.dispute.why ?? "" };
      if (standing === "throttled") return { text: throttled ? t("judging.until", { bound: throttled.bound, when: when(throttled.until) }) : "", detail: "" };
      return { text: t(standing === "queued" ? "docket.queuedText" : "studio.follows"), detail: "" };
  }
}

function Seat({ seat: { name, judged, absent, rejected, retried }, goesOn }: { seat: SeatState; goesOn: boolean }) {
  return (
    <li class={`finding is-book ${absent ? "is-open" : judged ? "is-fixed" : "is-deferred"}`}>
      {judged ? (
        <Says as={judged.verdict} />
      ) : (
        <span class="finding-state">
          <Icon path={absent ? icon.alert : icon.clock} />
          {t(absent ? "judge.absent" : goesOn ? "judging.waits" : "docket.unjudged")}
        </span>
      )}
      <code>{t("judge.seat", { judge: name.judge.model, n: name.repeat })}</code>
      <span class="finding-text">
        {judged?.summary ?? absent?.reason}
        {retried && <span class="book-note">{t("judging.retried", { why: retried.reason })}</span>}
        {rejected.length > 0 && <span class="book-note">{t("judging.rejected", { why: rejected.join("; ") })}</span>}
        {judged && (
          <span class="book-note">
            {DIMENSIONS.map((axis) => `${t(`axis.${axis}`)} ${mark(judged.dimensions[axis])}`).join(" · ")}
          </span>
        )}
      </span>
      <span class="finding-rounds">{judged && count("judge.issues", judged.issues.length)}</span>
    </li>
  );
}
