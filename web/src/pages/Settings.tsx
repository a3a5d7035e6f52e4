// What decides: whether the panel sits, where the bar is, who can play it. And how this page looks.
import { useState } from "preact/hooks";

import type { PageProps } from "../App";
import { clock, count, type Locale, LOCALES, number, percent, score, t, when } from "../i18n";
import { Trouble } from "../lib/Empty";
import { useKept, useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { type AgentHealth, ApiError } from "../net/api";
import { getAgents, getProject, getSettings, optional, patchProject } from "../net/pages";
import type { CritiqueConfig } from "../words";

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
          <h2 id="enable-name">{t("settings.enable")}</h2>
          <p class={`answer ${critique.on ? "is-met" : ""}`}>
            <Icon path={critique.on ? icon.check : icon.dash} />
            {t(critique.on ? "settings.on" : "settings.off")}
          </p>
        </header>
        <p class="panel-text">
          {t(`tier.${critique.tier}`)}: {critique.why}
        </p>
        <fieldset class="segments">
          <legend class="sr-only">{t("settings.enable")}</legend>
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
  const total = Object.values(config.weights).reduce((sum, weight) => sum + weight, 0);
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
          <li key={role} class={`part ink-${role} ${config.weights[role] === 0 ? "is-out" : ""}`}>
            <span class="part-name">{t(`role.${role}`)}</span>
            <span class="part-weight">
              {config.weights[role] === 0 ? t("card.notCounted") : percent(config.weights[role] / total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Those that can be asked, or are marked; the others on demand. */
function Agents({ agents }: { agents: AgentHealth[] }) {
  const here = agents.filter((agent) => agent.available || agent.degradedUntil);
  const absent = agents.filter((agent) => !here.includes(agent));
  const list = (some: AgentHealth[]) => (
    <ul class="agents">
      {some.map((agent) => (
        <Agent key={agent.id} agent={agent} />
      ))}
    </ul>
  );
  return (
    <>
      {list(here)}
      {absent.length > 0 && (
        <details class="log">
          <summary>{count("agents.others", absent.length)}</summary>
          {list(absent)}
        </details>
      )}
    </>
  );
}

function Agent({ agent }: { agent: AgentHealth }) {
  const state = agent.degradedUntil ? "degraded" : agent.available ? "ready" : "absent";
  const icons = { degraded: icon.alert, ready: icon.check, absent: icon.dash };
  return (
    <li class={`agent is-${state}`}>
      <span class="agent-name">{agent.id}</span>
      <span class="meta-pill">{t(`agents.${agent.kind}`)}</span>
      <span class="agent-state">
        <Icon path={icons[state]} />
        {t(`agents.${state}`)}
      </span>
      <span class="agent-detail">
        {agent.degradedUntil ? t("agents.until", { when: when(agent.degradedUntil), why: agent.degradedReason ?? "" }) : agent.detail}
        {agent.lastCycle && ` ${t("agents.cycle", { ...agent.lastCycle, at: when(agent.lastCycle.at) })}`}
      </span>
    </li>
  );
}

function Looks() {
  const [theme, setTheme] = useKept<string>("theme", "");
  const [locale, setLocale] = useKept<string>("locale", "");
  return (
    <section class="panel" aria-labelledby="looks-name">
      <header class="panel-head">
        <h2 id="looks-name">{t("looks.name")}</h2>
      </header>
      <div class="looks">
        <fieldset class="segments">
          <legend class="sr-only">{t("looks.theme")}</legend>
          {(["", "light", "dark"] as const).map((one) => (
            <label key={one} class="segment">
              <input
                type="radio"
                name="theme"
                checked={theme === one}
                onChange={() => {
                  setTheme(one);
                  dispatchEvent(new Event("jury:theme"));
                }}
              />
              <span>{t(one === "" ? "looks.system" : `looks.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        <label class="pick">
          <span>{t("looks.language")}</span>
          <select
            value={locale}
            onChange={(event) => {
              setLocale(event.currentTarget.value);
              dispatchEvent(new Event("jury:locale"));
            }}
          >
            <option value="">{t("looks.system")}</option>
            {(Object.keys(LOCALES) as Locale[]).map((one) => (
              <option key={one} value={one} lang={one}>
                {LOCALES[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}
