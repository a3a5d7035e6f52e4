// The figures as a document.
import { markdown } from "./table.mjs";

const today = () => new Date().toISOString().slice(0, 10);

/** The parts of a run as Markdown. */
export function document(parts, whole) {
  const bars = parts.flatMap((part) => part.bars.map(({ what, holds, figure }) => [what, figure, holds ? "holds" : "fails"]));
  return `# Accuracy

How far the house agrees with others. Written by a program on ${today()}; the figures are those of that run.

\`\`\`
$ JURY_TRUTH_DIR=folder make accuracy ACCURACY_DOC=docs/accuracy.md
\`\`\`

${whole ? "The folder holds W3C ACT test cases and generated pages; neither is part of this project." : "Made without JURY_TRUTH_DIR: what needs it is missing here."}
Chromium shows a page at 1280 × 800 without network, without scripts, with everything that moves at rest. What each column means
is in [accuracy/README.md](../accuracy/README.md), what each check measures in [checks.md](checks.md).

## Bars

${markdown({ columns: ["what", "figure", ""], rows: bars })}

${parts.map((part) => `## ${part.title}\n\n${markdown(part)}`).join("\n\n")}
`;
}
