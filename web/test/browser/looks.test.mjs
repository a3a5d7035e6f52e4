// What a page looks like where no other test brings it to stand so: a replay, lists, forms, and pages in their whole length. States
// have their pictures where they are made: see `looks` in pictures.mjs.
import { after, before, test } from "node:test";

import { golden } from "./content.mjs";
import { BETTER, criticise, PLAN, report, TOML } from "./critic.mjs";
import { full, put } from "./judge.mjs";
import { HIGH, looks, posed } from "./pictures.mjs";
import { browse, Daemon, endAll } from "./stand.mjs";
import { BELOW, SHIPPED } from "./words.mjs";

let browser;
let daemon;
before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: TOML });
});
after(async () => {
  await browser?.close();
  await endAll();
});

async function picture(name, path, ready, { heights, ...options } = {}) {
  const page = await posed(browser, options);
  await page.goto(daemon.url + path);
  await ready(page);
  await looks(page, name, heights);
  await page.context().close();
}

const shows = (text) => (page) => page.getByText(text).first().waitFor();

test("the replay of a run", async () => {
  const id = await daemon.whole(SHIPPED);
  await picture("run-replay", `/p/default/run/${id}?replay=1&t=11000`, async (page) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("slider", { name: "Position in the run" }).fill("12");
    await shows("Composite so far")(page);
    await page.frameLocator(".sheet").first().locator("h1").waitFor();
  }, { heights: HIGH });
});

test("the runs of a project, in Japanese", async () => {
  await daemon.project("shop");
  for (const [text, title] of [[SHIPPED, "Landing page"], [BELOW, "Price list"], ["no", "About bees"]]) await daemon.whole(text, { title, maxRounds: text === BELOW ? 2 : 3 }, "shop");
  await picture("history", "/p/shop", shows("Price list"), { locale: "ja-JP" });
});

test("the form", async () => {
  await picture("start", "/p/default/new", async (page) => {
    await page.locator("select[name=agent]").waitFor();
    await page.locator("select[name=skill]").waitFor();
  }, { heights: HIGH });
});

test("what a run of the critic comes to", async () => {
  const late = report("DEFER (the size is fixed in the next phase)");
  const { id } = await criticise(daemon, [report("FAIL (say what happens to a broken row)"), late], { fixes: [`${BETTER}\nTODO: say more.\n`], plan: PLAN, args: ["--max-passes", "2"] });
  await picture("critic", `/p/default/critic/${id}`, (page) => page.locator(".diff").getByText("say more").waitFor(), { heights: { 375: 2200, 768: 1700, 1280: 1500 } });
});

test("what the judge's learning loop has come to, and one judgement", async () => {
  put(daemon, full());
  await picture("judge", "/p/default/judge", shows("bd-panel"), { heights: { 375: 3250, 768: 2400, 1280: 1960 } });
  await picture("judgement", "/p/default/judge/bd-panel", shows("opus, turn 2"), { heights: { 375: 1900, 768: 1300, 1280: 1100 } });
});

test("a content run that became a site, and one that was revised", async () => {
  const log = (name) => async (page) => {
    await golden(page, daemon.url, name);
    await page.getByText("Kept books").first().waitFor();
  };
  await picture("content", "/p/default/content", log("published"), { heights: { 375: 2900, 768: 2300, 1280: 2100 } });
  await picture("revised", "/p/default/content", log("revised_and_approved"), { heights: { 375: 3300, 768: 2700, 1280: 2500 } });
});
