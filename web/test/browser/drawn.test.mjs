// How the stage is drawn, measured in the browser: letters, tints, distances, marks, motion, names.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { becomes, browse, Daemon, endAll, tab, theme, unfold } from "./stand.mjs";
import { BELOW, close, designer, foot, head, open, PAGE, panelist, round, ship, SHIPPED } from "./words.mjs";

let browser;
let page;
let daemon;
/** A run that has shipped, with something asked for in its first round. */
let shipped;

before(async () => {
  browser = await browse();
  page = await tab(browser);
  daemon = await Daemon.start();
  shipped = await daemon.whole(SHIPPED);
});
after(async () => {
  await browser?.close();
  await endAll();
});

const show = async (id, from = daemon) => {
  await page.goto(`${from.url}/p/default/run/${id}`);
  await page.locator(".run-facts .status").waitFor();
  if (!(await page.locator(".theater.is-running").count())) await unfold(page);
};
/** What the browser computes for the first that fits. */
const computed = (selector, ...names) =>
  page.locator(selector).first().evaluate((element, names) => {
    const style = getComputedStyle(element);
    return names.map((name) => style.getPropertyValue(name));
  }, names);
/** The value of a colour of the scale as the browser writes it. */
const ink = (name) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(--${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

const LETTERS = {
  "the composite": [".card .composite", 36, "mono", { "font-weight": "700" }],
  "the score of a panelist": [".lane .lane-score.is-under", 14, "mono", { "font-weight": "700" }],
  "the name of a dimension": [".dim-name", 13, "mono", {}],
  "the score of a dimension": [".dim-score", 13, "mono", { "font-weight": "600" }],
  "the note of a dimension": [".dim-note", 13, "sans", { line: 1.55 }],
  "a must-fix": [".fix .fix-text", 13, "sans", { line: 1.5 }],
  "the summary of a lane": [".lane-summary", 12, "sans", { line: 1.4 }],
  "the name of a lane": [".lane-name", 14, "sans", { "font-weight": "600" }],
  "the tag of a role": [".lane .role-tag", 11, "mono", { "text-transform": "uppercase" }],
  "the divider of a round": [".round-divider", 11, "mono", { "text-transform": "uppercase", spacing: 0.1 }],
  "the ship rule": [".card .rule", 12, "mono", { line: 1.55 }],
};
for (const [name, [selector, size, family, more]] of Object.entries(LETTERS)) {
  test(`letters: ${name}`, async () => {
    await show(`${shipped}?round=1&role=critic`);
    await page.locator(selector).first().waitFor();
    const [fontSize, font, line, spacing] = await computed(selector, "font-size", "font-family", "line-height", "letter-spacing");
    const first = { mono: "JetBrains Mono", sans: "Inter" }[family];
    assert.equal(fontSize, `${size}px`);
    assert.equal(font.split(",")[0].replaceAll('"', ""), first);
    const { line: lines, spacing: apart, ...plain } = more;
    if (lines) assert.ok(Math.abs(parseFloat(line) / size - lines) < 0.001, line);
    if (apart) assert.ok(Math.abs(parseFloat(spacing) / size - apart) < 0.001, spacing);
    for (const [property, value] of Object.entries(plain)) assert.deepEqual(await computed(selector, property), [value]);
  });
}

test("each status has its tint: shipped in the accent, below the threshold and timed out in amber", async () => {
  const slow = await Daemon.start({ env: { OD_CRITIQUE_TOTAL_TIMEOUT_MS: "500", OD_CRITIQUE_ROUND_TIMEOUT_MS: "500" } });
  const late = await slow.run();
  await slow.ended(late);
  const table = [
    [daemon, shipped, "Shipped", "good"],
    [daemon, await daemon.whole(BELOW, { maxRounds: 2 }), "Below threshold", "warn"],
    [slow, late, "Timed out", "warn"],
  ];
  for (const [from, id, word, tone] of table) {
    await show(id, from);
    await page.locator(".run-facts .status", { hasText: word }).waitFor();
    await page.locator(".notice").waitFor();
    for (const name of ["light", "dark"]) {
      await theme(page, name);
      const wanted = await ink(tone);
      assert.deepEqual(await computed(".run-facts .status", "color"), [wanted], `${word} ${name}`);
      assert.deepEqual(await computed(".notice", "border-left-color"), [wanted], `${word} ${name}`);
    }
  }
  // The accent and amber are two colours, the one greener, the other between red and yellow.
  const hue = (name) => ink(name).then((text) => Number(text.match(/oklch\(\S+ \S+ (\S+?)\)/)[1]));
  const [good, warn] = [await hue("good"), await hue("warn")];
  assert.ok(good > 130 && good < 170 && warn > 50 && warn < 90, `${good} ${warn}`);
  await slow.end();
});

test("the ticker marks the threshold where it lies, and has a place for every round", async () => {
  const marked = async (from, request, said, bar) => {
    const { id, agent } = await from.play(request);
    agent.say(said);
    await show(id, from);
    await page.locator(".tick-fill").first().waitFor();
    const line = page.locator(".ticker-bar");
    assert.deepEqual(await computed(".ticker-bar", "border-top-style"), ["dashed"]);
    const [at, well] = await Promise.all([line, page.locator(".tick-well").first()].map((one) => one.boundingBox()));
    const share = (well.y + well.height - at.y) / well.height;
    assert.ok(Math.abs(share - bar / 10) < 0.03, `${share} for ${bar}`);
    assert.ok(at.width > 3 * well.width, "it goes along all rounds");
    await page.locator(".ticker-key", { hasText: bar.toFixed(1) }).waitFor();
    const places = await page.locator(".tick").evaluateAll((all) => all.map((one) => one.disabled));
    agent.exit();
    await from.ended(id);
    return places;
  };
  const easy = await Daemon.start({ env: { OD_CRITIQUE_SCORE_THRESHOLD: "6.5" } });
  assert.deepEqual(await marked(daemon, { maxRounds: 4 }, head(4) + round(1, 6.4, 3), 8), [false, true, true, true]);
  assert.deepEqual(await marked(easy, { maxRounds: 3 }, head(3, "6.5") + round(1, 5.4, 3), 6.5), [false, true, true]);
  await easy.end();
});

test("the rule has its numbers from the settings, in a dashed border", async () => {
  const other = await Daemon.start({ env: { OD_CRITIQUE_SCORE_THRESHOLD: "6.5", OD_CRITIQUE_MAX_ROUNDS: "2" } });
  const rule = page.locator(".card .rule");
  const { id, agent } = await other.play();
  agent.say(head(2, "6.5") + round(1, 5.4, 3));
  await show(id, other);
  await becomes(() => rule.innerText(), "Ships when composite score ≥ 6.5 and open must-fix == 0. Otherwise refine, up to 2 rounds.");
  const border = ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style", "border-top-width"];
  assert.deepEqual(await computed(".card .rule", ...border), ["dashed", "dashed", "dashed", "dashed", "1px"]);
  agent.say(round(2, 6.9) + ship(2, 6.9) + foot).exit();
  await unfold(page);
  await becomes(() => rule.innerText(), "Shipped: composite 6.9 ≥ threshold 6.5 with 0 open must-fix. Consensus 5 of 5 panelists.");
  await other.end();
});

test("what an interrupted run says of the rule is so, whoever stopped it", async () => {
  const rule = page.locator(".card .rule");
  const stop = async (said, divider) => {
    const { id, agent } = await daemon.play();
    agent.say(said);
    await show(id);
    await page.locator(".round-divider", { hasText: divider }).waitFor();
    await page.getByRole("button", { name: "Interrupt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Interrupt the run" }).click();
    await page.locator(".run-facts .status", { hasText: "Interrupted" }).waitFor();
    await unfold(page);
  };
  await stop(head() + round(1, 6.4, 3) + open(2), "6.4");
  await becomes(() => rule.innerText(), "Did not meet ship rule (8.0 + 0 must-fix), but the run was stopped early. Best-of-N was kept, transcript stays available.");
  // The round had met the rule, and somebody stopped the run before it was handed over.
  await stop(head() + round(1, 9) + '<SHIP round="1" composite="9" status="shipped"><ARTIFACT mime="text/html"><![CDATA[', "9.0");
  await becomes(() => rule.innerText(), "Round 1 met the ship rule: composite 9.0 ≥ 8.0 with 0 open must-fix. The run was stopped early.");
  // Nobody stopped it: the daemon went away.
  const one = await Daemon.start();
  const { id, agent } = await one.play();
  agent.say(head() + round(1, 6.4, 3) + open(2));
  await one.until(id, ({ event }) => event === "critique.round_end");
  await one.stop("SIGKILL");
  const next = await Daemon.start({ folder: one.folder });
  await show(id, next);
  await becomes(() => rule.innerText(), "Did not meet ship rule: composite ≥ 8.0 and open must-fix == 0, within 3 rounds. The program that ran it went away in the middle.");
  await next.end();
});

test("the chip has four dots, filled for who reached the bar, and the composite", async () => {
  const fair = open(1) + designer() + panelist("critic", 7.5, 1) + panelist("brand", 8) + panelist("a11y", 9) + panelist("copy", 6) + close(1, 7.6, 1);
  await show(await daemon.whole(head(1) + fair + foot, { maxRounds: 1 }));
  const chip = page.locator(".run-facts .badge");
  await becomes(() => chip.locator(".dim-dot").evaluateAll((all) => all.map((dot) => [dot.textContent, ["is-met", "is-under", "is-none"].find((name) => dot.classList.contains(name))])), [["C", "is-under"], ["B", "is-met"], ["A", "is-met"], ["W", "is-under"]]);
  await becomes(() => chip.locator(".badge-score").innerText(), "7.6");
  const grounds = await chip.locator(".dim-dot").evaluateAll((all) => all.map((dot) => [dot.clientWidth > 10, getComputedStyle(dot).borderRadius, getComputedStyle(dot).backgroundColor === "rgba(0, 0, 0, 0)"]));
  assert.deepEqual(grounds, [[true, "50%", true], [true, "50%", false], [true, "50%", false], [true, "50%", true]]);
  await chip.getByRole("img", { name: "Critic 7.5, Brand 8.0, Accessibility 9.0, Copy 6.0" }).waitFor();
});

test("lanes are regions with their titles, under each other with 12 pixels between", async () => {
  await show(shipped);
  const names = ["Designer", "Critic", "Brand", "Accessibility", "Copy"];
  const boxes = [];
  for (const name of names) boxes.push(await page.getByRole("region", { name, exact: true }).and(page.locator(".lane")).boundingBox());
  await becomes(() => page.locator(".lane").count(), names.length);
  for (const [index, box] of boxes.slice(1).entries()) {
    const above = boxes[index];
    assert.ok(Math.abs(box.y - above.y - above.height - 12) < 0.51, JSON.stringify([above, box]));
    assert.deepEqual([box.x, box.width], [above.x, above.width]);
  }
});

test("a summary that is too long stays on one line and ends in an ellipsis", async () => {
  const long = "The headline and the button compete for the same glance, and the eye lands twice before it finds out what is to be done.";
  const said = head(1) + open(1) + designer() + panelist("critic", 5) + ["brand", "a11y", "copy"].map((role) => `<PANELIST role="${role}" score="9"><DIM name="x" score="9">${long}</DIM></PANELIST>`).join("") + close(1, 7, 0) + foot;
  await show(await daemon.whole(said, { maxRounds: 1 }));
  const line = page.locator("#lane-brand .lane-summary");
  await becomes(() => line.innerText(), long);
  const seen = await line.evaluate((element) => ({ cut: element.scrollWidth > element.clientWidth, lines: element.clientHeight / parseFloat(getComputedStyle(element).lineHeight) }));
  assert.ok(seen.cut && Math.abs(seen.lines - 1) < 0.1, JSON.stringify(seen));
  assert.deepEqual(await computed("#lane-brand .lane-summary", "text-overflow", "overflow-x", "white-space"), ["ellipsis", "hidden", "nowrap"]);
});

test("a bar grows in 600 ms along its curve", async () => {
  await show(`${shipped}?round=1&role=critic`);
  await page.locator(".dim-fill").first().waitFor();
  assert.deepEqual(await computed(".dim-fill", "transition-property", "transition-duration", "transition-timing-function", "transition-delay"), ["width", "0.6s", "cubic-bezier(0.2, 0.8, 0.2, 1)", "0s"]);
});

test("the stage has the focus as soon as it is there, so that no key is lost", async () => {
  await page.addInitScript(() => {
    new MutationObserver((_, watch) => {
      const stage = document.querySelector(".theater");
      if (!stage) return;
      watch.disconnect();
      globalThis.hadFocus = document.activeElement === stage;
    }).observe(document, { childList: true, subtree: true });
  });
  await show(shipped);
  assert.equal(await page.evaluate(() => globalThis.hadFocus), true);
});

test("[ and ] step through the rounds of a run that has ended", async () => {
  await show(shipped);
  const open = () => page.locator('.round-divider[aria-expanded="true"] span').first().innerText().then((text) => text.toLowerCase());
  await becomes(open, "round 2");
  assert.equal(new URL(page.url()).searchParams.has("replay"), false);
  for (const [key, expected] of [["[", "round 1"], ["[", "round 1"], ["]", "round 2"], ["]", "round 2"], ["[", "round 1"]]) {
    await page.keyboard.press(key);
    await becomes(open, expected, key);
  }
  await becomes(() => new URL(page.url()).searchParams.get("round"), "1");
});

test("must-fixes have a number beside their mark, whatever colour they are", async () => {
  const asks = ["Give the headline room.", "Put the gaps on a grid.", "Take one of the two buttons away."].map((text) => `<MUST_FIX>${text}</MUST_FIX>`).join("");
  const critic = `<PANELIST role="critic" score="5" must_fix="3"><DIM name="rhythm" score="5">No system.</DIM>${asks}</PANELIST>`;
  const many = open(1) + designer() + critic + panelist("brand", 6, 1) + panelist("a11y", 8) + panelist("copy", 8) + close(1, 6, 4);
  await show(await daemon.whole(head(1) + many + foot, { maxRounds: 1, page: PAGE }));
  await page.locator("#lane-critic .fix").first().waitFor();
  const shown = await page.locator(".lane").evaluateAll((all) => all.map((lane) => [...lane.querySelectorAll(".fix-count")].map((badge) => [badge.querySelectorAll("svg").length, badge.querySelector("[aria-hidden]:not(svg)").textContent])));
  assert.deepEqual(shown, [[], [[1, "3"]], [[1, "1"]], [], []]);
  await becomes(() => page.locator(".card-facts dd").last().innerText(), "4");
  await page.locator(".round-divider", { hasText: /4 must-fix/i }).waitFor();
});
