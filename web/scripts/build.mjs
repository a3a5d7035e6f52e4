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
  unread: "src/inbox/unread.ts",
  after: "src/after/After.tsx",
  details: "src/artifact/Details.tsx",
  replay: "src/replay/Replay.tsx",
};

// What one part lends to the others: what many pages need and the stage does not.
const SHARED = {
  shared: "src/shared.ts",
};
const HELD = [...readFileSync(join(web, SHARED.shared), "utf8").matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => `./src/${path.slice(2)}`);

// What the main script lends to the parts, so that there is one of each on a page.
const LENT = {
  preact: "Component, Fragment",
  "preact/hooks": "useCallback, useEffect, useMemo, useReducer, useRef, useState",
  "preact/jsx-runtime": "jsx, jsxs",
  "./src/i18n/index": "*",
  "./src/lib/Icon": "*",
  "./src/lib/hooks": "kept, useLazy",
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
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  write: false,
  outdir: "assets",
};

/** In the main script a part is an address; in a part, what is lent comes from its lender. */
function borders(inPart, lends = HELD) {
  const lent = new Set(Object.keys(LENT).map((name) => (name.startsWith(".") ? join(web, name) : name)));
  const held = new Set(lends.map((name) => join(web, name)));
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
        if (inPart && held.has(whole)) return { path: "./shared.js", external: true };
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

export async function make(out) {
  const lends = Object.entries(LENT).map(([from, names]) => `export ${names === "*" ? "*" : `{ ${names} }`} from "${from}";`);
  const main = await build({
    ...USUAL,
    stdin: { contents: `import "./src/main";\n${lends.join("\n")}`, resolveDir: web, sourcefile: "main.ts", loader: "ts" },
    entryNames: "main",
    plugins: [borders(false)],
  });
  const shared = await build({ ...USUAL, entryPoints: SHARED, plugins: [borders(true, [])] });
  const parts = await build({ ...USUAL, entryPoints: PARTS, plugins: [borders(true)] });
  const exported = ({ metafile }) => new Set(Object.values(metafile.outputs).flatMap((output) => output.exports));
  const lent = { main: exported(main), shared: exported(shared) };
  parts.outputFiles.push(...shared.outputFiles);
  for (const { path, text } of parts.outputFiles) {
    for (const [, names, lender] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*"\.\/(main|shared)\.js"/g)) {
      const missing = names.split(",").map((name) => name.trim().split(" ")[0]).filter((name) => !lent[lender].has(name));
      if (missing.length > 0) throw new Error(`${basename(path)} needs ${missing.join(", ")}: add it to LENT`);
    }
  }

  const carried = await report();
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "assets/locales"), { recursive: true });
  for (const { path, text } of [...main.outputFiles, ...parts.outputFiles]) {
    writeFileSync(join(out, "assets", basename(path)), text.endsWith("\n") ? text : `${text}\n`);
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

function files(folder) {
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
      const all = [...new Set([...files(made), ...files(dist)])];
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
    console.log(`built ${files(dist).length} files into ${basename(dirname(dist))}/dist`);
  }
}
