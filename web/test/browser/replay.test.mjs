// A run again: speeds, the track, keys, links to a place, and the drawer on a phone.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { becomes, browse, Daemon, endAll, overflow, smallText, tab, theme, violations } from "./stand.mjs";
import { SHIPPED } from "./words.mjs";
import { transcript } from "../../bench/transcript.mjs";

let browser;
let page;
let daemon;
let run;
let length;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start();
  run = await daemon.whole(SHIPPED);
  length = (await daemon.ended(run)).length;
});
beforeEach(async () => {
  await page?.context().close();
  page = await tab(browser);
  // Events a second apart, so that every place has a time of its own; one pause is long.
  await page.route("**/transcript", async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
    const times = lines.map((_, index) => index * 1000 + (index > 10 ? 60_000 : 0));
    await route.fulfill({ response, body: lines.map((line, index) => JSON.stringify({ ...line, at: times[index] })).join("\n") });
  });
});
after(async () => {
  await browser?.close();
  await endAll();
});

const at = (query = "") => `${daemon.url}/p/default/run/${run}${query}`;
const track = () => page.getByRole("slider", { name: "Position in the run" });
const place = async () => Number(await track().inputValue());
const button = (name) => page.getByRole("button", { name, exact: true });
/** Waits until the place fits. */
const until = (fits) => page.waitForFunction(`(${fits})(Number(document.querySelector(".track input").value))`);

async function replay(query = "?replay=1") {
  await page.goto(at(query));
  await track().waitFor();
}
async function paused(query) {
  await replay(query);
  if (await button("Pause").count()) await button("Pause").click();
  await button("Play").waitFor();
}

test("from the verdict into the replay and out again", async () => {
  await page.goto(at());
  await button("Replay").click();
  await track().waitFor();
  await page.keyboard.press("Escape");
  await track().waitFor({ state: "detached" });
  await page.getByText("Shipped at round 2, composite 8.6").waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("it plays by itself at the recorded cadence, four times as fast, at once, and at a fixed pace", async () => {
  await page.clock.install();
  await replay();
  await button("Pause").click();
  await page.clock.pauseAt(Date.now() + 60_000);
  await track().fill("0");
  const after = async (ms) => {
    await button("Play").click();
    await page.clock.runFor(ms);
    const reached = await place();
    await button("Pause").click();
    await track().fill("0");
    await page.clock.runFor(50);
    return reached;
  };
  assert.equal(await after(4500), 5);
  await page.getByText("4×").click({ force: true });
  assert.equal(await after(1100), 5);
  await page.getByText("Fixed").click({ force: true });
  await page.getByLabel("Every").selectOption("100");
  assert.ok(Math.abs((await after(1050)) - 10) <= 1);
  await page.getByText("Instant").click({ force: true });
  await button("Play").click();
  await page.clock.runFor(50);
  assert.equal(await place(), length);
  await page.locator("h2", { hasText: "Shipped at round 2" }).waitFor();
});

test("idle time is skipped or not, and the clock shows the true time", async () => {
  await page.clock.install();
  await replay();
  await button("Pause").click();
  await page.clock.pauseAt(Date.now() + 60_000);
  const over = async () => {
    await track().fill("10");
    await button("Play").click();
    await page.clock.runFor(4000);
    const reached = await place();
    await button("Pause").click();
    return reached;
  };
  assert.ok((await over()) > 11);
  assert.match(await page.locator(".replay-time").textContent(), /^1:1\d/);
  await page.getByLabel("Skip idle time").click({ force: true });
  assert.equal(await over(), 11);
});

test("it pauses, goes on, and begins again at the end", async () => {
  await paused();
  const stands = await place();
  await track().fill(String(length));
  await page.locator("h2", { hasText: "Shipped at round 2" }).waitFor();
  await button("Play").click();
  await until(`(place) => place < ${length}`);
  assert.ok(stands <= length);
});

test("a click on the track goes there, and a drag goes along", async () => {
  await paused();
  const box = await track().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await place()) - length / 2) <= 1, `${await place()} of ${length}`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const seen = new Set();
  for (let step = 0; step <= 20; step++) {
    await page.mouse.move(box.x + box.width * (0.5 + step * 0.02), box.y + box.height / 2);
    seen.add(await place());
  }
  await page.mouse.up();
  assert.ok(seen.size > 8, `${[...seen]}`);
  // The label beside the pointer says where that is.
  await page.locator(".track-label", { hasText: /Round \d/ }).waitFor();
  await page.mouse.move(10, 10);
  await page.locator(".track-label").waitFor({ state: "detached" });
});

test("the keys step from round to round, with either pair, and only with the focus on the stage", async () => {
  await paused();
  const { marks } = await page.evaluate(() => ({ marks: [...document.querySelectorAll(".track-mark.is-round")].length }));
  assert.equal(marks, 2);
  await track().fill("0");
  const stage = page.locator(".theater");
  const press = async (key) => {
    await stage.focus();
    await page.keyboard.press(key);
    return place();
  };
  const first = await press("]");
  await page.locator(".round-divider", { hasText: "6.4" }).waitFor();
  const second = await press("j");
  assert.ok(first > 0 && second > first && second < length);
  assert.equal(await press("]"), length);
  assert.equal(await press("["), second);
  assert.equal(await press("K"), first);
  assert.equal(await press("J"), second);
  // Elsewhere they are letters.
  await page.getByRole("link", { name: "Compare" }).first().focus();
  await page.keyboard.press("[");
  assert.equal(await place(), second);
  await page.keyboard.press("Escape");
  await becomes(() => track().count(), 1);
  // With a modifier they are the browser's.
  await stage.focus();
  await page.keyboard.press("Control+[");
  assert.equal(await place(), second);
});

test("a place has an address", async () => {
  await paused();
  await track().fill("12");
  await page.waitForURL(/[?&]t=\d+/);
  const { search } = new URL(page.url());
  const shown = await page.locator(".rail").innerText();
  await page.goto("about:blank");
  await page.goto(at(search));
  await track().waitFor();
  if (await button("Pause").count()) await button("Pause").click();
  await track().fill("12");
  assert.equal(await page.locator(".rail").innerText(), shown);
});

test("a link to a round and a lane opens it, and puts the focus there", async () => {
  await page.goto(at("?round=1&role=a11y"));
  await page.locator("#lane-a11y.is-open").waitFor();
  await page.locator("#lane-a11y .fix", { hasText: "Darken the button" }).waitFor();
  assert.equal(await page.locator("#lane-a11y button").first().evaluate((head) => head === document.activeElement), true);
  assert.equal(await page.locator('.round-divider[aria-expanded="true"]').textContent().then((text) => text.startsWith("Round 1")), true);
  // Choosing another lane makes another link.
  await page.locator("#lane-copy .lane-head").click();
  assert.equal(new URL(page.url()).searchParams.get("role"), "copy");
  // A role that does not exist is none.
  await page.goto(at("?round=9&role=nobody"));
  await page.getByText("Shipped at round 2, composite 8.6").waitFor();
  assert.deepEqual(page.faults, []);
});

test("a link to a lane opens the drawer on a phone, at that lane", async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(at("?round=1&role=a11y"));
  const head = page.locator("#lane-a11y .lane-head");
  await page.locator("#lane-a11y .fix", { hasText: "Darken the button" }).waitFor();
  assert.equal(await head.evaluate((one) => one === document.activeElement), true);
  const box = await head.boundingBox();
  assert.ok(box.y >= 0 && box.y < 800, `at ${box.y}`);
});

test("densities: smart, active only, expand all; a head opens its lane; the last is remembered", async () => {
  await page.goto(at("?round=1"));
  await page.locator(".lane").first().waitFor();
  const open = () => page.locator(".lane.is-open").count();
  const lines = () => page.locator(".lane-summary").count();
  const choose = (name) => page.locator(".rail .segment", { hasText: name }).click();
  assert.deepEqual([await open(), await lines()], [1, 4]);
  await choose("Active only");
  assert.deepEqual([await open(), await lines()], [1, 0]);
  await page.locator("#lane-copy .lane-head").click();
  assert.equal(await open(), 2);
  await choose("Expand all");
  assert.equal(await open(), 5);
  await page.reload();
  await page.locator(".lane").first().waitFor();
  assert.equal(await open(), 5);
  await page.locator("#lane-copy .lane-head").press("Enter");
  assert.equal(await open(), 4);
  await choose("Smart");
  await page.reload();
  await page.locator(".lane").first().waitFor();
  assert.equal(await open(), 1);
});

test("on a phone the rail is a drawer with a handle", async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(at("?round=2"));
  const rail = page.locator(".rail");
  const handle = page.locator(".drawer-handle");
  await handle.waitFor();
  await rail.waitFor({ state: "hidden" });
  await handle.getByText("8.6").waitFor();
  await handle.press("Enter");
  await rail.waitFor();
  assert.equal(await handle.getAttribute("aria-expanded"), "true");
  assert.equal(await page.locator(".drawer-close").evaluate((close) => close === document.activeElement), true);
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), []);
  }
  assert.deepEqual(await smallText(page), []);
  assert.ok((await overflow(page)) <= 0);
  // The focus stays inside while it is open.
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => !document.activeElement || document.activeElement === document.body || !!document.activeElement.closest(".rail")), true, `press ${n}`);
  }
  await page.locator(".lane-head").first().focus();
  await page.keyboard.press("Escape");
  await rail.waitFor({ state: "hidden" });
  assert.equal(await handle.evaluate((one) => one === document.activeElement), true);
  // By the scrim, too.
  await handle.click();
  await rail.waitFor();
  await page.mouse.click(180, 20);
  await rail.waitFor({ state: "hidden" });
  // From 720 pixels on it is beside the stage.
  await page.setViewportSize({ width: 720, height: 800 });
  await rail.waitFor();
  await handle.waitFor({ state: "hidden" });
});

test("the replay has nothing against it in either theme, on any width", async () => {
  await paused();
  await track().fill("14");
  for (const width of [375, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await overflow(page)) <= 0, `wider than ${width}`);
    for (const name of ["light", "dark"]) {
      await theme(page, name);
      assert.deepEqual(await violations(page), [], `${name} ${width}`);
    }
    assert.deepEqual(await smallText(page), []);
  }
  assert.deepEqual(page.faults, []);
});

test("two rounds of a page: over each other, beside each other, and their sources", async () => {
  await page.goto(at());
  const view = (name) => page.locator(".viewer .segment", { hasText: name }).click();
  await view("Before / after");
  const slider = page.getByRole("slider", { name: "Boundary between round 1 and round 2" });
  await slider.focus();
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".slider-before").evaluate((one) => one.style.clipPath), "inset(0px 100% 0px 0px)");
  await view("Side by side");
  await becomes(() => page.locator(".beside iframe").count(), 2);
  await view("Source diff");
  await page.getByText("The two sources are identical.").waitFor();
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), []);
  }
  // A frame that lets a page do nothing.
  await view("Page");
  assert.equal(await page.locator(".sheet").getAttribute("sandbox"), "");
});

test("a step of a scrub draws no more in a long run than fits the windows of its lists, and asks for nothing", async () => {
  const id = await daemon.whole(transcript(), { maxRounds: 10 });
  await page.goto(`${daemon.url}/p/default/run/${id}?replay=1&t=999999999`);
  await button("Play").waitFor();
  const asked = [];
  // The browser asks for the icon of the page by itself, at a moment of its own.
  page.on("request", (request) => request.url().endsWith("/assets/icon.svg") || asked.push(request.url()));
  for (const density of [0, 2]) {
    await page.locator(".rail .segment input").nth(density).check({ force: true });
    const most = await page.evaluate(async () => {
      const input = document.querySelector(".track input");
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const seen = { nodes: 0, rows: 0 };
      let added = 0;
      const count = (node) => 1 + (node.querySelectorAll?.("*").length ?? 0);
      const watch = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => (added += count(node)))));
      watch.observe(document.body, { subtree: true, childList: true });
      for (let step = 0, seed = 7; step < 60; step++) {
        seed = (seed * 48271) % 2147483647;
        added = 0;
        input.value = String(seed % Number(input.max));
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
        await frame();
        seen.nodes = Math.max(seen.nodes, added);
        seen.rows = Math.max(seen.rows, document.querySelectorAll(".lane .dim, .lane .fix").length);
      }
      watch.disconnect();
      return seen;
    });
    // The run has 440 rows in each round, and 10 rounds.
    assert.ok(most.rows > 0 && most.rows <= 50, `${most.rows} rows at once`);
    assert.ok(most.nodes <= 800, `${most.nodes} new nodes in one step`);
  }
  assert.deepEqual(asked.filter((url) => !url.includes("/artifact") && !/^(about|blob|data):/.test(url)), []);
});
