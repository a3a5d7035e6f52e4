// The critic in the browser: what it asks people, how they answer, and how its runs stand.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";

import { BETTER, criticise, FAIL, ONE, PASS, PAST, PLAN, report, ROW, TOML, TWO } from "./critic.mjs";
import { looks, LOW, posed } from "./pictures.mjs";
import { altered, becomes, browse, Daemon, endAll, isSound, JURY, soon, tab } from "./stand.mjs";

let browser;
let page;
let daemon;
/** A run on the command line that may wait for ever when a test fails. */
let late;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: TOML });
});
beforeEach(async () => {
  await page?.context().close();
  page = await posed(browser);
});
after(async () => {
  late?.kill("SIGKILL");
  await browser?.close();
  await endAll();
});

const open = (path) => page.goto(`${daemon.url}/p/default/${path}`);
const card = (question) => page.getByRole("article", { name: question });
const send = (question) => card(question).getByRole("button", { name: /Answer|Try again/ }).click();
const standing = async (id) => (await daemon.ask(`/api/projects/default/critic/${id}`)).run.standing;
const ended = (id) => daemon.until(id, ({ event }) => /^critic\.(converged|safety_cap|stopped|inconclusive|interrupted|failed)$/.test(event), "default", "after=0");
/** Answers whatever is open, so that a test begins with nothing asked and nobody at work. */
async function settle() {
  const { decisions } = await daemon.ask("/api/decisions");
  for (const { id } of decisions) await daemon.ask(`/api/decisions/${id}`, { answer: "skip" });
  for (const { runId } of decisions) await ended(runId);
}
const notice = (title) => page.getByRole("region", { name: title }).or(page.locator(".notice", { hasText: title })).first().waitFor();

test("with nothing asked and nothing run, both pages say what they are for", async () => {
  await open("inbox");
  await page.getByRole("heading", { name: "Nobody waits for you" }).waitFor();
  await becomes(() => page.locator(".nav-count").count(), 0);
  await isSound(page);
  await looks(page, "inbox-empty", LOW);
  await page.getByRole("main").getByRole("link", { name: "Critic" }).click();
  await page.getByRole("heading", { name: "No run of the critic yet" }).waitFor();
  await page.getByText("jury critic run plan.md").waitFor();
  await isSound(page);
  await looks(page, "critic-empty", LOW);
});

test("a run that waits is answered in the browser, goes on in the daemon, and converges", async () => {
  const { code, id } = await criticise(daemon, [TWO, PASS], { fixes: [BETTER] });
  assert.equal(code, 4);
  await open("new");
  await page.locator(".nav-count", { hasText: "2" }).waitFor();
  assert.equal(await page.title(), "(2) Design Jury");
  await page.getByRole("link", { name: "Inbox 2" }).click();
  await card(ROW).waitFor();
  for (const text of ["COMPLETENESS", "The plan does not say it.", "Only the owner of the data knows", "the night is repeated", "Pro: no gap", "Con: a late morning", "Keep it as it is and put it off", "No deadline"]) {
    await card(ROW).getByText(text).first().waitFor();
  }
  await page.getByText("0 of 2 answered; the run goes on when all are.").waitFor();
  assert.equal(await card(ROW).getByRole("button", { name: "Answer" }).isDisabled(), true);
  await isSound(page);
  await looks(page, "inbox-asked", { 375: 900, 768: 700, 1280: 640 });
  // The keyboard alone: the name, then the first option, then Enter.
  await page.getByRole("textbox", { name: /^Your name/ }).focus();
  await page.keyboard.type("ada");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.equal(await card(ROW).getByRole("radio").first().isChecked(), true);
  await page.keyboard.press("Enter");
  await card(ROW).getByText("answered by ada").waitFor();
  await card(ROW).getByText("1. Stop").waitFor();
  await page.getByText("1 of 2 answered; the run goes on when all are.").waitFor();
  await page.locator(".nav-count", { hasText: "1" }).waitFor();
  assert.equal(await standing(id), null);
  await card(PAST).getByRole("radio", { name: /^Skip/ }).check();
  await send(PAST);
  await page.getByText("All 2 answered: the run goes on.").waitFor();
  await isSound(page);
  await page.locator(".nav-count").waitFor({ state: "detached" });
  await looks(page, "inbox-answered");
  await page.locator(".nav-count").waitFor({ state: "detached" });
  assert.equal(await page.title(), "Design Jury");
  await page.getByRole("link", { name: "Look at the run" }).click();
  await notice("Converged in pass 2");
  assert.equal(await standing(id), "converged");
  await page.getByText("by ada").first().waitFor();
  // What was skipped is put off, in the name of who skipped it.
  await page.getByText(/Put off by ada until/).first().waitFor();
  await page.locator(".diff").getByText("3. Stop at a broken row.").waitFor();
  await isSound(page);
  await looks(page, "critic-converged");
  await open("inbox");
  await page.getByText("Show 2 answered or closed questions").click();
  await card(ROW).getByText("answered by ada").waitFor();
  assert.equal(await page.getByRole("textbox", { name: /^Your name/ }).inputValue(), "ada");
  await isSound(page);
});

test("who is slower sees the answer that counted", async () => {
  const { id: run } = await criticise(daemon, [ONE, PASS], { fixes: [BETTER] });
  await open("inbox");
  await card(ROW).getByRole("radio", { name: /^1\. Stop/ }).check();
  const [{ id }] = (await daemon.ask("/api/decisions")).decisions;
  await daemon.ask(`/api/decisions/${id}`, { answer: "2", by: "ben" });
  await send(ROW);
  const told = page.getByRole("alert");
  await told.getByText("Somebody was faster; the first answer counts.").waitFor();
  assert.match(await told.textContent(), /2\. Go on answered by ben/);
  await isSound(page);
  await ended(run);
  await looks(page, "inbox-faster");
  await ended(run);
});

test("own words, and a daemon that is away: nothing is lost, and it can be tried again", async () => {
  await settle();
  const { id } = await criticise(daemon, [ONE, PASS], { fixes: [BETTER] });
  await open("inbox");
  await card(ROW).getByRole("radio", { name: /own words/ }).check();
  await card(ROW).getByRole("textbox").fill("Ask the owner first");
  await page.route("**/api/decisions/*", (route) => route.abort());
  await send(ROW);
  await card(ROW).getByRole("alert").getByText("Your answer was not sent; it is still here.").waitFor();
  assert.equal(await card(ROW).getByRole("textbox").inputValue(), "Ask the owner first");
  await isSound(page);
  await looks(page, "inbox-not-sent", { 375: 900, 768: 700, 1280: 640 });
  await page.unroute("**/api/decisions/*");
  await page.route("**/api/decisions/*", (route) => route.fulfill({ status: 404, json: { error: { code: "no_such_decision", message: "no", hint: "" } } }));
  await send(ROW);
  await card(ROW).getByRole("alert").getByText("This question is not there any more.").waitFor();
  await page.unroute("**/api/decisions/*");
  await send(ROW);
  await card(ROW).getByText("“Ask the owner first”").waitFor();
  await ended(id);
  assert.equal(await standing(id), "converged");
});

test("a deadline says what is taken without an answer; a stopped run closes its questions", async () => {
  await settle();
  const { id } = await criticise(daemon, [ONE], { args: ["--answer-within", "3d"] });
  await open("inbox");
  await card(ROW).getByText(/Without an answer by .* it will be: Skip\./).waitFor();
  await open(`critic/${id}`);
  await notice("Waiting for a person");
  await page.getByText("1 question has no answer yet.").waitFor();
  await isSound(page);
  await looks(page, "critic-escalated");
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.getByRole("dialog").getByText("open questions are closed").waitFor();
  await looks(page, "critic-asks-to-interrupt");
  await page.keyboard.press("Escape");
  assert.equal(await standing(id), null);
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.getByRole("button", { name: "Interrupt the run" }).click();
  await notice("Interrupted: not converged");
  await isSound(page);
  await looks(page, "critic-interrupted");
  await open("inbox");
  await page.getByText(/Show \d+ answered or closed/).click();
  await page.getByText("Closed: the run ended without an answer.").first().waitFor();
});

const ENDINGS = {
  "Converged in pass 1": [[PASS], {}, "Everything held in the first pass."],
  "Not converged: the most passes were made": [[FAIL, FAIL], { fixes: [BETTER], args: ["--max-passes", "2"] }, "run again with more passes"],
  "Stopped: going on would change nothing": [[FAIL, FAIL], { fixes: [PLAN] }, "A fix left the document as it was"],
  "Inconclusive: something has no verdict": [[], { args: ["--no-agent"] }, "It takes a critic, and there was none"],
};
for (const [title, [answers, options, text]] of Object.entries(ENDINGS)) {
  test(`the page of a run: ${title}`, async () => {
    const { id } = await criticise(daemon, answers, options);
    await open(`critic/${id}`);
    await notice(title);
    await page.getByText(text).first().waitFor();
    await page.getByText(/unfinished-marker: 0 of [56] places affected/).first().waitFor();
    await isSound(page);
    const how = await standing(id);
    await looks(page, how === "converged" ? "critic-converged-at-once" : `critic-${how}`);
  });
}

test("the page of a run: what broke is named", async () => {
  const { id } = await criticise(daemon, [], { args: ["--no-agent"] });
  await altered(page, `**/api/runs/${id}`, (body) => {
    body.run.status = "failed";
    body.state.ended = { event: "critic.failed", cause: "silent", detail: "no answer within 60 s" };
  });
  await open(`critic/${id}`);
  await page.getByText("The agent printed nothing for too long.").waitFor();
  await isSound(page);
  await looks(page, "critic-failed");
});

test("what was measured has its figures and places; what is put off has an author, a reason and an end", async () => {
  const { id } = await criticise(daemon, [report("DEFER (the size is fixed in the next phase)")], { plan: `${PLAN}\nTODO: say more.\n`, args: ["--no-fix"] });
  await open(`critic/${id}`);
  await notice("Stopped: going on would change nothing");
  const finished = page.locator(".verdict", { hasText: "FINISHED" });
  await finished.getByText("FAIL").first().waitFor();
  await finished.getByText("Out of bounds:").waitFor();
  await finished.getByText("affected 1").waitFor();
  await finished.getByText("line 10").first().waitFor();
  await finished.getByText("Rests on a measurement").waitFor();
  await page.locator(".verdict", { hasText: "ADVERSARIAL" }).getByText("Unrealistic").waitFor();
  await page.locator(".verdict", { hasText: "COMPLETENESS" }).getByText(/Put off by critic until .*: the size is fixed/).waitFor();
  await page.getByRole("heading", { name: "Ledger of findings" }).waitFor();
  await isSound(page);
  await looks(page, "critic-measured", { 375: 900, 768: 700, 1280: 640 });
});

test("a run that goes on is followed live, and any two passes are compared", async () => {
  // This critic waits for a file to be there.
  const agent = `cat > prompt.txt
if grep -q 'You change one document' prompt.txt; then cat fix-1.txt; exit; fi
while [ ! -e go ]; do sleep 0.1; done
if grep -q 'broken row' prompt.txt; then cat answer-2.txt; else cat answer-1.txt; fi
`;
  const { folder, env } = daemon;
  writeFileSync(join(folder, "live.md"), PLAN);
  writeFileSync(join(folder, "agent.sh"), agent);
  writeFileSync(join(folder, "answer-1.txt"), FAIL);
  writeFileSync(join(folder, "answer-2.txt"), PASS);
  writeFileSync(join(folder, "fix-1.txt"), `=== DOCUMENT ===\n${BETTER}=== END OF DOCUMENT ===\n`);
  const child = spawn(JURY, ["critic", "run", "live.md", "--criteria", "small", "--agent", "critic", "--no-input", "--quiet"], { cwd: folder, env, stdio: "ignore" });
  const gone = new Promise((done) => child.on("exit", done));
  late = child;
  await open("critic");
  const row = page.locator(".run-row", { hasText: "live.md" });
  await row.getByText("Running").waitFor();
  await isSound(page);
  await looks(page, "critic-list");
  await row.click();
  await notice("The critic is at work");
  await isSound(page);
  await looks(page, "critic-running");
  writeFileSync(join(folder, "go"), "");
  assert.equal(await soon(gone, "the end of the run"), 0);
  await notice("Converged in pass 2");
  await page.locator(".diff .is-new", { hasText: "3. Stop at a broken row." }).waitFor();
  await page.getByLabel("From").selectOption("2");
  await page.getByText("The two sources are identical.").waitFor();
  await page.locator(".pass").last().locator("summary").first().click();
  await page.getByText("Fixed afterwards: COMPLETENESS.").waitFor();
  await isSound(page);
});

test("a run that is not there is said so", async () => {
  await open("critic/01990000-0000-7000-8000-000000000000");
  await page.getByRole("heading", { name: "No such run" }).waitFor();
  await isSound(page);
});

test("in every language the inbox fits", async () => {
  await settle();
  await criticise(daemon, [ONE, PASS]);
  for (const [locale, title] of Object.entries({ de: "Posteingang", ja: "受信箱", ko: "받은 질문", "zh-CN": "收件箱", "zh-TW": "收件匣" })) {
    const one = await tab(browser, { locale });
    await one.goto(`${daemon.url}/p/default/inbox`);
    await one.getByRole("heading", { name: title }).waitFor();
    await isSound(one);
    await one.context().close();
  }
  await settle();
});
