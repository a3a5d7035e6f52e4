// Judgements, the newest first: the verdict, who gave it, and the first things that are wrong, with their places.
import { useEffect, useState } from "preact/hooks";

import { count, t } from "../i18n";
import type { Loaded } from "../lib/loaded";
import { Link, links, requery } from "../lib/router";
import { getJudgements, type Issue, type JudgementSummary } from "../net/judge";
import { place } from "./figures";
import { Moment, Says, Section } from "./parts";

type Page = Awaited<ReturnType<typeof getJudgements>>;
export type Filter = Record<"verdict" | "template", string>;

const VERDICTS = ["pass", "partial", "fail"] as const;

interface JudgementsProps {
  project: string;
  first: Loaded<Page>;
  filter: Filter;
  templates: readonly string[];
}

export function Judgements({ project, first, filter, templates }: JudgementsProps) {
  const [older, setOlder] = useState<Pick<Page, "judgements" | "next">>({ judgements: [], next: null });
  const [failed, setFailed] = useState(false);
  const key = JSON.stringify(filter);
  useEffect(() => setOlder({ judgements: [], next: null }), [key]);
  const page = first.value?.judgements ?? [];
  const rows = [...page, ...older.judgements.filter(({ bead }) => !page.some((one) => one.bead === bead))];
  const next = older.judgements.length > 0 ? older.next : (first.value?.next ?? null);
  const load = () =>
    getJudgements({ ...filter, cursor: next ?? "" }).then(
      (more) => {
        setFailed(false);
        setOlder({ judgements: [...older.judgements, ...more.judgements], next: more.next });
      },
      () => setFailed(true),
    );
  const filtered = filter.verdict !== "" || filter.template !== "";
  return (
    <Section name={t("judge.judgements")} empty={rows.length === 0 && !filtered && [t("judge.noJudgements"), "jury judge RUN.json"]}>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t("judge.template")}</span>
          <select value={filter.template} onChange={(event) => requery({ template: event.currentTarget.value || null })}>
            <option value="">{t("history.any")}</option>
            {templates.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("judge.verdict")}</span>
          <select value={filter.verdict} onChange={(event) => requery({ verdict: event.currentTarget.value || null })}>
            <option value="">{t("history.any")}</option>
            {VERDICTS.map((verdict) => (
              <option key={verdict} value={verdict}>
                {t(`says.${verdict}`)}
              </option>
            ))}
          </select>
        </label>
      </form>
      {rows.length === 0 && <p class="panel-text">{t("judge.noneFits")}</p>}
      <ol class="runs">
        {rows.map((row) => (
          <Row key={row.bead} row={row} project={project} />
        ))}
      </ol>
      {next && (
        <button type="button" class="button" onClick={() => void load()}>
          {t(failed ? "again" : "more")}
        </button>
      )}
    </Section>
  );
}

function Row({ row, project }: { row: JudgementSummary; project: string }) {
  const all = row.majors + row.minors;
  return (
    <li class="judged">
      <Link class="run-row is-critic" to={links.page(project, "judge", row.bead)}>
        <span class="run-title">{row.bead}</span>
        <Says as={row.verdict} score={row.score} />
        <span class="run-agent">{row.judge || "–"}</span>
        <span class="run-rounds">{count("judge.issues", all)}</span>
        <span class="run-when">
          <Moment iso={row.judgedAt} />
        </span>
      </Link>
      <ul class="claims">
        {row.run && (
          <li>
            {t("judge.from", { template: row.run.template })}
            {row.run.agent && `, ${t("run.by", { agent: row.run.agent })}`}
          </li>
        )}
        {row.issues.map((issue, index) => (
          <li key={index}>
            <Wrong issue={issue} />
          </li>
        ))}
        {all > row.issues.length && <li>{count("judge.others", all - row.issues.length)}</li>}
      </ul>
    </li>
  );
}

function Wrong({ issue }: { issue: Issue }) {
  const where = place(issue);
  return (
    <>
      <b>{t(`harm.${issue.severity}`)}</b> {where && <code>{where}</code>} {issue.description}
    </>
  );
}
