import assert from "node:assert/strict";
import test from "node:test";

import { agreement, chosen, gapBar, repairsOf } from "../corpus/told.mjs";
import { Total, gap } from "../corpus/total.mjs";

const CHECKS = [
  { id: "a11y/contrast", axe: ["color-contrast"], repair: "automatic" },
  { id: "a11y/lang", axe: ["html-has-lang"], repair: "none" },
];
const SECRET = "html>body>p:nth-child(77)";
const told = (more = {}) => ({
  cpu: 50,
  refused: false,
  repaired: true,
  checks: new Map([["a11y/contrast", { both: [SECRET, "b"], oursAlone: [SECRET], axeAlone: [SECRET], cantTell: [], axeUnsure: [], unseen: [SECRET] }]]),
  must: { findings: 3, decided: 2, wrong: [{ check: "a11y/contrast", path: SECRET, what: "secret words" }] },
  before: new Map([["color-contrast", 10]]),
  after: new Map([["color-contrast", 1], ["html-has-lang", 1]]),
  windows: [
    { width: 1280, sound: 10, list: [{ path: SECRET, text: "secret words", kinds: ["colour"] }] },
    { width: 320, sound: 10, list: [{ path: SECRET, text: "secret words", kinds: ["pushed"] }] },
  ],
  ...more,
});

test("of a page without a name nothing but numbers is kept", () => {
  const total = new Total(CHECKS);
  total.add(told(), "doc");
  total.add(told({ refused: true }), "doc");
  total.lose(undefined, "secret words");
  const kept = JSON.stringify(total);
  assert.ok(!/secret|nth-child/.test(kept), kept);
  assert.deepEqual([total.pages, total.lost, total.refused, total.harmed, total.elements, total.harmedPages], [2, 1, 1, 4, 2, 2]);
  const parts = [agreement(new Map([["sealed", total]]), CHECKS), repairsOf(new Map([["sealed", total]]))];
  assert.ok(!/secret|nth-child/.test(JSON.stringify(parts)));
  assert.deepEqual(parts.flatMap(({ wrong }) => wrong), []);
});

test("of a page that may be looked at everything that does not agree is listed", () => {
  const total = new Total(CHECKS);
  total.add(told(), "doc", "debian some-doc a.html");
  assert.equal(total.wrong.length, 4);
  assert.deepEqual(total.harm.map(({ page, width, what }) => [page, width, what]), [
    ["debian some-doc a.html", undefined, "new violation of html-has-lang"],
    ["debian some-doc a.html", 1280, undefined],
    ["debian some-doc a.html", 320, undefined],
  ]);
});

test("shares are of the sums", () => {
  const total = new Total(CHECKS);
  total.add(told(), "doc");
  assert.deepEqual([total.precision("a11y/contrast"), total.recall(), total.falseMustFix, total.mended, total.harmedShare], [2 / 3, 2 / 3, 1 / 2, 0.9, 0.1]);
  assert.equal(new Total(CHECKS).precision(), undefined);
});

test("sums that were written go on as if nobody had stopped", () => {
  const whole = new Total(CHECKS);
  whole.add(told(), "doc");
  whole.add(told(), "web");
  const begun = new Total(CHECKS);
  begun.add(told(), "doc");
  const resumed = new Total(CHECKS, JSON.parse(JSON.stringify(begun)));
  resumed.add(told(), "web");
  assert.deepEqual(JSON.parse(JSON.stringify(resumed)), JSON.parse(JSON.stringify(whole)));
});

test("a gap of more than two points fails, and so does a half without a figure", () => {
  assert.equal(gap(0.9, 0.75).toFixed(6), "15.000000");
  const bar = (open, sealed) => gapBar("x", new Map([["open", { open }], ["sealed", { open: sealed }]]), (total) => total.open).holds;
  assert.equal(bar(0.99, 0.975), true);
  assert.equal(bar(0.99, 0.95), false);
  assert.equal(bar(0.95, 0.99), false);
  assert.equal(bar(0.99, undefined), false);
});

test("harm, new violations, lost pages and missing packages fail their bars", () => {
  const good = new Total(CHECKS);
  const clean = { before: new Map([["color-contrast", 20]]), after: new Map(), windows: [{ width: 1280, sound: 9, list: [] }] };
  for (let page = 0; page < 60; page += 1) good.add(told(clean), "doc");
  const bars = (total) => {
    const totals = new Map([["open", total], ["sealed", good]]);
    const list = [{ from: "debian", stratum: "doc" }];
    const drawn = { pages: [], missing: total === good ? [] : ["debian a 1"] };
    return [...chosen(drawn, list, totals).bars, ...repairsOf(totals).bars].filter(({ holds }) => !holds).map(({ what }) => what);
  };
  assert.deepEqual(bars(good), []);
  const bad = new Total(CHECKS);
  bad.add(told(), "doc");
  for (let page = 0; page < 9; page += 1) bad.lose("a page", "late");
  assert.deepEqual(bars(bad), [
    "at least 120 pages measured",
    "every package of the list fetched",
    "at most 2 % of the pages lost",
    "repairable violations down by ≥ 95 %, open half",
    "no new violation, open half",
    "no sound text harmed, open half",
    "repairable violations gone: at most 2 points between the halves",
    "sound texts harmed: at most 2 points between the halves",
  ]);
});
