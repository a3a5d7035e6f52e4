// What decides: whether the panel sits, where the bar is, who can play it. And how this page looks.
import { useState } from "preact/hooks";

import type { PageProps } from "../App";
import { clock, maybe, number, percent, score, t } from "../i18n";
import { Trouble } from "../lib/Empty";
import { useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { ApiError } from "../net/api";
import { getAgents, getProject, getSettings, optional, patchProject } from "../net/pages";
import { weightOf } from "../state/selectors";
import type { CritiqueConfig } from "../words";
import { Agents } from "./Agents";
import { Looks } from "./Looks";

export default function Settings({ project }: PageProps) {
  const loaded = useLoaded(project, () => getProject(project));
  const settings = useLoaded("settings", () => optional(getSettings()));
  const agents = useLoaded("agents", () => optional(getAgents()));
  const [wanted, setWanted] = useState<boolean | null | undefined>(undefined);
  const [error, setError] = useState<ApiError | null>(null);
  if (loaded.error) return <Trouble error={loaded.error} missing={[t("project.title"), loaded.error.message]} onAgain={loaded.again} />;
  if (!loaded.value) return <p class="wait">{t("loading")}</p>;
  const { critique, metadata, name } = loaded.value;
  const given = metadata["critiqueTheaterEnabled"];

  // Read, merge, write: what else is kept with the project stays, and when it cannot be read nothing is written.
  const change = async (value: boolean | null) => {
    setWanted(value);
    setError(null);
    try {
      const fresh = await getProject(project);
      await patchProject(project, { ...fresh.metadata, critiqueTheaterEnabled: value });
      loaded.again();
    } catch (reason) {
      setError(reason instanceof ApiError ? reason : null);
      setWanted(undefined);
    }
  };
  const phase = settings.value?.critique.rolloutPhase;
  const beta = phase === "M0" || phase === "M1" ? ` (${t("settings.beta")})` : "";
  const title = t("settings.enable", { name: t("critiqueTheater.userFacingName") + beta });
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{name}</p>
          <h1>{t("nav.settings")}</h1>
        </div>
      </header>
      <section class="panel" aria-labelledby="enable-name">
        <header class="panel-head">
          <h2 id="enable-name">{title}</h2>
          <p class={`answer ${critique.on ? "is-met" : ""}`}>
            <Icon path={critique.on ? icon.check : icon.dash} />
            {t(critique.on ? "settings.on" : "settings.off")}
          </p>
        </header>
        <p class="panel-text">
          {t(`tier.${critique.tier}`)}: {critique.why}
        </p>
        <fieldset class="segments">
          <legend class="sr-only">{title}</legend>
          {([null, true, false] as const).map((value) => (
            <label key={String(value)} class="segment">
              <input type="radio" name="enabled" checked={(wanted === undefined ? (given ?? null) : wanted) === value} onChange={() => void change(value)} />
              <span>{t(value === null ? "settings.inherit" : value ? "settings.on" : "settings.off")}</span>
            </label>
          ))}
        </fieldset>
        {error && (
          <p class="link-lost is-error" role="alert">
            <Icon path={icon.alert} />
            {error.message || t("trouble.text")} {error.hint}
          </p>
        )}
      </section>
      {settings.value && <Rules config={settings.value.critique} />}
      <section class="panel" aria-labelledby="agents-name">
        <header class="panel-head">
          <h2 id="agents-name">{t("agents.name")}</h2>
        </header>
        {agents.value ? (
          <Agents agents={agents.value} />
        ) : (
          <p class="panel-text">{t(agents.error ? "trouble.text" : "agents.unknown")}</p>
        )}
      </section>
      <Looks />
    </div>
  );
}

function Rules({ config }: { config: CritiqueConfig }) {
  const total = config.cast.reduce((sum, role) => sum + weightOf(config, role), 0);
  const facts: [string, string][] = [
    [t("card.bar"), `${score(config.scoreThreshold)} / ${number(config.scoreScale)}`],
    [t("settings.rounds"), number(config.maxRounds)],
    [t("settings.policy"), t(`policy.${config.fallbackPolicy}`)],
    [t("settings.roundTime"), clock(config.perRoundTimeoutMs)],
    [t("settings.totalTime"), clock(config.totalTimeoutMs)],
    [t("settings.places"), number(config.maxConcurrentRuns)],
    [t("settings.phase"), config.rolloutPhase],
  ];
  return (
    <section class="panel" aria-labelledby="rules-name">
      <header class="panel-head">
        <h2 id="rules-name">{t("settings.rules")}</h2>
        <p>{t("settings.readOnly")}</p>
      </header>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="parts" aria-label={t("card.parts")}>
        {config.cast.map((role) => (
          <li key={role} class={`part ink-${role} ${weightOf(config, role) === 0 ? "is-out" : ""}`}>
            <span class="part-name">{maybe(`role.${role}`, role)}</span>
            <span class="part-weight">
              {weightOf(config, role) === 0 ? t("card.notCounted") : percent(weightOf(config, role) / total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
