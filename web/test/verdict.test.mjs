// The words of every ending say what is so: a table of endings, rounds and policies. The words are their own names here, so
// that the table holds for every language; which languages have which words is told in locales.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

// One bundle: the words are a state of the module.
const { conditions, count, exact, LOCALES, own, ruleText, score, standing, use, wordsOf } = await load("i18n/index", "after/Rule", "after/Verdict", "state/verdict", "state/selectors");
const words = (locale) => JSON.parse(readFileSync(join(web, `locales/${locale}.json`), "utf8"));
const NAMES = Object.fromEntries(Object.keys(words("en")).map((key) => [key, `<${key}>`]));

const ROUNDS = {
  none: [],
  under: [[7, 2], [6, 1]],
  open: [[9.3, 2]],
  met: [[7, 2], [9, 0]],
  replaced: [[9.9, 1, ["user/replaced"]]],
  lost: [[9, 3, ["user/lost-words"]]],
  measured: [[9, 2, ["a11y/contrast", "a11y/contrast"]]],
};
const fact = (check) => ({ round: 1, kind: check.startsWith("user/") ? "loss" : "failure", check, measured: "so", standing: "overrated" });
const POLICIES = ["ship_best", "ship_last", "fail"];
const ENDINGS = ["shipped", "rule", "lint", "request", "restart", "clock", "degraded", "failed"];

/** A run that ended so, as the program ends it; null where it cannot. */
function ended(ending, closed, policy, maxRounds = 3) {
  const rounds = closed.map(([composite, mustFix, own = []], index) => ({
    round: index + 1,
    reviews: [],
    artifact: null,
    evidence: own.map(fact),
    end: { round: index + 1, composite, mustFix, quorum: true, decision: composite >= 8 && mustFix === 0 ? "ship" : "continue", reason: "", bytes: 0 },
  }));
  const best = rounds.reduce((found, one) => (!found || one.end.composite >= found.end.composite ? one : found), undefined);
  const met = rounds.findLast((one) => one.end.decision === "ship");
  const kept = policy === "fail" ? undefined : policy === "ship_last" ? rounds.at(-1) : best;
  const named = ending === "shipped" || ending === "lint" ? met : (kept ?? best);
  const composite = named?.end.composite ?? null;
  const artifactRef = ending === "shipped" || (ending === "lint" ? policy !== "fail" : kept) ? { projectId: "default", artifactId: "x" } : null;
  const ship = (status, cause) => ({ event: "critique.ship", status, round: named?.round ?? null, composite, artifactRef, summary: "", cause });
  const early = (event, more) => ({ event, bestRound: named?.round ?? null, composite, artifactRef, ...more });
  const event = {
    shipped: () => met && ship("shipped"),
    rule: () => !met && best && ship("below_threshold"),
    lint: () => met && ship("below_threshold"),
    request: () => early("critique.interrupted"),
    restart: () => early("critique.interrupted", { recoveryReason: "daemon_restart" }),
    clock: () => ship("timed_out", "total_timeout"),
    degraded: () => early("critique.degraded", { reason: "malformed_block", detail: "" }),
    failed: () => early("critique.failed", { cause: "cli_signal", detail: "" }),
  }[ending]();
  if (!event) return null;
  const started = { cast: ["critic"], maxRounds, threshold: 8, scale: 10, weights: { designer: 0, critic: 1, brand: 0, a11y: 0, copy: 0 }, fallbackPolicy: policy, evidence: "gate", agent: "mine" };
  const lint = ending === "lint" ? { round: met.round, findings: [{ rule: "x", line: 1, message: "x" }] } : null;
  return { queued: null, started, rounds, superseded: [], ledger: [], warnings: {}, usage: {}, lint, fallback: null, ended: event };
}

const PHASES = { rule: "below_threshold", lint: "below_threshold", request: "interrupted", restart: "interrupted", clock: "timed_out" };

function* all() {
  for (const ending of ENDINGS)
    for (const [rounds, closed] of Object.entries(ROUNDS))
      for (const policy of POLICIES) {
        const board = ended(ending, closed, policy);
        if (!board) continue;
        const phase = PHASES[ending] ?? ending;
        const notice = wordsOf(board, phase);
        yield { ending, rounds, policy, rule: ruleText(board, undefined, phase), title: notice.title, text: notice.text, kept: board.ended.artifactRef !== null };
      }
}

test("no notice and no rule line says what is not so", () => {
  use("en", NAMES);
  let seen = 0;
  for (const one of all()) {
    seen += 1;
    const at = JSON.stringify(one);
    const says = (name) => `${one.rule} ${one.title} ${one.text}`.includes(`<${name}`);
    const met = one.rounds === "met";
    // The rule.
    assert.equal(says("rule.met"), met && one.ending !== "shipped", at);
    assert.equal(says("rule.missed") || says("rule.interrupted"), !met && one.rounds !== "none", at);
    assert.equal(says("rule.unapplied"), one.rounds === "none", at);
    assert.equal(says("rule.shipped"), one.ending === "shipped", at);
    // Who ended it.
    for (const [ending, name] of [["lint", "ended.lint"], ["restart", "ended.restart"], ["clock", "ended.clock"], ["degraded", "ended.degraded"], ["failed", "ended.failed"]]) {
      assert.equal(says(name), one.ending === ending, `${name} ${at}`);
    }
    assert.equal(says("ended.request") || says("rule.interrupted"), one.ending === "request", at);
    assert.equal(says("interrupted.restart"), one.ending === "restart", at);
    // What was kept.
    if (one.ending === "shipped") continue;
    // What is jury's own.
    for (const name of ["replaced", "lost", "measured"]) assert.equal(says(`own.${name}`), one.rounds === name, `${name} ${at}`);
    const reviewed = one.rounds !== "none";
    assert.equal(says("kept.page"), reviewed && one.kept, at);
    assert.equal(says("kept.none"), reviewed && !one.kept, at);
    if (says("rule.interrupted")) assert.ok(one.kept && one.policy === "ship_best", at);
    assert.equal(says("met.had"), met && one.ending !== "lint", at);
  }
  assert.equal(seen, 126);
});

test("the title of a run below the rule names what held it back", () => {
  use("en", words("en"));
  const title = (closed, policy = "ship_best", ending = "rule") => wordsOf(ended(ending, closed, policy), "below_threshold").title;
  assert.equal(title([[7, 0]]), "Not shipped: composite 7.0 is below 8.0");
  assert.equal(title([[9.3, 2]]), "Not shipped: 2 must-fix open (composite 9.3, threshold 8.0)");
  assert.equal(title([[7, 1]]), "Not shipped: composite 7.0 is below 8.0, 1 must-fix open");
  assert.equal(title([[9, 0]], "ship_best", "lint"), "Not shipped: the final pass found something");
  // The round that is kept is the one that is told.
  assert.equal(title([[7, 2], [6, 1]], "ship_last"), "Not shipped: composite 6.0 is below 8.0, 1 must-fix open");
});

test("what is below the bar is called so, and what something else held is called not shipped", () => {
  const badge = (closed, policy = "ship_best", ending = "rule") => {
    const board = ended(ending, closed, policy);
    return words("en")[`status.${standing(board)}`];
  };
  assert.equal(badge([[7, 0]]), "Below threshold");
  assert.equal(badge([[7, 2], [6, 1]], "ship_last"), "Below threshold");
  assert.equal(badge([[7.999, 0]]), "Below threshold");
  assert.equal(badge([[8, 2]]), "Not shipped");
  assert.equal(badge([[9.3, 2]]), "Not shipped");
  assert.equal(badge([[9, 0]], "ship_best", "lint"), "Not shipped");
  // Every other end keeps its own word, whatever its composite.
  for (const ending of ["request", "clock", "degraded", "failed"]) assert.notEqual(badge([[7, 0]], "ship_best", ending), "Below threshold", ending);
  assert.equal(badge([[9, 0]], "ship_best", "shipped"), "Shipped");
});

test("an interrupt names its round and the best composite, in words of its own", () => {
  const title = (locale) => {
    use(locale, words(locale));
    return wordsOf(ended("request", [[6.4, 3]], "ship_best"), "interrupted").title;
  };
  assert.equal(title("en"), "Interrupted at round 1, best composite 6.4");
  for (const locale of Object.keys(LOCALES)) {
    assert.match(title(locale), /1.*6[.,]4/, locale);
    assert.notEqual(words(locale)["interrupted.title"], words(locale)["shipped.title"], locale);
  }
  use("en", words("en"));
  assert.equal(wordsOf(ended("request", [], "ship_best"), "interrupted").title, "Interrupted before a round closed");
});

test("a must-fix of jury's own is not a score below the bar", () => {
  use("en", words("en"));
  const told = (rounds) => {
    const { title, text } = wordsOf(ended("rule", ROUNDS[rounds], "ship_best"), "below_threshold");
    return `${title}. ${text}`;
  };
  assert.match(told("replaced"), /^Not shipped: 1 must-fix open \(composite 9\.9, threshold 8\.0\)\. .*Another page came back/);
  assert.match(told("lost"), /^Not shipped: 3 must-fix open .* Parts of the given page are missing\./);
  assert.match(told("measured"), /^Not shipped: 2 must-fix open .* not asked for by the panel: 2\./);
  // What was measured counts where facts are a gate; that the page was replaced counts everywhere.
  const board = (rounds, evidence) => {
    const one = ended("rule", ROUNDS[rounds], "ship_best");
    return { ...one, started: { ...one.started, evidence } };
  };
  for (const mode of ["warn", "off", undefined]) {
    assert.deepEqual([own(board("measured", mode)).length, own(board("lost", mode)).length, own(board("replaced", mode)).length], [0, 0, 1], mode);
  }
});

test("settings that make a verdict easier to get are named", () => {
  const { started } = ended("rule", ROUNDS.under, "ship_best");
  const named = (change) => conditions({ started: { ...started, ...change } });
  assert.deepEqual(named({}), []);
  assert.deepEqual(named({ evidence: "warn" }), ["warn"]);
  assert.deepEqual(named({ evidence: undefined }), ["off"]);
  assert.deepEqual(named({ evidence: "off", agent: "house" }), []);
  assert.deepEqual(named({ threshold: 4.9 }), ["low"]);
  assert.deepEqual(named({ threshold: 5 }), []);
  assert.deepEqual(named({ threshold: 3, evidence: "warn" }), ["low", "warn"]);
  assert.deepEqual(conditions({ started: null }), []);
});

test("one round is one round", () => {
  use("en", words("en"));
  const board = ended("rule", [[7, 2]], "ship_best", 1);
  assert.match(ruleText(board, undefined, "below_threshold"), /in one round\.$/);
  assert.match(count("rule.running", 1, { threshold: "8.0", max: 1 }), /There is one round\.$/);
  assert.match(count("rule.running", 2, { threshold: "8.0", max: 2 }), /up to 2 rounds\.$/);
});

test("every language has a sentence for every ending", () => {
  for (const locale of Object.keys(LOCALES)) {
    use(locale, words(locale));
    for (const one of all()) assert.ok(!/[<{]/.test(`${one.rule} ${one.title} ${one.text}`), `${locale} ${JSON.stringify(one)}`);
  }
});

test("a number beside the bar is never on its wrong side", () => {
  use("en", words("en"));
  const table = [[7.96, 8, "7.9", "8.0"], [8.57, 8, "8.5", "8.0"], [8.23, 8.25, "8.23", "8.25"], [8.27, 8.25, "8.27", "8.25"], [8.33, 8.333, "8.33", "8.333"]];
  for (const [value, bar, shown, wanted] of table) assert.deepEqual([score(value, bar), exact(bar)], [shown, wanted]);
});
