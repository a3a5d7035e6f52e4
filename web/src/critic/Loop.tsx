// The page of one run of the critic: how it stands and what to do about it, then pass by pass.
import { ago, count, number, t, when } from "../i18n";
import { money } from "../i18n/format";
import type { SheetProps } from "../lib/RunFrame";
import { Stands } from "../lib/Stands";
import { type CriticState, standingOf } from "../net/critic";
import { Books } from "./Books";
import { Changes } from "./Changes";
import { Pass } from "./Pass";
import { Verdict } from "./Verdict";

export function Loop({ project, run, state, past, actions, banner }: SheetProps<CriticState>) {
  const standing = standingOf(run.status, run.state);
  const { started, usage } = state;
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
            <span class="fact">{count("docket.passes", state.passes.length)}</span>
            <span class="fact">{count("docket.fixes", state.fixes)}</span>
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
        <div class="run-actions">{actions}</div>
      </header>
      {banner}
      <p class="sr-only" aria-live="polite">
        {t(`stands.${standing}`)}
      </p>
      <Verdict project={project} run={run} docket={state} standing={standing} past={past} />
      {state.passes.map((pass, index) => (
        <Pass key={pass.pass} pass={pass} criteria={started?.criteria ?? []} open={index === state.passes.length - 1} />
      )).reverse()}
      <Books docket={state} />
      <Changes project={project} id={run.runId} passes={state.passes} />
    </div>
  );
}
