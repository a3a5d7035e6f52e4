// (a) The cases of the W3C's ACT rules: what the house says about each, beside what axe-core has published.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { share } from "./table.mjs";

/** The outcome of some checks on a page. */
function outcome(report, ids) {
  if (!report) return "untested";
  if (report.findings.some((found) => ids.has(found.check))) return "failed";
  if (report.undecided.some((found) => ids.has(found.check))) return "cantTell";
  return "passed";
}

class Tally {
  truePositive = 0;
  falsePositive = 0;
  falseNegative = 0;
  cantTell = 0;
  untested = 0;

  add(expected, said) {
    if (said === "cantTell") this.cantTell += 1;
    if (said === "untested") this.untested += 1;
    if (expected === "failed") {
      if (said === "failed") this.truePositive += 1;
      else this.falseNegative += 1;
    } else if (said === "failed") this.falsePositive += 1;
  }

  merge(other) {
    for (const key of Object.keys(this)) this[key] += other[key];
  }

  get cells() {
    return [this.truePositive, this.falsePositive, this.falseNegative, `${this.cantTell}/${this.untested}`];
  }

  get precision() {
    return share(this.truePositive, this.truePositive + this.falsePositive);
  }

  get recall() {
    return share(this.truePositive, this.truePositive + this.falseNegative);
  }
}

/** Compares the house with the cases under `folder`. `measure` gives reports for files. */
export async function act(folder, checks, measure) {
  const { testcases } = JSON.parse(await readFile(join(folder, "testcases.json"), "utf8"));
  const byRule = new Map();
  for (const check of checks) {
    for (const rule of check.act) byRule.set(rule, (byRule.get(rule) ?? new Set()).add(check.id));
  }
  const cases = testcases.filter((one) => byRule.has(one.ruleId));
  // Drawings and other documents are not pages; the house does not say anything about them.
  const pages = cases.filter((one) => /\.x?html?$/.test(one.relativePath));
  const known = await measure(pages.map((one) => join(folder, one.relativePath)));
  const rules = new Map();
  const wrong = [];
  for (const one of cases) {
    const ids = byRule.get(one.ruleId);
    const report = known.get(join(folder, one.relativePath));
    const said = outcome(report, ids);
    const rule = rules.get(one.ruleId) ?? { name: one.ruleName, ids, cases: [0, 0], ours: new Tally(), axe: new Tally() };
    rules.set(one.ruleId, rule);
    rule.cases[one.expected === "failed" ? 0 : 1] += 1;
    rule.ours.add(one.expected, said);
    rule.axe.add(one.expected, one.axe ?? "untested");
    if ((one.expected === "failed") !== (said === "failed")) {
      wrong.push({
        rule: one.ruleId,
        name: one.ruleName,
        expected: one.expected,
        said,
        axe: one.axe,
        file: one.relativePath,
        found: (report?.findings ?? []).filter((found) => ids.has(found.check)).map((found) => `${found.check}: ${found.what}`),
      });
    }
  }
  const total = { ours: new Tally(), axe: new Tally() };
  const rows = [];
  for (const [id, rule] of [...rules].sort(([, left], [, right]) => [...left.ids][0].localeCompare([...right.ids][0]))) {
    total.ours.merge(rule.ours);
    total.axe.merge(rule.axe);
    rows.push([
      [...rule.ids].join(" "),
      id,
      rule.name.slice(0, 52),
      rule.cases.join("/"),
      rule.ours.precision,
      rule.ours.recall,
      ...rule.ours.cells,
      ...rule.axe.cells,
    ]);
  }
  rows.push(["all", `${rules.size} rules`, "", `${cases.length} cases`, total.ours.precision, total.ours.recall, ...total.ours.cells, ...total.axe.cells]);
  const worse = [...rules].filter(
    ([, { ours, axe }]) => ours.truePositive < axe.truePositive || ours.falsePositive > axe.falsePositive,
  );
  return {
    title: "ACT rules",
    columns: ["check", "rule", "name", "fail/pass", "precision", "recall", "TP", "FP", "FN", "?/no", "axe TP", "axe FP", "axe FN", "axe ?/no"],
    rows,
    wrong,
    bars: [
      {
        what: "each rule: at least axe's true positives, no more false ones",
        holds: worse.length === 0,
        figure: worse.length === 0 ? `${rules.size} of ${rules.size} rules` : `behind on ${worse.map(([id]) => id).join(", ")}`,
      },
      {
        what: "all rules: at least axe's true positives, no more false ones",
        holds: total.ours.truePositive >= total.axe.truePositive && total.ours.falsePositive <= total.axe.falsePositive,
        figure: `${total.ours.truePositive} and ${total.ours.falsePositive} against ${total.axe.truePositive} and ${total.axe.falsePositive}`,
      },
    ],
  };
}
