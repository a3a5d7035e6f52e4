// Source of the page as a module for tests.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

export const web = fileURLToPath(new URL("..", import.meta.url));

/** A folder for the modules as files, when `scripts/coverage.mjs` wants to know what of them is reached. */
const kept = process.env.COVERED_MODULES;
let count = 0;

export async function load(...paths) {
  const contents = paths.map((path) => `export * from "./src/${path}";`).join("\n");
  const result = await build({
    absWorkingDir: web,
    stdin: { contents, resolveDir: web, loader: "ts" },
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    ...(kept ? { sourcemap: "external", outfile: join(kept, "module", `${process.pid}-${++count}.mjs`) } : {}),
  });
  if (kept) {
    mkdirSync(join(kept, "module"), { recursive: true });
    for (const { path, contents } of result.outputFiles) writeFileSync(path, contents);
    return import(pathToFileURL(join(kept, "module", `${process.pid}-${count}.mjs`)).href);
  }
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}
