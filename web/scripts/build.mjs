// Builds the page into dist/ under fixed names. With --check: builds elsewhere, and fails when the committed files differ.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const web = fileURLToPath(new URL("..", import.meta.url));

// The parts that are fetched when they are needed. Everything else is the main script.
const PARTS = {
  history: "src/pages/History.tsx",
  start: "src/pages/Start.tsx",
  compare: "src/pages/Compare.tsx",
  settings: "src/pages/Settings.tsx",
  critic: "src/critic/Critic.tsx",
  judge: "src/judge/Judge.tsx",
  content: "src/content/Content.tsx",
  beside: "src/inbox/Beside.tsx",
  after: "src/after/After.tsx",
  details: "src/artifact/Details.tsx",
  replay: "src/replay/Replay.tsx",
};

// What some parts lend to the others: what many pages need and the stage does not, and what the pages of a run need.
const SHARED = {
  shared: "src/shared.ts",
  followed: "src/followed.ts",
};
/** What is held, and by whom. */
const HELD = Object.entries(SHARED).flatMap(([holder, file]) =>
  [...readFileSync(join(web, file), "utf8").matchAll(/from "\.([^"]+)"/g)].map(([, path]) => [`src${path}`, holder]),
);

// What the main script lends to the parts, so that there is one of each on a page.
const LENT = {
  preact: "Component, Fragment, h",
  "preact/hooks": "useCallback, useEffect, useMemo, useReducer, useRef, useState",
  "./src/i18n/index": "*",
  "./src/lib/Icon": "*",
  "./src/lib/hooks": "keep, kept, useLazy",
  "./src/lib/memo": "*",
  "./src/lib/router": "*",
  "./src/net/stream": "follow",
  "./src/net/api": "ApiError, ask, artifactPath, getRun, getText, json, projectPath, runPath, sending",
  "./src/state/board": "EMPTY, fold",
  "./src/state/selectors": "*",
  "./src/theater/Badge": "*",
  "./src/theater/Notice": "Slip",
  "./src/theater/Prose": "*",
  "./src/theater/Theater": "*",
};

// What a report is built with in the place of what a page of the daemon has: nothing is fetched, and nobody is asked.
const IN_REPORT = {
  "src/artifact/origin": "src/report/origin.ts",
  "src/lib/later": "src/report/later.tsx",
};

const USUAL = {
  absWorkingDir: web,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome120", "firefox121", "safari17"],
  // Elements as calls of `h`: a third of a KiB less on the stage than what the types are checked with, and the same tree.
  tsconfigRaw: { compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" } },
  inject: ["src/lib/h.ts"],
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  write: false,
  outdir: "assets",
};

/** In the main script a part is an address; in a part, what is lent comes from its lender. */
function borders(inPart, itself = "") {
  const lent = new Set(Object.keys(LENT).map((name) => (name.startsWith(".") ? join(web, name) : name)));
  const held = new Map(HELD.filter(([, holder]) => holder !== itself).map(([path, holder]) => [join(web, path), holder]));
  const parts = new Map(Object.entries(PARTS).map(([name, path]) => [join(web, path).replace(/\.\w+$/, ""), name]));
  return {
    name: "borders",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        if (kind === "entry-point") return;
        let whole = path.startsWith(".") ? join(resolveDir, path) : path;
        if (whole.endsWith("/i18n")) whole += "/index";
        if (kind === "dynamic-import" && parts.has(whole)) return { path: `./${parts.get(whole)}.js`, external: true };
        if (inPart && lent.has(whole)) return { path: "./main.js", external: true };
        if (inPart && held.has(whole)) return { path: `./${held.get(whole)}.js`, external: true };
      });
    },
  };
}

/** One script that carries everything, for files that stand alone. */
async function report() {
  const instead = new Map(Object.entries(IN_REPORT).map(([from, to]) => [join(web, from), join(web, to)]));
  const made = await build({
    ...USUAL,
    entryPoints: { report: "src/report.tsx" },
    format: "iife",
    plugins: [
      {
        name: "instead",
        setup(build) {
          build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
            const other = instead.get(join(resolveDir, path));
            return other && { path: other };
          });
        },
      },
    ],
  });
  for (const { path, text } of made.outputFiles) {
    if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${basename(path)} would end the element that it stands in`);
  }
  // A report carries every language, and of each only the words that it can show.
  const source = Object.keys(made.metafile.inputs).map((file) => readFileSync(join(web, file), "utf8")).join("\n");
  const shown = new Set([...source.matchAll(/["`](\w+)(?:\.|")/g)].map(([, first]) => first));
  const words = {};
  for (const file of readdirSync(join(web, "locales"))) {
    const all = JSON.parse(readFileSync(join(web, "locales", file), "utf8"));
    words[basename(file, ".json")] = Object.fromEntries(Object.entries(all).filter(([key]) => shown.has(key.split(".")[0])));
  }
  return [...made.outputFiles.map(({ path, text }) => [basename(path), text]), ["words.json", JSON.stringify(words)]];
}

/** The statements that borrow from a lender, in what the minifier writes. */
const BORROWS = /import\{([^}]*)\}from"\.\/(\w+)\.js";/g;

/** Where the main script has what it may lend, by name. */
async function lendable() {
  const modules = Object.entries(LENT).map(async ([from, names]) => {
    if (names !== "*") return names.split(", ").map((name) => [name, from]);
    const made = await build({ ...USUAL, entryPoints: [from], outdir: "lent", plugins: [borders(false)] });
    return Object.values(made.metafile.outputs).flatMap((output) => output.exports.map((name) => [name, from]));
  });
  return new Map((await Promise.all(modules)).flat());
}

/** Two letters for each, always the same: a name that crosses from file to file is written in both. */
function short(names) {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return new Map([...names].sort().map((name, index) => [name, letters[Math.floor(index / 26)] + letters[index % 26]]));
}

export async function make(out) {
  const holders = Object.entries(SHARED).map(([name, file]) => build({ ...USUAL, entryPoints: { [name]: file }, plugins: [borders(true, name)] }));
  const shared = await Promise.all(holders);
  const built = await build({ ...USUAL, entryPoints: PARTS, plugins: [borders(true)] });
  const exported = ({ metafile }) => new Set(Object.values(metafile.outputs).flatMap((output) => output.exports));
  const home = await lendable();
  const lent = { main: home, ...Object.fromEntries(Object.keys(SHARED).map((name, index) => [name, exported(shared[index])])) };
  const files = [built, ...shared].flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text]));
  const borrowed = new Set();
  for (const [file, text] of files) {
    for (const [, names, lender] of text.matchAll(BORROWS)) {
      const all = names.split(",").map((name) => name.split(" ")[0]);
      const missing = all.filter((name) => !lent[lender].has(name));
      if (missing.length > 0) throw new Error(`${file} needs ${missing.join(", ")}: add it to LENT`);
      if (lender === "main") for (const name of all) borrowed.add(name);
    }
  }
  // The main script lends what somebody borrows, and carries nothing for the sake of the rest.
  const names = short(borrowed);
  const lends = [...names].map(([name, brief]) => `export { ${name} as ${brief} } from "${home.get(name)}";`);
  const main = await build({
    ...USUAL,
    stdin: { contents: `import "./src/main";\n${lends.join("\n")}`, resolveDir: web, sourcefile: "main.ts", loader: "ts" },
    entryNames: "main",
    plugins: [borders(false)],
  });
  // One statement for each lender: the bundler writes one for each file that a part is made of.
  const parts = files.map(([file, text]) => {
    const wanted = {};
    const body = text.replace(BORROWS, (_, list, lender) => {
      const named = list.split(",").map((one) => {
        const [name, alias = name] = one.split(" as ");
        return lender === "main" ? `${names.get(name)} as ${alias}` : one;
      });
      (wanted[lender] ??= []).push(...named);
      return "";
    });
    return [file, Object.entries(wanted).map(([lender, list]) => `import{${list}}from"./${lender}.js";`).join("") + body];
  });

  const carried = await report();
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets/locales"), { recursive: true });
  for (const [file, text] of [...main.outputFiles.map(({ path, text }) => [basename(path), text]), ...parts]) {
    writeFileSync(join(out, "assets", file), text.endsWith("\n") ? text : `${text}\n`);
  }
  for (const file of readdirSync(join(web, "locales"))) {
    const words = JSON.parse(readFileSync(join(web, "locales", file), "utf8"));
    writeFileSync(join(out, "assets/locales", file), `${JSON.stringify(words)}\n`);
  }
  mkdirSync(join(out, "report"));
  for (const [name, text] of carried) writeFileSync(join(out, "report", name), text.endsWith("\n") ? text : `${text}\n`);
  cpSync(join(web, "index.html"), join(out, "index.html"));
  cpSync(join(web, "icon.svg"), join(out, "assets/icon.svg"));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(web, "dist");
  if (process.argv.includes("--check")) {
    const folder = mkdtempSync(join(tmpdir(), "jury-web-"));
    try {
      const made = join(folder, "dist");
      await make(made);
      const all = [...new Set([...filesIn(made), ...filesIn(dist)])];
      const read = (root, file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : null);
      const stale = all.filter((file) => read(made, file) !== read(dist, file));
      if (stale.length > 0) {
        console.error(`dist/ is not what the source makes: run \`npm run build\`\n  ${stale.join("\n  ")}`);
        process.exitCode = 1;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } else {
    await make(dist);
    console.log(`built ${filesIn(dist).length} files into ${basename(dirname(dist))}/dist`);
  }
}
