// (c) Pages with one known defect each: who noticed. The program that counts is an example of the house.
import { resolve } from "node:path";

import { run } from "./jury.mjs";
import { share } from "./table.mjs";

/** Writes all broken pages into a folder. */
export function brokenPages(program, folder) {
  return run(resolve(program), [folder]);
}

export async function mutations(program) {
  const said = JSON.parse(await run(resolve(program), []));
  const rows = Object.entries(said.checks).map(([check, { noticed, missed, strange, weak }]) => [
    check,
    share(noticed, noticed + strange),
    share(noticed, noticed + missed),
    noticed,
    strange,
    missed,
    weak,
  ]);
  const sum = (key) => Object.values(said.checks).reduce((total, count) => total + count[key], 0);
  rows.push([
    "all",
    share(sum("noticed"), sum("noticed") + sum("strange")),
    share(sum("noticed"), sum("noticed") + sum("missed")),
    sum("noticed"),
    sum("strange"),
    sum("missed"),
    sum("weak"),
  ]);
  return {
    title: `Known defects: ${said.defects} kinds in ${said.pages} pages of this project, ${said.brokenPages} broken pages`,
    columns: ["check", "precision", "recall", "noticed", "not asked for", "missed", "called too mild"],
    rows,
    wrong: said.wrong.map((what) => ({ what })),
    bars: [{ what: "every defect noticed by its check, and by no other", holds: said.wrong.length === 0, figure: `${said.wrong.length} of ${said.brokenPages} not as they should be` }],
  };
}
