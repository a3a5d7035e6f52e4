// The content pages. Runs are the program's own where it can be brought to stand so without a model; every other way to stand
// comes from the golden logs, in the place of the daemon's answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { browse, Daemon, endAll, isSound, overflow, tab } from "./stand.mjs";

const web = fileURLToPath(new URL("../..", import.meta.url));
const RUN = "0198c0de-0000-7000-8000-000000000008";

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

const DRAFT = '---\nname: "Acme"\ntitle: "Acme, kept"\n---\n\n# Kept books\n\nAcme **keeps** the books. <script>window.hurt=1</script>\n\n[Start](javascript:alert(1))\n\n### Deep\n\n- one\n- two\n';
const BLOCKS = [
  { change: "same", text: "# Kept books" },
  { change: "removed", text: "Acme keeps your books in order" },
  { change: "added", text: "Acme keeps all books in order" },
  { change: "added", text: "<img src=x onerror=window.hurt=1>" },
];

/** Opens a run whose log is a golden one. */
async function golden(name) {
  const { records } = JSON.parse(readFileSync(join(web, `test/golden-content/${name}.json`), "utf8"));
  const frames = records.map((record) => `id: ${record.seq}\nevent: ${record.event}\ndata: ${JSON.stringify(record)}\n\n`);
  await page.route(`**/api/content-pipeline/acme/runs/${RUN}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const json = (body) => route.fulfill({ contentType: "application/json", body: JSON.stringify(body) });
    if (pathname.endsWith("/events")) return route.fulfill({ contentType: "text/event-stream", body: frames.join("") });
    if (pathname.endsWith("/draft")) return route.fulfill({ contentType: "text/markdown", body: DRAFT });
    if (pathname.endsWith("/diff")) return json({ blocks: BLOCKS });
    return json({ runId: RUN, ideaId: "acme", contentType: "blog-post", standing: "running", createdAt: "2026-01-05T08:00:00Z" });
  });
  await page.goto(`${daemon.url}/p/default/content/acme/${RUN}`);
}

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
    await golden(name);
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
  await golden("revised_and_approved");
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
  await region("Draft").getByText("Markdown", { exact: true }).click();
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
