// A run of the content pipeline as it stands: the fold of its stream, which begins with all that happened so far.
import { useCallback, useEffect, useReducer, useState } from "preact/hooks";

import type { ApiError } from "../net/api";
import { useLoaded } from "../lib/loaded";
import { eventsPath, getContentRun } from "../net/content";
import { follow } from "../net/stream";
import type { LogRecord } from "../words";
import { EMPTY, fold, type Studio } from "../state/studio";
import type { ContentEvent } from "./wire";

const NAMES: Record<ContentEvent["event"], 1> = {
  "content.queued": 1,
  "content.run_started": 1,
  "content.drafted": 1,
  "content.panel_selected": 1,
  "content.critic_started": 1,
  "content.critiqued": 1,
  "content.critic_absent": 1,
  "content.decided": 1,
  "content.summarised": 1,
  "content.revised": 1,
  "content.needs_human": 1,
  "content.saved": 1,
  "content.branded": 1,
  "content.assembled": 1,
  "content.validated": 1,
  "content.repo_created": 1,
  "content.pushed": 1,
  "content.deployed": 1,
  "content.verified": 1,
  "content.agent": 1,
  "content.halted": 1,
  "content.paused": 1,
  "content.resumed": 1,
  "content.finished": 1,
  "content.abandoned": 1,
};

export interface Followed {
  /** Whether there is such a run. */
  known: boolean;
  /** Null until the first of it is there. */
  studio: Studio | null;
  error: ApiError | null;
  lost: boolean;
  again: () => void;
}

export function useStudio(project: string, idea: string, id: string): Followed {
  const { value: run, error, again } = useLoaded(id, () => getContentRun(idea, id));
  const [studio, take] = useReducer<Studio | null, LogRecord[]>((before, records) => {
    // A stream that begins anew begins with the run.
    const start = records[0]?.seq === 1 ? EMPTY : before;
    return start && fold(start, records as unknown as ContentEvent[]);
  }, null);
  const [lost, setLost] = useState(false);
  const known = run !== null;
  const over = studio?.ended != null;
  useEffect(() => {
    if (!known || over) return;
    return follow(project, id, take, (link) => setLost(link === "lost"), Object.keys(NAMES), eventsPath(idea, id));
  }, [known, over, project, idea, id]);
  return { known, studio, error, lost: lost && !over, again: useCallback(again, [again]) };
}
