// The ledger of a board as a chain of changes. It is the one part that grows with the run: the changes are put together when
// somebody looks, so that an event costs the same in a long run as in a short one.
import type { Board, Entry } from "../words";

type Ledger = Board["ledger"];

export interface Link {
  before: Link | null;
  id: string;
  entry: Entry;
  /** The ledger as it is here, once somebody has looked. Then nothing before it is needed. */
  whole: Ledger | null;
}

export const whole = (ledger: Ledger): Link => ({ before: null, id: "", entry: null as never, whole: ledger });

export function look(link: Link): Ledger {
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

export function find(link: Link, id: string): Entry | undefined {
  let at = link;
  while (!at.whole && at.id !== id && at.before) at = at.before;
  return at.whole ? at.whole[id] : at.entry;
}
