// Runs on their own pages: one of the judge, live and ended; and the replay of the critic, the judge and content.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { draft, idea } from "./content.mjs";
import { BETTER, criticise, FAIL, PASS, TOML } from "./critic.mjs";
import { judged, JUDGES, verdict } from "./judge.mjs";
import { looks, posed } from "./pictures.mjs";
import { altered, becomes, browse, Daemon, endAll, isSound, Wire } from "./stand.mjs";

let browser;
let page;
let daemon;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: TOML + JUDGES });
  idea(daemon);
});
beforeEach(async () => {
  await page?.context().close();
  page = await posed(browser);
});
after(async () => {
  await browser?.close();
  await endAll();
});

const open = (path, url = daemon.url) => page.goto(`${url}/p/default/${path}`);
const heading = (name) => page.getByRole("heading", { name, exact: true });
const button = (name) => page.getByRole("button", { name, exact: true });
const seats = () => page.getByRole("region", { name: "Seats", exact: true });
const track = () => page.getByRole("slider", { name: "Position in the run" });
const ended = (id) => daemon.until(id, ({ event }) => /^(critic\.converged|judge\.judged|content\.finished)$/.test(event), "default", "after=0");

test("a run of the judge is followed live: from the list, seat by seat, to the verdict", async () => {
  const id = await judged(daemon, "bd-live", ["kind", "played"]);
  const agent = await daemon.agent();
  await open("judge");
  await page.getByRole("region", { name: "Runs", exact: true }).getByRole("link", { name: /^bd-live Running/ }).click();
  await heading("The judges are at work").waitFor();
  assert.equal(new URL(page.url()).pathname, `/p/default/judge/run/${id}`);
  const kind = seats().getByRole("listitem").filter({ hasText: "kind, turn 1" });
  const played = seats().getByRole("listitem").filter({ hasText: "played, turn 1" });
  await kind.getByText("It does what was asked.").waitFor();
  await kind.getByText("Correctness 0.90").waitFor();
  await played.getByText("Judging…").waitFor();
  await seats().getByText("1 of 2").waitFor();
  await page.getByText("The name could be better.").waitFor();
  await becomes(() => button("Replay").count(), 0);
  await isSound(page);
  await looks(page, "judge-running");
  agent.say(verdict(0.8, "It is fine.")).exit();
  await heading("Pass: the work is good enough").waitFor();
  await played.getByText("It is fine.").waitFor();
  await seats().getByText("2 of 2").waitFor();
  await page.getByRole("region", { name: "Marks" }).getByText("played, turn 1").first().waitFor();
  await becomes(() => button("Interrupt").count(), 0);
  await isSound(page);
  await looks(page, "judge-pass");
  // The same from its address alone, and from the list of all runs.
  await page.reload();
  await heading("Pass: the work is good enough").waitFor();
  await open("");
  await page.locator(".run-row", { hasText: "bd-live" }).getByText("Pass").waitFor();
  await isSound(page);
  await page.getByRole("link", { name: /bd-live/ }).click();
  await heading("Pass: the work is good enough").waitFor();
});

test("a judge at work is stopped after one question", async () => {
  const id = await judged(daemon, "bd-stop", ["played"]);
  const agent = await daemon.agent();
  await open(`judge/run/${id}`);
  await button("Interrupt").click();
  await page.getByRole("dialog").getByText("there will be no judgement").waitFor();
  await page.keyboard.press("Escape");
  await seats().getByText("Judging…").waitFor();
  // A dialog that closes gives the focus back, and may do so after it is gone.
  const dialog = page.getByRole("dialog");
  await dialog.waitFor({ state: "hidden" });
  const asked = async () => {
    if ((await dialog.count()) > 0) return true;
    await button("Interrupt").focus();
    await page.keyboard.press("Enter");
    return dialog.waitFor({ timeout: 2000 }).then(() => true, () => false);
  };
  await becomes(asked, true);
  await page.getByRole("button", { name: "Interrupt the run" }).click();
  await heading("Interrupted: there is no judgement").waitFor();
  await seats().getByText("Not yet").waitFor();
  await agent.gone;
  await isSound(page);
  await looks(page, "judge-interrupted");
});

test("a cut connection is said so, and what happened meanwhile is there when it is back", async (t) => {
  const id = await judged(daemon, "bd-cut", ["played"]);
  const agent = await daemon.agent();
  const wire = await Wire.to(daemon.url);
  t.after(() => wire.end());
  await open(`judge/run/${id}`, wire.url);
  await seats().getByText("Judging…").waitFor();
  wire.cut();
  await page.getByText("Connection lost").waitFor();
  await looks(page, "judge-connection-lost");
  agent.say(verdict(0.2, "It is not what was asked.")).exit();
  await ended(id);
  wire.mend();
  await heading("Fail: the work is not good enough").waitFor();
  await page.getByText("Connection lost").waitFor({ state: "detached" });
  await looks(page, "judge-fail");
});

// Ways to stand that take an hour, a sample or a broken disk: a run that passed, with another end.
const ENDS = {
  throttled: [{ throttled: { until: "2026-01-05T10:00:00Z", bound: "20 an hour" } }, /20 an hour/],
  skipped: [{ ended: { event: "judge.skipped", outcome: "infra_failure" } }, /./],
  inconclusive: [{ ended: { event: "judge.inconclusive", answered: 0, seats: 1, reasons: ["kind (1): no answer within 60 s"] } }, "kind (1): no answer within 60 s"],
  failed: [{ ended: { event: "judge.failed", cause: "orchestrator_internal", detail: "the disk is full" } }, "the disk is full"],
};
for (const [name, [more, says]] of Object.entries(ENDS)) {
  test(`the page of a run of the judge: ${name}`, async () => {
    const id = await judged(daemon, `bd-${name}`, ["kind"]);
    await ended(id);
    await altered(page, `**/api/runs/${id}`, (body) => {
      Object.assign(body.state, { ended: null, seats: [], redispatch: null, ...more });
      body.run.status = more.ended ? name : null;
      if (!more.ended) body.run.state = "waiting";
    });
    await open(`judge/run/${id}`);
    await page.locator(`.notice.is-${name}`).getByText(says).first().waitFor();
    await isSound(page);
    await looks(page, `judge-${name}`);
  });
}

test("a run of another workflow, and one that nobody knows, have no page here", async () => {
  const id = await judged(daemon, "bd-lost", ["kind"]);
  await ended(id);
  for (const path of [`critic/${id}`, "judge/run/01990000-0000-7000-8000-000000000000"]) {
    await open(path);
    await heading("No such run").waitFor();
    await isSound(page);
  }
});

/** A run of each workflow that ended: its page, its verdict, and what the first mark is called. */
const RUNS = {
  critic: {
    start: async () => (await criticise(daemon, [FAIL, PASS], { fixes: [BETTER] })).id,
    path: (id) => `critic/${id}`,
    begins: "Waiting for a place",
    end: "Converged in pass 2",
    next: "Next pass",
    marked: async () => {
      await heading("The critic is at work").waitFor();
      await page.locator(".pass", { hasText: "Pass 1" }).getByText("FAIL").first().waitFor();
      await becomes(() => page.locator(".pass", { hasText: "Pass 2" }).count(), 0);
    },
  },
  judge: {
    start: () => judged(daemon, "bd-again", ["kind"]),
    path: (id) => `judge/run/${id}`,
    begins: "Waiting for a place",
    end: "Pass: the work is good enough",
    next: "Next seat",
    marked: async () => {
      await heading("The judges are at work").waitFor();
      await seats().getByText("It does what was asked.").waitFor();
    },
  },
  content: {
    start: async () => (await daemon.ask("/api/runs", { workflow: "content", request: { ideaId: "acme", draft: draft("acme"), publish: false } })).runId,
    path: (id) => `content/acme/${id}`,
    begins: "Waiting for a place",
    end: "Approved",
    next: "Next round",
    marked: async () => {
      await heading("Work goes on").waitFor();
      await page.locator("details.pass", { hasText: "Round 1" }).getByText("Approve").first().waitFor();
    },
  },
};

for (const [workflow, { start, path, begins, end, next, marked }] of Object.entries(RUNS)) {
  test(`${workflow}: a run again, on its own page`, async () => {
    const id = await start();
    const length = (await ended(id)).length;
    // Events a second apart, so that it still plays when it is stopped.
    await page.route("**/transcript", async (route) => {
      const response = await route.fetch();
      const lines = (await response.text()).trim().split("\n").map((line) => JSON.parse(line));
      await route.fulfill({ response, body: lines.map((line, index) => JSON.stringify({ ...line, at: index * 1000 })).join("\n") });
    });
    await open(path(id));
    await heading(end).waitFor();
    await button("Replay").click();
    await track().waitFor();
    await button("Pause").click();
    assert.equal(await track().getAttribute("max"), String(length));
    await track().fill("0");
    await heading(begins).waitFor();
    await becomes(() => heading(end).count(), 0);
    await isSound(page);
    await looks(page, `${workflow}-queued`);
    await button(next).click();
    await marked();
    await isSound(page);
    await looks(page, `${workflow}-replay`);
    const stands = Number(await track().inputValue());
    assert.ok(stands > 0 && stands < length, `${stands} of ${length}`);
    await track().fill(String(length));
    await heading(end).waitFor();
    await isSound(page);

    // By the keyboard: back to the beginning, mark by mark, and out.
    await page.locator(".again").focus();
    const back = async () => {
      await page.keyboard.press("[");
      return Number(await track().inputValue());
    };
    await becomes(back, 0);
    await heading(begins).waitFor();
    await page.keyboard.press("Escape");
    await track().waitFor({ state: "detached" });
    await heading(end).waitFor();
    assert.equal(new URL(page.url()).search, "");
    // By its address, and at once.
    await open(`${path(id)}?replay=1`);
    await page.getByText("Instant").click({ force: true });
    await becomes(async () => Number(await track().inputValue()), length);
    await heading(end).waitFor();
  });
}

test("of several places the newest counts, and none is asked for twice", async () => {
  const id = await judged(daemon, "bd-race", ["kind"]);
  const length = (await ended(id)).length;
  const asked = [];
  let release;
  const held = new Promise((go) => (release = go));
  await page.route(`**/api/runs/${id}?at=*`, async (route) => {
    const at = new URL(route.request().url()).searchParams.get("at");
    asked.push(at);
    if (at === "1") await held;
    await route.continue();
  });
  await open(`judge/run/${id}?replay=1&t=3600000`);
  await heading("Pass: the work is good enough").waitFor();
  await track().fill("1");
  await becomes(() => asked.includes("1"), true);
  await track().fill("0");
  await heading("Waiting for a place").waitFor();
  await track().fill(String(length));
  await heading("Pass: the work is good enough").waitFor();
  const answered = page.waitForResponse(/at=1$/);
  release();
  await (await answered).finished();
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
  assert.equal(await heading("Pass: the work is good enough").count(), 1);
  await track().fill("0");
  await heading("Waiting for a place").waitFor();
  await becomes(() => asked.toSorted(), ["0", "1"]);
});

test("two runs of the critic are compared by what is open in each", async () => {
  const { id: before } = await criticise(daemon, [FAIL], { args: ["--no-fix"], name: "first.md" });
  const { id: after } = await criticise(daemon, [PASS], { args: ["--no-fix"], name: "second.md" });
  const part = (name) => page.getByRole("region", { name, exact: true }).or(page.locator(`[aria-label='${name}']`)).first();
  await open(`compare?a=${before}&b=${after}`);
  await part("Asked for in the base only").getByText("say what happens to a broken row").waitFor();
  await becomes(() => part("Asked for in both").getByRole("listitem").count(), 0);
  await isSound(page);
  await looks(page, "compare-critic");
  await page.getByRole("combobox", { name: /^Other/ }).selectOption(before);
  await part("Asked for in both").getByText("say what happens to a broken row").waitFor();
  // A run of another workflow has nothing in common with it.
  const judge = await judged(daemon, "bd-beside", ["kind"]);
  await ended(judge);
  await page.reload();
  await page.getByRole("combobox", { name: /^Other/ }).selectOption(judge);
  await page.getByText(/one is a run of the critic, the other of the judge/).waitFor();
  await looks(page, "compare-unlike");
});
