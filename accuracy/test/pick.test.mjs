import assert from "node:assert/strict";
import test from "node:test";

import { choose, half, isPage, likeness, skeleton } from "../corpus/pick.mjs";

const words = "Some words that a person may read. ".repeat(20);
const page = (body, head = "") => Buffer.from(`<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body>${body}</body></html>`.padEnd(2_000));
const list = (length, text = words) => page(`<h1>Names</h1><ul>${`<li><a href="x.html">${text}</a></li>`.repeat(length)}</ul>`);
const table = (text = words) => page(`<table><thead><tr><th>Name</th></tr></thead>${`<tr><td><b>${text}</b></td></tr>`.repeat(3)}</table><hr><dl><dt>A</dt><dd>B</dd></dl>`);

test("a page is in one half, by its bytes alone, and the halves are of one size", () => {
  const halves = Array.from({ length: 2_000 }, (_, number) => half(Buffer.from(`page ${number}`)));
  assert.deepEqual(halves, Array.from({ length: 2_000 }, (_, number) => half(Buffer.from(`page ${number}`))));
  const open = halves.filter((one) => one === "open").length;
  assert.ok(open > 900 && open < 1_100, `${open} of 2000`);
  assert.deepEqual([...new Set(halves)].sort(), ["open", "sealed"]);
});

test("the order in which pages are chosen does not decide about their half", () => {
  const packages = Array.from({ length: 60 }, (_, number) => ({
    name: `p${number}`,
    files: Array.from({ length: 6 }, (_, file) => ({ path: `${file}.html`, bytes: page(`<p class="p${number}-${file}">${words}</p>`.repeat(5)) })),
  }));
  const chosen = choose(packages, 1);
  const open = chosen.filter((one) => one.half === "open").length;
  assert.equal(chosen.length, 60);
  assert.ok(open > 15 && open < 45, `${open} of 60`);
});

test("a page has markup of its own and enough to read", () => {
  assert.equal(isPage(list(4)), true);
  assert.equal(isPage(page(`<pre>{{ shown, not filled in }}</pre><p>${words}</p>`)), true);
  assert.equal(isPage(page("<p>Hello</p>")), false);
  assert.equal(isPage(page(`<p>Dear {{ name }}</p><p>${words}</p>`)), false);
  assert.equal(isPage(page(`<p>${words}</p>`, '<meta http-equiv="refresh" content="0;url=x">')), false);
  assert.equal(isPage(page(`<script>${words}</script>`)), false);
  assert.equal(isPage(Buffer.from(`<div>${words}</div>`.padEnd(2_000))), false);
  assert.equal(isPage(Buffer.concat([list(4), Buffer.alloc(1)])), false);
  assert.equal(isPage(page(`<p>${words.repeat(500)}</p>`)), false);
});

test("the structure of a page is its tags and classes, not its words", () => {
  const one = skeleton(list(4).toString());
  assert.equal(likeness(one, skeleton(list(9, `Other words. ${words}`).toString())), 1);
  assert.ok(likeness(one, skeleton(table().toString())) < 0.5);
  assert.ok(likeness(skeleton("<p class=a><p><p><p><p>"), skeleton("<p class=b><p><p><p><p>")) < 1);
  assert.deepEqual(skeleton("<p title='a > b'><!-- <i> --><script>'<b>'</script><u>"), skeleton("<p><script></script><u>"));
});

test("of pages that are built alike one is taken, over all packages, and a few of each package", () => {
  const chosen = choose([
    { name: "one", files: [{ path: "a.html", bytes: list(4) }, { path: "b.html", bytes: list(5) }, { path: "c.html", bytes: table() }] },
    { name: "two", files: [{ path: "d.html", bytes: list(6) }, { path: "e.html", bytes: page("<p>Hello</p>") }] },
  ]);
  assert.deepEqual(chosen.map(({ name }) => name), ["one", "one"]);
  assert.equal(chosen.filter(({ path }) => path === "c.html").length, 1);
  const kinds = ["p", "dd", "blockquote", "em"].map((tag) => ({ path: `${tag}.html`, bytes: page(`<${tag}>${words}</${tag}>`.repeat(6)) }));
  assert.equal(choose([{ name: "many", files: kinds }], 3).length, 3);
  assert.deepEqual(choose([{ name: "many", files: kinds }]), choose([{ name: "many", files: [...kinds].reverse() }]));
});
