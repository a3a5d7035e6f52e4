// What the stage shows of a run: what lanes count, lines of dimensions, weak debates, marked agents.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { becomes, browse, Daemon, endAll, overflow, tab, violations } from "./stand.mjs";
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
