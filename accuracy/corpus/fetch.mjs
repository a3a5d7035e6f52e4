// Packages as their registries give them out, through the clients that people have, unpacked below a folder of ours.
import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
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

/** The folder of an unpacked package, fetched when it is not there. A file with another digest than the list says is refused. */
export async function fetched(entry, root) {
  const way = ways[entry.from];
  const home = join(root, entry.from, plain(entry.version ? `${entry.name}@${entry.version}` : entry.name));
  const known = await readFile(join(home, "package.json"), "utf8").then(JSON.parse, () => undefined);
  if (known && (entry.digest === undefined || known.digest === entry.digest)) return { ...known, folder: join(home, "files") };
  await rm(home, { recursive: true, force: true });
  const under = `${home}.part`;
  await rm(under, { recursive: true, force: true });
  try {
    await mkdir(join(under, "file"), { recursive: true });
    await mkdir(join(under, "files"), { recursive: true });
    await way.get(join(under, "file"), entry);
    const file = join(under, "file", (await readdir(join(under, "file")))[0]);
    const found = digest(await readFile(file));
    if (entry.digest !== undefined && found !== entry.digest) throw new Error(`${entry.name} is not the file that the list names`);
    await way.unpack(file, join(under, "files"));
    const about = { from: entry.from, name: entry.name, version: entry.version ?? (await way.version(file, join(under, "files"))), digest: found, size: (await stat(file)).size };
    await rm(join(under, "file"), { recursive: true });
    await writeFile(join(under, "package.json"), JSON.stringify(about));
    await rename(under, home);
    return { ...about, folder: join(home, "files") };
  } catch (error) {
    await rm(under, { recursive: true, force: true });
    throw error;
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
