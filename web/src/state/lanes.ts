// What a lane asks a board: its line, its scores over the rounds, what it asked for, and how much of it is shown.
import type { Board, Dimension, Review, Role } from "../words";
import { reviewOf } from "./selectors";

/** The one line of a folded lane: its first must-fix, else the note of the dimension that pulls it down most. */
export function summary(review: Review | undefined): string {
  const first = review?.mustFix[0];
  if (first) return first.text;
  let worst: Dimension | undefined;
  for (const dimension of review?.dimensions ?? []) {
    if (!dimension.note) continue;
    if (!worst || (dimension.score ?? Infinity) < (worst.score ?? Infinity)) worst = dimension;
  }
  return worst?.note ?? review?.notes ?? "";
}

/** The scores of a role, or of one dimension of it, over the rounds. A text, so that equal ones are the same; a hole is empty. */
export function scores(board: Board, role: Role, dimension?: string): string {
  const values = board.rounds.map((round) => {
    const review = reviewOf(round, role);
    return (dimension === undefined ? review : review?.dimensions.find(({ name }) => name === dimension))?.score ?? "";
  });
  return values.join();
}

/** How many must-fixes each role has asked for over all rounds, each once, and how many of them are open. */
export function asked(ledger: Board["ledger"]): { [role: string]: [all: number, open: number] } {
  const counts: { [role: string]: [number, number] } = {};
  for (const { role, state } of Object.values(ledger)) {
    const count = (counts[role] ??= [0, 0]);
    count[0]++;
    if (state !== "fixed") count[1]++;
  }
  return counts;
}

export type Density = "smart" | "active" | "all";
export type Openness = "open" | "summary" | "head";

/** How much of a lane is shown. A lane that a person opened or folded stays so. */
export function openness(density: Density, isActive: boolean, override: boolean | undefined): Openness {
  if (override ?? (density === "all" || isActive)) return "open";
  return density === "active" ? "head" : "summary";
}
