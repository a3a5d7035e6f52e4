// A run of the critic as it stands: asked for once, and again whenever its stream says that something happened.
import { useEffect, useRef, useState } from "preact/hooks";

import { type Loaded, useLoaded } from "../lib/loaded";
import { type CriticRun, getCriticRun } from "../net/critic";
import { follow } from "../net/stream";
import { KINDS } from "./kinds";

/** Events come in bursts: one question is enough for those of a moment. */
const MOMENT = 150;

export function useLoop(project: string, id: string): Loaded<CriticRun> & { lost: boolean } {
  const loaded = useLoaded(id, () => getCriticRun(project, id));
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
      KINDS,
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [goesOn, project, id]);
  return { ...loaded, lost: lost && goesOn };
}
