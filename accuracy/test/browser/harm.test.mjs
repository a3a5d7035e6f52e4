// The judge of repairs in a browser: it has to see what a bad repair does, and to leave a good one alone.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { harmed } from "../../corpus/harm.mjs";
import { Eyes, WIDTHS } from "../../corpus/measure.mjs";

const page = (style, body) => `<!doctype html><html lang="en"><head><title>Fares</title><style>
body{margin:20px;font:16px/1.5 sans-serif;background:#fff;color:#222}
.pale{color:#bbb}${style}</style></head><body>${body}</body></html>`;
const BODY = `<main><h1>Fares</h1><p class="pale">Valid on all lines until the end of the year.</p>
<p>A ticket for one hour costs two coins.</p><p>A ticket for a day costs five.</p></main>`;

/** Kinds of harm by the text that it was done to, over all windows. */
async function judged(after) {
  const folder = await mkdtemp(join(tmpdir(), "jury-harm-"));
  const eyes = new Eyes();
  try {
    await writeFile(join(folder, "fares.html"), page("", BODY));
    const was = await eyes.examine(folder, "fares.html", WIDTHS);
    const is = await eyes.examine(folder, "fares.html", WIDTHS, Buffer.from(after));
    const found = {};
    for (const width of WIDTHS) {
      const { sound, list } = harmed(was.windows.get(width), is.windows.get(width), was.faulty);
      assert.equal(sound, 3, `at ${width} px`);
      for (const { text, kinds } of list) found[text] = [...new Set([...(found[text] ?? []), ...kinds])];
    }
    return found;
  } finally {
    await eyes.close();
    await rm(folder, { recursive: true, force: true });
  }
}

test("a repair of the one pale text harms nothing, though the markup around it is new", async () => {
  assert.deepEqual(await judged(page(".pale{color:#666}", `<div>${BODY.replace("<main>", '<main id="content">')}</div>`)), {});
});

test("a repair that dyes all paragraphs harms those that were legible", async () => {
  assert.deepEqual(await judged(page("p.pale,p{color:#666!important}", BODY)), {
    "A ticket for one hour costs two coins.": ["colour"],
    "A ticket for a day costs five.": ["colour"],
  });
});

test("a repair that darkens the ground under legible text is caught", async () => {
  const found = await judged(page("main{background:#444}", BODY));
  assert.deepEqual(found.Fares, ["backdrop", "fails now"]);
});

test("a repair that hides, moves or shrinks legible text is caught, also in one window only", async () => {
  const found = await judged(page("h1{font-size:20px}p:nth-child(3){visibility:hidden}@media(max-width:400px){p:nth-child(4){margin-left:60px}}", BODY));
  assert.ok(found.Fares.includes("size"));
  assert.deepEqual(found["A ticket for one hour costs two coins."], ["hidden"]);
  assert.ok(found["A ticket for a day costs five."].includes("position"));
});

test("legible text that a repair throws away is caught", async () => {
  const found = await judged(page("", BODY.replace("<p>A ticket for a day costs five.</p>", "")));
  assert.deepEqual(found, { "A ticket for a day costs five.": ["gone"] });
});
