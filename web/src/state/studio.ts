// The studio: the state of a run of the content pipeline, which `studied.ts` makes out of its log.
import type {
  Absent,
  Assembled,
  Blob,
  Branded,
  Critique,
  Deployed,
  Finished,
  Halted,
  Lost,
  Measured,
  Needs,
  OpenIssue,
  Pushed,
  RepoCreated,
  Ruling,
  Saved,
  Selection,
  Standing,
  Started,
  Summary,
  Usage,
  Validated,
  Verified,
  Writer,
} from "../content/wire";

export interface Studio {
  queued: { ideaId: string; contentType: string } | null;
  started: Started | null;
  rounds: readonly Round[];
  panel: Selection | null;
  needs: Needs | null;
  saved: Saved | null;
  site: Site;
  halted: Halted | null;
  /** Why it was stopped, while it is. */
  paused: "asked" | "restart" | null;
  usage: Usage;
  ended: Standing | null;
  finished: Finished | null;
  /** Why somebody gave it up. */
  abandoned: string;
}

/** A draft and what became of it. */
export interface Round {
  round: number;
  draft: Blob;
  writer: Writer;
  words: number;
  remarks: readonly string[];
  /** The critics who have begun, and how often each was asked. */
  asked: Readonly<Record<string, number>>;
  critiques: Readonly<Record<string, Critique>>;
  absent: Readonly<Record<string, Absent>>;
  /** What was measured against the documents beside the panel. */
  measured: Measured | null;
  ruling: Ruling | null;
  open: readonly OpenIssue[];
  summary: Summary | null;
  lost: readonly Lost[];
  done: readonly string[];
}

interface Site {
  branded?: Branded;
  assembled?: Assembled;
  validated?: Validated;
  repo?: RepoCreated;
  pushed?: Pushed;
  deployed?: Deployed;
  verified?: Verified;
}

export const EMPTY: Studio = {
  queued: null,
  started: null,
  rounds: [],
  panel: null,
  needs: null,
  saved: null,
  site: {},
  halted: null,
  paused: null,
  usage: { inputTokens: 0, outputTokens: 0 },
  ended: null,
  finished: null,
  abandoned: "",
};

/** What somebody has, whatever their name is. */
export const of = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(map, key) ? map[key] : undefined);

export function standing(studio: Studio): Standing {
  if (studio.ended) return studio.ended;
  if (studio.halted) return "halted";
  if (studio.needs) return "needs-human";
  return studio.paused ? "paused" : "running";
}
