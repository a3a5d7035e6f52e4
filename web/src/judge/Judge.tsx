// The judge: its runs, and what its learning loop has come to: templates, judgements, patterns, cost, tests. One run, and one
// judged run, at addresses of their own.
import { useEffect } from "preact/hooks";

import type { PageProps } from "../App";
import { t } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { useLoaded } from "../lib/loaded";
import { usePlace } from "../lib/router";
import { RunFrame } from "../lib/RunFrame";
import { getCost, getJudgements, getPatterns, getTemplates, getTests } from "../net/judge";
import { getRuns } from "../net/runs";
import { Cost } from "./Cost";
import { type Filter, Judgements } from "./Judgements";
import { One } from "./One";
import { Problems } from "./parts";
import { Patterns } from "./Patterns";
import { Run } from "./Run";
import { Runs } from "./Runs";
import { Templates } from "./Templates";
import { Variants } from "./Variants";

/** Files change when a command runs, and nobody says so. */
const EVERY = 15_000;

export default function Judge({ project, id, query }: PageProps) {
  const run = usePlace().path[4];
  if (run) return <RunFrame key={run} workflow="judge" project={project} id={run} query={query} stop={t("judging.stop")} Sheet={Run} />;
  return id ? <One project={project} bead={id} /> : <Board project={project} query={query} />;
}

function Board({ project, query }: { project: string; query: URLSearchParams }) {
  const filter: Filter = { verdict: query.get("verdict") ?? "", template: query.get("template") ?? "" };
  const rest = useLoaded("rest", () => Promise.all([getTemplates(), getPatterns(), getCost(), getTests(), getRuns({ workflow: "judge", project, limit: "20" })]));
  const first = useLoaded(JSON.stringify(filter), () => getJudgements(filter));
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      rest.again();
      first.again();
    }, EVERY);
    return () => clearInterval(timer);
  }, []);
  const error = rest.error ?? first.error;
  const both = () => {
    rest.again();
    first.again();
  };
  if (error && !(rest.value && first.value)) return <Trouble error={error} onAgain={both} />;
  if (!rest.value || !first.value) return <p class="wait">{t("loading")}</p>;

  const [templates, patterns, cost, tests, { runs }] = rest.value;
  const problems = [templates, first.value, patterns, cost, tests].flatMap((part) => part.problems);
  const once = problems.filter((one, index) => problems.findIndex(({ file, problem }) => file === one.file && problem === one.problem) === index);
  const any = [templates.templates, first.value.judgements, patterns.patterns, cost.days, tests.tests, tests.queue, tests.refinements, runs].some(({ length }) => length > 0);
  if (!any && once.length === 0 && !filter.verdict && !filter.template) {
    return (
      <Empty title={t("judge.emptyTitle")} text={t("judge.emptyText")}>
        {["jury feedback collect RUN.json", "jury judge RUN.json", "jury templates score"].map((command) => (
          <code key={command} class="command">
            {command}
          </code>
        ))}
      </Empty>
    );
  }
  const names = [...templates.templates.map(({ template }) => template), ...first.value.judgements.flatMap(({ run }) => run?.template ?? []), ...(filter.template ? [filter.template] : [])];
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("judge.text")}</p>
          <h1>{t("nav.judge")}</h1>
        </div>
      </header>
      <Problems list={once} />
      <Templates list={templates.templates} at={templates.generatedAt} />
      <Judgements project={project} first={first} filter={filter} templates={[...new Set(names)].sort()} />
      <Runs project={project} list={runs} />
      <Patterns list={patterns.patterns} />
      <Cost days={cost.days} />
      <Variants of={tests} />
    </div>
  );
}
