// (b) Real pages, element by element: what the house finds against what axe-core finds in Chromium.
import { share } from "./table.mjs";

/** Rules about a stretch of content. Where it begins is a matter of words, so what is around or inside also counts. */
const STRETCHES = new Set(["region"]);

const within = (one, other) => one === other || one.startsWith(`${other}>`) || other.startsWith(`${one}>`);

/** The elements that findings of these checks name; the root stands for the page. */
function places(found, ids) {
  const paths = found
    .filter((one) => ids.has(one.check) && !one.viewport)
    .flatMap((one) => (one.places.length > 0 ? one.places.map((place) => place.path) : ["html"]));
  return new Set(paths);
}

function paths(results, rules) {
  return new Set(results.filter((result) => rules.has(result.id)).flatMap((result) => result.nodes.map((node) => node.path)));
}

/** One check on one page: sets of elements by who says what. */
export function compare(report, axe, ids, rules) {
  const ours = places(report.findings, ids);
  const open = places(report.undecided, ids);
  const failing = paths(axe.violations, rules);
  const unsure = paths(axe.incomplete, rules);
  const passing = paths(axe.passes, rules);
  const loose = [...rules].some((rule) => STRETCHES.has(rule));
  const has = (set, path) => set.has(path) || (loose && [...set].some((other) => within(path, other)));
  const sets = { both: [], oursAlone: [], unseen: [], axeUnsure: [], axeAlone: [], cantTell: [], agreedGood: 0 };
  for (const path of ours) {
    if (has(failing, path)) sets.both.push(path);
    else if (has(unsure, path)) sets.axeUnsure.push(path);
    else if (passing.has(path) || loose) sets.oursAlone.push(path);
    else sets.unseen.push(path);
  }
  for (const path of failing) {
    if (has(ours, path)) {
      if (loose && !ours.has(path)) continue;
    } else if (has(open, path)) sets.cantTell.push(path);
    else sets.axeAlone.push(path);
  }
  for (const path of passing) if (!ours.has(path) && !open.has(path)) sets.agreedGood += 1;
  return sets;
}

/** All checks that stand for rules of axe, on all pages. */
export function nodes(answers, reports, checks) {
  const rows = [];
  const wrong = [];
  const bars = [];
  const silent = [];
  for (const check of checks.filter((one) => one.axe.length > 0)) {
    const ids = new Set([check.id]);
    const rules = new Set(check.axe);
    const sum = { both: 0, oursAlone: 0, unseen: 0, axeUnsure: 0, axeAlone: 0, cantTell: 0, agreedGood: 0 };
    for (const { page, axe } of answers) {
      const report = reports.get(page);
      if (!report) continue;
      const sets = compare(report, axe, ids, rules);
      for (const [key, value] of Object.entries(sets)) sum[key] += Array.isArray(value) ? value.length : value;
      for (const key of ["oursAlone", "axeAlone", "cantTell", "unseen"]) {
        for (const path of sets[key]) wrong.push({ check: check.id, key, page, path });
      }
    }
    // Nobody found anything, which says nothing about either.
    if (sum.both + sum.oursAlone + sum.axeAlone + sum.cantTell + sum.axeUnsure + sum.unseen === 0) {
      silent.push(check.id);
      continue;
    }
    rows.push([
      check.id,
      share(sum.both, sum.both + sum.oursAlone),
      share(sum.both, sum.both + sum.axeAlone + sum.cantTell),
      sum.both,
      sum.oursAlone,
      sum.axeAlone,
      sum.cantTell,
      sum.axeUnsure,
      sum.unseen,
      check.axe.join(" "),
    ]);
    if (check.id === "a11y/contrast") {
      const precision = sum.both / (sum.both + sum.oursAlone);
      const recall = sum.both / (sum.both + sum.axeAlone + sum.cantTell);
      bars.push({ what: "contrast precision against axe ≥ 0.995", holds: precision >= 0.995, figure: precision.toFixed(4) });
      bars.push({ what: "contrast recall against axe ≥ 0.99", holds: recall >= 0.99, figure: recall.toFixed(4) });
    }
  }
  if (silent.length > 0) rows.push([`${silent.length} more`, "-", "-", 0, 0, 0, 0, 0, 0, "nothing found by anybody"]);
  return {
    title: "axe-core in Chromium, element by element",
    columns: ["check", "precision", "recall", "both", "ours alone", "axe alone", "can't tell", "axe unsure", "axe did not judge", "rules of axe"],
    rows,
    wrong,
    bars,
  };
}
