import assert from "node:assert/strict";
import { test } from "node:test";

import { ordered } from "../score.mjs";

const line = (family, composite, kind = "defect") => ({ file: "a.html", family, grade: "mild", kind, page: { composite } });

test("a pair is right when the broken page is worth less", () => {
  const { families, moved } = ordered([line("", 8), line("crowd", 7), line("crowd", 8), line("zoom", 7.9, "same")]);
  const crowd = families.get("crowd");
  assert.deepEqual([crowd.right, crowd.all, crowd.fell, crowd.wrong.length], [1, 2, 1, 1]);
  assert.equal(moved.length, 1);
  assert.ok(Math.abs(moved[0].by - 0.1) < 1e-9);
});

test("each page is held against its own whole", () => {
  const { families } = ordered([line("", 8), line("crowd", 7), line("", 5), line("crowd", 6)]);
  assert.equal(families.get("crowd").right, 1);
});
