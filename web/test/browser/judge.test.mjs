// The judge's pages, from files as its commands write them: empty, full, broken, hostile.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";

import { disagree, feedback, full, HOSTILE, issue, judgement, JUDGES, LONG, put, record, score } from "./judge.mjs";
import { looks, LOW, posed } from "./pictures.mjs";
import { becomes, browse, Daemon, endAll, isSound, tab } from "./stand.mjs";

let browser;
let page;
let daemon;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: JUDGES });
});
beforeEach(async () => {
  rmSync(join(daemon.folder, "state"), { recursive: true, force: true });
  await page?.context().close();
  page = await posed(browser);
});
after(async () => {
  await browser?.close();
  await endAll();
});

const open = (path = "") => page.goto(`${daemon.url}/p/default/judge${path}`);
const region = (name) => page.getByRole("region", { name, exact: true });
const row = (name) => page.getByRole("row", { name: new RegExp(`^${name}\\b`) });

test("without files the page names the commands that make them", async () => {
  await page.goto(`${daemon.url}/`);
  await page.getByRole("navigation").getByRole("link", { name: "Judge" }).click();
  await page.getByRole("heading", { name: "Nothing collected or judged yet" }).waitFor();
  for (const command of ["jury feedback collect", "jury judge", "jury templates score"]) await page.getByText(command).waitFor();
  await isSound(page);
  await looks(page, "judge-empty", LOW);
});

test("each section that is empty names its own command", async () => {
  put(daemon, { "feedback/pattern-registry.json": { "scope-creep": { count: 1 } } });
  await open();
  await region("Patterns").getByText("scope-creep").waitFor();
  await region("Templates").getByText("jury templates score").waitFor();
  await region("Judgements").getByText("jury judge RUN.json").waitFor();
  await region("Cost per day").getByText("jury judge RUN.json").waitFor();
  await region("Tests of variants").getByText("jury templates ab create").waitFor();
  await isSound(page);
  await looks(page, "judge-empty-parts", { 375: 1500, 768: 1100, 1280: 1000 });
});

test("templates have both scores with their intervals, in numbers and words, and not by colour alone", async () => {
  put(daemon, full());
  await open();
  const fix = row("bug-fix");
  await fix.getByText("0.72 (0.56–0.88)").waitFor();
  await fix.getByText("0.68 (0.56–0.80)").waitFor();
  await fix.getByText("24 runs, 12 judged").waitFor();
  await fix.getByText("high confidence").waitFor();
  await fix.getByText("Improving").waitFor();
  await row("docs").getByText("Too few runs").waitFor();
  await row("refactor").getByText("Declining").waitFor();
  await fix.getByText("Judges and agents").click();
  await fix.getByText("codex, 10 runs").waitFor();
  await fix.getByText("0.61 (0.49–0.73)").waitFor();
  await isSound(page);
});

test("judgements are listed, filtered, opened, and say where things are wrong", async () => {
  put(daemon, full());
  await open();
  const list = region("Judgements");
  const beads = () => list.locator(".run-title").allTextContents();
  await list.getByText("bd-fail").waitFor();
  assert.deepEqual(await beads(), ["bd-panel", "bd-pass", "bd-fail"]);
  await list.getByText("tests/price.rs:14").waitFor();
  await list.getByText("and 1 more").waitFor();
  await list.getByLabel("Verdict").selectOption("Fail");
  await list.getByText("bd-pass").waitFor({ state: "detached" });
  assert.deepEqual(await beads(), ["bd-fail"]);
  assert.match(page.url(), /verdict=fail/);
  await list.getByLabel("Template").selectOption("docs");
  await list.getByText("No judgement fits this filter.").waitFor();
  await list.getByLabel("Verdict").selectOption("");
  await list.getByText("bd-pass").waitFor();
  await list.getByLabel("Template").selectOption("");
  await list.getByRole("link", { name: /bd-panel/ }).click();
  await page.getByRole("heading", { name: "bd-panel", level: 1 }).waitFor();
  await page.getByText("assert_eq!(total(), total());").waitFor();
  await page.getByText("opus, turn 2").first().waitFor();
  await page.getByText("no answer within 60 s").waitFor();
  await page.getByText("No verdict has more than half of the seats.").waitFor();
  await page.getByText("calls it a pass").waitFor();
  await page.getByText("9,740 tokens, $0.0712").waitFor();
  await page.getByText("saw 84% of the change").waitFor();
  await page.getByText("partial pass").waitFor();
  await isSound(page);
  await page.getByRole("main").getByRole("link", { name: "Judge" }).click();
  await region("Judgements").waitFor();
});

test("many judgements come a page at a time", async () => {
  const files = {};
  for (let n = 0; n < 120; n++) {
    const bead = `bd-${String(n).padStart(3, "0")}`;
    files[`judgments/${bead}.json`] = judgement(bead, "pass", 0.8, { judged_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString() });
  }
  put(daemon, files);
  await open();
  const titles = region("Judgements").locator(".run-title");
  await titles.nth(49).waitFor();
  await becomes(() => titles.count(), 50);
  const more = region("Judgements").getByRole("button", { name: "Show more" });
  await more.click();
  await titles.nth(99).waitFor();
  await more.click();
  await titles.nth(119).waitFor();
  await more.waitFor({ state: "detached" });
  const all = await titles.allTextContents();
  assert.deepEqual([all[0], all.at(-1), new Set(all).size], ["bd-119", "bd-000", 120]);
});

test("patterns, cost and tests", async () => {
  put(daemon, full());
  await open();
  const patterns = region("Patterns");
  await patterns.getByText("The prompt names the lint command.").waitFor();
  await becomes(() => patterns.locator("tbody th b").allTextContents(), ["lint-failure-after-completion", "scope-creep", "infra-tmux"]);
  await patterns.getByText("seen 2 times since then").waitFor();
  await patterns.getByText("infrastructure").waitFor();
  const cost = region("Cost per day");
  const words = "Judgements: 3, cost: $0.1424, tokens: 19,480";
  await cost.getByRole("img", { name: words }).waitFor();
  await becomes(() => cost.locator("rect").count(), 2, "a bar for each day that cost something");
  await cost.getByText("1 does not say what it cost").waitFor();
  await cost.getByText("As a table").click();
  await cost.getByRole("row", { name: /2026-01-05 1 9,100 → 640 \$0\.0712/ }).waitFor();
  const tests = region("Tests of variants");
  await tests.getByText("Active").waitFor();
  await tests.getByText("Promoted", { exact: true }).waitFor();
  await tests.getByText("Runs: 7 of the original, 6 of the variant; the first look is at 10 each").waitFor();
  await tests.getByText("Waits for a person:").waitFor();
  await tests.getByText("bug-fix-v2 made from bug-fix: judged low").waitFor();
  await isSound(page);
});

test("a broken file is named, and the others are shown", async () => {
  put(daemon, { ...full(), "judgments/bd-broken.json": '{"bead": "bd-bro', "scores/ab-tests.json": "[]", "feedback/bd-pass.json": "not json" });
  await open();
  const problems = page.getByRole("region", { name: "3 files could not be read, or not wholly" });
  await problems.getByText("judgments/bd-broken.json").waitFor();
  await problems.getByText("scores/ab-tests.json").waitFor();
  await problems.getByText("feedback/bd-pass.json").waitFor();
  await region("Judgements").getByText("bd-pass").waitFor();
  await row("bug-fix").waitFor();
  await isSound(page);
  await looks(page, "judge-broken-files");
  await open("/bd-broken");
  await page.getByText("is not JSON").waitFor();
  await isSound(page);
  await looks(page, "judge-broken-file", LOW);
});

test("what stands in files is text: no script of it runs, and nothing of it is too wide", async () => {
  const agents = [{ agent: HOSTILE, total_runs: 1, full_pass_rate: 1, score: 1 }];
  put(daemon, {
    "scores/template-scores.json": { templates: [score(HOSTILE, 0.5, { agents }), score(LONG, 0.5), score("odd", 0.5, { mechanical: { value: 7, low: -3, high: 1e300 } })] },
    "judgments/bd-x.json": judgement("bd-x", "fail", 0.2, {
      summary: HOSTILE,
      judge: { model: HOSTILE },
      issues: [issue("major", HOSTILE, `src/${LONG}/${HOSTILE}`, 3, { evidence: { file: `src/${LONG}`, line: 3, quote: HOSTILE } })],
      warnings: [HOSTILE],
    }),
    "feedback/bd-x.json": feedback("bd-x", HOSTILE, { agent: HOSTILE, failure_patterns: [HOSTILE, LONG] }),
    "feedback/pattern-registry.json": { [HOSTILE]: { count: 3, last_seen: HOSTILE, mitigation: HOSTILE }, [LONG]: { count: 2 } },
    "scores/ab-tests.json": { tests: [{ original: HOSTILE, variant: LONG, status: "active" }] },
    "scores/refinement-log.json": { entries: [{ template: HOSTILE, variant: LONG, trigger: HOSTILE, timestamp: HOSTILE }] },
    "judgments/$(touch x).json": judgement("bd-x", "pass", 1),
  });
  await open();
  await page.locator("th b", { hasText: "<script>window.hurt=1</script>" }).first().waitFor();
  await region("Judgements").getByLabel("Template").selectOption(HOSTILE);
  await region("Judgements").getByText("bd-x").waitFor();
  await isSound(page);
  await page.getByRole("link", { name: /bd-x/ }).click();
  await page.getByText("<script>window.hurt=1</script>").first().waitFor();
  await isSound(page);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await becomes(() => page.locator("main img, main script").count(), 0);
});

test("a run that was collected and not judged, and one that nobody knows", async () => {
  put(daemon, full());
  await open("/bd-plain");
  await page.getByText("This run was collected and not judged.").waitFor();
  await page.getByText("from the template docs").waitFor();
  await isSound(page);
  await looks(page, "judge-not-judged");
  await open("/bd-nobody");
  await page.getByRole("heading", { name: "No such run" }).waitFor();
  await isSound(page);
});

test("the keyboard reaches everything", async () => {
  put(daemon, full());
  await open();
  await region("Judgements").getByText("bd-fail").waitFor();
  const reached = new Set();
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      return at === document.body ? "" : `${at.tagName} ${at.textContent.trim().slice(0, 24)}`;
    });
    if (name === "") break;
    reached.add(name);
  }
  const seen = [...reached].join("\n");
  for (const wanted of ["A Judge", "SUMMARY Judges and agents", "SELECT", "A bd-panel", "SUMMARY As a table"]) assert.ok(seen.includes(wanted), `${wanted} in\n${seen}`);
  await page.getByRole("link", { name: /bd-pass/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "bd-pass", level: 1 }).waitFor();
});

test("in another language", async () => {
  put(daemon, full());
  page = await tab(browser, { locale: "de-DE" });
  await open();
  await page.getByRole("heading", { name: "Richter", level: 1 }).waitFor();
  await row("bug-fix").getByText("0,72 (0,56–0,88)").waitFor();
  await page.getByText("Wird besser").waitFor();
  await isSound(page);
});

test("judges who do not agree are settled in the inbox, by a verdict that none of them gave", async () => {
  assert.match(disagree(daemon, "bd-dispute"), /WAITING/);
  await page.goto(`${daemon.url}/p/default/inbox`);
  const question = page.getByRole("article", { name: "What is the verdict on bd-dispute?" });
  await question.getByText("It does what was asked.").waitFor();
  await question.getByText("The judgement stays as it is: partial.").waitFor();
  await becomes(() => question.getByText("In your own words").count(), 0);
  await isSound(page);
  await looks(page, "inbox-disputed", { 375: 900, 768: 700, 1280: 640 });
  await page.getByRole("link", { name: "Look at the run" }).click();
  await page.getByRole("heading", { name: "The judges do not agree: waiting for a person" }).waitFor();
  await page.getByText("It does something else.").first().waitFor();
  await isSound(page);
  await looks(page, "judge-disputed");
  await page.getByRole("link", { name: "Answer in the inbox" }).click();
  const { runId } = (await daemon.ask("/api/decisions")).decisions.find(({ title }) => title === "bd-dispute");
  await question.getByText("None of the judges said so.").click();
  await question.getByRole("button", { name: "Answer" }).click();
  await page.getByText("All 1 answered: the run goes on.").waitFor();
  // The daemon writes the judgement, and then says that there is one.
  await daemon.until(runId, ({ event }) => event === "judge.judged", "default", "after=0");
  await page.getByRole("link", { name: "Look at the run" }).click();
  await page.getByRole("heading", { name: "bd-dispute", level: 1 }).waitFor();
  await page.locator(".run-facts").getByText("Partial").waitFor();
  await page.getByText("kind, turn 1").first().waitFor();
  await page.getByText(/^Decided by .*, because the judges did not agree\.$/).waitFor();
  await isSound(page);
  await looks(page, "judge-partial");
  await page.getByRole("main").getByRole("link", { name: "Judgement" }).click();
  await page.getByText("judged by kind+strict").waitFor();
});

test("a verdict that is none is refused, and the question stays open", async () => {
  disagree(daemon, "bd-words");
  const { decisions } = await daemon.ask("/api/decisions");
  const { id, runId } = decisions.find(({ title }) => title === "bd-words");
  await assert.rejects(daemon.ask(`/api/decisions/${id}`, { answer: "looks fine" }), /422 .*not_an_option/);
  await daemon.ask(`/api/decisions/${id}`, { answer: "pass" });
  await daemon.until(runId, ({ event }) => event === "judge.judged", "default", "after=0");
});

test("what the commands write is what the page shows", async () => {
  disagree(daemon, "bd-other");
  for (let n = 1; n <= 12; n++) {
    const slow = n % 4 === 0 ? { duration_seconds: 2400 } : {};
    record(daemon, `bd-${n}`, { ...slow, finished_at: `2026-01-05T08:${String(n).padStart(2, "0")}:00Z` });
    if (n > 10) daemon.jury("judge", "run.json", "--agent", "kind", "--diff", "change.diff");
    daemon.jury("feedback", "collect", "run.json");
  }
  daemon.jury("judge", "run.json", "--agent", "kind", "--diff", "change.diff");
  daemon.jury("patterns", "mitigate", "scope-creep", "Smaller tasks.");
  daemon.jury("templates", "score");
  await open();
  const fix = row("bug-fix");
  await fix.getByText("12 runs, 2 judged").waitFor();
  await fix.getByText("medium confidence").waitFor();
  assert.match(await fix.textContent(), /1\.00 \(0\.\d\d–1\.00\)/);
  const list = region("Judgements");
  await becomes(() => list.locator(".run-title").allTextContents(), ["bd-12", "bd-11"]);
  await list.getByText("src/a.rs:1", { exact: true }).first().waitFor();
  await region("Patterns").getByText("Smaller tasks.").waitFor();
  assert.match(await row("scope-creep").textContent(), /3/);
  await becomes(() => page.getByText("could not be read").count(), 0);
  await isSound(page);
  await list.getByRole("link", { name: /bd-12/ }).click();
  await region("Earlier judgements").waitFor();
  await isSound(page);
});
