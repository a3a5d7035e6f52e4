// The content pages. Runs are the program's own where it can be brought to stand so without a model; every other way to stand
// comes from the golden logs, in the place of the daemon's answers.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";

import { draft, golden, idea, RUN } from "./content.mjs";
import { looks, LOW, posed } from "./pictures.mjs";
import { becomes, browse, Daemon, endAll, isSound, overflow, tab, Wire } from "./stand.mjs";

let browser;
let page;
let daemon;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start();
});
beforeEach(async () => {
  await page?.context().close();
  page = await posed(browser);
});
after(async () => {
  await browser?.close();
  await endAll();
});

const region = (name) => page.getByRole("region", { name, exact: true });
const step = (name) => region("Steps").getByRole("listitem").filter({ hasText: name });

/** Every way to stand: the log, the notice, and what else must be there. */
const WAYS = [
  ["queued", "Waiting for a place", []],
  ["selects", "Work goes on", ["The panel is not chosen yet.", "by The author, 120 words"]],
  ["reads", "Work goes on", ["Reading… (attempt 2)", "Did not answer", "Waits", "8.7 of 10"]],
  ["paused_and_resumed", "Paused: it can go on where it was", ["Take it up again", "Not heard"]],
  ["too_few_critics", "A step could not be done", ["the disk is full: make room, then resume", "Without an answer: SEO.", "could not be done"]],
  ["needs_human", "Waiting for a person's draft", ["what is left needs a person", "Hand it in"]],
  ["approved_at_once", "Approved", ["The draft of round 1 was kept. 1 issue is open in it."]],
  ["unreviewed", "Kept, and reviewed by nobody", ["The recipe asked for nobody's expertise.", "so nobody reviews it"]],
  ["stalled", "Not approved: going on made it worse", ["The same critics score it lower than before.", "6.5 → 6.2"]],
  ["max_rounds_reached", "Not approved: the most rounds were made", ["Edit the draft yourself"]],
  ["abandoned", "Given up", ["another idea"]],
  ["cannot_be_deployed", "A step could not be done", ["Release: jury itself broke"]],
  ["published", "Approved", ["Visit the site", "Release r1.", "31 sentences found word for word", "darkened for contrast"]],
];

for (const [name, title, words] of WAYS) {
  test(`${name}: ${title.toLowerCase()}`, async () => {
    await golden(page, daemon.url, name);
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    for (const text of words) await page.getByText(text).first().waitFor();
    if (name !== "queued") await page.getByText("Kept books").first().waitFor();
    await isSound(page);
    const [, stands] = (await page.locator(".sheet-page").getAttribute("class")).match(/ is-([\w-]+)/);
    await looks(page, `content-${stands}-${name}`);
    await page.setViewportSize({ width: 320, height: 800 });
    assert.equal(await overflow(page), 0);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    await becomes(() => page.locator("main img, main script, .prose a").count(), 0);
  });
}

test("rounds say what was found, decided, mended and lost", async () => {
  await golden(page, daemon.url, "revised_and_approved");
  const second = page.locator("details.pass").filter({ hasText: "Round 2" }).first();
  await second.getByText("The mean reaches the minimum, and nothing grave is open.").waitFor();
  for (const text of ["8.0 (at least 7.0)", "6.0 → 8.0", "4 of 4", "since round 1", "1 found mended", "shortened the title", "“What was good.” It had come when something was mended.", "COPY: 8.0"]) await second.getByText(text).first().waitFor();
  await second.getByText('title_long <b>"is"</b> wrong').waitFor();
  const first = page.locator("details.pass").filter({ hasText: "Round 1" }).last();
  await first.locator("summary").first().click();
  await first.getByText("Something grave is open.").waitFor();
  await first.getByText("Brief for the revision").click();
  await first.getByText("REVISION BRIEF").waitFor();
  const changes = region("What changed between drafts");
  await changes.locator("del", { hasText: "your" }).waitFor();
  await changes.locator("ins", { hasText: "all" }).waitFor();
  await changes.getByText("<img src=x onerror=window.hurt=1>").waitFor();
  await changes.getByText("1 unchanged block").waitFor();
  await region("Draft").getByLabel("Round").selectOption("Round 1");
  await region("Draft").getByRole("radio", { name: "Markdown" }).check();
  await region("Draft").getByText("### Deep").waitFor();
  await isSound(page);
});

test("a run that nobody knows, and a daemon that does not answer", async () => {
  await page.goto(`${daemon.url}/p/default/content/acme/${RUN}`);
  await page.getByRole("heading", { name: "No such run" }).waitFor();
  await isSound(page);
  await page.route("**/api/content-pipeline**", (route) => route.abort());
  await page.goto(`${daemon.url}/p/default/content`);
  await page.getByRole("heading", { name: "The daemon does not answer" }).waitFor();
  await isSound(page);
  await page.unroute("**/api/content-pipeline**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "The daemon does not answer" }).waitFor({ state: "detached" });
});

/** Starts a run from the page, and waits for its own. */
async function start(name, type, text = "", agent = "") {
  await page.goto(`${daemon.url}/p/default/content`);
  const one = region(name);
  await one.getByText("Start a run").click();
  await one.getByLabel("Kind of content").selectOption(type);
  if (agent) await one.getByLabel("Who writes and reviews").selectOption(agent);
  if (text) await one.getByLabel("Your own draft, in Markdown (optional)").fill(text);
  await one.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/content\/[\w.-]+\/[0-9a-f-]{36}$/);
}

const stands = (title) => page.getByRole("heading", { name: title, exact: true }).waitFor();

test("without an idea the page says what one is; with one, what it has and what is missing", async () => {
  await page.goto(`${daemon.url}/`);
  await page.getByRole("navigation").getByRole("link", { name: "Content" }).click();
  await stands("No idea yet");
  await page.getByText("jury content run website --idea").waitFor();
  await isSound(page);
  await looks(page, "content-empty", LOW);
  idea(daemon);
  mkdirSync(join(daemon.folder, "ideas/bare"), { recursive: true });
  writeFileSync(join(daemon.folder, "ideas/bare/notes.md"), "# Notes\n\nNothing yet.\n");
  await region("acme").getByText("positioning", { exact: true }).waitFor();
  await region("bare").getByText(/^website needs .*positioning\.md/).first().waitFor();
  await region("bare").getByText("Start a run").click();
  assert.equal(await region("bare").getByRole("button", { name: "Start", exact: true }).isDisabled(), true);
  await isSound(page);
  await looks(page, "content-ideas", { 375: 1500, 768: 1000, 1280: 900 });
});

test("from the form to a person, over a reload, and to the site", async () => {
  idea(daemon);
  await start("acme", "website", draft("acme-flawed"));
  await stands("Waiting for a person's draft");
  const where = page.url();
  await step("Revision").getByText("waits").waitFor();
  await page.locator("details.pass").filter({ hasText: "Round 1" }).getByText("of 10").first().waitFor();
  const mine = region("Your draft");
  const field = mine.getByRole("textbox");
  await mine.getByText("REVISION BRIEF").waitFor();
  await isSound(page);

  // Asked for again, it is the same run.
  await start("acme", "website");
  await stands("Waiting for a person's draft");
  assert.equal(page.url(), where);

  await field.fill(draft("acme"));
  await page.reload();
  await mine.getByText("What you typed is kept in this tab until you hand it in.").waitFor();
  await becomes(() => field.inputValue(), draft("acme"));
  await mine.getByRole("button", { name: "Hand it in" }).click();
  await stands("Approved");
  await step("Look at what is served").getByText("done").waitFor();
  const changes = region("What changed between drafts");
  await changes.getByText(/words in \d+ blocks/).waitFor();
  await isSound(page);
  const link = page.getByRole("link", { name: "Visit the site" });
  const site = await page.context().newPage();
  await site.goto(new URL(await link.getAttribute("href"), daemon.url).href);
  await site.getByRole("heading", { level: 1 }).waitFor();

  // What ended stays as it was.
  await page.reload();
  await stands("Approved");
  await page.goto(`${daemon.url}/p/default/content`);
  await region("acme").getByRole("link", { name: /^website Approved/ }).waitFor();
});

test("a draft is text, and one that cannot be read is refused beside itself", async () => {
  idea(daemon, "hostile");
  const hurt = "# <script>window.hurt=1</script>\n\n<img src=x onerror=window.hurt=1> [x](javascript:window.hurt=1)\n";
  await start("hostile", "blog-post", hurt);
  await stands("Waiting for a person's draft");
  await region("Draft").getByText("<script>window.hurt=1</script>").first().waitFor();
  await isSound(page);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await becomes(() => page.locator("main img, main script, .prose a").count(), 0);
  const mine = region("Your draft");
  await mine.getByRole("textbox").fill("x".repeat(600 * 1024));
  await mine.getByRole("button", { name: "Hand it in" }).click();
  await mine.getByRole("alert").waitFor();
  assert.equal((await mine.getByRole("textbox").inputValue()).length, 600 * 1024);
});

test("a run is paused, taken up and given up, each after a question", async () => {
  idea(daemon, "slow");
  await start("slow", "blog-post", "", "played");
  await daemon.agent();
  await stands("Work goes on");
  await step("First draft").getByText("at work").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  const asks = page.getByRole("dialog");
  await asks.getByRole("button", { name: "Leave it" }).click();
  await asks.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Pause" }).click();
  await isSound(page);
  await looks(page, "content-asks-to-pause");
  await asks.getByRole("button", { name: "Pause" }).click();
  await stands("Paused: it can go on where it was");
  await step("First draft").getByText("waits").waitFor();
  await isSound(page);
  await page.getByRole("button", { name: "Take it up again" }).click();
  await daemon.agent();
  await stands("Work goes on");
  await page.getByRole("button", { name: "Give up" }).click();
  await asks.getByText("It ends for good").waitFor();
  await asks.getByRole("button", { name: "Give up" }).click();
  await stands("Given up");
  await becomes(() => page.getByRole("button", { name: "Take it up again" }).count(), 0);
  await isSound(page);
});

test("an agent that fails halts the run, and says what to do", async () => {
  idea(daemon, "broken");
  await start("broken", "blog-post", "", "played");
  (await daemon.agent()).complain("no credit left\n").exit(1);
  await stands("A step could not be done");
  await step("First draft").getByText("could not be done").waitFor();
  await page.getByRole("button", { name: "Take it up again" }).waitFor();
  await isSound(page);
});

test("a cut connection is said and mended, and nothing is missed", async () => {
  idea(daemon, "cut");
  const wire = await Wire.to(daemon.url);
  await start("cut", "blog-post", "", "played");
  const agent = await daemon.agent();
  await page.goto(`${wire.url}${new URL(page.url()).pathname}`);
  await stands("Work goes on");
  wire.cut();
  await page.getByText("Connection lost. Reconnecting; nothing is missed.").waitFor();
  await looks(page, "content-connection-lost");
  agent.exit(1);
  wire.mend();
  await stands("A step could not be done");
  await page.getByText("Connection lost.").waitFor({ state: "detached" });
  wire.end();
});

test("the keyboard reaches everything, and in another language", async () => {
  page = await tab(browser, { locale: "de-DE" });
  await golden(page, daemon.url, "needs_human");
  await page.getByRole("heading", { name: "Wartet auf den Entwurf eines Menschen" }).waitFor();
  await page.getByText("Kept books").first().waitFor();
  const reached = new Set();
  for (let at = 0; at < 50; at++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      return at === document.body ? "" : `${at.tagName} ${at.textContent.trim().slice(0, 24)}`;
    });
    if (name === "") break;
    reached.add(name);
  }
  const seen = [...reached].join("\n");
  for (const wanted of ["A Inhalte", "BUTTON Aufgeben", "TEXTAREA", "PRE REVISION BRIEF", "BUTTON Abgeben", "SUMMARY Gremium", "SUMMARY Runde 1", "SUMMARY Auftrag", "SELECT", "INPUT"]) assert.ok(seen.includes(wanted), `${wanted} in\n${seen}`);
  await isSound(page);
});
