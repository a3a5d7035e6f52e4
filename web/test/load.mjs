// Source of the page as a module for tests.
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

export const web = fileURLToPath(new URL("..", import.meta.url));

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
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}
