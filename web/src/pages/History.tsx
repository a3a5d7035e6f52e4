// The runs of a project, of every workflow: found again by word, status and agent, with the way that scores went.
import { useEffect, useState } from "preact/hooks";

import type { PageProps } from "../App";
import { ago, clock, count, maybe, score, t, when } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links, requery } from "../lib/router";
import { getAgents, getSettings, optional } from "../net/pages";
import { getRuns, type RunLine } from "../net/runs";
import { Dots, StatusMark } from "../theater/Badge";
import { phaseOfRun } from "./phase";
import { Trend } from "./Trend";

const STATUSES = ["shipped", "below_threshold", "timed_out", "interrupted", "degraded", "failed", "legacy"] as const;

export default function History({ project, query }: PageProps) {
  const [more, setMore] = useState<RunLine[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const filter = { q: query.get("q") ?? "", status: query.get("status") ?? "", agent: query.get("agent") ?? "" };
  const key = JSON.stringify([project, filter]);
  // The statuses are those of the theater.
  const ask = { project, ...filter, workflow: filter.status && "theater", limit: "50" };
  const page = useLoaded(key, () => getRuns(ask));
  const agents = useLoaded("agents", () => optional(getAgents()));
  const settings = useLoaded("settings", () => optional(getSettings()));
  useEffect(() => {
    setMore([]);
    setNext(null);
  }, [key]);

  const first = page.value?.runs ?? [];
  const runs = [...first, ...more];
  const busy = first.some((run) => run.state !== "ended");
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && page.again(), busy ? 2000 : 15_000);
    return () => clearInterval(timer);
  }, [busy]);
  const after = more.length > 0 ? next : (page.value?.next ?? null);
  const load = async () => {
    const older = await getRuns({ ...ask, before: after ?? "" });
    setMore([...more, ...older.runs]);
    setNext(older.next ?? null);
  };

  if (page.error && !page.value) {
    return <Trouble error={page.error} missing={[t("project.title"), page.error.message]} onAgain={page.again} />;
  }
  if (!page.value) return <p class="wait">{t("loading")}</p>;
  const filtered = Object.values(filter).some(Boolean);
  if (runs.length === 0 && !filtered) {
    return (
      <Empty title={t("history.emptyTitle")} text={t("history.emptyText")}>
        <Link class="button is-main" to={links.start(project)}>
          <Icon path={icon.plus} />
          {t("nav.new")}
        </Link>
      </Empty>
    );
  }
  const bar = settings.value?.critique.scoreThreshold ?? 0;
  const names = [...new Set([...(agents.value ?? []).map((agent) => agent.id), ...runs.map((run) => run.agent)])].sort();
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("critiqueTheater.userFacingName")}</p>
          <h1>{t("nav.history")}</h1>
        </div>
        <Link class="button is-main" to={links.start(project)}>
          <Icon path={icon.plus} />
          {t("nav.new")}
        </Link>
      </header>
      <Trend runs={runs.filter(({ workflow }) => workflow === "theater")} threshold={settings.value?.critique.scoreThreshold ?? null} scale={settings.value?.critique.scoreScale ?? 10} />
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>{t("history.search")}</span>
          <input type="search" value={filter.q} onInput={(event) => requery({ q: event.currentTarget.value || null })} />
        </label>
        <label class="field">
          <span>{t("history.status")}</span>
          <select value={filter.status} onChange={(event) => requery({ status: event.currentTarget.value || null })}>
            <option value="">{t("history.any")}</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {t(`status.${status}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("history.agent")}</span>
          <select value={filter.agent} onChange={(event) => requery({ agent: event.currentTarget.value || null })}>
            <option value="">{t("history.any")}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </form>
      {runs.length === 0 ? (
        <p class="wait">{t("history.none")}</p>
      ) : (
        <ol class="runs">
          {runs.map((run) => (
            <Row key={run.runId} run={run} project={project} bar={bar} />
          ))}
        </ol>
      )}
      {after && (
        <button type="button" class="button" onClick={() => void load()}>
          {t("more")}
        </button>
      )}
    </div>
  );
}

/** Where a run has its page. */
function to(project: string, { workflow, runId, title }: RunLine): string {
  if (workflow === "content") return links.page(project, "content", `${title.split("/")[0]}/${runId}`);
  return links[workflow === "theater" ? "run" : workflow](project, runId);
}

const ICONS = { passed: icon.check, not_passed: icon.cross, inconclusive: icon.alert, waiting: icon.alert, interrupted: icon.stop };

/** How a run of another workflow stands, in its own word. */
function Mark({ run: { status, state, outcome } }: { run: RunLine }) {
  const word = status ?? state;
  return (
    <span class={`status is-${word}`}>
      <Icon path={outcome ? ICONS[outcome] : state === "waiting" ? icon.alert : icon.ring} />
      {maybe(`stands.${word}`, maybe(`work.${word}`, word))}
    </span>
  );
}

function Row({ run, project, bar }: { run: RunLine; project: string; bar: number }) {
  const took = run.startedAt && run.endedAt ? clock(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : "";
  return (
    <li>
      <Link class="run-row" to={to(project, run)}>
        <span class="run-score">{run.composite === null ? "–" : score(run.composite)}</span>
        <span class="run-title">{run.title || t("run.untitled")}</span>
        {run.workflow === "theater" ? (
          <>
            <StatusMark phase={phaseOfRun(run)} />
            <Dots of={run.scores} bar={bar} />
          </>
        ) : (
          <>
            <Mark run={run} />
            <span class="dots">
              <span class="meta-pill">{t(`nav.${run.workflow}`)}</span>
            </span>
          </>
        )}
        <span class="run-agent">{run.agent}</span>
        <span class="run-rounds">{run.workflow === "judge" ? "" : count(run.workflow === "critic" ? "docket.passes" : "history.rounds", run.rounds)}</span>
        <span class="run-took">{took}</span>
        <span class="run-when" title={when(run.createdAt)}>
          {ago(run.createdAt)}
        </span>
      </Link>
    </li>
  );
}
