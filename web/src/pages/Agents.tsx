// Who can be asked, and who is marked.
import { count, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { AgentHealth } from "../net/api";

/** Those that can be asked, or are marked; the others on demand. */
export function Agents({ agents }: { agents: AgentHealth[] }) {
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
