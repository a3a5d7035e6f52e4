// The newest runs of the judge, whether they go on or have ended.
import { ago, t, when } from "../i18n";
import { Link, links } from "../lib/router";
import { type Standing, Stands } from "../lib/Stands";
import type { RunLine } from "../net/runs";
import { Section } from "./parts";

/** What a row says about a run: that it waits, and not for what. */
const rowStands = ({ status, state }: RunLine) => (status ?? (state === "waiting" ? "disputed" : state)) as Standing;

export function Runs({ project, list }: { project: string; list: readonly RunLine[] }) {
  if (list.length === 0) return null;
  return (
    <Section name={t("judge.runs")}>
      <ol class="runs">
        {list.map((run) => (
          <li key={run.runId}>
            <Link class="run-row is-critic" to={links.judge(project, run.runId)}>
              <span class="run-title">{run.title}</span>
              <Stands as={rowStands(run)} />
              <span class="run-agent">{run.agent}</span>
              <span class="run-rounds" />
              <span class="run-when" title={when(run.createdAt)}>
                {ago(run.createdAt)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  );
}
