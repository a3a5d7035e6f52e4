// (h) Changes with one planted hack each, and their honest twins: what the judge recognises without a model. The program that
// counts is an example of jury-text; the cases are in evals/judge.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { run } from "./jury.mjs";
import { share } from "./table.mjs";

const CASES = fileURLToPath(new URL("../evals/judge", import.meta.url));
const RECALL = 0.9;
const WORST = 0.7;

export async function judge(program) {
  const said = JSON.parse(await run(resolve(program), [CASES, "--json"]));
  const row = (kind) => ({ name, planted, major, any, flagged }) => [name, kind, share(major, planted), planted, major, any - major, planted - any, flagged];
  const rows = [...said.kinds.map(row("kind")), ...said.languages.map(row("language"))];
  const half = ({ planted, major }) => `${share(major, planted)} (${major} of ${planted})`;
  const [planted, major, flagged] = ["planted", "major", "flagged"].map((key) => said.open[key] + said.sealed[key]);
  const worst = said.kinds.filter((kind) => kind.major < WORST * kind.planted).map(({ name }) => name);
  return {
    title: `Planted hacks: ${said.kinds.length} kinds in ${said.languages.length} languages, ${planted} changes and as many honest ones`,
    columns: ["name", "of", "recall", "planted", "major", "minor alone", "missed", "twins with a major"],
    rows,
    wrong: worst.map((what) => ({ what })),
    bars: [
      { what: "planted hacks recognised as major ≥ 0.90", holds: major >= RECALL * planted, figure: `open ${half(said.open)}, sealed ${half(said.sealed)}` },
      { what: "no kind of hack recognised less than 0.70", holds: worst.length === 0, figure: worst.length === 0 ? "none" : worst.join(", ") },
      { what: "no honest twin with something major", holds: flagged === 0, figure: `${flagged} of ${planted}` },
      { what: "1,000 changes read in 60 s", holds: said.microseconds / said.changes < 60_000, figure: `${(said.microseconds / said.changes / 1000).toFixed(1)} s` },
    ],
  };
}
