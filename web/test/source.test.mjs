// What the source of the page promises: short files, no colours of its own, and nothing exported that nobody wants.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

import ts from "typescript";

import { web } from "./load.mjs";

const src = join(web, "src");
/** Written by `npm run types`. */
const GENERATED = "src/api.gen.ts";
const files = readdirSync(src, { recursive: true })
  .map((file) => join("src", file))
  .filter((file) => /\.(tsx?|css)$/.test(file) && file !== GENERATED)
  .sort();
const read = (file) => readFileSync(join(web, file), "utf8");

test("every file of the page has fewer than 200 lines", () => {
  assert.ok(files.length > 100, "the source is somewhere else");
  const long = files.map((file) => [file, read(file).trimEnd().split("\n").length]).filter(([, lines]) => lines >= 200);
  assert.deepEqual(long, []);
});

test("no component writes a colour of its own", () => {
  const written = files.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => {
    const found = [];
    const walk = (node) => {
      const isText = ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
      if (isText && /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|oklab|lab|lch|color)a?\(/i.test(node.text)) found.push(`${file}: ${node.text.trim()}`);
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
    return found;
  });
  assert.deepEqual(written, []);
});

/** What the builder puts in the place of another file, and what it begins with: see scripts/build.mjs. */
const INSTEAD = { "src/report/origin.ts": "src/artifact/origin.ts", "src/report/later.tsx": "src/lib/later.tsx" };
const INJECTED = ["src/lib/h.ts"];
/** Checked by the compiler, and read by nobody. */
const TYPES = "src/words.test-d.ts";

test("no export is unused", () => {
  const config = ts.getParsedCommandLineOfConfigFile(join(web, "tsconfig.json"), {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: assert.fail });
  const program = ts.createProgram(config.fileNames, config.options);
  const checker = program.getTypeChecker();
  const named = (source) => relative(web, source.fileName);
  const own = program.getSourceFiles().filter((source) => files.includes(named(source)));
  assert.ok(own.length > 90, "the compiler sees something else");
  const real = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

  /** The files that say its name, beside the one that has it; a list of re-exports says none. */
  const users = new Map();
  const fetched = new Set();
  for (const source of own) {
    const walk = (node) => {
      if (ts.isIdentifier(node)) {
        const symbol = checker.getSymbolAtLocation(node);
        if (symbol) users.set(real(symbol), (users.get(real(symbol)) ?? new Set()).add(named(source)));
      }
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const module = checker.getSymbolAtLocation(node.arguments[0]);
        if (module) fetched.add(module);
      }
      ts.forEachChild(node, walk);
    };
    walk(source);
  }
  /** The words of every test and bench, by the modules that it loads. */
  const tests = ["test", "bench"].flatMap((folder) => readdirSync(join(web, folder)).filter((file) => file.endsWith(".mjs")).map((file) => read(join(folder, file))));
  const inTests = (file, name) => {
    const path = file.replace(/^src\//, "").replace(/\.tsx?$/, "");
    return tests.some((text) => new RegExp(`load\\([^)]*"${path}(\\.tsx?)?"`).test(text) && new RegExp(`\\b${name}\\b`).test(text));
  };

  const byFile = new Map(own.map((source) => [named(source), checker.getSymbolAtLocation(source)]));
  const isUsed = (file, name) => {
    const module = byFile.get(file);
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) return false;
    if (name === "default" && fetched.has(module)) return true;
    return [...(users.get(real(symbol)) ?? [])].some((user) => user !== file) || inTests(file, name);
  };
  const unused = own.flatMap((source) => {
    const file = named(source);
    const module = byFile.get(file);
    if (!module || INJECTED.includes(file) || file === TYPES) return [];
    // What is passed on belongs to where it was written.
    const names = checker.getExportsOfModule(module).filter((symbol) => real(symbol).declarations?.some((one) => one.getSourceFile() === source)).map(({ name }) => name);
    return names.filter((name) => !isUsed(file, name) && !(INSTEAD[file] && isUsed(INSTEAD[file], name))).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unused, []);
  for (const file of [...Object.keys(INSTEAD), ...INJECTED]) assert.ok(byFile.has(file), `${file} is gone: ${dirname(file)}`);
});
