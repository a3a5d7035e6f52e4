// The board: the state of a run as a fold of its log. It mirrors `Board::apply` of the program, field by field; a test
// compares the two over every golden transcript.
//
// Boards are values: what an event does not touch is shared between the board before and the board after, so that
// a component can compare by identity and a replay can keep many of them.
//
// The ledger is the one part that grows with the run. A board has the changes to it as a chain, and puts them together
// when somebody looks: so an event costs the same in a long run as in a short one.
import type { Board, Entry, Event, EventOf, LogRecord, Review, Role, RoundBoard } from "../words";

type Ledger = Board["ledger"];

interface Link {
  before: Link | null;
  id: string;
  entry: Entry;
  /** The ledger as it is here, once somebody has looked. Then nothing before it is needed. */
  whole: Ledger | null;
}

const chains = new WeakMap<Board, Link>();

const whole = (ledger: Ledger): Link => ({ before: null, id: "", entry: null as never, whole: ledger });

function look(link: Link): Ledger {
  if (link.whole) return link.whole;
  const path: Link[] = [];
  let at: Link = link;
  while (!at.whole && at.before) {
    path.push(at);
    at = at.before;
  }
  const ledger = { ...at.whole };
  for (const change of path.reverse()) ledger[change.id] = change.entry;
  link.before = null;
  link.whole = ledger;
  return ledger;
}

function find(link: Link, id: string): Entry | undefined {
  for (let at: Link | null = link; at; at = at.before) {
    if (at.whole) return at.whole[id];
    if (at.id === id) return at.entry;
  }
  return undefined;
}

export const EMPTY: Board = {
  queued: null,
  started: null,
  rounds: [],
  superseded: [],
  ledger: {},
  warnings: {},
  usage: { inputTokens: 0, outputTokens: 0 },
  lint: null,
  fallback: null,
  ended: null,
};

/** The board after one more event. */
export function apply(board: Board, event: Event): Board {
  return fold(board, [event]);
}

/** The board after these events. Copies what it changes once, however many events change it. */
export function fold(start: Board, events: readonly Event[], from = 0, to = events.length): Board {
  const work = new Work(start);
  for (let index = from; index < to; index++) {
    const event = events[index];
    if (event) work.apply(event);
  }
  return work.done();
}

class Work {
  private link: Link;
  private board: Omit<Board, "ledger">;

  constructor(start: Board) {
    const { queued, started, rounds, superseded, warnings, usage, lint, fallback, ended } = start;
    this.board = { queued, started, rounds, superseded, warnings, usage, lint, fallback, ended };
    this.link = chains.get(start) ?? whole(start.ledger);
  }

  done(): Board {
    const { link } = this;
    const board = Object.defineProperty(this.board, "ledger", { get: () => look(link), enumerable: true }) as Board;
    chains.set(board, link);
    return board;
  }

  apply(event: Event): void {
    const board = this.board;
    switch (event.event) {
      case "critique.queued":
        board.queued = bare(event);
        return;
      case "critique.run_started":
        board.started = bare(event);
        return;
      case "critique.panelist_open":
        this.changeRound(event.round, (round) => ({ ...round, reviews: [...round.reviews, opened(event.role)] }));
        return;
      case "critique.panelist_dim":
        this.changeReview(event.round, event.role, (review) => ({
          ...review,
          dimensions: [
            ...review.dimensions,
            { name: event.dimName, score: event.dimScore ?? null, note: event.dimNote },
          ],
        }));
        return;
      case "critique.panelist_must_fix":
        this.asked(event);
        this.changeReview(event.round, event.role, (review) => ({
          ...review,
          mustFix: [...review.mustFix, { finding: event.finding, text: event.text }],
        }));
        return;
      case "critique.panelist_close": {
        const { artifact } = event;
        if (artifact) this.changeRound(event.round, (round) => ({ ...round, artifact }));
        this.changeReview(event.round, event.role, (review) => ({
          ...review,
          closed: true,
          score: event.score ?? null,
          notes: event.notes ?? "",
        }));
        return;
      }
      case "critique.evidence":
        this.changeRound(event.round, (round) => ({ ...round, evidence: [...round.evidence, bare(event)] }));
        return;
      case "critique.round_end": {
        this.changeRound(event.round, (round) => ({ ...round, end: bare(event) }));
        const round = findLast(this.board.rounds, (one) => one.round === event.round);
        const reviewed = (round?.reviews ?? []).filter(isUsable).map((review) => review.role);
        this.roundEnded(event.round, reviewed);
        return;
      }
      case "critique.agent": {
        const { usage } = event;
        if (!usage) return;
        const { inputTokens, outputTokens, costUsd } = board.usage;
        board.usage = { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + usage.outputTokens };
        // A cost that is known for one part only is the cost of that part.
        if (costUsd !== undefined || usage.costUsd !== undefined) {
          board.usage.costUsd = (costUsd ?? 0) + (usage.costUsd ?? 0);
        }
        return;
      }
      case "critique.lint":
        board.lint = bare(event);
        return;
      case "critique.fallback":
        board.fallback = bare(event);
        return;
      case "critique.parser_warning":
        board.warnings = { ...board.warnings, [event.kind]: (board.warnings[event.kind] ?? 0) + 1 };
        if (event.kind === "restarted") {
          board.superseded = [...board.superseded, ...board.rounds.filter((round) => round.end)];
          board.rounds = [];
          this.link = whole({});
        }
        return;
      case "critique.ship":
      case "critique.degraded":
      case "critique.interrupted":
      case "critique.failed":
        board.ended = named(event);
        return;
      default:
        // A kind from a later version: nothing that is shown depends on it.
        event satisfies never;
    }
  }

  private asked(event: EventOf<"critique.panelist_must_fix">): void {
    const before = find(this.link, event.finding);
    this.enter(event.finding, {
      role: before?.role ?? event.role,
      text: event.text,
      first: before?.first ?? event.round,
      last: event.round,
      state: event.state,
    });
  }

  /** What a panelist that reviewed this round did not ask for again is fixed. */
  private roundEnded(round: number, reviewed: readonly Role[]): void {
    for (const [finding, entry] of Object.entries(look(this.link))) {
      if (entry.last < round && entry.state !== "fixed" && reviewed.includes(entry.role)) {
        this.enter(finding, { ...entry, state: "fixed" });
      }
    }
  }

  private enter(id: string, entry: Entry): void {
    this.link = { before: this.link, id, entry, whole: null };
  }

  private changeRound(number: number, change: (round: RoundBoard) => RoundBoard): void {
    const rounds = this.board.rounds.slice();
    let index = rounds.length - 1;
    while (index >= 0 && rounds[index]?.round !== number) index--;
    if (index < 0) {
      const artifact = rounds.at(-1)?.artifact ?? null;
      index = rounds.push({ round: number, reviews: [], artifact, evidence: [], end: null }) - 1;
    }
    const round = rounds[index];
    if (round) rounds[index] = change(round);
    this.board.rounds = rounds;
  }

  private changeReview(number: number, role: Role, change: (review: Review) => Review): void {
    this.changeRound(number, (round) => {
      const index = round.reviews.findIndex((review) => review.role === role);
      const review = round.reviews[index];
      if (!review) return round;
      const reviews = round.reviews.slice();
      reviews[index] = change(review);
      return { ...round, reviews };
    });
  }
}

function opened(role: Role): Review {
  return { role, closed: false, score: null, dimensions: [], mustFix: [], notes: "" };
}

/** The event without its place in the log. */
function named<E extends Event>(event: E): E {
  const { seq: _seq, at: _at, runId: _run, ...rest } = event as E & Partial<LogRecord>;
  return rest as unknown as E;
}

/** The fields of the event alone. */
function bare<E extends Event>(event: E): Omit<E, "event"> {
  const { event: _event, ...rest } = named(event);
  return rest;
}

function findLast<T>(list: readonly T[], fits: (item: T) => boolean): T | undefined {
  for (let index = list.length - 1; index >= 0; index--) {
    const item = list[index];
    if (item !== undefined && fits(item)) return item;
  }
  return undefined;
}

/** Whether the panelist looked at the draft: a score and a word. Only such a review closes what it asked for before. */
function isUsable(review: Review): boolean {
  const asked = review.mustFix.map((mustFix) => mustFix.text);
  const said = [...review.dimensions.map((dimension) => dimension.note), ...asked, review.notes].some(hasWords);
  return review.closed && (review.role === "designer" || (review.score !== null && said));
}

/** Tags and character references of somebody's markup. */
const MARKUP = /<[A-Za-z/!][^>]*>|&[A-Za-z#][A-Za-z0-9#]*;/g;

/** Letters by their class that show nothing. */
const FILLERS = /[\u115f\u1160\u3164\uffa0]/g;

/** Two letters in a row, or one of a script that puts no space between words. */
const WORD = /\p{Alphabetic}{2}|(?=\p{Alphabetic})[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/u;

/** Whether a text has a word in it, as `has_words` of the program says. */
function hasWords(text: string): boolean {
  return WORD.test(text.replace(MARKUP, " ").replace(FILLERS, " "));
}
