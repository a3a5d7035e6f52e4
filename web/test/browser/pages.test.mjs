// The pages beside the stage, and what holds for all of them: history, compare, settings, copying, languages, the keyboard,
// motion, and the door.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";

import { BETTER, criticise, FAIL, TOML } from "./critic.mjs";
import { looks, LOW, posed } from "./pictures.mjs";
import { becomes, browse, Daemon, endAll, isSound, overflow, smallText, tab, violations } from "./stand.mjs";
import { BELOW, head, open, PAGE, SHIPPED } from "./words.mjs";

let browser;
let page;
let daemon;
let shipped;
let below;
let judged;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: TOML });
  judged = (await criticise(daemon, [FAIL, FAIL], { fixes: [BETTER], args: ["--max-passes", "2"] })).id;
  shipped = await daemon.whole(SHIPPED, { title: "Ledger, landing page" });
  below = await daemon.whole(BELOW.replaceAll("a day", "an hour"), { title: "Ledger, price list", maxRounds: 2 });
  await daemon.whole("nothing of use", { title: "A page about bees" });
  const third = await daemon.run({ agent: "house", title: "Seen by the house" });
  await daemon.ended(third);
});
beforeEach(async () => {
  await page?.context().close();
  page = await posed(browser);
});
after(async () => {
  await browser?.close();
  await endAll();
});

const sound = () => isSound(page);

const rows = () => page.locator(".run-row");

test("the runs: newest first, searched by word, filtered by status and agent, all in the address", async () => {
  await page.goto(`${daemon.url}/p/default`);
  await rows().first().waitFor();
  await becomes(() => page.locator(".run-title").allTextContents(), ["Seen by the house", "A page about bees", "Ledger, price list", "Ledger, landing page", "plan.md"]);
  await page.locator(".run-row", { hasText: "plan.md" }).getByText("Critic", { exact: true }).waitFor();
  await page.getByRole("img", { name: /runs, latest/ }).waitFor();
  await sound();
  await page.getByLabel("Search titles").fill("ledger");
  await page.waitForFunction(() => document.querySelectorAll(".run-row").length === 2);
  assert.equal(new URL(page.url()).searchParams.get("q"), "ledger");
  await page.getByLabel("Status").selectOption("shipped");
  await page.waitForFunction(() => document.querySelectorAll(".run-row").length === 1);
  await page.reload();
  await rows().first().waitFor();
  await becomes(() => page.locator(".run-title").allTextContents(), ["Ledger, landing page"]);
  assert.equal(await page.getByLabel("Search titles").inputValue(), "ledger");
  await page.getByLabel("Search titles").fill("bees");
  await page.getByText("No run fits this filter.").waitFor();
  await sound();
  await looks(page, "history-nothing-fits");
  await page.getByLabel("Search titles").fill("");
  await page.getByLabel("Status").selectOption("");
  await page.getByLabel("Agent").selectOption("house");
  await page.waitForFunction(() => document.querySelectorAll(".run-row").length === 1);
  await rows().first().click();
  await page.locator("h1", { hasText: "Seen by the house" }).waitFor();
  await page.goBack();
  await rows().first().waitFor();
  assert.equal(await page.getByLabel("Agent").inputValue(), "house");
});

test("a run that begins appears in the list by itself", async () => {
  await page.clock.install();
  await page.goto(`${daemon.url}/p/default`);
  await rows().first().waitFor();
  const { agent } = await daemon.play({ title: "Begun meanwhile" });
  await page.clock.runFor(16_000);
  await page.locator(".run-row", { hasText: "Begun meanwhile" }).getByText("Running").waitFor();
  agent.exit();
});

test("two runs are compared by role, dimension and finding", async () => {
  await page.goto(`${daemon.url}/p/default/run/${below}`);
  await page.locator(".run-actions").getByRole("link", { name: "Compare" }).click();
  await page.getByText("Choose two runs to see what changed between them.").waitFor();
  await page.getByLabel("Base").selectOption(shipped);
  const composite = page.locator(".deltas tr", { hasText: "Composite" });
  await composite.waitFor();
  await becomes(() => composite.locator("td").allTextContents(), ["8.6", "6.8", "▼ −1.8"]);
  await page.getByRole("region", { name: "Asked for in both" }).or(page.locator("[aria-label='Asked for in both']")).first().waitFor();
  await sound();
  await looks(page, "compare-runs", { 375: 900, 768: 700, 1280: 640 });
  await page.getByRole("button", { name: "Show pages" }).click();
  await page.locator(".diff").getByText("Close the books in an hour").first().waitFor();
  await becomes(() => page.locator(".beside iframe").count(), 2);
  await sound();
  await looks(page, "compare-pages", { 375: 1600, 768: 1200, 1280: 1200 });
  await page.getByLabel("Base").selectOption(below);
  await page.locator(".deltas tr", { hasText: "Composite" }).getByText("=").waitFor();
  await page.getByLabel("Only what changed").click({ force: true });
  await becomes(() => page.locator(".deltas tbody tr").count(), 0);
  await page.goto(`${daemon.url}/p/default/compare?a=01990000-0000-7000-8000-000000000000&b=${below}`);
  await page.getByText("No such run").waitFor();
  await looks(page, "compare-no-such-run");
});

test("settings: the panel of a project, the rule, the agents", async () => {
  await daemon.project("set");
  await daemon.ask("/api/projects/set", { metadata: { keep: "this" } }, "PATCH");
  await page.goto(`${daemon.url}/p/set/settings`);
  const choose = (name) => page.getByRole("radio", { name, exact: true }).check({ force: true });
  await page.getByText("Decided by the rollout").waitFor();
  // The switch has the name of the product, and says so while the panel is tried out.
  await page.getByRole("heading", { name: "Design Jury (beta) for this project", exact: true }).waitFor();
  await page.getByRole("group", { name: "Design Jury (beta) for this project", exact: true }).waitFor();
  await sound();
  await choose("On");
  await page.getByText("Decided by this project").waitFor();
  const { metadata } = await daemon.ask("/api/projects/set");
  assert.deepEqual(metadata, { keep: "this", critiqueTheaterEnabled: true });
  await choose("Inherit");
  await page.getByText("Decided by the rollout").waitFor();
  await page.locator(".agent", { hasText: "house" }).getByText("ready").waitFor();
  await page.locator(".facts", { hasText: "8.0 / 10" }).waitFor();
});

test("from M2 on the switch of the panel is no beta", async () => {
  for (const [rollout, name] of [["M1", "Design Jury (beta) for this project"], ["M2", "Design Jury for this project"], ["M3", "Design Jury for this project"]]) {
    const one = await Daemon.start({ env: { OD_CRITIQUE_ROLLOUT_PHASE: rollout } });
    await page.goto(`${one.url}/p/default/settings`);
    await page.locator(".facts", { hasText: rollout }).waitFor();
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await one.end();
  }
});

test("a change that the daemon does not take is taken back, and said", async () => {
  await page.route("**/api/projects/default", (route) => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
  await page.goto(`${daemon.url}/p/default/settings`);
  await page.getByRole("radio", { name: "Off", exact: true }).check({ force: true });
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByRole("radio", { name: "Inherit" }).isChecked(), true);
  await looks(page, "settings-not-taken");
});

test("the theme follows the system until somebody chooses", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${daemon.url}/p/default/settings`);
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByText("Appearance").waitFor();
  const dark = await ground();
  await page.getByRole("radio", { name: "Light" }).check({ force: true });
  const light = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.getByText("Appearance").waitFor();
  assert.equal(await ground(), light);
  await page.getByRole("radio", { name: "System" }).check({ force: true });
  assert.equal(await ground(), dark);
});

test("a report is copied as Markdown and as JSON", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: daemon.url });
  await page.goto(`${daemon.url}/p/default/run/${shipped}`);
  const clip = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Markdown" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await clip(), /^# [\s\S]*8\.6/);
  await page.getByRole("button", { name: "JSON" }).click();
  await page.locator(".run-actions .button").last().getByText("Copied").waitFor();
  assert.equal(JSON.parse(await clip()).status, "shipped");
});

const locale = (name) => JSON.parse(readFileSync(new URL(`../../locales/${name}.json`, import.meta.url), "utf8"));
for (const name of ["de", "ja", "ko", "zh-CN", "zh-TW"]) {
  test(`in ${name} every page fits, and none speaks English`, async () => {
    const context = await browser.newContext({ locale: name, viewport: { width: 1280, height: 900 } });
    const words = locale(name);
    page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (error) => page.faults.push(String(error)));
    await page.goto(`${daemon.url}/p/default/run/${shipped}`);
    await page.getByRole("button", { name: words["run.replay"], exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), name);
    assert.equal(await page.title(), words["critiqueTheater.userFacingName"]);
    for (const path of [`run/${shipped}`, `run/${below}?round=2`, `run/${shipped}?replay=1`, "", "new", "settings", "inbox", "critic", `critic/${judged}`, `compare?a=${shipped}&b=${below}`]) {
      await page.goto(`${daemon.url}/p/default/${path}`);
      await page.locator("h1").waitFor();
      for (const width of [375, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        assert.ok((await overflow(page)) <= 0, `${path} is wider than ${width} pixels`);
      }
      // A key that has no words is shown as itself.
      const text = await page.locator("body").innerText();
      const tokens = new Set(text.split(/\s+/));
      assert.deepEqual(Object.keys(words).filter((key) => key.includes(".") && tokens.has(key)), [], path);
      assert.doesNotMatch(text, /\{\w+\}/, path);
      const controls = await page.locator("button, a, label > span, legend, th, dt, h2").allTextContents();
      const english = Object.entries(locale("en")).filter(([key, value]) => words[key] !== value && value.length > 6).map(([, value]) => value);
      assert.deepEqual(controls.filter((one) => english.includes(one.trim())), [], path);
    }
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(page.faults, []);
    await context.close();
    page = undefined;
  });
}

test("the language can be chosen, and is kept", async () => {
  await page.goto(`${daemon.url}/p/default/settings`);
  await page.getByLabel("Language").selectOption("ja");
  await page.getByText(locale("ja")["looks.name"]).waitFor();
  await page.reload();
  await page.getByText(locale("ja")["looks.name"]).waitFor();
});

test("the keyboard alone reaches everything, and what has the focus can be seen", async () => {
  for (const path of [`run/${shipped}`, `run/${shipped}?round=2`, `run/${shipped}?replay=1`, "", "new", "settings", "inbox", "critic", `critic/${judged}`, `compare?a=${shipped}&b=${below}`]) {
    await page.goto(`${daemon.url}/p/default/${path}`);
    await page.locator("h1").waitFor();
    // What comes later would be new to the walk.
    const last = path.startsWith("run") ? [".sheet", ...(path.includes("?") ? [".finding"] : ["[aria-expanded=false]"])] : { "": [".run-row"], new: ["select[name=agent]", "select[name=skill]"], settings: [".agent"], inbox: [".empty"], critic: [".run-row"], [`critic/${judged}`]: [".diff"] }[path] ?? [".deltas"];
    for (const one of last) await page.locator(one).first().waitFor();
    await page.evaluate(() => document.activeElement?.blur());
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
      const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0);
      // Of the radio buttons of a group, the chosen one is reached.
      const reached = seen.filter((one) => one.type !== "radio" || one.checked);
      reached.forEach((one, index) => (one.dataset.walk = String(index)));
      return reached.length;
    });
    const met = new Set();
    let invisible = [];
    for (let press = 0; press < wanted + 12; press++) {
      await page.keyboard.press("Tab");
      const here = await page.evaluate(() => {
        const one = document.activeElement;
        if (!one || one === document.body || one.tagName === "IFRAME") return null;
        const shows = (element) => {
          const style = getComputedStyle(element);
          return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
        };
        // A radio button lies under its label's face; a file under its drop zone.
        const faces = [one, one.nextElementSibling, one.closest(".drop"), one.closest("label")].filter(Boolean);
        return { walk: one.dataset.walk, seen: faces.some(shows), name: one.outerHTML.slice(0, 90) };
      });
      if (!here) continue;
      if (here.walk !== undefined) met.add(here.walk);
      if (!here.seen) invisible.push(here.name);
    }
    assert.deepEqual([...new Set(invisible)], [], path);
    assert.equal(met.size, wanted, `${path}: ${JSON.stringify(await page.evaluate((met) => [...document.querySelectorAll("[data-walk]")].filter((one) => !met.includes(one.dataset.walk)).map((one) => one.outerHTML.slice(0, 120)), [...met]))}`);
  }
});

test("the first Tab offers a way past the bar", async () => {
  await page.goto(`${daemon.url}/p/default`);
  await rows().first().waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  assert.equal(await skip.evaluate((one) => one === document.activeElement && one.getBoundingClientRect().left >= 0), true);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
});

test("where motion is unwelcome, nothing moves", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + open(1) + `<PANELIST role="designer"><ARTIFACT mime="text/html"><![CDATA[${PAGE}]]></ARTIFACT></PANELIST><PANELIST role="critic" score="7"><DIM name="type" score="7">Fine.</DIM>`);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${daemon.url}/p/default/run/${id}`);
  await page.locator("#lane-critic .dim").waitFor();
  const moves = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*")].flatMap((one) => {
        const style = getComputedStyle(one);
        const transition = style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
        return transition || style.animationName !== "none" ? [one.className] : [];
      }),
    );
  assert.deepEqual(await moves(), []);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  // Otherwise a bar grows, and the caret blinks.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.ok((await moves()).length > 0);
  agent.exit();
});

test("a daemon with a token asks a browser for it", async () => {
  const TOKEN = "a-token-of-some-length";
  const one = await Daemon.start({ env: { JURY_TOKEN: TOKEN } });
  await page.goto(`${one.url}/p/default/settings`);
  await page.getByRole("heading", { name: "This daemon asks for its token" }).waitFor();
  await looks(page, "door", LOW);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), []);
  }
  assert.deepEqual(await smallText(page), []);
  await page.setViewportSize({ width: 375, height: 800 });
  assert.ok((await overflow(page)) <= 0);
  await page.getByLabel("Token").fill("this-is-not-the-token");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("alert").getByText("That is not the token.").waitFor();
  await looks(page, "door-refused", LOW);
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Token").fill(TOKEN);
  await page.keyboard.press("Enter");
  await page.getByText("Appearance").waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/p/default/settings");
  // A token that is taken back is asked for again, by the page itself.
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Runs" }).first().click();
  await page.getByRole("heading", { name: "This daemon asks for its token" }).waitFor();
  const german = await tab(browser, { locale: "de-DE" });
  await german.goto(one.url);
  await german.getByRole("heading", { name: "Dieser Dienst verlangt sein Token" }).waitFor();
  await german.context().close();
  await one.end();
});
