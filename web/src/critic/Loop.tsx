// The page of one run of the critic: how it stands and what to do about it, then pass by pass.
import { useState } from "preact/hooks";

import { Interrupt } from "../after/Interrupt";
import { ago, count, number, t, when } from "../i18n";
import { money } from "../i18n/format";
import { Trouble } from "../lib/Empty";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links } from "../lib/router";
import { ApiError } from "../net/api";
import { standingOf, stopCriticRun } from "../net/critic";
import { Changes } from "./Changes";
import { Books } from "./Books";
import { Pass } from "./Pass";
import { Stands } from "./Stands";
import { useLoop } from "./useLoop";
import { Verdict } from "./Verdict";

export function Loop({ project, id }: { project: string; id: string }) {
  const loop = useLoop(project, id);
  const [asking, setAsking] = useState(false);
  const [stopping, setStopping] = useState(false);
  const [said, setSaid] = useState<ApiError | null>(null);
  if (loop.error && !loop.value) {
    return (
      <Trouble error={loop.error} missing={[t("unknown.title"), t("unknown.text")]} onAgain={loop.again}>
        <Link class="button" to={links.critic(project)}>
          {t("nav.critic")}
        </Link>
      </Trouble>
    );
  }
  if (!loop.value) return <p class="wait">{t("loading")}</p>;
  const { run, docket } = loop.value;
  const standing = standingOf(run);
  const { started, usage } = docket;
  const stop = () => {
    setStopping(true);
    setSaid(null);
    stopCriticRun(project, id).then(loop.again, (error: unknown) => {
      setStopping(false);
      setSaid(error instanceof ApiError ? error : null);
    });
  };
  return (
    <div class={`sheet-page is-${standing}`}>
      <header class="page-head">
        <div class="run-words">
          <p class="eyebrow">{t("docket.name")}</p>
          <h1>{run.title || t("run.untitled")}</h1>
          <div class="run-facts">
            <Stands as={standing} />
            <span class="fact">{t("run.by", { agent: run.agent })}</span>
            {started && <span class="fact">{t("docket.set", { set: started.set })}</span>}
            <span class="fact">{count("docket.passes", docket.passes.length)}</span>
            <span class="fact">{count("docket.fixes", docket.fixes)}</span>
            <span class="fact" title={when(run.createdAt)}>
              {ago(run.createdAt)}
            </span>
            {usage.inputTokens + usage.outputTokens > 0 && (
              <span class="fact is-mono" title={t("measured.tokens")}>
                {number(usage.inputTokens)} → {number(usage.outputTokens)}
                {usage.costUsd != null && ` · ${money(usage.costUsd)}`}
              </span>
            )}
          </div>
        </div>
        {run.state !== "ended" && (
          <div class="run-actions">
            <Interrupt asking={asking} going={stopping} text={t("docket.stop")} onAsk={setAsking} onConfirm={stop} />
          </div>
        )}
      </header>
      {loop.lost && (
        <p class="link-lost" role="status">
          <Icon path={icon.again} />
          {t("link.lost")}
        </p>
      )}
      {said && (
        <p class="link-lost is-error" role="alert">
          <Icon path={icon.alert} />
          {said.message || t("trouble.title")} {said.hint}
        </p>
      )}
      <p class="sr-only" aria-live="polite">
        {t(`stands.${standing}`)}
      </p>
      <Verdict project={project} run={run} docket={docket} standing={standing} />
      {docket.passes.map((pass, index) => (
        <Pass key={pass.pass} pass={pass} criteria={started?.criteria ?? []} open={index === docket.passes.length - 1} />
      )).reverse()}
      <Books docket={docket} />
      <Changes project={project} id={id} passes={docket.passes} />
    </div>
  );
}
