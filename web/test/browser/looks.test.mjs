// What the page looks like: a few states, three widths, two themes, against committed pictures. Times and ids are the same every
// time, letters are those of one font, and a picture is compared with some patience: see `differs`.
//
//   JURY_UPDATE=1 npm run test:browser     writes the pictures anew
//
// Where a picture differs, what was seen and the difference lie beside it, as NAME.seen.png and NAME.diff.png.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { golden } from "./content.mjs";
import { BETTER, criticise, ONE, PLAN, report, TOML } from "./critic.mjs";
import { full, put } from "./judge.mjs";
import { browse, Daemon, endAll, tab } from "./stand.mjs";
import { BELOW, designer, head, open, panelist, round, SHIPPED } from "./words.mjs";

const FOLDER = fileURLToPath(new URL("pictures", import.meta.url));
const UPDATE = process.env.JURY_UPDATE === "1";
/** So many of the picture's points may differ: edges of letters, a border that falls on half a pixel. */
const PATIENCE = 0.005;
const WIDTHS = { 375: 760, 768: 900, 1280: 860 };
const BEGAN = "2026-01-05T09:00:00Z";

let browser;
let daemon;
before(async () => {
  browser = await browse();
  daemon = await Daemon.start({ toml: TOML });
  mkdirSync(FOLDER, { recursive: true });
});
after(async () => {
  await browser?.close();
  await endAll();
});

/** Points in 16 steps per colour: nobody sees the difference, and a picture takes half the room. */
function coarse(bytes) {
  const picture = PNG.sync.read(bytes);
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = (picture.data[at] >> 4) * 17;
  return picture;
}
const small = (picture) => PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });

/** The share of points that differ, and a picture of where. */
function differs(seen, kept) {
  if (seen.width !== kept.width || seen.height !== kept.height) return [1, null];
  const diff = new PNG({ width: seen.width, height: seen.height });
  const points = pixelmatch(seen.data, kept.data, diff.data, seen.width, seen.height, { threshold: 0.2 });
  return [points / (seen.width * seen.height), diff];
}

function compare(name, bytes) {
  const path = join(FOLDER, `${name}.png`);
  const [seenPath, diffPath] = [`${name}.seen.png`, `${name}.diff.png`].map((file) => join(FOLDER, file));
  const seen = coarse(bytes);
  rmSync(seenPath, { force: true });
  rmSync(diffPath, { force: true });
  const [share, diff] = existsSync(path) ? differs(seen, PNG.sync.read(readFileSync(path))) : [1, null];
  if (share <= PATIENCE) return null;
  if (UPDATE) {
    writeFileSync(path, small(seen));
    return null;
  }
  writeFileSync(seenPath, small(seen));
  if (diff) writeFileSync(diffPath, PNG.sync.write(diff));
  return `${name}: ${(share * 100).toFixed(2)} % of it differs; see ${seenPath}`;
}

/** Everything that is not the same every time is: when a run was, how long it took, when each event came. */
async function still(page) {
  await page.clock.setFixedTime("2026-01-05T09:03:00Z");
  const run = (row) => ({ ...row, createdAt: BEGAN, ...(row.startedAt ? { startedAt: BEGAN } : {}), ...(row.endedAt ? { endedAt: "2026-01-05T09:00:42Z" } : {}) });
  await page.route(/\/critique(\/[^/]+)?(\?.*)?$/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (body.run) body.run = run(body.run);
    if (body.runs) body.runs = body.runs.map(run);
    await route.fulfill({ response, json: body });
  });
  // The critic's runs and what they ask: names of questions come from the run's id.
  const critic = (text) => text.replace(/"(createdAt|askedAt|endedAt|until|at)":\s*"[^"]*"/g, `"$1": "${BEGAN}"`).replace(/"id":\s*"[0-9a-f]{8}-(\d)"/g, '"id": "5f0c9a1e-$1"');
  await page.route(/\/(decisions(\?.*)?|critic(\/[^/]+)?(\?.*)?)$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: critic(await response.text()) });
  });
  await page.route("**/transcript", async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).trim().split("\n").map((line, index) => JSON.stringify({ ...JSON.parse(line), at: index * 1000 }));
    await route.fulfill({ response, body: lines.join("\n") });
  });
  await page.route("**/api/agents", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { agents: body.agents.filter(({ id }) => id === "house") } });
  });
}

const LETTERS = ':root { --sans: "Liberation Sans", "Noto Sans CJK JP"; --mono: "Liberation Mono", "Noto Sans CJK JP" } * { caret-color: transparent !important }';

async function picture(name, path, ready, { themes = ["light", "dark"], widths = WIDTHS, ...options } = {}) {
  const wrong = [];
  const page = await tab(browser, { reducedMotion: "reduce", ...options });
  await still(page);
  await page.goto(daemon.url + path);
  await ready(page);
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, LETTERS);
  for (const [width, height] of Object.entries(widths)) {
    await page.setViewportSize({ width: Number(width), height });
    for (const theme of themes) {
      await page.evaluate((theme) => {
        document.documentElement.dataset.theme = theme;
        document.activeElement?.blur();
        scrollTo(0, 0);
      }, theme);
      // Frames are scaled by an observer: two frames later they are.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      for (const frame of page.frames()) await frame.waitForLoadState("load");
      wrong.push(compare(`${name}-${width}-${theme}`, await page.screenshot({ animations: "disabled", caret: "hide" })));
    }
  }
  await page.context().close();
  assert.deepEqual(wrong.filter(Boolean), []);
}

const shows = (text) => (page) => page.getByText(text).first().waitFor();
const sheet = (text) => async (page) => {
  await page.getByText(text).first().waitFor();
  await page.frameLocator(".sheet").first().locator("h1").waitFor();
};

test("a run in its second round", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 6.4, 3) + open(2) + designer() + panelist("critic", 7.9, 1) + '<PANELIST role="brand" score="8"><DIM name="palette" score="8">All from the palette.</DIM>');
  await picture("live", `/p/default/run/${id}`, sheet("All from the palette."));
  agent.exit();
  await daemon.ended(id);
});

test("a verdict, and its replay", async () => {
  const id = await daemon.whole(SHIPPED);
  await picture("shipped", `/p/default/run/${id}`, sheet("Shipped at round 2, composite 8.6"));
  await picture("replay", `/p/default/run/${id}?replay=1&t=11000`, async (page) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("slider", { name: "Position in the run" }).fill("12");
    await sheet("Composite so far")(page);
    await page.mouse.move(0, 0);
  });
});

test("a failure", async () => {
  const { id, agent } = await daemon.play();
  agent.say(head() + round(1, 5.2, 4) + open(2)).complain("token limit reached\n").exit(3);
  await daemon.ended(id);
  await picture("failed", `/p/default/run/${id}`, shows("The run failed"));
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
  });
});

test("what a run of the critic comes to, and what it asks", async () => {
  const late = report("DEFER (the size is fixed in the next phase)");
  const { id } = await criticise(daemon, [report("FAIL (say what happens to a broken row)"), late], { fixes: [`${BETTER}\nTODO: say more.\n`], plan: PLAN, args: ["--max-passes", "2"] });
  await picture("critic", `/p/default/critic/${id}`, (page) => page.locator(".diff").getByText("say more").waitFor(), { widths: { 1280: 1500 }, themes: ["light", "dark"] });
  await criticise(daemon, [ONE]);
  await picture("inbox", "/p/default/inbox", shows("What happens to a broken row?"), { widths: { 375: 1000, 1280: 860 }, themes: ["light"] });
});

test("what the judge's learning loop has come to, and one judgement", async () => {
  put(daemon, full());
  // Whole pages: sections that are out of sight are painted too.
  const whole = (ready) => async (page) => {
    await ready(page);
    await page.evaluate(() => document.querySelectorAll(".panel").forEach((panel) => (panel.style.contentVisibility = "visible")));
  };
  await picture("judge", "/p/default/judge", whole(shows("bd-panel")), { widths: { 375: 3250, 1280: 1960 } });
  await picture("judgement", "/p/default/judge/bd-panel", whole(shows("opus, turn 2")), { widths: { 375: 1900, 1280: 1100 } });
});

test("a content run that became a site, and one that was revised", async () => {
  const log = (name) => async (page) => {
    await golden(page, daemon.url, name);
    await page.getByText("Kept books").first().waitFor();
    await page.evaluate(() => document.querySelectorAll(".panel").forEach((panel) => (panel.style.contentVisibility = "visible")));
  };
  await picture("content", "/p/default/content", log("published"), { widths: { 375: 2900, 1280: 2100 } });
  await picture("revised", "/p/default/content", log("revised_and_approved"), { widths: { 1280: 2500 }, themes: ["light", "dark"] });
});
