// Draws the list of packages anew:
//
//   node accuracy/corpus/draw.mjs CACHE > accuracy/corpus/packages.json
//
// The rule is mechanical. A stratum is a source of names and a word or section. Its names are put in the order of their digests, and
// the first ones are taken whose package has a page of its own kind to offer (`choose`). What the house says of them is not asked.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { fetched, htmlFiles, together } from "./fetch.mjs";
import { ALIKE, choose, digest, likeness, skeleton } from "./pick.mjs";

const call = promisify(execFile);
const cache = resolve(process.argv[2] ?? "target/accuracy/packages");
/** A package of which more has to be fetched is passed over. */
const LARGEST = 12_000_000;
/** How many packages are fetched at once. */
const AHEAD = 8;
/** All package names of npm, as a package. */
const NAMES = { from: "npm", name: "all-the-package-names", version: "2.0.2578", digest: undefined };

const npmNames = JSON.parse(await readFile(join((await fetched(NAMES, cache)).folder, "package/names.json"), "utf8"));
const { stdout } = await call("apt-cache", ["dumpavail"], { maxBuffer: 1 << 30 });
const debian = stdout
  .split("\n\n")
  .map((record) => Object.fromEntries([...record.matchAll(/^([A-Z][\w-]*): (.*)$/gm)].map(([, key, value]) => [key, value])))
  .filter((record) => record.Architecture === "all" && Number(record.Size) <= LARGEST);

const LANGUAGES = "ar bg cs da de el es fa fi fr he hu id it ja ko nl no pl pt pt-br ro ru sv tr uk vi zh zh-cn zh-tw cn".split(" ");
const languageAtTheEnd = new RegExp(`-(${LANGUAGES.join("|")})$`);
const part = (word) => {
  const whole = new RegExp(`(^|[-_./])${word}s?($|[-_./])`);
  return npmNames.filter((name) => whole.test(name));
};
const section = (name, test = () => true) =>
  [...new Set(debian.filter((one) => one.Section === name && test(one.Package)).map((one) => one.Package))];

/** Stratum, source, names, how many to take, how many to try. */
const STRATA = [
  ["doc", "debian", section("doc", (name) => name.endsWith("-doc")), 40, 90],
  ["language", "debian", section("doc", (name) => languageAtTheEnd.test(name)), 12, 30],
  ["games", "debian", section("games"), 5, 30],
  ["web", "debian", section("web"), 8, 30],
  ["science", "debian", section("science"), 4, 30],
  ["text", "debian", section("text"), 4, 30],
  ...["startbootstrap", "admin-lte", "jquery", "bootstrap", "css"].map((word) => [
    word,
    "npm",
    part(word),
    6,
    16,
  ]),
  ["any", "pypi", section("python", (name) => name.startsWith("python3-")).map((name) => name.slice("python3-".length)), 6, 16],
];

const list = [];
const structures = [];
const taken = new Set();
for (const [stratum, from, names, wanted, tries] of STRATA) {
  let found = 0;
  let tried = 0;
  const ordered = names.map((name) => [digest(name), name]).sort().map(([, name]) => name);
  const waiting = ordered.filter((name) => !taken.has(`${from} ${name}`)).slice(0, tries);
  while (waiting.length > 0 && found < wanted) {
    // Fetched several at a time, looked at in their order.
    const next = waiting.splice(0, AHEAD).map((name) => ({ from, name }));
    await together(next, cache);
    const some = await Promise.allSettled(next.map((entry) => fetched(entry, cache)));
    for (const { value: one } of some) {
      if (found === wanted) break;
      tried += 1;
      // It is gone, or has no file that runs anywhere.
      if (!one || one.size > LARGEST) continue;
      const files = await htmlFiles(one.folder);
      const offered = choose([{ name: one.name, files }]).map(({ path }) => skeleton(files.find((file) => file.path === path).bytes.toString()));
      // One of its pages has to differ from what the list has already.
      const own = offered.filter((runs) => structures.every((other) => likeness(runs, other) < ALIKE));
      if (own.length === 0) continue;
      structures.push(...own);
      taken.add(`${from} ${one.name}`);
      list.push({ stratum, from, name: one.name, version: one.version, digest: one.digest });
      found += 1;
    }
  }
  console.error(`${from} ${stratum}: ${found} of ${tried} tried`);
}
console.log(`[\n${list.map((one) => ` ${JSON.stringify(one)}`).join(",\n")}\n]`);
