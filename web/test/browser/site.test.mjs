// Sites as they are published: served by the real daemon, looked at by a real browser. Light and dark, long and short,
// with articles and without: axe has nothing against them, search engines get what Lighthouse asks for, and a phone shows
// them whole.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { browse, Daemon, endAll, overflow, smallText, tab, violations } from "./stand.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const SITE = resolve(process.env.SITE ?? join(root, "target/debug/examples/site"));
const sites = join(root, "crates/jury-text/tests/sites");

const ARTICLE = `# What to count first

Begin with the shelf that empties fastest, and with the person who fills it every morning.

## Why that one

1. It is wrong most often.
2. It takes *twenty* minutes, see [the front page](../../).

| shelf | minutes |
|---|---|
| tea, averylongwordthathasnospaceanywhereandgoesonforquiteawhile | 20 |

> A list that is wrong is worse than none.

\`\`\`sh
count --shelf tea --with-a-very-long-option-that-does-not-fit-on-a-narrow-screen --and-another-one-like-it
\`\`\`

<script>document.title = "pwned"</script>
`;

/** Each site: its page, its design document (none: a look from its name), and whether it has articles. */
const SITES = {
  light: ["long.page.json", "light.design.md", true],
  dark: ["long.page.json", "dark.design.md", true],
  short: ["short.page.json", "dark.design.md", false],
  plain: ["short.page.json", undefined, false],
};

let browser;
let daemon;

before(async () => {
  browser = await browse();
  daemon = await Daemon.start();
  const articles = join(daemon.folder, "articles");
  mkdirSync(articles);
  writeFileSync(join(articles, "first-count.md"), ARTICLE);
  writeFileSync(join(articles, "second.md"), "# The second count\n\nIt takes half as long as the first one did, and finds twice as much.\n");
  for (const [slug, [page, design, written]] of Object.entries(SITES)) {
    const place = join(daemon.folder, ".od/sites", slug);
    mkdirSync(join(place, "releases/one"), { recursive: true });
    const posts = written ? ["first-count.md", "second.md"].map((name) => join(articles, name)) : [];
    execFileSync(SITE, [join(sites, page), design ? join(sites, design) : "-", `${daemon.url}/s/${slug}/`, join(place, "releases/one"), ...posts]);
    symlinkSync("releases/one", join(place, "current"));
  }
});
after(async () => {
  await browser?.close();
  await endAll();
});

/** The addresses of a site, from its own sitemap. */
async function addresses(slug) {
  const sitemap = await (await fetch(`${daemon.url}/s/${slug}/sitemap.xml`)).text();
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url);
}

/** What Lighthouse's audits for search find wanting in the page that is shown. */
async function audits(page, response) {
  const wanting = [];
  const check = (passes, audit, what = "") => passes || wanting.push(`${audit} ${what}`.trim());
  check(response.status() === 200, "http-status-code", response.status());
  check(!/noindex|none/.test(response.headers()["x-robots-tag"] ?? ""), "is-crawlable", "x-robots-tag");
  const found = await page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const content = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
    return {
      robots: content("robots"),
      title: document.title,
      description: content("description"),
      links: all("a").map((link) => ({ text: link.textContent.trim(), raw: link.getAttribute("href"), href: link.href })),
      images: all("img").filter((image) => !image.hasAttribute("alt")).length,
      hreflang: all("link[hreflang]").map((link) => link.hreflang),
      canonical: all("link[rel=canonical]").map((link) => link.getAttribute("href")),
      data: all('script[type="application/ld+json"]').map((script) => script.textContent),
      lang: document.documentElement.lang,
      viewport: content("viewport"),
    };
  });
  check(!/noindex|none/.test(found.robots), "is-crawlable", "meta robots");
  check(found.title.trim() !== "", "document-title");
  check(found.description.trim() !== "", "meta-description");
  const says = new Set(["click here", "click this", "go", "here", "information", "learn more", "more", "more info", "more information", "right here", "read more", "see more", "start", "this"]);
  for (const { text, raw, href } of found.links) {
    check(!says.has(text.toLowerCase()), "link-text", text);
    check(raw !== null && raw !== "" && /^(https?|mailto|tel):/.test(href), "crawlable-anchors", raw);
  }
  check(found.images === 0, "image-alt");
  check(found.hreflang.every((tag) => /^([a-z]{2,3}(-[A-Za-z0-9]+)*|x-default)$/.test(tag)), "hreflang");
  check(found.canonical.length === 1 && found.canonical[0] === page.url(), "canonical", found.canonical.join(" "));
  check(found.lang === "en", "html-has-lang");
  check(/width=device-width/.test(found.viewport), "viewport");
  for (const text of found.data) check(JSON.parse(text)["@context"] === "https://schema.org", "structured-data");
  const robots = await (await fetch(new URL("robots.txt", `${daemon.url}${new URL(page.url()).pathname.match(/^\/s\/[^/]+\//)[0]}`))).text();
  for (const line of robots.split("\n").filter((line) => line.trim() !== "")) {
    check(/^(User-agent|Allow|Sitemap): \S+$/.test(line), "robots-txt", line);
  }
  return wanting;
}

for (const slug of Object.keys(SITES)) {
  test(`${slug}: every page is sound for readers, for search engines and on a phone`, async () => {
    const page = await tab(browser);
    const all = await addresses(slug);
    assert.equal(all.length, SITES[slug][2] ? 4 : 1);
    for (const url of all) {
      const response = await page.goto(url);
      assert.deepEqual(await audits(page, response), [], url);
      assert.match(response.headers()["content-security-policy"], /script-src 'none'/);
      for (const width of [1280, 768, 375, 320]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await overflow(page), 0, `${url} at ${width}`);
        assert.deepEqual(await violations(page), [], `${url} at ${width}`);
        // To look at with one's own eyes: PICTURES=folder.
        if (process.env.PICTURES) {
          const name = `${slug}-${new URL(url).pathname.replace(/\W+/g, "-")}-${width}.png`;
          await page.screenshot({ path: join(process.env.PICTURES, name), fullPage: true });
        }
      }
      assert.deepEqual(await smallText(page), [], url);
      assert.notEqual(await page.title(), "pwned");
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("the keyboard begins with the way past the header, and whatever has the focus shows it", async () => {
  const page = await tab(browser);
  await page.goto(`${daemon.url}/s/light/`);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  assert.equal(await skip.evaluate((link) => link === document.activeElement), true);
  // It slides in: where it is when it has arrived is what counts.
  await page.waitForFunction(() => document.activeElement.getBoundingClientRect().top >= 0);
  await page.keyboard.press("Enter");
  await page.waitForURL(/#main$/);
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, "solid");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Count your first shelf");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#try$/);
  await page.context().close();
});

test("an address that leads nowhere shows the site's own page, whole, at any depth", async () => {
  const page = await tab(browser);
  const response = await page.goto(`${daemon.url}/s/light/no/such/place`);
  assert.equal(response.status(), 404);
  await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector(".button")).backgroundColor), "rgba(0, 0, 0, 0)");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("link", { name: "To the front page" }).click();
  await page.getByRole("heading", { level: 1, name: "Know what is on your shelves before you order" }).waitFor();
  await page.context().close();
});

test("another release shows at once, and going back shows the one before", async () => {
  const page = await tab(browser);
  const place = join(daemon.folder, ".od/sites/plain");
  const point = (release) => {
    rmSync(join(place, "current"));
    symlinkSync(`releases/${release}`, join(place, "current"));
  };
  execFileSync(SITE, [join(sites, "long.page.json"), "-", `${daemon.url}/s/plain/`, join(place, "releases/two")]);
  const heading = () => page.getByRole("heading", { level: 1 }).textContent();
  await page.goto(`${daemon.url}/s/plain/`);
  assert.equal(await heading(), "A lamp that goes to sleep with you");
  point("two");
  await page.reload();
  assert.equal(await heading(), "Know what is on your shelves before you order");
  point("one");
  await page.reload();
  assert.equal(await heading(), "A lamp that goes to sleep with you");
  await page.context().close();
});
