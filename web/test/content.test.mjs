// The reducer of a content run gives what the program's fold gives, after every event of every golden log.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

const { EMPTY, apply, fold, standing } = await load("state/studio", "state/studied");
const { progress, steps, tenths } = await load("state/progress");
const folder = join(web, "test/golden-content");
const pairs = readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))]);

function frozen(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** The same line as the program writes after each event. */
function line(studio) {
  const now = progress(studio);
  if (!now) return "";
  const decisions = now.critiqueHistory.map(({ editorDecision }) => editorDecision ?? "-");
  return `${standing(studio)} ${now.currentStep} ${now.round} ${now.steps.map(({ status }) => status[0]).join("")} ${decisions.join()}`;
}

test("there are golden logs of every way to stand", () => {
  const ways = new Set(pairs.flatMap(([, { along }]) => along.map((one) => one.split(" ")[0])));
  const all = ["running", "paused", "halted", "needs-human", "approved", "unreviewed", "stalled", "max-rounds-reached", "abandoned"];
  assert.deepEqual(all.filter((one) => !ways.has(one)), []);
});

for (const [file, { records, along, usage, progress: expected }] of pairs) {
  test(`${file}: the same progress, at once and event by event`, () => {
    assert.deepEqual(progress(fold(EMPTY, records)), expected);
    let studio = frozen(EMPTY);
    records.forEach((record, index) => {
      // No event changes a studio that somebody holds.
      studio = frozen(apply(studio, frozen(record)));
      assert.equal(line(studio), along[index], `after ${record.seq} ${record.event}`);
    });
    assert.deepEqual(progress(studio), expected);
    assert.deepEqual(studio.usage, usage);
  });
}

test("an event that this page does not know changes nothing", () => {
  const [, { records }] = pairs.find(([file]) => file === "published.json");
  const studio = fold(EMPTY, records);
  assert.equal(apply(studio, { event: "content.dreamt", round: 1 }), studio);
  assert.deepEqual(steps(EMPTY), []);
});

test("a score has one decimal, of two that are as near the even one", () => {
  for (const [value, text] of [[8.25, "8.2"], [8.75, "8.8"], [0.25, "0.2"], [7, "7.0"], [9.95, "9.9"], [8.15, "8.2"], [6.35, "6.3"], [10, "10.0"]]) {
    assert.equal(tenths(value), text, String(value));
  }
});

const { inline, read } = await load("content/markdown");
const { changes, sumOf, wordsOf } = await load("content/compared");

test("a draft is read into blocks, and none of its levels is left out", () => {
  const { front, blocks } = read('---\nname: "Acme"\ntitle: Plain: title\n---\n\n# One\n\nText\nthat goes on.\n\n### Deep {faq}\n- a\n  b\n- c\n\n1. x\n2) y\n\n> said\n>\n> by whom\n\n```\n# no heading\n```\n[Go](https://x.example/)\n');
  assert.deepEqual(front, [["name", "Acme"], ["title", "Plain: title"]]);
  assert.deepEqual(blocks.map(({ kind }) => kind), ["heading", "text", "heading", "list", "list", "quote", "code", "text"]);
  assert.deepEqual([blocks[0].level, blocks[2].level, blocks[2].mark], [1, 2, "faq"]);
  assert.deepEqual(blocks[1].pieces, [{ kind: "text", text: "Text that goes on." }]);
  assert.deepEqual([blocks[3].ordered, blocks[3].items.length, blocks[3].items[0][0].text], [false, 2, "a b"]);
  assert.equal(blocks[4].ordered, true);
  assert.deepEqual(blocks[5].pieces, [{ kind: "text", text: "said by whom" }]);
  assert.equal(blocks[6].text, "# no heading");
  assert.deepEqual(blocks[7].pieces, [{ kind: "link", text: "Go", href: "https://x.example/" }]);
});

test("whatever a draft is, its words are shown and reading it ends", () => {
  for (const text of ["", "---", "---\n---\n", "```\nnever closed", "**", "[a](b", "> ", "#", "# ", "-", "<script>x</script>", "\r\n\r\n# A\r\n", "- \n\n-", "####### seven", "*".repeat(20_000), "[".repeat(20_000)]) {
    assert.ok(Array.isArray(read(text).blocks), text.slice(0, 20));
  }
  assert.deepEqual(inline("a **b** `c` [d](e) f").map(({ kind, text }) => [kind, text]), [["text", "a "], ["strong", "b"], ["text", " "], ["code", "c"], ["text", " "], ["link", "d"], ["text", " f"]]);
  assert.deepEqual(read("<script>x</script>").blocks, [{ kind: "text", pieces: [{ kind: "text", text: "<script>x</script>" }] }]);
});

test("what changed is told by blocks, and by words where one became the other", () => {
  const blocks = [
    { change: "same", text: "a" },
    { change: "same", text: "b" },
    { change: "removed", text: "The quick brown fox jumps" },
    { change: "added", text: "The slow brown fox jumps high" },
    { change: "removed", text: "gone for good" },
    { change: "same", text: "c" },
    { change: "added", text: "new words" },
  ];
  const all = changes(blocks);
  assert.deepEqual(all.map(({ kind }) => kind), ["same", "changed", "removed", "same", "added"]);
  assert.equal(all[0].blocks, 2);
  assert.deepEqual(all[1].words.map(({ kind, text }) => `${kind} ${text}`), ["same The", "gone quick", "new slow", "same brown fox jumps", "new high"]);
  assert.deepEqual(sumOf(all), { added: 4, removed: 4, blocks: 3 });
  assert.deepEqual(changes([{ change: "removed", text: "one two" }, { change: "added", text: "three four" }]).map(({ kind }) => kind), ["removed", "added"]);
  assert.deepEqual(wordsOf("", ""), []);
  assert.deepEqual(changes([]), []);
});

const { address } = await load("content/address");

test("nobody is sent anywhere but to this daemon or the web", () => {
  for (const url of ["/s/acme/", "https://acme.example/", "http://127.0.0.1:4000/s/acme/"]) assert.equal(address(url), url);
  for (const url of [undefined, "", "javascript:alert(1)", "//elsewhere.example", "/\\elsewhere.example", "data:text/html,x", "s/acme"]) assert.equal(address(url), null);
});
