// A transcript as something to move about in: a board for every place, marks to jump to, and the times at which
// events come when it is played. Pure: the clock is an argument.
import type { AnyRecord, Board, LogRecord, Role } from "../words";
import { EMPTY, fold } from "./board";

/** A checkpoint every so many events: a seek folds at most this many. */
const STEP = 32;

interface Mark {
  /** The number of events that have happened when this one has. */
  index: number;
  kind: "round" | "must_fix" | "end";
  /** The number of the round, pass or seat. */
  round: number;
}

/** A transcript of any workflow. */
export interface Line<R = AnyRecord> {
  records: readonly R[];
  /** What its marks count. It is a field of the events, too. */
  unit: "round" | "pass" | "seat";
  marks: readonly Mark[];
  /** When each event happened, in milliseconds since the first. */
  times: readonly number[];
  /** The same, with idle time cut to at most `IDLE`. */
  brisk: readonly number[];
}

/** One of the theater, with boards. */
interface Timeline extends Line<LogRecord> {
  checkpoints: (Board | undefined)[];
}

/** The longest pause that is played when idle time is skipped. */
export const IDLE = 2000;

/** What ends a round, a pass or the work of a seat. */
const ENDS = /^(critique\.round_end|critic\.pass_ended|judge\.seat_\w+|content\.decided)$/;

/** The number of the round, pass or seat that an event belongs to. */
const numberIn = (record: AnyRecord | undefined, unit: Line["unit"]): number | null => {
  const number = (record as Partial<Record<typeof unit, unknown>> | undefined)?.[unit];
  return typeof number === "number" ? number : null;
};

export function timeline<R extends AnyRecord>(records: readonly R[]): Line<R> & Pick<Timeline, "checkpoints"> {
  const first = records[0]?.event ?? "";
  const unit = /^critic\./.test(first) ? "pass" : /^judge\./.test(first) ? "seat" : "round";
  const marks: Mark[] = [];
  const times: number[] = [];
  const brisk: number[] = [];
  const start = records[0]?.at ?? 0;
  let before = 0;
  let short = 0;
  records.forEach((record, index) => {
    const at = Math.max(before, record.at - start);
    short += Math.min(at - before, IDLE);
    before = at;
    times.push(at);
    brisk.push(short);
    const kind = ENDS.test(record.event) ? "round" : record.event === "critique.panelist_must_fix" ? "must_fix" : null;
    if (kind) marks.push({ index: index + 1, kind, round: numberIn(record, unit) ?? 0 });
  });
  if (records.length > 0) marks.push({ index: records.length, kind: "end", round: 0 });
  return { records, unit, marks, times, brisk, checkpoints: [EMPTY] };
}

/** The board after the first `index` events. */
export function boardAt(line: Timeline, index: number): Board {
  const wanted = Math.max(0, Math.min(index, line.records.length));
  let at = Math.floor(wanted / STEP);
  while (line.checkpoints[at] === undefined) at--;
  let board = line.checkpoints[at] ?? EMPTY;
  // Checkpoints on the way are kept, so that the next seek near here is short.
  while ((at + 1) * STEP <= wanted) {
    board = fold(board, line.records, at * STEP, (at + 1) * STEP);
    line.checkpoints[++at] = board;
  }
  return wanted === at * STEP ? board : fold(board, line.records, at * STEP, wanted);
}

/** How many events have happened by this time. */
export function indexAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the next or previous end of a round; the beginning and the end count. */
export function stepRound(line: Line, index: number, direction: 1 | -1): number {
  const stops = [0, ...line.marks.filter((mark) => mark.kind !== "must_fix").map((mark) => mark.index)];
  if (direction > 0) return stops.find((stop) => stop > index) ?? line.records.length;
  return stops.findLast((stop) => stop < index) ?? 0;
}

export interface Place {
  round: number | null;
  role: Role | null;
  at: number;
}

/** Where an event lies: for the label beside the pointer. */
export function placeOf(line: Line, index: number): Place {
  const at = line.times[Math.max(0, index - 1)] ?? 0;
  for (let back = Math.min(index, line.records.length) - 1; back >= 0; back--) {
    const record = line.records[back];
    const round = numberIn(record, line.unit);
    if (record && round !== null) return { round, role: "role" in record ? ((record.role as Role | null) ?? null) : null, at };
  }
  return { round: null, role: null, at };
}

/** Reads a transcript as it comes, one record per line: of its text, no more is held than a line and a piece. From a line that
 * was cut on, nothing is read. */
export async function readTranscript<R = LogRecord>({ body }: Pick<Response, "body">): Promise<R[]> {
  const records: R[] = [];
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; reader; ) {
    const { done, value = "" } = await reader.read();
    const lines = (rest + value).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    try {
      for (const line of lines) if (line.trim() !== "") records.push(JSON.parse(line) as R);
    } catch {
      reader.cancel().catch(() => undefined);
      break;
    }
    if (done) break;
  }
  return records;
}
