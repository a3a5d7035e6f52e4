// A run of the content pipeline as it stands: the fold of its stream, which begins with all that happened so far.
import { useCallback, useEffect, useReducer, useState } from "preact/hooks";

import type { ApiError } from "../net/api";
import { useLoaded } from "../lib/loaded";
import { eventsPath, getContentRun } from "../net/content";
import { kindsOf } from "../net/kinds";
import { follow } from "../net/stream";
import type { LogRecord } from "../words";
import { fold } from "../state/studied";
import { EMPTY, type Studio } from "../state/studio";
import type { ContentEvent } from "./wire";

interface Followed {
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
    return follow(project, id, take, (link) => setLost(link === "lost"), kindsOf("content"), eventsPath(idea, id));
  }, [known, over, project, idea, id]);
  return { known, studio, error, lost: lost && !over, again: useCallback(again, [again]) };
}
