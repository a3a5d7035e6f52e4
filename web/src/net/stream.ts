// A live run: one stream, resumed where it broke off, closed while nobody looks.
import type { EventKind, LogRecord } from "../words";
import { projectPath } from "./api";

export type Link = "connecting" | "live" | "lost";

const KINDS: readonly EventKind[] = [
  "critique.queued",
  "critique.run_started",
  "critique.panelist_open",
  "critique.panelist_dim",
  "critique.panelist_must_fix",
  "critique.panelist_close",
  "critique.round_end",
  "critique.agent",
  "critique.evidence",
  "critique.lint",
  "critique.fallback",
  "critique.ship",
  "critique.degraded",
  "critique.interrupted",
  "critique.failed",
  "critique.parser_warning",
];

const LONGEST_PAUSE = 15_000;

/** Follows a run. Records come in order, each once, all those of a frame together. Returns the way to stop. Runs of another
 * kind are found under the names of their events: in the stream of the project, or in one of their own. */
export function follow(
  project: string,
  run: string,
  onRecords: (records: LogRecord[]) => void,
  onLink: (link: Link) => void,
  kinds?: readonly string[],
  path = `${projectPath(project)}/events`,
): () => void {
  let source: EventSource | null = null;
  let timer = 0;
  let frame = 0;
  let pause = 1000;
  let lastId = "";
  let seen = 0;
  let waiting: LogRecord[] = [];

  const flush = () => {
    frame = 0;
    if (waiting.length === 0) return;
    const records = waiting;
    waiting = [];
    onRecords(records);
  };
  const take = (message: MessageEvent<string>) => {
    lastId = message.lastEventId || lastId;
    const record = JSON.parse(message.data) as LogRecord;
    // After a break the stream may repeat what we have.
    if (record.runId !== run || record.seq <= seen) return;
    seen = record.seq;
    waiting.push(record);
    frame ||= requestAnimationFrame(flush);
  };
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(timer);
  };
  const open = () => {
    close();
    if (document.hidden) return;
    const query = new URLSearchParams(kinds ? {} : { run });
    if (lastId) query.set("after", lastId);
    source = new EventSource(`${path}?${query}`);
    for (const kind of kinds ?? KINDS) source.addEventListener(kind, take);
    source.onopen = () => {
      pause = 1000;
      onLink("live");
    };
    source.onerror = () => {
      onLink("lost");
      // A browser comes back by itself unless the answer was a refusal.
      if (source?.readyState === EventSource.CLOSED) {
        close();
        timer = window.setTimeout(open, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
    };
  };
  // Browsers allow six connections per site: a tab that nobody sees gives its one back.
  const look = () => (document.hidden ? (flush(), close()) : open());
  document.addEventListener("visibilitychange", look);
  onLink("connecting");
  open();
  return () => {
    document.removeEventListener("visibilitychange", look);
    cancelAnimationFrame(frame);
    close();
  };
}
