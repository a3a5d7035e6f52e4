// The board: the state of a run as a fold of its log. It mirrors `Board::apply` of the program, field by field; a test
// compares the two over every golden transcript.
//
// Boards are values: what an event does not touch is shared between the board before and the board after, so that
// a component can compare by identity and a replay can keep many of them.
import type { Board, Entry, Event, EventOf, Review, Role, RoundBoard } from "../words";
import { bare, named } from "./event";
import { find, type Link, look, whole } from "./ledger";
import { isUsable } from "./usable";

const chains = new WeakMap<Board, Link>();

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
        const round = this.board.rounds.findLast((one) => one.round === event.round);
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
