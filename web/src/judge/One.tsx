// One judged run: the marks with those of every seat, what is wrong and where, and what was said before.
import { count, hundredths, mark, number, percent, t } from "../i18n";
import { money } from "../i18n/format";
import { Trouble } from "../lib/Empty";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useLoaded } from "../lib/loaded";
import { Link, links } from "../lib/router";
import { getCase, type Issue, type Judgement } from "../net/judge";
import { place } from "./figures";
import { Mark, Moment, Problems, Says, Section } from "./parts";

export const DIMENSIONS = ["correctness", "scope_adherence", "code_quality", "completeness"] as const;
/** Each mark of a pass reaches this. */
const PASS_FROM = 0.7;

export function One({ project, bead }: { project: string; bead: string }) {
  const loaded = useLoaded(bead, () => getCase(bead));
  const back = (
    <Link class="button" to={links.page(project, "judge")}>
      {t("nav.judge")}
    </Link>
  );
  if (loaded.error && !loaded.value) {
    return (
      <Trouble error={loaded.error} missing={[t("unknown.title"), t("judge.unknown")]} onAgain={loaded.again}>
        {back}
      </Trouble>
    );
  }
  if (!loaded.value) return <p class="wait">{t("loading")}</p>;
  const { judgement, usage, coverage, history, run, problems } = loaded.value;
  return (
    <div class="sheet-page is-case">
      <header class="page-head">
        <div class="run-words">
          <p class="eyebrow">{t("judge.one")}</p>
          <h1>{bead}</h1>
          <div class="run-facts">
            {judgement && <Says as={judgement.verdict} score={judgement.score} />}
            {judgement && <span class="fact">{t(`sure.${judgement.confidence}`)}</span>}
            {judgement?.judge && <span class="fact">{t("judge.by", { judge: judgement.judge.model })}</span>}
            {judgement && (
              <span class="fact">
                <Moment iso={judgement.judged_at} />
              </span>
            )}
            {run && <span class="fact">{t("judge.from", { template: run.template })}</span>}
            {run?.agent && <span class="fact">{t("run.by", { agent: run.agent })}</span>}
            {run?.outcome && <span class="fact">{t(`outcome.${run.outcome}`)}</span>}
            {coverage && <span class="fact">{t("judge.saw", { share: percent(coverage.share) })}</span>}
            {usage && (
              <span class="fact">
                {t("judge.tokens", { n: number(usage.inputTokens + usage.outputTokens) })}
                {usage.costUsd !== undefined && `, ${money(usage.costUsd)}`}
              </span>
            )}
            {run?.failurePatterns.map((name) => (
              <code key={name} class="fact">
                {name}
              </code>
            ))}
          </div>
        </div>
        {back}
      </header>
      <Problems list={problems} />
      {judgement ? <Said judgement={judgement} /> : problems.length === 0 && <Section name={t("judge.one")} empty={[t("judge.unjudged"), `jury judge RUN.json`]} />}
      {history.length > 0 && (
        <Section name={t("judge.history")} beside={number(history.length)}>
          <ul class="claims">
            {history.map((one, index) => (
              <li key={index}>
                <Says as={one.verdict} score={one.score} /> {one.judge && t("judge.by", { judge: one.judge.model })} <Moment iso={one.judged_at} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

export function Said({ judgement }: { judgement: Judgement }) {
  const { summary, dimensions, issues, panel, warnings = [] } = judgement;
  const seats = panel?.seats ?? [];
  return (
    <>
      <Section name={t("judge.marks")} beside={t("judge.passFrom", { bar: hundredths(PASS_FROM) })}>
        <p class="panel-text">{summary}</p>
        <div class="scroll" role="group" tabIndex={0} aria-label={t("judge.marks")}>
          <table class="deltas is-judge">
            <thead>
              <tr>
                <th scope="col">{t("judge.dimension")}</th>
                <th scope="col">{t("judge.mark")}</th>
                {seats.map(({ judge, repeat }, index) => (
                  <th key={index} scope="col">
                    {t("judge.seat", { judge, n: repeat })}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {DIMENSIONS.map((name) => (
                <tr key={name}>
                  <th scope="row">{t(`axis.${name}`)}</th>
                  <td data-name={t("judge.mark")}>
                    <Mark value={dimensions[name]} bar={PASS_FROM} />
                  </td>
                  {seats.map((seat, index) => (
                    <td key={index} data-name={t("judge.seat", { judge: seat.judge, n: seat.repeat })}>
                      {seat.dimensions ? mark(seat.dimensions[name]) : "–"}
                    </td>
                  ))}
                </tr>
              ))}
              {seats.length > 0 && (
                <tr>
                  <th scope="row">{t("judge.verdict")}</th>
                  <td data-name={t("judge.mark")}>
                    <Says as={judgement.verdict} />
                  </td>
                  {seats.map((seat, index) => (
                    <td key={index} data-name={t("judge.seat", { judge: seat.judge, n: seat.repeat })}>
                      {seat.verdict ? <Says as={seat.verdict} /> : t("judge.absent")}
                    </td>
                  ))}
                </tr>
              )}
            </tbody>
          </table>
        </div>
        {panel && (
          <p class="panel-text">
            {t("judge.spread", { agreement: percent(panel.spread.agreement), spread: hundredths(panel.spread.score) })}
            {!panel.majority && ` ${t("judge.noMajority")}`}
          </p>
        )}
        <ul class="claims">
          {seats.map(({ judge, repeat, absent }, index) =>
            absent ? (
              <li key={index}>
                <b>{t("judge.seat", { judge, n: repeat })}</b> {t("judge.absent")}: {absent}
              </li>
            ) : null,
          )}
        </ul>
      </Section>
      <Issues list={issues} />
      {warnings.length > 0 && (
        <Section name={t("judge.warnings")} beside={number(warnings.length)}>
          <ul class="claims">
            {warnings.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

export function Issues({ list }: { list: readonly Issue[] }) {
  return (
    <Section name={t("judge.issuesName")} beside={number(list.length)}>
      {list.length === 0 && <p class="panel-text">{t("judge.noIssues")}</p>}
      <ul class="findings">
        {list.map((issue, index) => (
          <Wrong key={index} issue={issue} />
        ))}
      </ul>
    </Section>
  );
}

function Wrong({ issue }: { issue: Issue }) {
  const { severity, description, dimension, evidence, seats } = issue;
  return (
    <li class={`finding is-book ${severity === "major" ? "is-open" : "is-deferred"}`}>
      <span class="finding-state">
        <Icon path={severity === "major" ? icon.alert : icon.dash} />
        {t(`harm.${severity}`)}
      </span>
      <code>{place(issue) || "–"}</code>
      <span class="finding-text">
        {description}
        {evidence?.quote && (
          <span class="book-note">
            <code>{evidence.quote}</code>
          </span>
        )}
        {seats !== undefined && <span class="book-note">{count("judge.raised", seats)}</span>}
      </span>
      <span class="finding-rounds">{dimension && t(`axis.${dimension}`)}</span>
    </li>
  );
}
