// What changed between two drafts: blocks that came and went, and, where one became the other, the words in them.
import type { components } from "../api.gen";
import { diff } from "../state/diff";

export type Compared = components["schemas"]["ComparedBlock"];

type Word = { kind: "same" | "gone" | "new"; text: string };

export type Change =
  | { kind: "same"; blocks: number }
  | { kind: "added" | "removed"; text: string }
  | { kind: "changed"; words: Word[] };

/** Two blocks are one that was changed when they have this part of their words in common. */
const ALIKE = 0.4;

/** What is the same is counted; what went and came in one place is told apart, or together where it is alike. */
export function changes(blocks: readonly Compared[]): Change[] {
  const out: Change[] = [];
  let gone: string[] = [];
  let come: string[] = [];
  const flush = () => {
    const pairs = Math.min(gone.length, come.length);
    for (let index = 0; index < Math.max(gone.length, come.length); index++) {
      const [before, after] = [gone[index], come[index]];
      const words = index < pairs ? wordsOf(before ?? "", after ?? "") : [];
      if (index < pairs && likeness(words) >= ALIKE) out.push({ kind: "changed", words });
      else {
        if (before !== undefined) out.push({ kind: "removed", text: before });
        if (after !== undefined) out.push({ kind: "added", text: after });
      }
    }
    gone = [];
    come = [];
  };
  for (const { change, text } of blocks) {
    if (change === "removed") gone.push(text);
    else if (change === "added") come.push(text);
    else {
      flush();
      const last = out.at(-1);
      if (last?.kind === "same") last.blocks++;
      else out.push({ kind: "same", blocks: 1 });
    }
  }
  flush();
  return out;
}

/** The words of both, those that follow each other with the same fate together. */
export function wordsOf(before: string, after: string): Word[] {
  const lines = (text: string) => text.split(/\s+/).filter(Boolean).join("\n");
  const words: Word[] = [];
  for (const { kind, text } of diff(lines(before), lines(after)).lines) {
    if (text === "") continue;
    const last = words.at(-1);
    if (last?.kind === kind) last.text += ` ${text}`;
    else words.push({ kind, text });
  }
  return words;
}

const long = (words: readonly Word[], kind: Word["kind"]) => words.filter((word) => word.kind === kind).reduce((sum, { text }) => sum + text.split(" ").length, 0);

function likeness(words: readonly Word[]): number {
  const same = long(words, "same");
  return same / Math.max(1, same + Math.max(long(words, "gone"), long(words, "new")));
}

interface Sum {
  added: number;
  removed: number;
  /** Blocks that differ. */
  blocks: number;
}

/** How many words came and went, in how many blocks. */
export function sumOf(list: readonly Change[]): Sum {
  const sum = { added: 0, removed: 0, blocks: 0 };
  const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
  for (const one of list) {
    if (one.kind === "same") continue;
    sum.blocks++;
    if (one.kind === "changed") {
      sum.added += long(one.words, "new");
      sum.removed += long(one.words, "gone");
    } else sum[one.kind] += count(one.text);
  }
  return sum;
}
