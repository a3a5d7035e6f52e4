// Which of the measured facts stand where in the lane of a panelist.
import type { Evidence, Review, Role } from "../words";

export interface Wanted {
  role: Role;
  /** Only what belongs to this dimension. */
  dimension?: string;
  /** Only what belongs to this must-fix. */
  finding?: string;
  /** Only what belongs to none of its dimensions and must-fixes. */
  rest?: Review;
}

export function factsOf(evidence: readonly Evidence[], { role, dimension, finding, rest }: Wanted): Evidence[] {
  // What somebody asked for stands with the one who asked, whoever's matter it is.
  if (finding) return evidence.filter((item) => item.finding === finding);
  const named = (item: Evidence) => rest?.dimensions.some(({ name }) => name === item.dimension);
  return evidence.filter((item) => item.role === role && !item.finding && (rest ? !named(item) : item.dimension === dimension));
}
