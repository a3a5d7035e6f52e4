// A run of the critic or the judge: as it stands, asked for once and again whenever its stream says that something happened;
// and as it stood at any place of its log.
import { useEffect, useRef, useState } from "preact/hooks";

import { kindsOf } from "../net/kinds";
import { eventsPath, getStood, type Stood } from "../net/runs";
import { follow } from "../net/stream";
import { type Loaded, useLoaded } from "./loaded";
import { useSettled } from "./settled";

/** Events come in bursts: one question is enough for those of a moment. */
const MOMENT = 150;
/** A replay that plays asks no more often than this. */
const PACE = 300;

export type Followed = "critic" | "judge";

export function useRun<State>(workflow: Followed, project: string, id: string): Loaded<Stood<State>> & { lost: boolean } {
  const loaded = useLoaded(id, () => getStood<State>(workflow, project, id));
  const [lost, setLost] = useState(false);
  const head = useRef(0);
  const { value } = loaded;
  head.current = value?.run.head ?? 0;
  const goesOn = value !== null && value.run.state !== "ended";
  useEffect(() => {
    if (!goesOn) return;
    let timer = 0;
    const stop = follow(
      project,
      id,
      (records) => {
        // The stream begins with the run, and what is known already is no news. What happened is asked for, not folded.
        if ((records.at(-1)?.seq ?? 0) <= head.current || timer) return;
        timer = window.setTimeout(() => {
          timer = 0;
          loaded.again();
        }, MOMENT);
      },
      (link) => setLost(link === "lost"),
      kindsOf(workflow),
      eventsPath(id),
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [goesOn, project, id]);
  return { ...loaded, lost: lost && goesOn };
}

/** An ended run after so many of its events. What was asked for once is kept; of several questions the newest counts. */
export function useRunAt<State>(workflow: Followed, project: string, end: Stood<State>, events: number): Loaded<Stood<State>> {
  const asked = useRef(new Map<number, Promise<Stood<State>>>());
  const at = useSettled(events, PACE);
  return useLoaded(String(at), () => {
    if (at >= end.run.head) return Promise.resolve(end);
    const known = asked.current.get(at);
    if (known) return known;
    const asking = getStood<State>(workflow, project, end.run.runId, at);
    asked.current.set(at, asking);
    asking.catch(() => asked.current.delete(at));
    return asking;
  });
}
