// A report, opened from the disk by itself: it shows the verdict without a script, replays with one, prints, and asks
// nobody for anything.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { browse, Daemon, endAll, overflow, tab, theme, violations } from "./stand.mjs";
import { foot, head, PAGE, round, ship, SHIPPED } from "./words.mjs";

let browser;
let daemon;
let run;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start();
  run = await daemon.whole(SHIPPED);
});
after(async () => {
  await browser?.close();
  await endAll();
});

/** Writes the report of a run; where it is. */
function report(id = run, name = `${id}.html`) {
  daemon.jury("report", id, "--html", name);
  return pathToFileURL(join(daemon.folder, name)).href;
}
const track = (page) => page.getByRole("slider", { name: "Position in the run" });

/** A tab that notes what the report asks for beside itself. */
async function opened(url, options) {
  const page = await tab(browser, options);
  page.asked = [];
  page.on("request", (request) => {
    const { protocol } = new URL(request.url());
    if (request.url() !== url && protocol !== "data:" && protocol !== "about:" && protocol !== "blob:") page.asked.push(request.url());
  });
  await page.goto(url);
  return page;
}

test("it shows the verdict, plays the run, and asks nobody for anything", async () => {
  const page = await opened(report());
  await page.locator("html.is-live").waitFor();
  await page.getByText("Shipped at round 2, composite 8.6").first().waitFor();
  const end = Number(await track(page).inputValue());
  assert.ok(end > 10);
  await track(page).fill("0");
  assert.equal(Number(await track(page).inputValue()), 0);
  await page.getByText("Instant").click({ force: true });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction((end) => Number(document.querySelector(".track input").value) === end, end);
  await page.locator(".theater").focus();
  await page.keyboard.press("[");
  await page.waitForFunction((end) => Number(document.querySelector(".track input").value) < end, end);
  assert.deepEqual(page.asked, []);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("without a script the verdict, the scores and the findings are there", async () => {
  const page = await opened(report(), { javaScriptEnabled: false });
  const verdict = page.locator("article#verdict");
  await verdict.waitFor();
  const text = await verdict.innerText();
  for (const part of ["Shipped", "8.6", "Darken the button until it has 4.5:1."]) assert.ok(text.includes(part), part);
  assert.equal(await page.locator("table.paper-scores").count() > 0, true);
  await page.context().close();
});

test("it has no fault that axe knows, in both themes, and fits a phone", async () => {
  const page = await opened(report());
  await page.locator("html.is-live").waitFor();
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), [], name);
  }
  await page.setViewportSize({ width: 375, height: 800 });
  assert.equal(await overflow(page), 0);
  await page.context().close();
});

test("it prints: the verdict, on more than nothing, without the controls", async () => {
  const page = await opened(report());
  await page.locator("html.is-live").waitFor();
  await page.emulateMedia({ media: "print" });
  await page.locator("article#verdict").waitFor({ state: "visible" });
  assert.equal(await track(page).isVisible(), false);
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.ok(pdf.length > 10_000, String(pdf.length));
  await page.context().close();
});

test("what a page or a juror wrote runs nowhere and reaches nobody", async () => {
  const visitors = [];
  const trap = createServer((socket) => {
    visitors.push(socket.remotePort);
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(trap, "listening");
  const there = `http://127.0.0.1:${trap.address().port}`;
  const attack = `<script>parent.pwned=top.pwned=1;fetch("${there}/s")</script><img src="${there}/i" onerror="top.pwned=1"><iframe src="${there}/f"></iframe><link rel="stylesheet" href="${there}/c"><meta http-equiv="refresh" content="0;url=${there}/m">`;
  const page = PAGE.replace("</main>", `${attack}</main>`);
  const words = `</script><script>top.pwned=1</script><img src="${there}/w" onerror="top.pwned=1"> <!-- `;
  const hostile = head() + round(1, 8.6, 0, page).replace("The first sentence says what it does.", words.replaceAll("<", "&lt;")) + ship(1, 8.6, page) + foot;
  const id = await daemon.whole(hostile, { title: `</title><script>top.pwned=1</script>` });
  const url = report(id);
  const tab = await opened(url);
  await tab.locator("html.is-live").waitFor();
  await tab.waitForFunction(() => [...document.querySelectorAll("iframe")].length > 0);
  assert.equal(await tab.evaluate(() => "pwned" in globalThis), false);
  assert.equal(tab.url(), url, "it is still there");
  await tab.context().close();
  trap.close();
  assert.deepEqual(visitors, [], "nobody came");
  const text = readFileSync(new URL(url), "utf8");
  assert.equal((text.match(/<script/g) ?? []).length <= 3, true);
});

test("a link to the report in the page gives the same file", async () => {
  const page = await tab(browser);
  await page.goto(`${daemon.url}/p/default/run/${run}`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download report" }).click()]);
  const there = readFileSync(await download.path(), "utf8");
  assert.ok(there.includes("article id=\"verdict\"") || there.includes("id=\"verdict\""));
  await page.context().close();
});
