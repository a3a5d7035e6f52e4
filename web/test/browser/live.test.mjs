// A run while it goes on: from the form to the verdict, through a reload and a cut connection, to an interrupt.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, beforeEach, test } from "node:test";

import { becomes, browse, Daemon, endAll, tab, Wire } from "./stand.mjs";
import { close, designer, foot, head, open, PAGE, panelist, round, ship } from "./words.mjs";

const LANDING = fileURLToPath(new URL("../../../examples/landing.html", import.meta.url));
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

const at = (id) => `/p/default/run/${id}`;
const status = (word) => page.locator(".run-facts .status", { hasText: word }).waitFor();

/** Keeps every sequence number that the page was sent, per connection. */
const recordStream = () =>
  page.addInitScript(() => {
    globalThis.streams = [];
    const Real = globalThis.EventSource;
    globalThis.EventSource = class extends Real {
      constructor(url) {
        super(url);
        const got = { url, seqs: [] };
        globalThis.streams.push(got);
        const add = this.addEventListener.bind(this);
        this.addEventListener = (kind, listener) =>
          add(kind, (event) => {
            if (event.data) got.seqs.push(JSON.parse(event.data).seq);
            listener(event);
          });
      }
    };
  });

test("a page goes from the form to shipped, with the house", async () => {
  await page.goto(`${daemon.url}/`);
  await page.getByRole("link", { name: "New run" }).first().click();
  await page.getByLabel("HTML file").setInputFiles(LANDING);
  await page.getByText("landing.html").waitFor();
  await page.getByLabel("Agent").selectOption("house");
  await page.getByLabel("Panel").selectOption("on");
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/run\//);
  await status("Shipped");
  await page.getByRole("heading", { name: /^Shipped at round \d+, composite \d/ }).waitFor();
  await becomes(() => page.locator(".lane").count(), 0);
  // What the card says is what the daemon says.
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { run } = await daemon.ask(`/api/projects/default/critique/${id}`);
  assert.equal(run.status, "shipped");
  await becomes(() => page.locator(".badge-score").first().textContent(), (Math.floor(run.composite * 10) / 10).toFixed(1));
  await page.frameLocator(".sheet").first().locator("h1").first().waitFor();
  assert.deepEqual(page.faults, []);
});

test("a form that is not filled in says what is missing", async () => {
  await page.goto(`${daemon.url}/p/default/new`);
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.getByRole("alert").getByText("give a page to review or a brief to make one from").waitFor();
  assert.equal(await page.getByRole("button", { name: "Start the run" }).isEnabled(), true);
});

test("lanes fill as their panelists speak, and the end of each round is announced once", async () => {
  const { id, agent } = await daemon.play();
  await page.goto(daemon.url + at(id));
  await status("Running");
  const said = page.locator("[aria-live=polite]");
  await becomes(() => page.locator("[aria-live]").count(), 1);
  agent.say(head() + open(1) + '<PANELIST role="designer"><NOTES>Drafting.</NOTES>');
  await page.locator("#lane-designer.is-live").waitFor();
  await becomes(() => said.textContent(), "");
  agent.say('<ARTIFACT mime="text/html"><![CDATA[' + PAGE + "]]></ARTIFACT></PANELIST>");
  agent.say('<PANELIST role="critic" score="6.1" must_fix="1"><DIM name="hierarchy" score="5.5">The eye lands twice.</DIM>');
  await page.locator("#lane-critic.is-live .dim", { hasText: "The eye lands twice." }).waitFor();
  await becomes(() => page.locator(".lane.is-live").count(), 1);
  assert.equal(await page.locator("#lane-critic .dim-fill").evaluate((bar) => bar.style.width || getComputedStyle(bar).getPropertyValue("--share")), "55%");
  agent.say("<MUST_FIX>Give the headline room.</MUST_FIX></PANELIST>" + panelist("brand", 7) + panelist("a11y", 7, 1) + panelist("copy", 7) + close(1, 6.6, 2));
  await said.getByText("Round 1 closed, composite 6.6, 2 must-fix.").waitFor({ state: "attached" });
  agent.say(round(2, 9) + ship(2, 9) + foot).exit();
  await said.getByText("Shipped at round 2, composite 9.0.").waitFor({ state: "attached" });
  await status("Shipped");
  assert.deepEqual(page.faults, []);
});

test("a reload in the middle loses nothing", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer() + panelist("critic", 7.7, 1));
  await page.goto(daemon.url + at(id));
  await page.locator("#lane-critic .lane-score", { hasText: "7.7" }).waitFor();
  const before = await page.locator(".rail").innerText();
  await page.reload();
  await page.locator("#lane-critic .lane-score", { hasText: "7.7" }).waitFor();
  assert.equal(await page.locator(".rail").innerText(), before);
  agent.say(panelist("brand", 8.8) + panelist("a11y", 8.8) + panelist("copy", 8.8) + close(2, 8.3, 1) + round(3, 9) + ship(3, 9) + foot).exit();
  await status("Shipped");
});

test("a cut connection is said, and resumed without a gap or a repetition", async () => {
  const wire = await Wire.to(daemon.url);
  await recordStream();
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3));
  await page.goto(wire.url + at(id));
  await page.locator(".round-divider", { hasText: "6.4" }).waitFor();
  wire.cut();
  await page.getByRole("status").getByText("Connection lost").waitFor();
  // What happens meanwhile is in the log.
  agent.say(open(2) + designer() + panelist("critic", 8.1) + panelist("brand", 8.2));
  await daemon.until(id, (record) => record.event === "critique.panelist_close" && record.role === "brand" && record.round === 2);
  wire.mend();
  await page.locator("#lane-brand .lane-score", { hasText: "8.2" }).waitFor();
  await page.getByText("Connection lost").waitFor({ state: "detached" });
  agent.say(panelist("a11y", 8.3) + panelist("copy", 8.4) + close(2, 8.2, 0) + ship(2, 8.2) + foot).exit();
  await status("Shipped");
  const records = await daemon.ended(id);
  const streams = await page.evaluate(() => globalThis.streams);
  const all = streams.flatMap(({ seqs }) => seqs);
  assert.ok(all.includes(records.length));
  // The log in its order, each number once, over however many connections.
  assert.deepEqual(all, Array.from({ length: all.length }, (_, index) => all[0] + index));
  assert.equal(all.at(-1), records.length);
  wire.end();
});

test("a daemon that comes back is found again", async () => {
  const one = await Daemon.start();
  const wire = await Wire.to(one.url);
  const { id, agent } = await one.play();
  agent.say(head() + round(1, 6.4, 3));
  await page.goto(wire.url + at(id));
  await page.locator(".round-divider", { hasText: "6.4" }).waitFor();
  wire.cut();
  await page.getByRole("status").getByText("Connection lost").waitFor();
  agent.exit();
  await one.ended(id);
  wire.mend();
  await status("Degraded");
  wire.end();
  await one.end();
});

test("Esc asks before it interrupts, only with the focus on the stage", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + open(1) + designer());
  await page.goto(daemon.url + at(id));
  await page.locator("#lane-designer .lane-name").waitFor();
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Settings" }).focus();
  await page.keyboard.press("Escape");
  await becomes(() => dialog.count(), 0);
  await page.locator("#lane-designer button").first().focus();
  await page.keyboard.press("Escape");
  await dialog.waitFor();
  // A dialog that closes gives the focus back, and may do so after it is gone.
  const asked = async () => {
    for (let left = 10; left > 0 && (await dialog.count()) === 0; left -= 1) {
      await page.locator("#lane-designer button").first().focus();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
  };
  // No.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await asked();
  await dialog.getByRole("button", { name: "Let it go on" }).click();
  await dialog.waitFor({ state: "hidden" });
  await status("Running");
  // Yes.
  await asked();
  await dialog.getByRole("button", { name: "Interrupt the run" }).click();
  await status("Interrupted");
  await page.getByText("Interrupted before a round closed").waitFor();
  await agent.gone;
});

test("while it is being stopped, the button says so and cannot be pressed again", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3));
  await page.goto(daemon.url + at(id));
  await page.locator(".round-divider", { hasText: "6.4" }).waitFor();
  let answer;
  const held = new Promise((done) => (answer = done));
  await page.route("**/interrupt", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Interrupt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Interrupt the run" }).click();
  const going = page.getByRole("button", { name: "Interrupting…" });
  await going.waitFor();
  assert.equal(await going.isDisabled(), true);
  answer();
  await page.getByText("Interrupted at round 1, best composite 6.4").waitFor();
});

test("an older round stays while somebody looks at it, and the live one is one press away", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer() + panelist("critic", 7.7, 1));
  await page.goto(daemon.url + at(id));
  await page.locator("#lane-critic .lane-score", { hasText: "7.7" }).waitFor();
  await page.locator(".tick", { hasText: "Round 1" }).click();
  await page.locator("#lane-critic .lane-score", { hasText: "6.4" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("round"), "1");
  agent.say(panelist("brand", 8.8));
  await page.locator(".tick", { hasText: "Round 2" }).getByText("8.0").waitFor();
  await page.locator("#lane-critic .lane-score", { hasText: "6.4" }).waitFor();
  await page.getByRole("button", { name: "Follow the live round" }).click();
  await page.locator("#lane-brand .lane-score", { hasText: "8.8" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("round"), null);
  agent.exit();
  await daemon.ended(id);
});

test("the first lane comes with the first event: in the next frame, and nothing is asked for in between", async () => {
  await page.addInitScript(() => {
    const { addEventListener } = EventSource.prototype;
    EventSource.prototype.addEventListener = function (kind, listener) {
      return addEventListener.call(this, kind, (event) => {
        if (kind === "critique.panelist_open" && globalThis.since === undefined) {
          globalThis.since = 0;
          // Before the page's own, so that the frame in which it draws is counted.
          const next = () => (globalThis.since++, globalThis.drawn === undefined && requestAnimationFrame(next));
          requestAnimationFrame(next);
        }
        listener(event);
      });
    };
    new MutationObserver(() => {
      if (globalThis.drawn === undefined && document.querySelector(".lane.is-live")) globalThis.drawn = globalThis.since;
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const { id, agent } = await daemon.play();
  await page.goto(daemon.url + at(id));
  await page.getByText("The panel is taking its seats").waitFor();
  // What comes before it has been drawn: no frame is on its way when it comes.
  agent.say(head());
  await page.getByText("Ships when composite score").first().waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  agent.say(`${open(1)}<PANELIST role="designer">`);
  await page.waitForFunction(() => globalThis.drawn !== undefined);
  assert.equal(await page.evaluate(() => globalThis.drawn), 1);
  assert.deepEqual(asked, []);
  agent.exit();
  await daemon.ended(id);
});
