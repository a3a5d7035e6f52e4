// What belongs to every page: how many questions wait for a person, and which agents are marked as degraded. An agent is named
// once in each session of the browser; a run that it was to play says so by itself.
import { useEffect, useState } from "preact/hooks";

import type { components } from "../api.gen";
import { t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { json } from "../net/api";
import { watch } from "./unread";

type Mark = components["schemas"]["AgentConformance"];

export interface BesideProps {
  onCount: (open: number) => void;
}

export default function Beside({ onCount }: BesideProps) {
  const [marks, setMarks] = useState<Mark[]>([]);
  useEffect(() => {
    // A daemon that is away, or older, marks nobody.
    json<{ agents: Mark[] }>("/api/critique/conformance").then(({ agents }) => setMarks(agents.filter(isNew)), () => undefined);
    return watch(onCount);
  }, []);
  return (
    <>
      {marks.map((mark) => (
        <p key={mark.agent} class="link-lost is-marked" role="status">
          <Icon path={icon.alert} />
          <span>{t("marked.text", { agent: mark.agent, when: when(mark.degradedUntil ?? "") })}</span>
          <button type="button" class="quiet" onClick={() => setMarks(marks.filter((one) => one !== mark))}>
            {t("marked.dismiss")}
          </button>
        </p>
      ))}
    </>
  );
}

/** Whether it is marked and nobody was told in this session. Whoever asks is told. */
function isNew({ agent, degradedUntil }: Mark): boolean {
  const name = `jury.marked.${agent}`;
  try {
    if (!degradedUntil || sessionStorage.getItem(name)) return false;
    sessionStorage.setItem(name, "1");
  } catch {
    // A browser that keeps nothing tells it each time.
  }
  return true;
}
