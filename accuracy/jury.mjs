// The program under judgement, asked as anybody would ask it.
import { spawn } from "node:child_process";
import { resolve } from "node:path";

export const JURY = resolve(process.env.JURY ?? "target/release/jury");

/** What a program prints. Codes from 1 to 3 say what was found and are nobody's business here. */
export function run(program, args) {
  return new Promise((take, fail) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const out = [];
    let complaint = "";
    child.stdout.on("data", (data) => out.push(data));
    child.stderr.on("data", (data) => (complaint += data));
    child.on("error", fail);
    child.on("close", (code) => {
      const said = Buffer.concat(out).toString();
      if (code === null || code > 3 || said === "") fail(new Error(`${program} ${args[0]}: ${complaint.trim() || `exit code ${code}`}`));
      else take(said);
    });
  });
}

/** The table of checks of pages. Rules about documents and changes stand in the same list and claim nothing of axe's. */
export async function checks() {
  return JSON.parse(await run(JURY, ["checks", "--json"])).filter(({ subject }) => subject === "page");
}

/** A report for each file, by the path given; none for a file that could not be measured. */
export async function reports(files, options = []) {
  if (files.length === 0) return new Map();
  const { pages } = JSON.parse(await run(JURY, ["--quiet", "check", "--json", ...options, ...files]));
  return new Map(pages.filter((page) => page.report).map((page) => [page.path, page.report]));
}

/** The snapshot of a file in the first window. */
export async function snapshot(file) {
  const said = JSON.parse(await run(JURY, ["inspect", file, "--json"]));
  return said.snapshots?.[0] ?? said[0] ?? said;
}

/** Repairs files into a folder. */
export async function repair(files, folder) {
  await run(JURY, ["--quiet", "check", "--json", "--repair", folder, ...files]);
}
