// The figures as a document. A run of some parts leaves the figures of the others as they are.
import { markdown } from "./table.mjs";

const today = () => new Date().toISOString().slice(0, 10);
const BARS = "Bars";
/** Titles have counts in them, and a part is the same with another count. */
const key = (title) => title.replaceAll(/\d+/g, "#");

/** The sections of a document by their titles, and the day of its first line. */
function sections(text) {
  const [head, ...rest] = text.split(/^## /m);
  const day = /Written by a program on (\d{4}-\d\d-\d\d)/.exec(head)?.[1];
  return { day, parts: rest.map((part) => ({ title: part.slice(0, part.indexOf("\n")), body: part.slice(part.indexOf("\n") + 1).trim() })) };
}

/** The rows of a table. */
const rows = (table) => table.split("\n").filter((line) => line.startsWith("| ")).slice(1);

/** The parts of a run as Markdown, with what `old` has of other parts. */
export function document(parts, whole, old = "", day = today()) {
  const before = sections(old);
  const fresh = new Set(parts.map(({ title }) => key(title)));
  const kept = before.parts.filter(({ title }) => title !== BARS && !fresh.has(key(title)));
  const measured = parts.flatMap((part) => part.bars.map(({ what, holds, figure }) => [what, figure, holds ? "holds" : "fails"]));
  const named = new Set(measured.map(([what]) => what));
  const standing = rows(before.parts.find(({ title }) => title === BARS)?.body ?? "").filter((row) => !named.has(row.slice(2).split(" | ")[0]));
  const dated = ({ title, body }) => `## ${title}\n\n${body.startsWith("Measured on") || !before.day ? body : `Measured on ${before.day}.\n\n${body}`}`;
  return `# Accuracy

How far the house agrees with others. Written by a program on ${day}; each part says when it was measured.

\`\`\`
$ JURY_TRUTH_DIR=folder make accuracy ACCURACY_DOC=docs/accuracy.md
\`\`\`

The folder holds W3C ACT test cases and generated pages; neither is part of this project.${whole || kept.length > 0 ? "" : " This was made without it: what needs it is missing here."}
Chromium shows a page at 1280 × 800 without network, without scripts, with everything that moves at rest. What each column means
is in [accuracy/README.md](../accuracy/README.md), what each check measures in [checks.md](checks.md).

## ${BARS}

${[markdown({ columns: ["what", "figure", ""], rows: measured }), ...standing].join("\n")}

${[...parts.map((part) => `## ${part.title}\n\nMeasured on ${day}.\n\n${markdown(part)}`), ...kept.map(dated)].join("\n\n")}
`;
}
