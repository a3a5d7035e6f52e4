// What the stage shows of a run: what lanes count, lines of dimensions, weak debates, marked agents.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { becomes, browse, Daemon, endAll, overflow, tab, theme, unfold, violations } from "./stand.mjs";
import { close, designer, foot, head, open, panelist, round, ship, SHIPPED } from "./words.mjs";

let browser;
let page;
let daemon;

before(async () => {
  browser = await browse();
  page = await tab(browser);
  daemon = await Daemon.start();
});
after(async () => {
  await browser?.close();
  await endAll();
});

const show = async (id) => {
  await page.goto(`${daemon.url}/p/default/run/${id}`);
  await page.locator(".lane, .notice").first().waitFor();
  if (await page.locator(".status.is-running").count()) return;
  await unfold(page);
  await page.locator(".lane").first().waitFor();
};
const lane = (role) => page.locator(`#lane-${role}`);

/** A round in which the critic gives these scores to its dimensions and asks for these things, and the others for nothing. */
function critical(n, dims, fixes) {
  const said = dims.map(([name, score]) => `<DIM name="${name}" score="${score}">A word about it.</DIM>`).join("");
  const asks = fixes.map((text) => `<MUST_FIX>${text}</MUST_FIX>`).join("");
  const score = dims.reduce((sum, [, value]) => sum + value, 0) / dims.length;
  const critic = `<PANELIST role="critic" score="${score}" must_fix="${fixes.length}">${said}${asks}</PANELIST>`;
  return open(n) + designer() + critic + ["brand", "a11y", "copy"].map((role) => panelist(role, 8)).join("") + close(n, 0.4 * score + 4.8, fixes.length);
}

test("a run that is over is its badge, its verdict and its page; the rest is one press away, and that is remembered", async () => {
  const [id, other] = [await daemon.whole(SHIPPED), await daemon.whole(SHIPPED)];
  const rest = () => page.locator(".lane, .tick, .card, .findings, .drawer-handle").count();
  const whole = () => page.getByRole("button", { name: "The whole review" });
  const card = async (run) => {
    await page.goto(`${daemon.url}/p/default/run/${run}`);
    await page.getByRole("heading", { name: "Shipped at round 2, composite 8.6" }).waitFor();
    await page.frameLocator(".sheet").first().locator("h1").first().waitFor();
    await whole().waitFor();
  };
  const folded = (is) => becomes(async () => [await whole().getAttribute("aria-expanded"), (await rest()) > 0], [String(!is), !is]);
  await card(id);
  await folded(true);
  await becomes(() => page.locator(".run-facts .dim-dot").allTextContents(), ["C", "B", "A", "W"]);
  await becomes(() => page.locator(".run-facts .badge-score").textContent(), "8.6");
  // By the keyboard, there and back; what was pressed keeps the focus.
  await whole().focus();
  await page.keyboard.press("Enter");
  await folded(false);
  await becomes(() => page.locator(".lane").count(), 5);
  assert.equal(await whole().evaluate((one) => one === document.activeElement), true);
  await page.reload();
  await page.locator(".lane").first().waitFor();
  await folded(false);
  // Each run by itself.
  await card(other);
  await folded(true);
  await card(id);
  await folded(false);
  await whole().focus();
  await page.keyboard.press("Space");
  await folded(true);
  await page.reload();
  await card(id);
  await folded(true);
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), [], name);
  }
  // Another session knows nothing of it, and an address that names a lane leads to it.
  await whole().press("Enter");
  await folded(false);
  const kept = page;
  page = await tab(browser);
  await card(id);
  await folded(true);
  await page.goto(`${daemon.url}/p/default/run/${id}?round=1&role=a11y`);
  await page.locator("#lane-a11y.is-open").waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
  page = kept;
});

test("a run folds when it ends, and its keys still step from round to round", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + round(2, 8.6));
  await page.goto(`${daemon.url}/p/default/run/${id}`);
  const seat = lane("critic").locator("button").first();
  await seat.focus();
  agent.say(ship(2, 8.6) + foot).exit();
  await page.getByRole("heading", { name: "Shipped at round 2, composite 8.6" }).waitFor();
  await becomes(() => page.locator(".lane").count(), 0);
  const shows = (n) => page.locator(".viewer-tools .meta-pill", { hasText: `Round ${n}` }).waitFor();
  await shows(2);
  // What had the focus is folded away: the stage has it now.
  await page.keyboard.press("[");
  await shows(1);
  await page.keyboard.press("]");
  await shows(2);
  assert.deepEqual(page.faults, []);
});

test("Enter folds the detail of a dimension and brings it back", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + critical(1, [["rhythm", 5], ["type", 6]], ["Give the headline room."]));
  await show(id);
  const dim = lane("critic").locator(".dim", { hasText: "rhythm" });
  const note = dim.locator(".dim-note");
  await note.waitFor();
  await dim.locator("summary").focus();
  await page.keyboard.press("Enter");
  await note.waitFor({ state: "hidden" });
  // Its score stays, and the other keeps its detail.
  assert.equal(await dim.locator(".dim-score").innerText(), "5.0");
  await becomes(() => lane("critic").locator(".dim-note").filter({ visible: true }).count(), 1);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Enter");
  await note.waitFor();
  agent.exit();
  await daemon.ended(id);
});

test("a lane that is folded by hand is its head alone where only the active one is shown", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + critical(1, [["rhythm", 5], ["type", 6]], ["Give the headline room."]));
  await show(id);
  const line = lane("critic").locator(".lane-summary");
  await lane("critic").locator(".lane-head").click();
  await line.waitFor();
  await page.locator(".rail .segment", { hasText: "Active only" }).click();
  await lane("critic").locator(".lane-body").waitFor();
  await lane("critic").locator(".lane-head").click();
  await lane("critic").locator(".lane-body").waitFor({ state: "hidden" });
  await becomes(() => page.locator(".lane-summary").count(), 0);
  agent.exit();
  await daemon.ended(id);
});

test("a lane counts the must-fixes of all rounds, and says when none is open", async () => {
  const [room, grid] = ["Give the headline room.", "Put the gaps on a grid."];
  const { id, agent } = await daemon.play();
  agent.say(head() + critical(1, [["rhythm", 5], ["type", 6]], [room, grid]));
  await show(id);
  const badge = lane("critic").locator(".fix-count");
  const says = (all, left) => becomes(() => badge.allInnerTexts().then((texts) => texts.map((text) => text.split("\n").map((line) => line.trim()).filter(Boolean))), [[`Must-fix over all rounds: ${all}, open: ${left}`, String(all)]]);
  await says(2, 2);
  await becomes(() => lane("brand").locator(".fix-count").count(), 0);
  // What is asked for again is not counted again.
  agent.say(critical(2, [["rhythm", 6], ["type", 8]], [room]));
  await says(2, 1);
  assert.ok(!(await badge.getAttribute("class")).includes("is-done"));
  agent.say(critical(3, [["rhythm", 9], ["type", 9]], []) + ship(3, 8.4) + foot).exit();
  await unfold(page);
  await says(2, 0);
  // Fixed ones have another mark and another ink: no number in red stands beside a page that ships.
  assert.ok((await badge.getAttribute("class")).includes("is-done"));
  // An older round has the same count: it is of the whole run.
  await page.locator(".tick", { hasText: "Round 1" }).click();
  await lane("critic").locator(".lane-score", { hasText: "5.5" }).waitFor();
  await says(2, 0);
});

test("who has not spoken yet is not called a drafter", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + open(1) + designer() + panelist("critic", 7.9) + '<PANELIST role="a11y" score="8"><DIM name="contrast" score="8">All from the palette.</DIM>');
  await show(id);
  await lane("a11y").locator(".dim").waitFor();
  await becomes(() => page.locator(".lane-score").allInnerTexts().then((all) => all.map((text) => text.split("\n")[0].trim())), ["not scored", "7.9", "–", "–", "–"]);
  await becomes(() => lane("a11y").getByText("does not count").count(), 0);
  agent.exit();
  await daemon.ended(id);
});

test("every dimension of a lane has a line of its scores over the rounds", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + critical(1, [["rhythm", 5], ["type", 6]], ["Give the headline room."]) + open(2) + designer());
  await show(`${id}?role=critic&round=1`);
  await lane("critic").locator(".dim").first().waitFor();
  const lines = () => lane("critic").locator(".dim .spark svg").evaluateAll((all) => all.map((one) => [one.closest(".dim").querySelector(".dim-name").textContent, one.getAttribute("aria-label")]));
  await becomes(lines, []);
  agent.say(`<PANELIST role="critic" score="7"><DIM name="type" score="5.5">Smaller.</DIM><DIM name="rhythm" score="9">Even.</DIM></PANELIST>` + ["brand", "a11y", "copy"].map((role) => panelist(role, 8)).join("") + close(2, 7.6, 0) + foot).exit();
  await daemon.ended(id);
  await show(`${id}?role=critic&round=2`);
  await becomes(lines, [["type", "Over the rounds: 6.0 → 5.5"], ["rhythm", "Over the rounds: 5.0 → 9.0"]]);
  // Where it lies: a line that falls ends lower than it began.
  const ends = await lane("critic").locator(".dim .spark polyline").evaluateAll((all) => all.map((one) => one.getAttribute("points").split(" ").map((point) => Number(point.split(",")[1]))));
  assert.ok(ends[0][0] < ends[0][1] && ends[1][0] > ends[1][1], JSON.stringify(ends));
});

test("a weak debate is told while the run goes on and when it has shipped, and of no other run", async () => {
  const WEAK = "Weak debate: the critic and the specialists did not ask for different things.";
  const told = page.locator(".stage-main").getByText(WEAK);
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 1));
  await show(id);
  await told.waitFor();
  agent.say(round(2, 8.6) + ship(2, 8.6) + foot).exit();
  await page.locator(".run-facts .status", { hasText: "Shipped" }).waitFor();
  await page.getByText("Shipped at round 2").first().waitFor();
  await becomes(() => told.count(), 1);
  assert.deepEqual(await violations(page), []);
  // Below the bar it is told once too, and where somebody disagreed there is nothing to tell.
  await show(await daemon.whole(head(2) + round(1, 5.2, 1) + round(2, 6.8, 2) + foot, { maxRounds: 2 }));
  await page.getByText("No round met the rule.").waitFor();
  await becomes(() => told.count(), 1);
  await show(await daemon.whole(SHIPPED));
  await page.getByText("Shipped at round 2").first().waitFor();
  await becomes(() => told.count(), 0);
});

test("an agent that is marked is named once in a session, until it is dismissed", async () => {
  const poor = (name) => `[agents.${name}]\ncommand = ["sh", "-c", "cat >/dev/null; echo no"]\n`;
  const one = await Daemon.start({ toml: poor("poor") + poor("worse") });
  const mark = (name) => [1, 2].forEach(() => one.jury("agents", "test", name));
  const told = () => page.locator(".is-marked").allInnerTexts().then((all) => all.map((text) => text.split(" ")[0]));
  // The answer has come, so what is to be shown is shown.
  const visit = async (path) => {
    const answer = page.waitForResponse(/\/api\/critique\/conformance$/);
    await page.goto(one.url + path);
    await answer;
    await page.locator("h1").first().waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  await visit("/");
  await becomes(told, []);
  mark("poor");
  await visit("/p/default/new");
  await becomes(told, ["poor"]);
  await page.locator(".is-marked").getByText("is marked as degraded until").waitFor();
  assert.deepEqual(await violations(page), []);
  for (const width of [375, 768]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await overflow(page)) <= 0, `wider than ${width} pixels`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // It stays from page to page until somebody dismisses it, and does not come back.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.locator(".agent.is-degraded").waitFor();
  await becomes(told, ["poor"]);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await becomes(told, []);
  mark("worse");
  await visit("/p/default/new");
  await becomes(told, ["worse"]);
  await visit("/p/default/new");
  await becomes(told, []);
  // Somebody else has not been told.
  const other = await tab(browser);
  await other.goto(`${one.url}/`);
  await becomes(() => other.locator(".is-marked").count(), 2);
  await other.context().close();
  await one.end();
});
