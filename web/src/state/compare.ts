// Two boards against each other, matched by role, dimension and finding.
import type { Board, Role, RoundBoard } from "../words";
import { type Finding, findings } from "./findings";
import { cast, composite, ending, mustFix, reviewOf, roundOf } from "./selectors";

export interface Delta {
  key: string;
  role?: Role;
  dimension?: string;
  a: number | null;
  b: number | null;
  whole?: boolean;
  lessIsBetter?: boolean;
}

interface Comparison {
  rows: Delta[];
  onlyA: Finding[];
  onlyB: Finding[];
  both: Finding[];
}

/** The round that a run is judged by: the one it ended with, else its last. */
function judged(board: Board): RoundBoard | undefined {
  const { round } = ending(board);
  return (round === null ? undefined : roundOf(board, round)) ?? board.rounds.at(-1);
}

export function compare(a: Board, b: Board): Comparison {
  const [left, right] = [judged(a), judged(b)];
  const rows: Delta[] = [
    { key: "composite", a: composite(a, left)?.value ?? null, b: composite(b, right)?.value ?? null, lessIsBetter: false },
    { key: "mustFix", a: left ? mustFix(left) : null, b: right ? mustFix(right) : null, whole: true, lessIsBetter: true },
  ];
  for (const role of new Set([...cast(a), ...cast(b)])) {
    const [one, other] = [reviewOf(left, role), reviewOf(right, role)];
    rows.push({ key: role, role, a: one?.score ?? null, b: other?.score ?? null, lessIsBetter: false });
    const names = new Set([...(one?.dimensions ?? []), ...(other?.dimensions ?? [])].map((dimension) => dimension.name));
    for (const name of names) {
      const of = (review: typeof one) => review?.dimensions.find((dimension) => dimension.name === name)?.score ?? null;
      rows.push({ key: `${role} ${name}`, role, dimension: name, a: of(one), b: of(other), lessIsBetter: false });
    }
  }
  const [asked, again] = [findings(a), findings(b)];
  const [idsA, idsB] = [new Set(asked.map((one) => one.id)), new Set(again.map((one) => one.id))];
  return {
    rows,
    onlyA: asked.filter((one) => !idsB.has(one.id)),
    onlyB: again.filter((one) => !idsA.has(one.id)),
    both: again.filter((one) => idsA.has(one.id)),
  };
}
