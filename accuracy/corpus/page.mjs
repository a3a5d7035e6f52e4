// What is counted on one page: the house against axe, its must-fix findings, and its repair.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { JURY, run } from "../jury.mjs";
import { compare } from "../nodes.mjs";
import { WINDOW } from "../browser.mjs";
import { harmed } from "./harm.mjs";
import { WIDTHS } from "./measure.mjs";

/** Limits far above what a page takes, because the figures are not to depend on what else the machine does. */
const AT_LENGTH = ["--round-timeout-ms", "600000", "--total-timeout-ms", "900000", "--run-timeout-ms", "1200000"];
const MUST = new Set(["serious", "critical"]);

/** The processor time of the children that this process has seen end, in milliseconds. */
function spent() {
  const text = readFileSync("/proc/self/stat", "utf8");
  // Ticks of 10 ms: cutime and cstime.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[13]) + Number(fields[14]));
}

/** The house's report on a file, or why there is none, and what that cost. */
async function reported(file, folder) {
  const before = spent();
  const { pages } = JSON.parse(await run(JURY, ["--quiet", "check", "--json", "--page-timeout", "600", "--root", folder, file]));
  return { report: pages[0]?.report, cpu: spent() - before };
}

/** The page that a run of the house hands over. Nothing when it leaves the page as it is. */
export async function repaired(file, folder) {
  const made = await mkdtemp(join(tmpdir(), "jury-repaired-"));
  try {
    const out = join(made, "final.html");
    await run(JURY, ["--quiet", "run", file, "--agent", "house", "--root", folder, "--data-dir", join(made, "data"), "--format", "json", "--out", out, ...AT_LENGTH]);
    const [was, is] = await Promise.all([readFile(file), readFile(out).catch(() => undefined)]);
    return is === undefined || is.equals(was) ? undefined : is;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

const paths = (results, rules) => new Set(results.filter(({ id }) => rules.has(id)).flatMap(({ nodes }) => nodes.map(({ path }) => path)));

/** Elements of must-fix findings: how many axe decided, and those that it passed. */
export function mustFix(report, axe, checks) {
  const found = { findings: 0, decided: 0, wrong: [] };
  for (const finding of report.findings.filter(({ severity }) => MUST.has(severity))) {
    found.findings += 1;
    const rules = new Set(checks.find(({ id }) => id === finding.check)?.axe ?? []);
    if (rules.size === 0 || finding.viewport) continue;
    const [failed, unsure, passed] = [axe.violations, axe.incomplete, axe.passes].map((results) => paths(results, rules));
    for (const { path } of finding.places) {
      if (failed.has(path)) found.decided += 1;
      else if (passed.has(path) && !unsure.has(path)) {
        found.decided += 1;
        found.wrong.push({ check: finding.check, path, what: finding.what });
      }
    }
  }
  return found;
}

/** Violations by rule. */
const violations = (axe) => new Map(axe.violations.map(({ id, nodes }) => [id, nodes.length]));

/** Everything about one page. Throws when the browser does not manage. */
export async function examined({ folder, path }, eyes, checks) {
  const file = join(folder, path);
  const { report, cpu } = await reported(file, folder);
  const html = report ? await repaired(file, folder) : undefined;
  const before = await eyes.examine(folder, path, html ? WIDTHS : [WINDOW.width]);
  const told = { cpu, refused: !report, checks: new Map(), must: undefined, before: violations(before.axe), after: violations(before.axe), repaired: Boolean(html), windows: [] };
  if (!report) return told;
  for (const check of checks.filter((one) => one.axe.length > 0)) {
    told.checks.set(check.id, compare(report, before.axe, new Set([check.id]), new Set(check.axe)));
  }
  told.must = mustFix(report, before.axe, checks);
  if (!html) return told;
  const after = await eyes.examine(folder, path, WIDTHS, html);
  told.after = violations(after.axe);
  for (const width of WIDTHS) told.windows.push({ width, ...harmed(before.windows.get(width), after.windows.get(width), before.faulty) });
  return told;
}
