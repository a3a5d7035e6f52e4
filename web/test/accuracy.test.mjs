// 'make accuracy' is a gate: a bar that fails, or nothing that was measured, is told by its exit code.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../accuracy/main.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "jury-accuracy-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A program that prints this. */
function program(name, said) {
  const path = join(folder, name);
  writeFileSync(`${path}.json`, JSON.stringify(said));
  writeFileSync(path, `#!/bin/sh\ncat '${path}.json'\n`, { mode: 0o755 });
  return path;
}

/** What the program says and how it ends when these broken pages were not as they should be. */
function accuracy(wrong, env = {}) {
  const { JURY_TRUTH_DIR: _, ...own } = process.env;
  const counts = { noticed: 3, missed: wrong.length, strange: 0, weak: 0 };
  const said = { checks: { "a11y/lang": counts }, defects: 1, pages: 3, brokenPages: 3, wrong };
  return spawnSync(process.execPath, [MAIN], {
    encoding: "utf8",
    env: {
      ...own,
      ACCURACY_PARTS: "mutations",
      ACCURACY_CACHE: join(folder, "cache"),
      JURY: program("jury", []),
      MUTATIONS: program("mutations", said),
      ...env,
    },
  });
}

test("a bar that fails is told by the exit code", () => {
  const failed = accuracy(["a page without a language is not noticed"]);
  assert.match(failed.stdout, /^FAILS {2}every defect noticed/m);
  assert.match(failed.stdout, /^0 of 1 bars hold$/m);
  assert.equal(failed.status, 1, failed.stderr);
  const held = accuracy([]);
  assert.match(held.stdout, /^1 of 1 bars hold$/m);
  assert.equal(held.status, 0, held.stderr);
});

test("nothing that was measured is not a pass", () => {
  for (const parts of ["mutation", "act"]) {
    const { status, stderr } = accuracy([], { ACCURACY_PARTS: parts });
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^accuracy: /m);
  }
});
