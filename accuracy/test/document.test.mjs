import assert from "node:assert/strict";
import test from "node:test";

import { document } from "../document.mjs";

const part = (title, figure, holds = true) => ({ title, columns: ["a", "b"], rows: [["one", figure]], wrong: [], bars: [{ what: `bar of ${title[0]}`, holds, figure }] });

test("a run of one part leaves the others as they are, with their day", () => {
  const first = document([part("A: 3 pages", "1.00"), part("B", "2.00")], true, "", "2026-01-01");
  const second = document([part("A: 4 pages", "0.50", false)], false, first, "2026-02-02");
  assert.match(second, /\| bar of A \| 0\.50 \| fails \|\n\| bar of B \| 2\.00 \| holds \|/);
  assert.ok(!second.includes("3 pages") && !second.includes("1.00"));
  assert.match(second, /## A: 4 pages\n\nMeasured on 2026-02-02\./);
  assert.match(second, /## B\n\nMeasured on 2026-01-01\.\n\n\| a \| b \|\n\|---\|---\|\n\| one \| 2\.00 \|/);
  assert.ok(!second.includes("what needs it is missing"));
  assert.equal(document([part("A: 4 pages", "0.50", false)], false, second, "2026-02-02"), second);
});

test("parts of a document that gives one day for all keep that day", () => {
  const old = "# Accuracy\n\nWritten by a program on 2025-05-05; the figures are those of that run.\n\n## Bars\n\n| what | figure |  |\n|---|---|---|\n| x | 1 | holds |\n\n## X\n\n| a |\n|---|\n| 1 |\n";
  const next = document([part("B", "2.00")], false, old, "2026-02-02");
  assert.match(next, /\| x \| 1 \| holds \|/);
  assert.match(next, /## X\n\nMeasured on 2025-05-05\.\n\n\| a \|/);
});
