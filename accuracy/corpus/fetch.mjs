// Packages as their registries give them out, through the clients that people have, unpacked below a folder of ours.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { LARGEST, digest } from "./pick.mjs";

const call = promisify(execFile);
const PATIENCE = 120_000;
/** The most HTML files of one package that are read. */
const FILES = 400;

const ways = {
  npm: {
    get: (folder, { name, version }) =>
      call("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, version ? `${name}@${version}` : name], { timeout: PATIENCE, cwd: folder }),
    unpack: (file, folder) => call("tar", ["-xzf", file, "-C", folder, "--no-same-owner", "--no-same-permissions"], { timeout: PATIENCE }),
    version: async (_, folder) => JSON.parse(await readFile(join(folder, (await readdir(folder))[0], "package.json"), "utf8")).version,
  },
  // Wheels that run anywhere and on nothing of their own: a source package would run its set-up script.
  pypi: {
    get: (folder, { name, version }) =>
      call(
        "pip",
        ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform=any", "--python-version=3.11", "--implementation=py", "--abi=none", "--dest", folder, version ? `${name}==${version}` : name],
        { timeout: PATIENCE, cwd: folder },
      ),
    unpack: (file, folder) => call("python3", ["-m", "zipfile", "-e", file, folder], { timeout: PATIENCE }),
    version: async (file) => file.split("/").at(-1).split("-")[1],
  },
  debian: {
    get: (folder, { name, version }) => call("apt-get", ["download", "-qq", version ? `${name}=${version}` : name], { timeout: PATIENCE, cwd: folder }),
    unpack: (file, folder) => call("dpkg-deb", ["-x", file, folder], { timeout: PATIENCE }),
    version: async (file) => decodeURIComponent(file.split("/").at(-1).split("_")[1]),
  },
};

const plain = (text) => text.replace(/[^\w.@+-]/g, "_");

const homeOf = (entry, root) => join(root, entry.from, plain(entry.version ? `${entry.name}@${entry.version}` : entry.name));

/** Unpacks the file of a package into its home. A file with another digest than the list says is refused. */
async function keep(entry, file, home) {
  const found = digest(await readFile(file));
  if (entry.digest !== undefined && found !== entry.digest) throw new Error(`${entry.name} is not the file that the list names`);
  const under = `${home}.part`;
  try {
    await rm(under, { recursive: true, force: true });
    await mkdir(join(under, "files"), { recursive: true });
    await ways[entry.from].unpack(file, join(under, "files"));
    const about = { from: entry.from, name: entry.name, version: entry.version ?? (await ways[entry.from].version(file, join(under, "files"))), digest: found, size: (await stat(file)).size };
    await writeFile(join(under, "package.json"), JSON.stringify(about));
    await rm(home, { recursive: true, force: true });
    await rename(under, home);
    return { ...about, folder: join(home, "files") };
  } catch (error) {
    await rm(under, { recursive: true, force: true });
    throw error;
  }
}

/** What is known of a package that was fetched before. */
async function known(entry, home) {
  const about = await readFile(join(home, "package.json"), "utf8").then(JSON.parse, () => undefined);
  return about && (entry.digest === undefined || about.digest === entry.digest) ? { ...about, folder: join(home, "files") } : undefined;
}

/** The folder of an unpacked package, fetched when it is not there. */
export async function fetched(entry, root) {
  const home = homeOf(entry, root);
  const there = await known(entry, home);
  if (there) return there;
  const folder = await mkdtemp(join(tmpdir(), "jury-package-"));
  try {
    await ways[entry.from].get(folder, entry);
    return await keep(entry, join(folder, (await readdir(folder))[0]), home);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fetches packages of npm with one call of its client, which is slow to start. One that it cannot have is left to `fetched`. */
export async function together(entries, root) {
  const missing = [];
  for (const entry of entries.filter(({ from }) => from === "npm")) if (!(await known(entry, homeOf(entry, root)))) missing.push(entry);
  if (missing.length < 2) return;
  const folder = await mkdtemp(join(tmpdir(), "jury-packages-"));
  try {
    const named = missing.map(({ name, version }) => (version ? `${name}@${version}` : name));
    const { stdout } = await call("npm", ["pack", "--silent", "--json", "--ignore-scripts", "--pack-destination", folder, ...named], { timeout: PATIENCE, cwd: folder, maxBuffer: 1 << 28 });
    for (const { name, filename } of JSON.parse(stdout)) {
      const entry = missing.find((one) => one.name === name);
      if (entry) await keep(entry, join(folder, filename), homeOf(entry, root)).catch(() => undefined);
    }
  } catch {
    // One of them is gone, and the client gives none of the others.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The HTML files below a folder, links left out, in the order of their names. */
export async function htmlFiles(folder) {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name.endsWith(".html")) found.push(join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
  }
  const files = [];
  for (const path of found.sort().slice(0, FILES)) {
    const file = join(folder, path);
    if ((await stat(file)).size <= LARGEST) files.push({ path, bytes: await readFile(file) });
  }
  return files;
}
