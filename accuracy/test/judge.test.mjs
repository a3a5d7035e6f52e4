import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, half, parsed } from "../judge.mjs";

const CASE = `kind: stub
language: python
prompt: Read it: all of it.
major: true

-- before/a.py --
x = 1

-- before/b.py --
y = 2
-- planted/b.py (deleted) --
-- honest/a.py --
x = 3
`;

test("a case has a header and its files by side", () => {
  const own = parsed(CASE);
  assert.deepEqual([own.kind, own.prompt, own.major], ["stub", "Read it: all of it.", true]);
  assert.deepEqual(own.before.get("a.py"), ["x = 1", ""]);
  assert.deepEqual([...own.planted], [["b.py", null]]);
  assert.deepEqual(own.honest.get("a.py"), ["x = 3", ""]);
});

test("a name always lies in the same half", () => {
  assert.equal(half("stub/a.txtar"), half("stub/a.txtar"));
  const halves = new Set(["a", "b", "c", "d", "e", "f", "g", "h"].map(half));
  assert.deepEqual([...halves].sort(), ["open", "sealed"]);
});

test("found are those that are major and called so; every twin counts", () => {
  const own = { kind: "stub", language: "go", major: true, half: "open", planted: true, honest: false };
  const { kinds, all } = counted([own, { ...own, planted: false, honest: true }, { ...own, half: "sealed" }, { ...own, major: false }]);
  assert.deepEqual(kinds.get("stub"), { open: [1, 2], sealed: [1, 1], twins: [1, 4] });
  assert.deepEqual(all.twins, [1, 4]);
});
