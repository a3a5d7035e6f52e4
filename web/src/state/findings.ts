// Every must-fix of a run, once.
import type { Board, Role } from "../words";

export interface Finding {
  id: string;
  role: Role;
  text: string;
  first: number;
  last: number;
  state: "open" | "fixed" | "regressed";
}

/** Every must-fix once: those that hold the ship back first, then by round. */
export function findings(board: Board): Finding[] {
  const order = { regressed: 0, open: 1, fixed: 2 };
  return Object.entries(board.ledger)
    // The other states that a finding can have are those of other workflows.
    .map(([id, entry]) => ({ id, ...entry }) as Finding)
    .sort((a, b) => order[a.state] - order[b.state] || a.first - b.first || (a.role < b.role ? -1 : 1));
}
