// Two runs beside each other: role by role, dimension by dimension, finding by finding.
import { useState } from "preact/hooks";

import type { PageProps } from "../App";
import { maybe, score, t, when } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { useLoaded } from "../lib/loaded";
import { Page, SourceDiff } from "../lib/lines";
import { Link, links, requery } from "../lib/router";
import { artifactPath, getRun, type RunView } from "../net/api";
import { getComparison, getRuns, type RunLine } from "../net/runs";
import { compare, type Delta } from "../state/compare";
import { StatusMark } from "../theater/Badge";
import { phaseOfRun } from "./phase";

export default function Compare({ project, query }: PageProps) {
  const [a, b] = [query.get("a") ?? "", query.get("b") ?? ""];
  const history = useLoaded(project, () => getRuns({ project, limit: "200", state: "ended" }));
  if (history.error) return <Trouble error={history.error} missing={[t("project.title"), history.error.message]} onAgain={history.again} />;
  const runs = history.value?.runs ?? [];
  if (history.value && runs.length < 2) {
    return (
      <Empty title={t("compare.emptyTitle")} text={t("compare.emptyText")}>
        <Link class="button is-main" to={links.start(project)}>
          {t("nav.new")}
        </Link>
      </Empty>
    );
  }
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("critiqueTheater.userFacingName")}</p>
          <h1>{t("compare.title")}</h1>
        </div>
      </header>
      <div class="columns">
        <Choose label={t("compare.base")} runs={runs} value={a} onChoose={(id) => requery({ a: id || null })} />
        <Choose label={t("compare.other")} runs={runs} value={b} onChoose={(id) => requery({ b: id || null })} />
      </div>
      {a && b && history.value ? (
        runs.some((run) => run.workflow !== "theater" && (run.runId === a || run.runId === b)) ? (
          <Others key={`${a}${b}`} a={a} b={b} />
        ) : (
          <Panels key={`${a}${b}`} project={project} a={a} b={b} />
        )
      ) : (
        <p class="wait">{t("compare.choose")}</p>
      )}
    </div>
  );
}

/** Two runs of a panel, with their scores and pages. */
function Panels({ project, a, b }: { project: string; a: string; b: string }) {
  const left = useLoaded(`a${a}`, () => getRun(project, a));
  const right = useLoaded(`b${b}`, () => getRun(project, b));
  if (left.value && right.value) return <Both project={project} left={left.value} right={right.value} />;
  return <p class="wait">{t(left.error || right.error ? "unknown.title" : "loading")}</p>;
}

/** Two runs of any other workflow, by what is open in each. */
function Others({ a, b }: { a: string; b: string }) {
  const { value, error } = useLoaded(a + b, () => getComparison(a, b));
  if (!value) return <p class="wait">{error ? error.message : t("loading")}</p>;
  const lists = { onlyA: value.fixed, onlyB: value.new, both: value.still };
  return (
    <>
      {(["onlyA", "onlyB", "both"] as const).map((which) => (
        <section key={which} class="panel" aria-label={t(`compare.${which}`)}>
          <header class="panel-head">
            <h2>{t(`compare.${which}`)}</h2>
            <p>{lists[which].length}</p>
          </header>
          <ul class="findings">
            {lists[which].slice(0, 100).map((finding) => (
              <li key={finding.id} class="finding">
                <code>{finding.rule}</code>
                <span class="finding-text">{finding.text}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Choose({ label, runs, value, onChoose }: { label: string; runs: RunLine[]; value: string; onChoose: (id: string) => void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{t("compare.none")}</option>
        {runs.map((run) => (
          <option key={run.runId} value={run.runId}>
            {`${run.composite == null ? "–" : score(run.composite)} · ${run.title} · ${run.agent} · ${when(run.createdAt)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Both({ project, left, right }: { project: string; left: RunView; right: RunView }) {
  const [changed, setChanged] = useState(false);
  const [pages, setPages] = useState(false);
  const all = compare(left.state, right.state);
  const rows = changed ? all.rows.filter((row) => row.a !== row.b) : all.rows;
  const sources = [left, right].map(({ run }) => artifactPath(project, run.runId, run.round ?? null)) as [string, string];
  return (
    <>
      <div class="columns is-heads">
        {[left, right].map(({ run }) => (
          <div key={run.runId} class="compare-head">
            <Link to={links.run(project, run.runId)}>{run.title || t("run.untitled")}</Link>
            <StatusMark phase={phaseOfRun(run)} />
            <span class="fact">{t("run.by", { agent: run.agent })}</span>
          </div>
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={changed} onChange={() => setChanged(!changed)} />
        {t("compare.changed")}
      </label>
      <table class="deltas">
        <thead>
          <tr>
            <th scope="col">{t("compare.what")}</th>
            <th scope="col">{t("compare.base")}</th>
            <th scope="col">{t("compare.other")}</th>
            <th scope="col">{t("compare.delta")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </tbody>
      </table>
      {(["onlyA", "onlyB", "both"] as const).map(
        (which) =>
          all[which].length > 0 && (
            <section key={which} class="panel" aria-label={t(`compare.${which}`)}>
              <header class="panel-head">
                <h2>{t(`compare.${which}`)}</h2>
                <p>{all[which].length}</p>
              </header>
              <ul class="findings">
                {all[which].slice(0, 100).map((finding) => (
                  <li key={finding.id} class={`finding ink-${finding.role}`}>
                    <span class="role-tag">{maybe(`tag.${finding.role}`, finding.role)}</span>
                    <span class="finding-text">{finding.text}</span>
                    <span class="finding-rounds">{t(`finding.${finding.state}`)}</span>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      <section class="panel">
        <header class="panel-head">
          <h2>{t("artifact.name")}</h2>
          <button type="button" class="button" aria-expanded={pages} onClick={() => setPages(!pages)}>
            {t(pages ? "compare.hide" : "compare.show")}
          </button>
        </header>
        {pages && (
          <>
            <div class="beside">
              <Page source={sources[0]} title={left.run.title} tall={false} />
              <Page source={sources[1]} title={right.run.title} tall={false} />
            </div>
            <SourceDiff before={sources[0]} after={sources[1]} />
          </>
        )}
      </section>
    </>
  );
}

function Row({ row }: { row: Delta }) {
  const difference = row.a === null || row.b === null ? null : row.b - row.a;
  const show = (value: number | null) => (value === null ? "–" : row.whole ? String(value) : score(value));
  const better = difference !== null && difference !== 0 && difference > 0 !== row.lessIsBetter;
  const name = row.role ? (row.dimension ?? maybe(`role.${row.role}`, row.role)) : t(row.key === "composite" ? "card.composite" : "card.mustFix");
  return (
    <tr class={`${row.role ? `ink-${row.role}` : ""} ${row.dimension ? "is-dim" : "is-head"}`}>
      <th scope="row">{name}</th>
      <td>{show(row.a)}</td>
      <td>{show(row.b)}</td>
      <td class={difference === null || difference === 0 ? "" : better ? "is-met" : "is-under"}>
        {difference === null ? "" : difference === 0 ? "=" : `${difference > 0 ? "▲ +" : "▼ −"}${show(Math.abs(difference))}`}
      </td>
    </tr>
  );
}
