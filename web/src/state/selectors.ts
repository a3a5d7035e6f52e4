// What components ask a board. Pure, and free of the page.
import type { Board, EventOf, Review, Role, RoundBoard, Status, Weighed } from "../words";

/** The lanes, in their order, before a run says otherwise. */
const ROLES: readonly Role[] = ["designer", "critic", "brand", "a11y", "copy"];
/** The four dots of the badge: Critic, Brand, A11y, and the Word. */
const DOTS: readonly [Role, string][] = [
  ["critic", "C"],
  ["brand", "B"],
  ["a11y", "A"],
  ["copy", "W"],
];

/** A letter for every panelist that scores: the four, and the seats that a run added. */
export function dots(roles: readonly Role[]): readonly (readonly [Role, string])[] {
  return [...DOTS, ...roles.filter((role) => !ROLES.includes(role)).map((role) => [role, role.charAt(0).toUpperCase()] as const)];
}

/** How much a role counts: one of the fixed cast by its weight, an added seat by its own. */
export function weightOf(of: Weighed | null | undefined, role: Role): number {
  return (of?.weights as Record<Role, number> | undefined)?.[role] ?? of?.seats?.find((seat) => seat.name === role)?.weight ?? 0;
}

/** What the page shows: one screen for each. */
export type Phase = "idle" | "queued" | "running" | "fallback" | Status;

export function status(board: Board): Status | null {
  const { ended } = board;
  if (!ended) return null;
  switch (ended.event) {
    case "critique.ship":
      return ended.status;
    case "critique.degraded":
      return "degraded";
    case "critique.interrupted":
      return "interrupted";
    default:
      return "failed";
  }
}

export function phase(board: Board): Phase {
  const ended = status(board);
  if (ended) return ended;
  if (board.fallback) return "fallback";
  if (board.started) return "running";
  return board.queued ? "queued" : "idle";
}

/** The word for how a run stands. What is under its bar is told from what something else held. */
export function standing(board: Board): Phase | "under" {
  const now = phase(board);
  return now === "below_threshold" && (ending(board).composite ?? 99) < (board.started?.threshold ?? 0) - 1e-9 ? "under" : now;
}

export function isOver(phase: Phase): phase is Status {
  return phase !== "idle" && phase !== "queued" && phase !== "running" && phase !== "fallback";
}

export function cast(board: Board): readonly Role[] {
  return board.started?.cast ?? ROLES;
}

export function roundOf(board: Board, number: number): RoundBoard | undefined {
  return board.rounds.findLast((round) => round.round === number);
}

export function reviewOf(round: RoundBoard | undefined, role: Role): Review | undefined {
  return round?.reviews.find((review) => review.role === role);
}

/** Who speaks, if somebody does. */
export function speaker(board: Board): Role | null {
  if (board.ended || board.fallback) return null;
  const reviews = board.rounds.at(-1)?.reviews;
  const last = reviews?.at(-1);
  return last && !last.closed ? last.role : null;
}

/** The panelist with the lowest score of a round; of equals the one with more must-fixes. */
export function lowest(round: RoundBoard | undefined): Role | null {
  let found: Review | null = null;
  for (const review of round?.reviews ?? []) {
    if (review.score === null) continue;
    const less = found === null || review.score < (found.score ?? Infinity);
    const even = found !== null && review.score === found.score && review.mustFix.length > found.mustFix.length;
    if (less || even) found = review;
  }
  return found?.role ?? null;
}

/** The lane that matters now: whoever speaks, else the one with the lowest score. */
export function active(board: Board, round: RoundBoard | undefined): Role | null {
  const speaks = round === board.rounds.at(-1) ? speaker(board) : null;
  return speaks ?? lowest(round) ?? round?.reviews.at(-1)?.role ?? null;
}

interface Ending {
  round: number | null;
  composite: number | null;
  hasArtifact: boolean;
}

/** What the run ended with: its round, that round's composite, and whether a page was handed over. */
export function ending(board: Board): Ending {
  const { ended } = board;
  if (!ended) return { round: null, composite: null, hasArtifact: false };
  const round = ended.event === "critique.ship" ? ended.round : best(ended)?.bestRound ?? null;
  const composite = "composite" in ended ? ended.composite : null;
  const ref = "artifactRef" in ended ? ended.artifactRef : null;
  return { round, composite, hasArtifact: ref !== null };
}

type Early = EventOf<"critique.degraded"> | EventOf<"critique.interrupted"> | EventOf<"critique.failed">;
function best(ended: Board["ended"]): Early | null {
  return ended && "bestRound" in ended ? ended : null;
}

/** Whether what was handed over was made without a panel. */
export function unreviewed(board: Board): boolean {
  const { ended } = board;
  const handedOver = (ended?.event === "critique.ship" || ended?.event === "critique.degraded") && ended.artifactRef;
  return board.fallback !== null && !!handedOver;
}

interface Composite {
  value: number;
  /** Whether the round has its end, so that the number is the program's. Otherwise it is the mean so far. */
  settled: boolean;
}

/** The composite of a round: the program's when it has decided, the mean of who has spoken while it has not. */
export function composite(board: Board, round: RoundBoard | undefined): Composite | null {
  if (!round) return null;
  if (round.end) return { value: round.end.composite, settled: true };
  let sum = 0;
  let total = 0;
  for (const review of round.reviews) {
    const weight = weightOf(board.started, review.role);
    if (!review.closed || review.score === null || weight === 0) continue;
    sum += weight * review.score;
    total += weight;
  }
  return total > 0 ? { value: sum / total, settled: false } : null;
}

/** How many must-fixes a round has, as the rule counts them once it has decided. */
export function mustFix(round: RoundBoard | undefined): number {
  if (round?.end) return round.end.mustFix;
  return (round?.reviews ?? []).reduce((sum, review) => sum + review.mustFix.length, 0);
}

/** How many of the panel are content: they reached the bar and ask for nothing. */
export function consensus(board: Board, round: RoundBoard | undefined): [number, number] {
  const bar = board.started?.threshold ?? 0;
  const seats = cast(board);
  const content = seats.filter((role) => {
    const review = reviewOf(round, role);
    if (!review?.closed || review.mustFix.length > 0) return false;
    // Who does not score has nothing against it.
    return review.score === null ? !weighs(board, role) : review.score >= bar - 1e-9;
  });
  return [content.length, seats.length];
}

/** The share of a role in the composite: its weight over the weights of those who gave a score. */
export function shares(board: Board, round: RoundBoard | undefined): Partial<Record<Role, number>> {
  if (!board.started) return {};
  const weight = (role: Role) => weightOf(board.started, role);
  // A role that was absent from a closed round counts with its weight and a zero. While a round runs, those count who have
  // given a score: the composite so far is their mean.
  const spoken = !round?.end && round?.reviews.some((review) => review.closed && review.score !== null);
  const counts = cast(board).filter((role) => {
    const review = reviewOf(round, role);
    if (spoken) return weight(role) > 0 && review?.closed && review.score !== null;
    return weight(role) > 0 && (!review || !review.closed || review.score !== null);
  });
  const total = counts.reduce((sum, role) => sum + weight(role), 0);
  return Object.fromEntries(counts.map((role) => [role, total > 0 ? weight(role) / total : 0]));
}

/** Whether a role counts towards the composite, in this round or another. */
export function weighs({ started }: Board, role: Role): boolean {
  return weightOf(started, role) > 0;
}
