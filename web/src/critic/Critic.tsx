// Runs of the critic: the list of a project's, one of them, and what they ask people.
import { useEffect, useState } from "preact/hooks";

import type { PageProps } from "../App";
import { ago, count, t, when } from "../i18n";
import { Inbox } from "../inbox/Inbox";
import { Empty, Trouble } from "../lib/Empty";
import { useLoaded } from "../lib/loaded";
import { Link, links } from "../lib/router";
import { RunFrame } from "../lib/RunFrame";
import { Stands } from "../lib/Stands";
import { type CriticSummary, getCriticRuns, standingOf } from "../net/critic";
import { Loop } from "./Loop";

export default function Critic({ name, project, id, query }: PageProps) {
  if (name === "inbox") return <Inbox project={project} />;
  return id ? <RunFrame workflow="critic" project={project} id={id} query={query} stop={t("docket.stop")} Sheet={Loop} /> : <List project={project} />;
}

function List({ project }: { project: string }) {
  const first = useLoaded(project, () => getCriticRuns(project));
  const [older, setOlder] = useState<Awaited<ReturnType<typeof getCriticRuns>>>({ runs: [], next: null });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && first.again(), 5000);
    return () => clearInterval(timer);
  }, []);
  if (first.error && !first.value) return <Trouble error={first.error} missing={[t("project.title"), first.error.message]} onAgain={first.again} />;
  if (!first.value) return <p class="wait">{t("loading")}</p>;
  const runs = [...first.value.runs, ...older.runs.filter(({ runId }) => !first.value?.runs.some((one) => one.runId === runId))];
  const next = older.runs.length > 0 ? older.next : first.value.next;
  if (runs.length === 0) {
    return (
      <Empty title={t("docket.emptyTitle")} text={t("docket.emptyText")}>
        <code class="command">jury critic run plan.md --criteria plan --agent AGENT</code>
      </Empty>
    );
  }
  const load = () =>
    getCriticRuns(project, next ?? "").then(
      (page) => {
        setFailed(false);
        setOlder({ runs: [...older.runs, ...page.runs], next: page.next });
      },
      () => setFailed(true),
    );
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("docket.text")}</p>
          <h1>{t("nav.critic")}</h1>
        </div>
      </header>
      <ol class="runs">
        {runs.map((run) => (
          <Row key={run.runId} run={run} project={project} />
        ))}
      </ol>
      {next && (
        <button type="button" class="button" onClick={() => void load()}>
          {t(failed ? "again" : "more")}
        </button>
      )}
    </div>
  );
}

function Row({ run, project }: { run: CriticSummary; project: string }) {
  return (
    <li>
      <Link class="run-row is-critic" to={links.critic(project, run.runId)}>
        <span class="run-title">{run.title || t("run.untitled")}</span>
        <Stands as={standingOf(run.standing, run.state)} />
        <span class="run-agent">{run.agent}</span>
        <span class="run-rounds">{count("docket.passes", run.passes)}</span>
        <span class="run-when" title={when(run.createdAt)}>
          {ago(run.createdAt)}
        </span>
      </Link>
    </li>
  );
}
