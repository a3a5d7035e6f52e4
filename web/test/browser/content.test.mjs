// The content pages. Runs are the program's own where it can be brought to stand so without a model; every other way to stand
// comes from the golden logs, in the place of the daemon's answers.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { draft, golden, idea, RUN } from "./content.mjs";
import { browse, Daemon, endAll, isSound, overflow, tab } from "./stand.mjs";

let browser;
let page;
let daemon;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start();
});
beforeEach(async () => {
  await page?.context().close();
  page = await tab(browser);
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
  ["approved_at_once", "Approved", ["The draft of round 1 was kept. 0 issues are open in it."]],
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
    await page.setViewportSize({ width: 320, height: 800 });
    assert.equal(await overflow(page), 0);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator("main img, main script, .prose a").count(), 0);
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
