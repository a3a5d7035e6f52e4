// A line diff with a bound on its work: Myers' algorithm over what lies between the common beginning and end.

export type Line = { kind: "same" | "gone" | "new"; text: string; old: number | null; now: number | null };
interface Diff {
  lines: Line[];
  /** Whether the texts differ by more than is worked out: then the middle is shown as gone and new. */
  coarse: boolean;
  added: number;
  removed: number;
}

/** The most steps of the search. */
const MOST_EDITS = 2000;

export function diff(before: string, after: string): Diff {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = script(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const lines: Line[] = [];
  let old = 1;
  let now = 1;
  let added = 0;
  let removed = 0;
  const push = (kind: Line["kind"], text: string) => {
    if (kind === "gone") removed++;
    if (kind === "new") added++;
    lines.push({ kind, text, old: kind === "new" ? null : old++, now: kind === "gone" ? null : now++ });
  };
  for (const text of a.slice(0, head)) push("same", text);
  for (const [kind, text] of middle.steps) push(kind, text);
  for (const text of tail > 0 ? a.slice(a.length - tail) : []) push("same", text);
  return { lines, coarse: middle.coarse, added, removed };
}

type Step = [Line["kind"], string];

function script(a: string[], b: string[]): { steps: Step[]; coarse: boolean } {
  const coarse = (): Step[] => [
    ...a.map((text): Step => ["gone", text]),
    ...b.map((text): Step => ["new", text]),
  ];
  if (a.length === 0 || b.length === 0) return { steps: coarse(), coarse: false };
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 2);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, k - 1, most) < at(reach, k + 1, most));
      let x = down ? at(reach, k + 1, most) : at(reach, k - 1, most) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + most] = x;
      if (x >= a.length && x - k >= b.length) return { steps: walk(a, b, trace, most), coarse: false };
    }
    // The trace is what costs memory.
    if (trace.length * reach.length > 4_000_000) break;
  }
  return { steps: coarse(), coarse: true };
}

function at(reach: Int32Array, k: number, most: number): number {
  return reach[k + most] ?? 0;
}

function walk(a: string[], b: string[], trace: Int32Array[], most: number): Step[] {
  const steps: Step[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits];
    if (!reach) break;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(reach, k - 1, most) < at(reach, k + 1, most));
    const beforeX = edits === 0 ? 0 : down ? at(reach, k + 1, most) : at(reach, k - 1, most);
    const beforeY = edits === 0 ? 0 : beforeX - (down ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      steps.push(["same", a[--x] ?? ""]);
      y--;
    }
    if (edits === 0) break;
    if (down) steps.push(["new", b[--y] ?? ""]);
    else steps.push(["gone", a[--x] ?? ""]);
  }
  return steps.reverse();
}

/** Leaves out what is the same and far from a change. A gap is a number of lines. */
export function fold(lines: readonly Line[], around = 3): (Line | number)[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, index) => {
    if (line.kind === "same") return;
    for (let i = Math.max(0, index - around); i <= Math.min(lines.length - 1, index + around); i++) near[i] = 1;
  });
  const out: (Line | number)[] = [];
  lines.forEach((line, index) => {
    if (near[index]) out.push(line);
    else if (typeof out.at(-1) === "number") out[out.length - 1] = (out.at(-1) as number) + 1;
    else out.push(1);
  });
  return out;
}
