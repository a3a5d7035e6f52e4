// Every string in every language, once, and none that nobody shows.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { load, web } from "./load.mjs";

const { count, LOCALES, t, use } = await load("i18n/index");
const raw = (locale) => readFileSync(join(web, `locales/${locale}.json`), "utf8");
const words = (locale) => JSON.parse(raw(locale));
const english = words("en");
const keys = Object.keys(english);
const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const source = readdirSync(join(web, "src"), { recursive: true })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".gen.ts"))
  .map((file) => readFileSync(join(web, "src", file), "utf8"))
  .join("\n");

// The static part of a report is written by the program, in English; it names the phrases that the script puts there.
const paper = join(web, "../crates/jury-core/src/report/html");
const said = readdirSync(paper)
  .map((file) => readFileSync(join(paper, file), "utf8"))
  .join("\n")
  .matchAll(/(?:say(?:_with)?\(\s*|, )"(\w+\.\w+)",\s*(?:"([^"]+)"|\w+)/g);
const paperWords = [...said].map(([, key, text]) => [key, text]);

test("there is a file for each language and no other", () => {
  assert.deepEqual(readdirSync(join(web, "locales")).sort(), Object.keys(LOCALES).map((locale) => `${locale}.json`).sort());
});

for (const locale of Object.keys(LOCALES)) {
  test(`${locale}: every key, once, filled in, with the same holes`, () => {
    const found = [...raw(locale).matchAll(/^\s*"([^"]+)":/gm)].map(([, key]) => key);
    assert.deepEqual(found.filter((key, index) => found.indexOf(key) !== index), [], "twice");
    const there = words(locale);
    assert.deepEqual(Object.keys(there).sort(), [...keys].sort());
    for (const key of keys) {
      assert.notEqual(there[key].trim(), "", key);
      assert.deepEqual(holes(there[key]), holes(english[key]), key);
    }
  });
}

test("every key can be said in every language, with its values in it and no hole left", () => {
  for (const locale of Object.keys(LOCALES)) {
    use(locale, words(locale));
    for (const key of keys) {
      const names = holes(english[key]).filter((name) => name !== "n");
      const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
      const [, base, form] = key.match(/^(.*?)(?:_(one|other))?$/);
      const counted = form && `${base}_other` in english;
      // A language that has no form of its own for one never says it.
      if (form === "one" && new Intl.PluralRules(locale).select(1) !== "one") continue;
      const said = counted ? count(base, form === "one" ? 1 : 7, values) : t(key, { ...values, n: "<n>" });
      assert.notEqual(said, key, locale);
      assert.doesNotMatch(said, /[{}]/, `${locale} ${key}`);
      for (const name of names) assert.ok(said.includes(`<${name}>`), `${locale} ${key}: ${name}`);
      if (counted && form === "other" && holes(english[key]).includes("n")) assert.match(said, /7/, `${locale} ${key}`);
    }
  }
});

test("every key is shown somewhere, and every key that is shown is there", () => {
  const literal = new Set([...source.matchAll(/"([a-zA-Z0-9]+(?:\.[\w]+)*)"/g)].map(([, key]) => key));
  const prefixes = [...source.matchAll(/`([a-z]\w*\.)\$\{/g)].map(([, prefix]) => prefix);
  const unused = keys.filter((key) => {
    const base = key.replace(/_(one|other)$/, "");
    if (paperWords.some(([name]) => name === key)) return false;
    return !literal.has(key) && !literal.has(base) && !prefixes.some((prefix) => key.startsWith(prefix));
  });
  assert.deepEqual(unused, [], "nobody shows them");
  const asked = [...source.matchAll(/\b(?:t|count)\(\s*"([^"]+)"/g)].map(([, key]) => key);
  assert.deepEqual(asked.filter((key) => !(key in english) && !(`${key}_other` in english)), [], "they are not there");
});

test("a report is in the words of the page, and carries all that it can show", () => {
  assert.ok(paperWords.length > 30, "the phrases of the paper are found");
  const carried = JSON.parse(readFileSync(join(web, "dist/report/words.json"), "utf8"));
  assert.deepEqual(Object.keys(carried).sort(), Object.keys(LOCALES).sort());
  for (const [key, text] of paperWords) {
    assert.ok(key in english, key);
    if (text !== undefined) assert.equal(text, english[key], key);
    for (const locale of Object.keys(LOCALES)) assert.equal(carried[locale][key], words(locale)[key], `${locale} ${key}`);
  }
});

test("the product has one label", () => {
  const label = english["critiqueTheater.userFacingName"];
  for (const [key, text] of Object.entries(english)) {
    if (key !== "critiqueTheater.userFacingName") assert.ok(!text.includes(label), key);
  }
  assert.ok(!source.includes(label));
});
