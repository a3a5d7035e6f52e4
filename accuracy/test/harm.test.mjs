import assert from "node:assert/strict";
import test from "node:test";

import { changes, harmed, pairs } from "../corpus/harm.mjs";

const text = (path, words, more = {}) => ({
  path,
  text: words,
  colour: "rgb(0, 0, 0)",
  opacity: 1,
  backdrop: "rgb(255, 255, 255) none",
  size: 16,
  weight: "400",
  family: "serif",
  visible: true,
  box: [10, 10, 200, 20],
  ...more,
});
const view = (texts, failed = []) => ({
  texts,
  passed: new Set(texts.map(({ path }) => path).filter((path) => !failed.includes(path))),
  failed: new Set(failed),
});
const kinds = (before, after, faulty = []) => harmed(before, after, new Set(faulty)).list.map((one) => [one.path, one.kinds]);

test("each kind of change has its name", () => {
  const was = text("a", "Words");
  const of = (more) => changes(was, text("a", "Words", more));
  assert.deepEqual(of({}), []);
  assert.deepEqual(of({ box: [10.6, 10.9, 199.5, 20.4] }), []);
  assert.deepEqual(of({ colour: "rgb(9, 0, 0)" }), ["colour"]);
  assert.deepEqual(of({ opacity: 0.9 }), ["colour"]);
  assert.deepEqual(of({ backdrop: "rgb(0, 0, 0) none" }), ["backdrop"]);
  assert.deepEqual(of({ size: 20, box: [10, 10, 250, 25] }), ["size"]);
  assert.deepEqual(of({ weight: "700" }), ["size"]);
  assert.deepEqual(of({ box: [10, 10, 150, 40] }), ["box"]);
  assert.deepEqual(of({ box: [40, 10, 200, 20] }), ["position"]);
  assert.deepEqual(of({ box: [10, 60, 200, 20] }), ["pushed"]);
  assert.deepEqual(of({ colour: "rgb(9, 0, 0)", box: [10, 60, 200, 20] }), ["colour", "position"]);
  assert.deepEqual(of({ visible: false }), ["hidden"]);
  assert.deepEqual(changes(was, undefined), ["gone"]);
});

test("a text keeps its partner when the markup around it changes", () => {
  const [one, two, three] = [text("body>p:nth-child(1)", "Same"), text("body>p:nth-child(2)", "Same"), text("body>p:nth-child(3)", "Other")];
  const moved = [text("body>main>p:nth-child(1)", "Same"), text("body>main>p:nth-child(2)", "Same"), text("body>main>h2:nth-child(3)", "Other")];
  assert.deepEqual(pairs([one, two, three], moved), [[one, moved[0]], [two, moved[1]], [three, moved[2]]]);
  const less = [text("body>p:nth-child(2)", "Same"), text("body>p:nth-child(3)", "Other")];
  assert.deepEqual(pairs([one, two, three], less), [[one, undefined], [two, less[0]], [three, less[1]]]);
});

test("a repair that dyes what was in order is caught", () => {
  const before = view([text("h1", "Title"), text("p", "Pale", { colour: "rgb(200, 200, 200)" })], ["p"]);
  const after = view([text("h1", "Title", { colour: "rgb(90, 90, 90)" }), text("p", "Pale", { colour: "rgb(90, 90, 90)" })]);
  assert.deepEqual(kinds(before, after, ["p"]), [["h1", ["colour"]]]);
  assert.equal(harmed(before, after, new Set(["p"])).sound, 1);
});

test("a repair that changes only what failed is not blamed", () => {
  const before = view([text("h1", "Title"), text("p", "Pale", { colour: "rgb(200, 200, 200)" })], ["p"]);
  const after = view([text("main>h1", "Title"), text("main>p", "Pale", { colour: "rgb(90, 90, 90)" })]);
  assert.deepEqual(kinds(before, after, ["p"]), []);
});

test("what failed in another window may change in this one", () => {
  const before = view([text("p", "Pale")]);
  const after = view([text("p", "Pale", { colour: "rgb(90, 90, 90)" })]);
  assert.deepEqual(kinds(before, after, ["p"]), []);
  assert.deepEqual(kinds(before, after), [["p", ["colour"]]]);
});

test("what could not be seen or was not judged is nobody's harm", () => {
  const hidden = text("a", "Hidden", { visible: false });
  const unsure = text("b", "Unsure");
  const before = { texts: [hidden, unsure], passed: new Set(["a"]), failed: new Set() };
  assert.deepEqual(kinds(before, view([{ ...hidden, colour: "red" }, { ...unsure, colour: "red" }])), []);
});

test("a text that reads worse than before is caught though it looks the same itself", () => {
  const before = view([text("p", "Words")]);
  assert.deepEqual(kinds(before, view([text("main>p", "Words")], ["main>p"])), [["p", ["fails now"]]]);
});
