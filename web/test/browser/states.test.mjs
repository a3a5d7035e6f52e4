// Every way in which a page can stand, made by the real daemon: what it says, what can be done, that axe has nothing against
// it in either theme, that no text is too small, that nothing is wider than the window, and what it looks like.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { HIGH, looks, LOW, posed } from "./pictures.mjs";
import { altered, becomes, browse, Daemon, endAll, overflow, smallText, theme, unfold, violations } from "./stand.mjs";
import { BELOW, close, designer, foot, head, open, PAGE, panelist, round, ship, SHIPPED } from "./words.mjs";

let browser;
let page;
let daemon;
/** A daemon with one place, short rounds and small blocks. */
let strict;
let service;

before(async () => {
  browser = await browse();
  page = await posed(browser);
  daemon = await Daemon.start();
});
after(async () => {
  await browser?.close();
  service?.close();
  await endAll();
});

const strictDaemon = async () => {
  strict ??= await Daemon.start({
    env: {
      OD_CRITIQUE_MAX_CONCURRENT_RUNS: "1",
      OD_CRITIQUE_ROUND_TIMEOUT_MS: "1500",
      OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES: "8192",
    },
  });
  return strict;
};

/** Opens an address and looks at it from all sides. */
async function look({ url }, path, expected) {
  await page.goto(url + path);
  await check(expected);
}

/** `whole` is what a run that is over says once it is unfolded; with `spread` that has pictures, too. */
async function check({ status, title, says = [], never = [], buttons = [], absent = [], picture, heights, whole, spread }) {
  if (status) await page.locator(".run-facts .status", { hasText: status }).waitFor();
  if (title) await page.locator(".notice h2, .empty h1", { hasText: title }).first().waitFor();
  for (const text of says) await page.getByText(text).first().waitFor();
  for (const name of buttons) await page.getByRole("button", { name }).or(page.getByRole("link", { name })).first().waitFor();
  for (const name of absent) await becomes(() => page.getByRole("button", { name }).count(), 0, `there is a button ${name}`);
  for (const text of never) await becomes(() => page.getByText(text).count(), 0, `it says ${text}`);
  await isSeen(picture, heights);
  if (!whole) return;
  await unfold(page);
  for (const text of whole) await page.getByText(text).first().waitFor();
  for (const text of never) await becomes(() => page.getByText(text).count(), 0, `it says ${text}`);
  await isSeen(spread && `${picture}-whole`, HIGH);
}

/** Nothing against it from any side, and its pictures. */
async function isSeen(picture, heights) {
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), [], name);
  }
  assert.deepEqual(await smallText(page), []);
  for (const width of [375, 768]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await overflow(page)) <= 0, `wider than ${width} pixels`);
  }
  assert.deepEqual(await violations(page), [], "at 768 pixels");
  await page.setViewportSize({ width: 1280, height: 900 });
  if (picture) await looks(page, picture, heights);
  assert.deepEqual(page.faults, []);
}

/** The name of a run's pictures: how it ended, and why. */
async function ending(one, id, more = "") {
  const { event, status, reason, cause } = (await one.ended(id)).at(-1);
  return ["run", status ?? event.split(".")[1], reason ?? cause, more].filter(Boolean).join("-");
}

const at = (id, project = "default") => `/p/${project}/run/${id}`;
const OVER = ["Replay", "Run again", "Markdown", "JSON"];
const REMEDY = ["Retry with the same brief", "Start a different run"];

test("no runs yet", async () => {
  await look(daemon, "/", { picture: "page-no-runs", heights: LOW, title: "No runs yet", buttons: ["New run"] });
});

test("nothing to compare yet", async () => {
  await look(daemon, "/p/default/compare", { picture: "page-nothing-to-compare", heights: LOW, title: "Nothing to compare yet", buttons: ["New run"] });
});

test("an unknown run", async () => {
  await look(daemon, at("01990000-0000-7000-8000-000000000000"), { picture: "page-no-such-run", heights: LOW, title: "No such run", buttons: ["Runs"], absent: ["Try again"] });
});

test("an unknown project", async () => {
  await look(daemon, "/p/nobody", { picture: "page-no-such-project", heights: LOW, title: "No such project" });
});

test("an address that leads nowhere", async () => {
  await look(daemon, "/p/default/elsewhere", { picture: "page-nowhere", heights: LOW, title: "Nothing at this address", buttons: ["Runs"] });
});

test("queued", async () => {
  const one = await strictDaemon();
  const held = await one.play();
  const id = await one.run();
  await look(one, at(id), { picture: "run-queued", status: "Queued", title: "Waiting for a place", buttons: ["Interrupt"], absent: OVER });
  held.agent.exit();
  const next = await one.agent();
  await page.getByText("The panel is taking its seats").waitFor();
  next.exit();
  await page.locator(".run-facts .status", { hasText: "Degraded" }).waitFor();
});

test("running, and nobody has spoken", async () => {
  const { id, agent } = await daemon.play();
  await look(daemon, at(id), { picture: "run-running-begins", status: "Running", title: "The panel is taking its seats", says: ["Ships when composite score ≥ 8.0"], buttons: ["Interrupt"], absent: OVER });
  await becomes(() => page.locator(".lane").count(), 5);
  agent.exit();
  await daemon.ended(id);
});

test("running, in the middle of a round", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer() + panelist("critic", 7.9, 1) + '<PANELIST role="brand" score="8"><DIM name="palette" score="8">All from the palette.</DIM>');
  await look(daemon, at(id), { picture: "run-running", heights: HIGH, status: "Running", says: ["Composite so far", "is speaking"], buttons: ["Interrupt"], absent: OVER });
  await page.locator("#lane-brand.is-live.is-open").waitFor();
  agent.exit();
  await daemon.ended(id);
});

test("no panel, and a page is asked for", async () => {
  const { id, agent } = await daemon.play({ brief: "A page for a ledger." });
  agent.say("I would rather not.").exit();
  const second = await daemon.agent();
  assert.equal(second.panel, false);
  await look(daemon, at(id), { picture: "run-fallback", status: "No panel", title: "Panel offline this run", says: ["asked once more, for the page alone"], buttons: ["Interrupt"], absent: OVER });
  second.say("```html\n" + PAGE + "\n```\n").exit();
  await check({ picture: "run-degraded-malformed_block-page", status: "Degraded", says: ["Nobody reviewed this page.", "A page was made without a review."], buttons: [...REMEDY, ...OVER] });
});

test("shipped", async () => {
  await look(daemon, at(await daemon.whole(SHIPPED)), {
    picture: "run-shipped",
    heights: HIGH,
    status: "Shipped",
    title: "Shipped at round 2, composite 8.6",
    says: ["The button is dark enough"],
    whole: ["Consensus 5 of 5 panelists.", "3 fixed"],
    spread: true,
    buttons: [...OVER, "The whole review"],
    never: ["Nobody reviewed this page."],
  });
});

test("below the threshold, with the best round kept", async () => {
  await look(daemon, at(await daemon.whole(BELOW, { maxRounds: 2 })), {
    picture: "run-below_threshold",
    status: "Below threshold",
    title: "Not shipped: composite 6.8 is below 8.0, 2 must-fix open",
    says: ["No round met the rule.", "The page of round 2, composite 6.8, was kept; it is not shipped."],
    whole: ["Did not meet ship rule"],
    buttons: [...REMEDY, ...OVER],
  });
});

test("below the threshold, with nothing kept", async () => {
  await look(daemon, at(await daemon.whole(BELOW, { maxRounds: 2, fallbackPolicy: "fail" })), {
    picture: "run-below_threshold-nothing",
    status: "Below threshold",
    says: ["No page was kept."],
    buttons: REMEDY,
  });
});

test("below the threshold, because of the final pass", async () => {
  const draft = PAGE.replace("Ledger matches", "Lorem ipsum dolor sit amet. TODO: write this. Ledger matches");
  await look(daemon, at(await daemon.whole(head() + round(1, 9, 0, draft) + ship(1, 9, draft) + foot)), {
    picture: "run-below_threshold-lint",
    status: "Not shipped",
    says: ["the final pass over the page found something"],
    whole: ["Round 1 met the ship rule", "The final pass over the page stopped it."],
    never: ["Did not meet ship rule"],
    buttons: REMEDY,
  });
});

test("held by what was measured, whatever the panel says", async () => {
  const pale = PAGE.replace("<p>", '<p style="color:#bbb">');
  await look(daemon, at(await daemon.whole(head() + round(1, 9.9, 0, pale) + ship(1, 9.9, pale) + foot, { page: pale })), {
    picture: "run-below_threshold-measured",
    status: "Not shipped",
    title: /^Not shipped: .*1 must-fix open/,
    says: ["Measured to fail, and not asked for by the panel: 1."],
    whole: ["1 open, 0 fixed", /text contrast 1\.91:1: .*; needs 4\.5:1/],
    spread: true,
    never: ["is shipped", "evidence: warn"],
    buttons: REMEDY,
  });
  await becomes(() => page.locator(".finding.is-open .role-tag").allTextContents(), ["JURY"]);
  // The composite is made of what is shown beside it: the score that was given is in its lane.
  await becomes(() => page.locator(".parts .ink-a11y .part-gives").allTextContents(), ["5.9"]);
});

test("held because another page came back", async () => {
  const other = PAGE.replace(/<main>.*<\/main>/, "<main><h1>Bread from Monday to Saturday</h1><p>We bake with rye, spelt and wheat, and open at six.</p><a href=\"/bread\">See the loaves of today</a></main>");
  await look(daemon, at(await daemon.whole(head() + round(1, 9, 0, other) + ship(1, 9, other) + foot)), {
    picture: "run-below_threshold-another",
    status: "Not shipped",
    title: /^Not shipped: .*must-fix open/,
    says: ["Another page came back in the place of the given one. That is a must-fix of jury’s own."],
    never: ["Round 1 had met the rule."],
    buttons: REMEDY,
  });
});

test("a verdict under easy settings says so", async () => {
  const one = await Daemon.start({ env: { OD_CRITIQUE_EVIDENCE: "warn", OD_CRITIQUE_SCORE_THRESHOLD: "4" } });
  await look(one, at(await one.whole(head(3, "4.0") + round(1, 8.6) + ship(1, 8.6) + foot)), {
    picture: "run-shipped-easily",
    status: "Shipped",
    says: ["bar 4.0 of 10, below half of the scale", "evidence: warn (measured failures do not hold a ship)"],
    buttons: OVER,
  });
});

test("timed out in a round", async () => {
  const one = await strictDaemon();
  const { id, agent } = await one.play();
  agent.say(head() + round(1, 6.4, 3) + open(2));
  await one.ended(id);
  await look(one, at(id), {
    picture: await ending(one, id),
    status: "Timed out",
    title: "Timed out: a round took too long",
    says: ["The page of round 1, composite 6.4, was kept; it is not shipped."],
    buttons: [...REMEDY, ...OVER],
  });
});

test("timed out as a whole", async () => {
  const one = await Daemon.start({ env: { OD_CRITIQUE_TOTAL_TIMEOUT_MS: "500", OD_CRITIQUE_ROUND_TIMEOUT_MS: "500" } });
  const id = await one.run();
  await one.ended(id);
  await look(one, at(id), { picture: await ending(one, id), status: "Timed out", title: "Timed out: the run took too long", says: ["nothing was kept"], buttons: REMEDY });
});

test("interrupted before a round closed", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + open(1) + designer());
  await page.goto(daemon.url + at(id));
  await page.getByRole("button", { name: "Interrupt" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("there will be nothing to keep").waitFor();
  for (const name of ["light", "dark"]) {
    await theme(page, name);
    assert.deepEqual(await violations(page), []);
  }
  await looks(page, "run-asks-to-interrupt");
  await dialog.getByRole("button", { name: "Interrupt the run" }).click();
  await check({ picture: "run-interrupted", status: "Interrupted", title: "Interrupted before a round closed", says: ["nothing was kept."], never: ["composite 0.0"], buttons: REMEDY });
  await agent.gone;
});

test("interrupted after a round", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer());
  await page.goto(daemon.url + at(id));
  await page.getByRole("button", { name: "Interrupt" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The best closed round is kept").waitFor();
  await dialog.getByRole("button", { name: "Interrupt the run" }).click();
  await check({ picture: "run-interrupted-after-a-round", status: "Interrupted", title: "Interrupted at round 1, best composite 6.4", says: ["The page of round 1, composite 6.4, was kept; it is not shipped."], whole: ["the run was stopped early"], buttons: [...REMEDY, ...OVER] });
});

test("interrupted by the end of the daemon", async () => {
  const one = await Daemon.start();
  const { id, agent } = await one.play();
  agent.say(head() + open(1));
  await one.until(id, ({ event }) => event === "critique.run_started");
  await one.stop("SIGKILL");
  const next = await Daemon.start({ folder: one.folder });
  await look(next, at(id), { picture: "run-interrupted-daemon_restart", status: "Interrupted", says: ["The jury process of this run went away in the middle."], whole: [], never: ["stopped early"], buttons: REMEDY });
});

const DEGRADED = {
  "an answer that cannot be read": ["<PANELIST>", "could not be read", {}],
  "an answer that breaks off after a round": [head() + round(1, 6.4, 3) + open(2), "The page of round 1, composite 6.4, was kept; it is not shipped.", {}, "The review was not completed"],
  "a first round without a page": [head() + open(1) + '<PANELIST role="designer"><NOTES>Later.</NOTES></PANELIST>' + panelist("critic", 8) + close(1, 8, 0) + foot, "The designer brought no page in round 1.", { brief: "A page.", fallbackPolicy: "fail" }],
  "another version of the protocol": [head().replace('version="1"', 'version="7"') + round(1, 9) + foot, "another version of the protocol", {}],
  "no quorum": [head(1) + open(1) + designer() + ["critic", "brand", "a11y", "copy"].map((role) => `<PANELIST role="${role}" score="n/a"></PANELIST>`).join("") + close(1, 0, 0) + foot, "half of the panel give a usable score", { maxRounds: 1 }, "The review was not completed"],
};
for (const [name, [text, says, request, title = "Panel offline this run"]] of Object.entries(DEGRADED)) {
  test(`degraded: ${name}`, async () => {
    const id = await daemon.whole(text, request);
    await look(daemon, at(id), { picture: await ending(daemon, id, name.endsWith("after a round") && "after-a-round"), status: "Degraded", title, says: [says], buttons: REMEDY });
  });
}

test("degraded: more than is allowed", async () => {
  const one = await strictDaemon();
  const id = await one.whole(head() + open(1) + designer(PAGE, "x".repeat(9000)), {});
  await look(one, at(id), { picture: await ending(one, id), status: "Degraded", says: ["The agent wrote more than is allowed."], buttons: REMEDY });
});

test("degraded: an agent that is marked", async () => {
  const one = await Daemon.start({ toml: '[agents.poor]\ncommand = ["sh", "-c", "cat >/dev/null; echo no"]\n' });
  one.jury("agents", "test", "poor");
  one.jury("agents", "test", "poor");
  const id = await one.run({ agent: "poor" });
  await one.ended(id);
  await look(one, at(id), { picture: await ending(one, id), status: "Degraded", says: ["This agent is marked as degraded and was not asked."], buttons: REMEDY });
  await page.goto(`${one.url}/p/default/settings`);
  await page.locator(".agent.is-degraded", { hasText: "Marked until" }).waitFor();
  await looks(page, "page-settings-marked", { 375: 1500, 768: 1200, 1280: 1100 });
});

test("degraded: what nobody can measure", async () => {
  const deep = PAGE.replace("<h1>", "<div>".repeat(2000) + "<h1>");
  const id = await daemon.whole(head() + round(1, 9, 0, deep) + ship(1, 9, deep) + foot, { page: deep });
  await look(daemon, at(id), { picture: await ending(daemon, id), status: "Degraded", says: ["A round met the rule, but its page could not be measured as the gate demands."], buttons: REMEDY });
});

const FAILED = {
  "the agent exits with a failure": [(agent) => agent.say(head() + open(1)).complain("token limit reached\n").exit(3), ["The agent exited with a failure", "token limit reached"]],
  "the agent is killed": [(agent) => agent.say(head()).signal("SIGKILL"), ["The agent was killed by somebody else."]],
};
for (const [name, [act, says]] of Object.entries(FAILED)) {
  test(`failed: ${name}`, async () => {
    const { id, agent } = await daemon.play({});
    act(agent);
    await daemon.ended(id);
    await look(daemon, at(id), { picture: await ending(daemon, id), status: "Failed", title: "The run failed", says, buttons: REMEDY });
  });
}

test("failed: the agent cannot be started; a retry is another run", async () => {
  const id = await daemon.run({ agent: "absent" });
  await daemon.ended(id);
  await look(daemon, at(id), { picture: await ending(daemon, id), status: "Failed", says: ["The agent could not be started."], buttons: REMEDY });
  await page.getByRole("button", { name: "Retry with the same brief" }).click();
  await page.waitForURL((url) => url.pathname.includes("/run/") && !url.pathname.endsWith(id));
  await page.locator(".run-facts .status", { hasText: "Failed" }).waitFor();
});

test("failed: the service behind the agent says no", async () => {
  service = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"that key is not known here"}}'));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const one = await Daemon.start({
    env: { SOME_KEY: "not-a-key" },
    toml: `[agents.service]\nvendor = "openai"\nmodel = "m"\nkey_variable = "SOME_KEY"\nbase_url = "http://127.0.0.1:${service.address().port}/v1"\nallow_hosts = ["127.0.0.1"]\n`,
  });
  const id = await one.run({ agent: "service" });
  await one.ended(id);
  await look(one, at(id), { picture: await ending(one, id), status: "Failed", says: ["The agent, or the service behind it, said that it failed."], buttons: REMEDY });
});

// What cannot be brought about in a moment is a failure whose answer names another cause.
const CAUSES = {
  budget_exceeded: "The run would have cost more than it may.",
  silent: "The agent printed nothing for too long.",
  orchestrator_internal: "jury itself broke, or its disk did.",
};
for (const [cause, says] of Object.entries(CAUSES)) {
  test(`failed: ${cause}`, async () => {
    const id = await daemon.run({ agent: "absent" });
    await daemon.ended(id);
    await altered(page, `**/critique/${id}`, ({ state }) => Object.assign(state.ended, { cause, detail: "what is told of it" }));
    await look(daemon, at(id), { picture: `run-failed-${cause}`, status: "Failed", says: [says], buttons: REMEDY });
    await page.unroute(`**/critique/${id}`);
  });
}

test("unreviewed: the panel was off", async () => {
  const id = await daemon.whole("```html\n" + PAGE + "\n```\n", { critique: false, brief: "A page for a ledger." });
  await look(daemon, at(id), { picture: "run-legacy", status: "Unreviewed", title: "Made without a jury", says: ["Nobody reviewed this page."], buttons: REMEDY });
  await becomes(() => page.locator(".lane").count(), 0);
});

test("the panel is off for a project", async () => {
  await daemon.project("quiet");
  await look(daemon, "/p/quiet/settings", { says: ["Decided by the rollout"] });
  await page.getByRole("radio", { name: "Off", exact: true }).check({ force: true });
  await page.getByText("Decided by this project").waitFor();
  const id = await daemon.run({ critique: undefined, brief: "A page." }, "quiet");
  const agent = await daemon.agent();
  assert.equal(agent.panel, false);
  agent.say(PAGE).exit();
  await look(daemon, at(id, "quiet"), { picture: "run-legacy-project", status: "Unreviewed", title: "Made without a jury" });
});

test("the daemon is gone", async () => {
  const one = await Daemon.start();
  const { id, agent } = await one.play();
  agent.say(head() + round(1, 6.4, 3));
  await page.goto(one.url + at(id));
  await page.locator(".round-divider", { hasText: "6.4" }).waitFor();
  await page.getByRole("link", { name: "Settings" }).first().waitFor();
  await one.stop("SIGKILL");
  await check({ picture: "run-connection-lost", says: ["Connection lost. Reconnecting; nothing is missed."] });
  // What was fetched before still works; what is asked now has no answer.
  await page.evaluate(() => history.pushState(null, "", "/p/default"));
  await page.evaluate(() => dispatchEvent(new Event("popstate")));
  await page.getByText("The daemon does not answer").waitFor();
  await check({ picture: "page-no-answer", heights: LOW, title: "The daemon does not answer", says: ["Check that jury serve is running, then try again."], buttons: ["Try again"] });
  await one.end();
});

const STYLES = readFileSync(new URL("../../dist/assets/main.css", import.meta.url), "utf8");

/** What the checks of the accessibility panelist find in the page as it stands, its styles in it: A and AA, of any severity. */
async function heldToItsOwn(name) {
  const html = await page.evaluate((styles) => {
    const root = document.documentElement.cloneNode(true);
    for (const one of root.querySelectorAll("script, link[rel=stylesheet]")) one.remove();
    root.querySelector("head").append(Object.assign(document.createElement("style"), { textContent: styles }));
    return `<!doctype html>${root.outerHTML}`;
  }, STYLES);
  const file = join(daemon.folder, `${name}.html`);
  writeFileSync(file, html);
  // Level AA is what is promised; the remark on level AAA is none of it.
  const rules = ["--only", "a11y/*", "--skip", "a11y/contrast-enhanced"];
  const [measured] = JSON.parse(daemon.jury("check", file, ...rules, "--fail-on", "minor", "--format", "json")).pages;
  assert.equal(measured.error, null);
  return measured.findings.map(({ text }) => text);
}

test("the theater holds to the checks of its own accessibility panelist", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer() + panelist("critic", 7.9, 1) + '<PANELIST role="brand" score="8"><DIM name="palette" score="8">All from the palette.</DIM>');
  await page.goto(daemon.url + at(id));
  await page.locator("#lane-brand.is-live.is-open").waitFor();
  await page.locator(".finding").first().waitFor();
  assert.deepEqual(await heldToItsOwn("running"), []);
  agent.exit();
  await daemon.ended(id);
  await page.goto(daemon.url + at(await daemon.whole(SHIPPED)));
  await page.getByRole("button", { name: "The whole review" }).waitFor();
  await page.locator(".sheet").waitFor();
  assert.deepEqual(await heldToItsOwn("card"), []);
  await unfold(page);
  await page.locator(".finding").first().waitFor();
  await page.locator(".lane.is-open").waitFor();
  assert.deepEqual(await heldToItsOwn("whole"), []);
  await page.goto(daemon.url + at(await daemon.whole("<PANELIST>")));
  await page.locator(".notice h2", { hasText: "Panel offline this run" }).waitFor();
  await page.getByRole("button", { name: "The whole review" }).waitFor();
  assert.deepEqual(await heldToItsOwn("degraded"), []);
  // A page that fails them would be told.
  await page.evaluate(() => document.querySelector(".notice h2").style.setProperty("color", "oklch(0.9 0 0)"));
  const [told] = await heldToItsOwn("pale");
  assert.match(told ?? "", /contrast/);
});
