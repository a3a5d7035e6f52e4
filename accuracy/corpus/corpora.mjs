// Pages that nobody tunes to, in two halves: what the house and axe say of them, and what repairs do to them.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { JURY } from "../jury.mjs";
import { axe } from "../tools.mjs";
import { fetched, htmlFiles, together } from "./fetch.mjs";
import { Eyes } from "./measure.mjs";
import { examined } from "./page.mjs";
import { choose } from "./pick.mjs";
import { agreement, chosen, repairsOf } from "./told.mjs";
import { HALVES, Total } from "./total.mjs";

/** The pages of the list, and what could not be fetched. */
export async function pages(list, root, say) {
  const packages = [];
  const missing = [];
  await together(list, root);
  for (const entry of list) {
    try {
      const { folder } = await fetched(entry, root);
      packages.push({ name: entry.name, from: entry.from, stratum: entry.stratum, folder, files: await htmlFiles(folder) });
    } catch (error) {
      missing.push(`${entry.from} ${entry.name} ${entry.version}`);
      say(`not fetched: ${entry.from} ${entry.name}: ${String(error.message).split("\n")[0]}`);
    }
  }
  return { pages: choose(packages), missing };
}

/** What a figure depends on beside the page. */
async function question() {
  const hash = createHash("sha256").update(axe.version).update(await readFile(JURY));
  for (const name of ["../browser.mjs", "../in-page.mjs", "../nodes.mjs", "harm.mjs", "measure.mjs", "page.mjs", "pick.mjs", "total.mjs"]) {
    hash.update(await readFile(new URL(name, import.meta.url)));
  }
  return hash.digest("hex");
}

/** The sums of a half so far. They are written after every page, so that a call which ends early loses none. */
class Ledger {
  constructor(file, asked, checks, known) {
    this.file = file;
    this.asked = asked;
    this.done = new Set(known?.asked === asked ? known.done : []);
    this.total = new Total(checks, known?.asked === asked ? known.total : {});
  }

  static async of(file, asked, checks) {
    return new Ledger(file, asked, checks, await readFile(file, "utf8").then(JSON.parse, () => undefined));
  }

  async close(page) {
    this.done.add(page.digest);
    await writeFile(`${this.file}.part`, JSON.stringify({ asked: this.asked, done: [...this.done], total: this.total }));
    await rename(`${this.file}.part`, this.file);
  }
}

/**
 * Measures and gives the parts of the account. `wanted` are the halves to measure. No page is begun after `minutes`; a later call
 * goes on with the rest.
 */
export async function corpora(cache, checks, { wanted = HALVES, minutes = Infinity, say = console.error } = {}) {
  const list = JSON.parse(await readFile(new URL("packages.json", import.meta.url), "utf8"));
  const drawn = await pages(list, join(cache, "packages"), say);
  await mkdir(join(cache, "corpora"), { recursive: true });
  const asked = await question();
  const ledgers = new Map();
  for (const half of wanted) ledgers.set(half, await Ledger.of(join(cache, "corpora", `${half}.json`), asked, checks));
  // By digest, so that what is measured first is not of one kind.
  const waiting = drawn.pages
    .filter((page) => ledgers.has(page.half) && !ledgers.get(page.half).done.has(page.digest))
    .sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const end = Date.now() + minutes * 60_000;
  const eyes = new Eyes();
  let done = 0;
  try {
    for (const page of waiting) {
      if (Date.now() >= end) break;
      const ledger = ledgers.get(page.half);
      const name = page.half === "open" ? `${page.from} ${page.name} ${page.path}` : undefined;
      try {
        ledger.total.add(await examined(page, eyes, checks), page.stratum, name);
      } catch (error) {
        ledger.total.lose(name, String(error.message).split("\n")[0]);
      }
      await ledger.close(page);
      done += 1;
      if (done % 10 === 0) say(`${done} of ${waiting.length} pages measured`);
    }
  } finally {
    await eyes.close();
  }
  const totals = new Map([...ledgers].map(([half, { total }]) => [half, total]));
  return [chosen(drawn, list, totals), agreement(totals, checks), repairsOf(totals)];
}
