// The account of both halves: tables, bars, and the gap between them.
import { WIDTHS } from "./measure.mjs";
import { gap } from "./total.mjs";

const ENOUGH = 120;
const GAP = 2;

const middle = (numbers, at) => [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * at))] ?? 0;
const mean = (numbers) => (numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
const per = (share) => (share === undefined ? "-" : `${(100 * share).toFixed(2)} %`);
const row = (name, totals, value) => [name, ...[...totals.values()].map(value)];

/** A bar for the distance between the halves. What only one half can say holds nothing, so it does not hold. */
export function gapBar(what, totals, value) {
  const [open, sealed] = ["open", "sealed"].map((half) => totals.get(half) && value(totals.get(half)));
  const points = gap(open, sealed);
  return {
    what: `${what}: at most ${GAP} points between the halves`,
    holds: points !== undefined && points <= GAP,
    figure: points === undefined ? "one half has no figure" : `${per(open)} and ${per(sealed)}, ${points.toFixed(2)} points`,
  };
}

const eachHalf = (totals, what, value, holds, show = per) =>
  [...totals].map(([half, total]) => ({
    what: `${what}, ${half} half`,
    holds: value(total) !== undefined && holds(value(total)),
    figure: show(value(total)),
  }));

/** Which pages there are. */
export function chosen({ pages, missing }, list, totals) {
  const strata = [...new Set(list.map(({ from, stratum }) => `${from}: ${stratum}`))];
  const count = (half, where) => pages.filter((page) => page.half === half && (where === undefined || `${page.from}: ${page.stratum}` === where)).length;
  const measured = [...totals.values()].reduce((sum, total) => sum + total.pages, 0);
  const lost = [...totals.values()].reduce((sum, total) => sum + total.lost, 0);
  return {
    title: "Pages of published packages: what was measured",
    columns: ["packages and pages", ...[...totals.keys()].map((half) => `${half} half`)],
    rows: [
      ...strata.map((where) => [where, ...[...totals.keys()].map((half) => count(half, where))]),
      row("pages chosen", totals, (total) => count([...totals].find(([, one]) => one === total)[0])),
      row("measured", totals, (total) => total.pages),
      row("lost to a time-out or an error of the browser", totals, (total) => total.lost),
      row("refused by the house", totals, (total) => total.refused),
      row("processor time of `jury check`, mean", totals, (total) => `${Math.round(mean(total.cpu))} ms`),
      row("the same, median", totals, (total) => `${Math.round(middle(total.cpu, 0.5))} ms`),
      row("the same, 95 of 100 pages", totals, (total) => `${Math.round(middle(total.cpu, 0.95))} ms`),
      row("the same, most", totals, (total) => `${Math.round(middle(total.cpu, 1))} ms`),
    ],
    wrong: missing.map((what) => ({ what: `not fetched: ${what}` })),
    bars: [
      { what: `at least ${ENOUGH} pages measured`, holds: measured >= ENOUGH, figure: `${measured}` },
      { what: "every package of the list fetched", holds: missing.length === 0, figure: `${list.length - missing.length} of ${list.length}` },
      { what: "at most 2 % of the pages lost", holds: lost <= 0.02 * (measured + lost), figure: `${lost} of ${measured + lost}` },
    ],
  };
}

/** The house against axe. */
export function agreement(totals, checks) {
  const rows = [];
  const line = (name, check) => {
    const cells = [...totals.values()].flatMap((total) => {
      const { both, oursAlone, axeAlone, cantTell, axeUnsure, unseen } = total.counts(check);
      return [per(total.precision(check)), per(total.recall(check)), `${both}/${oursAlone}/${axeAlone + cantTell}`, `${axeUnsure}/${unseen}`];
    });
    rows.push([name, ...cells]);
  };
  for (const { id } of checks.filter(({ axe }) => axe.length > 0)) {
    const heard = [...totals.values()].some((total) => Object.values(total.counts(id)).some((count) => count > 0));
    if (heard) line(id, id);
  }
  line("all rules that both claim");
  const blank = ["", "", ""];
  rows.push(["must-fix findings", ...[...totals.values()].flatMap((total) => [String(total.must.findings), ...blank])]);
  rows.push(["their elements that axe decided, and passed", ...[...totals.values()].flatMap(({ must }) => [`${must.decided}, ${must.wrong}`, ...blank])]);
  rows.push(["false must-fix", ...[...totals.values()].flatMap((total) => [per(total.falseMustFix), ...blank])]);
  const names = [...totals.keys()].flatMap((half) => [`${half}: precision`, "recall", "both/ours/axe", "unsure/not judged"]);
  const contrast = "a11y/contrast";
  return {
    title: "Pages of published packages: the house and axe, in both halves",
    columns: ["check", ...names],
    rows,
    wrong: [...totals.values()].flatMap((total) => total.wrong),
    bars: [
      ...eachHalf(totals, "contrast precision against axe ≥ 99.5 %", (total) => total.precision(contrast), (share) => share >= 0.995),
      ...eachHalf(totals, "contrast recall against axe ≥ 99 %", (total) => total.recall(contrast), (share) => share >= 0.99),
      ...eachHalf(totals, "elements of must-fix findings that axe passes ≤ 3 %", (total) => total.falseMustFix, (share) => share <= 0.03),
      gapBar("contrast precision", totals, (total) => total.precision(contrast)),
      gapBar("contrast recall", totals, (total) => total.recall(contrast)),
      gapBar("precision on all rules", totals, (total) => total.precision()),
      gapBar("recall on all rules", totals, (total) => total.recall()),
      gapBar("false must-fix", totals, (total) => total.falseMustFix),
    ],
  };
}

/** The judge of repairs. */
export function repairsOf(totals) {
  const kinds = [...new Set([...totals.values()].flatMap((total) => [...total.kinds.keys()]))].sort();
  return {
    title: "Pages of published packages: what repairs do, in both halves",
    columns: ["before and after, in four windows", ...[...totals.keys()].map((half) => `${half} half`)],
    rows: [
      row("pages that a run of the house changes", totals, (total) => total.repaired),
      row("violations of repairable rules before", totals, (total) => total.before),
      row("the same, after", totals, (total) => total.after),
      row("new violations of any rule", totals, (total) => `${total.fresh} on ${total.freshPages} pages`),
      row("sound texts, once for each window", totals, (total) => total.sound),
      row("harmed ones among them", totals, (total) => `${total.harmed} (${per(total.harmedShare)})`),
      row("harmed elements", totals, (total) => `${total.elements} on ${total.harmedPages} pages`),
      ...kinds.map((kind) => row(`changed: ${kind}`, totals, (total) => total.kinds.get(kind) ?? 0)),
      ...WIDTHS.map((width) => row(`harmed at ${width} px`, totals, (total) => total.widths.get(width) ?? 0)),
    ],
    wrong: [...totals.values()].flatMap((total) => total.harm),
    bars: [
      ...eachHalf(totals, "repairable violations down by ≥ 95 %", (total) => total.mended, (share) => share >= 0.95),
      ...eachHalf(totals, "no new violation", (total) => total.fresh, (count) => count === 0, String),
      ...eachHalf(totals, "no sound text harmed", (total) => total.harmed, (count) => count === 0, String),
      gapBar("repairable violations gone", totals, (total) => total.mended),
      gapBar("sound texts harmed", totals, (total) => total.harmedShare),
    ],
  };
}
