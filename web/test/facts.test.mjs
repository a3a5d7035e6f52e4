// Measured facts stand in a lane of the page, and each in one.
import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./load.mjs";

const { Facts } = await load("artifact/Facts");

const score = { kind: "score", role: "a11y", standing: "overrated", measured: "4.0" };
const dimension = { ...score, dimension: "perceive" };
const unasked = { kind: "failure", role: "a11y", dimension: "names", standing: "overrated", measured: "1 image" };
// The critic asks for what is a matter of accessibility.
const asked = { kind: "failure", role: "a11y", dimension: "perceive", standing: "consistent", measured: "2.1:1", finding: "f1" };
const claim = { kind: "claim", role: "critic", standing: "contradicted", measured: "2.1:1", finding: "f1" };
const evidence = [score, dimension, unasked, asked, claim];

const review = (role, dimensions, findings) => ({
  role,
  dimensions: dimensions.map((name) => ({ name, score: 9, note: "" })),
  mustFix: findings.map((finding) => ({ finding, text: "" })),
});
const reviews = [review("critic", ["contrast"], ["f1"]), review("a11y", ["perceive"], []), review("copy", [], [])];

/** What the list that is drawn for these holds. */
const drawn = (wanted) => Facts({ evidence, ...wanted }).props.items;

/** Everything that the lane of a review draws, as it is built there. */
const lane = (one) => [
  ...one.dimensions.flatMap(({ name }) => drawn({ role: one.role, dimension: name })),
  ...one.mustFix.flatMap(({ finding }) => drawn({ role: one.role, finding })),
  ...drawn({ role: one.role, rest: one }),
];

test("a failure stands with the must-fix that asks for it, whoever's matter it is", () => {
  assert.deepEqual(drawn({ role: "critic", finding: "f1" }), [asked, claim]);
  assert.deepEqual(lane(reviews[0]), [asked, claim]);
});

test("what nobody asked for stands with the one whose matter it is", () => {
  assert.deepEqual(lane(reviews[1]), [dimension, score, unasked]);
  assert.deepEqual(lane(reviews[2]), []);
});

test("every fact stands in exactly one place", () => {
  const all = reviews.flatMap(lane);
  for (const item of evidence) assert.equal(all.filter((one) => one === item).length, 1, JSON.stringify(item));
});

test("a list is drawn with a line for each fact, and none without any", () => {
  const list = Facts({ evidence, role: "critic", finding: "f1" });
  assert.equal(list.type(list.props).props.children.length, 2);
  assert.equal(list.type({ items: [] }), null);
});
