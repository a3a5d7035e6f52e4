import assert from "node:assert/strict";
import test from "node:test";

import { mustFix } from "../corpus/page.mjs";

const CHECKS = [
  { id: "a11y/contrast", axe: ["color-contrast"] },
  { id: "a11y/control-name", axe: ["button-name", "link-name"] },
  { id: "copy/links", axe: [] },
];
const finding = (check, paths, more = {}) => ({ check, severity: "serious", viewport: null, what: "", places: paths.map((path) => ({ path })), ...more });
const rule = (id, paths) => ({ id, nodes: paths.map((path) => ({ path })) });
const AXE = {
  violations: [rule("color-contrast", ["a"]), rule("link-name", ["e"])],
  incomplete: [rule("color-contrast", ["c"])],
  passes: [rule("color-contrast", ["b", "e"]), rule("button-name", ["e"]), rule("link-name", ["f"])],
};
const judged = (...findings) => {
  const { findings: count, decided, wrong } = mustFix({ findings }, AXE, CHECKS);
  return [count, decided, wrong.map(({ path }) => path)];
};

test("an element that axe passes by the same rule is a false must-fix", () => {
  assert.deepEqual(judged(finding("a11y/contrast", ["a", "b"])), [1, 2, ["b"]]);
  assert.deepEqual(judged(finding("a11y/control-name", ["f"])), [1, 1, ["f"]]);
});

test("what axe is unsure of, has not judged, or judges by another rule counts neither way", () => {
  assert.deepEqual(judged(finding("a11y/contrast", ["c", "d"]), finding("copy/links", ["b"]), finding("a11y/control-name", ["b"])), [3, 0, []]);
});

test("one violation of several rules is enough to be right", () => {
  assert.deepEqual(judged(finding("a11y/control-name", ["e"])), [1, 1, []]);
});

test("remarks are no must-fix, and what holds in another window only is not compared", () => {
  assert.deepEqual(judged(finding("a11y/contrast", ["b"], { severity: "minor" }), finding("a11y/contrast", ["b"], { viewport: "375" })), [1, 0, []]);
});
