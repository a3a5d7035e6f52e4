// Makes the types again and compares them with the committed ones: exit 1 when they differ.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "jury-types-"));
try {
  const made = join(folder, "api.gen.ts");
  execFileSync(
    process.execPath,
    [join(web, "node_modules/openapi-typescript/bin/cli.js"), "../docs/openapi.json", "--output", made],
    { cwd: web, stdio: ["ignore", "ignore", "inherit"] },
  );
  if (readFileSync(made, "utf8") !== readFileSync(join(web, "src/api.gen.ts"), "utf8")) {
    console.error("src/api.gen.ts is not what docs/openapi.json makes: run `npm run types`");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
