// Defects of design put into pages: whether the score falls. The program that breaks and measures is an example of the house.
import { run } from "./jury.mjs";
import { percent } from "./table.mjs";

/** Families by which nothing was tuned. */
export const UNSEEN = ["spacing noise", "scatter", "inverted hierarchy", "all centred", "leading", "fade", "padding salad", "overlap", "tilted"];

/** What an invariance may move the score by. */
const MOVES = 0.3;

/** For each family how many broken pages have a lower composite than the page they were made of, over the lines of the program. */
export function ordered(lines) {
  const families = new Map();
  const moved = [];
  let whole;
  for (const line of lines) {
    const composite = line.page.composite;
    if (line.family === "") {
      whole = composite;
    } else if (line.kind === "same") {
      moved.push({ page: line.file, what: line.family, by: Math.abs(whole - composite) });
    } else {
      const known = families.get(line.family) ?? { right: 0, all: 0, fell: 0, wrong: [] };
      known.all += 1;
      known.fell += whole - composite;
      if (composite < whole) known.right += 1;
      else known.wrong.push({ page: line.file, what: `${line.family}, ${line.grade}: ${whole} then ${composite}` });
      families.set(line.family, known);
    }
  }
  return { families, moved };
}

const read = (said) => said.split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** Breaks each page in every way and says whose score fell. */
export async function score(program, pages) {
  const lines = [];
  for (const page of pages) lines.push(...read(await run(program, ["pairs", page])));
  const { families, moved } = ordered(lines);
  const rows = [...families].map(([family, { right, all, fell }]) => [
    family,
    UNSEEN.includes(family) ? "unseen" : "tuned",
    percent(right, all),
    right,
    all,
    (fell / all).toFixed(2),
  ]);
  const sum = (unseen) => {
    const chosen = [...families].filter(([family]) => UNSEEN.includes(family) === unseen).map(([, counts]) => counts);
    return chosen.reduce((total, { right, all }) => ({ right: total.right + right, all: total.all + all }), { right: 0, all: 0 });
  };
  const [tuned, unseen] = [sum(false), sum(true)];
  rows.push(["all tuned", "", percent(tuned.right, tuned.all), tuned.right, tuned.all, ""]);
  rows.push(["all unseen", "", percent(unseen.right, unseen.all), unseen.right, unseen.all, ""]);
  const least = Math.min(...[...families.values()].map(({ right, all }) => right / all));
  const far = moved.filter(({ by }) => by >= MOVES);
  return {
    title: `Defects of design: ${families.size} families in ${pages.length} pages`,
    columns: ["family", "", "ordered rightly", "right", "pairs", "mean fall"],
    rows,
    wrong: [...families.values()].flatMap(({ wrong }) => wrong),
    bars: [
      { what: "pairs of unseen families ordered rightly", holds: unseen.right >= 0.9 * unseen.all, figure: percent(unseen.right, unseen.all) },
      { what: "no family below 0.8", holds: least >= 0.8, figure: least.toFixed(2) },
      { what: "what changes nothing moves the score by less than 0.3", holds: far.length === 0, figure: `${far.length} of ${moved.length} moved it further` },
    ],
  };
}
