// What every browser test stands on: a daemon with a folder of its own, an agent that the test plays, a browser.
//
//   JURY=../target/debug/jury npm run test:browser
//
// Nothing here waits for time to pass: every wait is for something to happen, and fails after PATIENCE.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

import { chromium } from "playwright-core";

import { PAGE } from "./words.mjs";

export const PATIENCE = 30_000;
const here = fileURLToPath(new URL(".", import.meta.url));
const web = fileURLToPath(new URL("../..", import.meta.url));
export const JURY = resolve(process.env.JURY ?? join(web, "../target/debug/jury"));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A promise, or an error that says what did not happen. */
export function soon(promise, what) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`waited in vain: ${what}`)), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Reads until it is what it should be: a page that is still on its way is no failure. */
export async function becomes(read, expected, what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const seen = await read();
    if (isDeepStrictEqual(seen, expected)) return;
    if (Date.now() > end) assert.deepEqual(seen, expected, what);
    await new Promise((go) => setTimeout(go, 20));
  }
}

/** The far end of an agent's process. */
class Played {
  constructor(socket, first) {
    this.socket = socket;
    /** Whether a panel was asked for, or a page alone. */
    this.panel = first.panel;
    // Not `once` of events, which fails when the socket is reset.
    this.gone = new Promise((gone) => socket.once("close", gone));
  }
  #order(order) {
    this.socket.write(`${JSON.stringify(order)}\n`);
    return this;
  }
  say(text) {
    return this.#order({ out: text });
  }
  complain(text) {
    return this.#order({ err: text });
  }
  exit(code = 0) {
    return this.#order({ exit: code });
  }
  signal(name) {
    return this.#order({ signal: name });
  }
}

const daemons = new Set();

/** Ends whatever a failed test left behind; for `after`. */
export async function endAll() {
  for (const daemon of daemons) await daemon.end();
}

export class Daemon {
  static async start({ env = {}, toml = "", args = [], folder = mkdtempSync(join(tmpdir(), "jury-browser-")) } = {}) {
    const daemon = new Daemon();
    daemon.folder = folder;
    daemon.waiting = [];
    daemon.wanted = [];
    const path = join(folder, "agent.sock");
    rmSync(path, { force: true });
    daemon.stage = createServer((socket) => {
      socket.on("error", () => undefined);
      // What reads lines passes on what happens to the socket: an agent that is killed resets it.
      const lines = createInterface({ input: socket }).on("error", () => undefined);
      lines.once("line", (line) => {
        const played = new Played(socket, JSON.parse(line));
        const next = daemon.wanted.shift();
        if (next) next(played);
        else daemon.waiting.push(played);
      });
    }).listen(path);
    const command = JSON.stringify([process.execPath, join(here, "agent.mjs"), path]);
    writeFileSync(
      join(folder, "jury.toml"),
      `[agents.played]\ncommand = ${command}\n[agents.absent]\ncommand = ["/nowhere/agent"]\n${toml}`,
    );
    const settings = { OD_CRITIQUE_MAX_CONCURRENT_RUNS: "4" };
    daemon.env = { PATH: process.env.PATH, HOME: folder, ...settings, ...env };
    daemon.child = spawn(JURY, ["serve", "--addr", "127.0.0.1:0", ...args], {
      cwd: folder,
      env: daemon.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    daemons.add(daemon);
    let said = "";
    daemon.child.stderr.on("data", (data) => (said += data));
    const line = once(createInterface({ input: daemon.child.stdout }), "line");
    const died = once(daemon.child, "exit").then(() => Promise.reject(new Error(`the daemon ended: ${said}`)));
    died.catch(() => undefined);
    [daemon.url] = await soon(Promise.race([line, died]), "the daemon's address");
    daemon.url = daemon.url.trim().replace(/\/$/, "");
    return daemon;
  }

  /** The next agent that the daemon starts. */
  agent() {
    const ready = this.waiting.shift();
    if (ready) return Promise.resolve(ready);
    return soon(new Promise((take) => this.wanted.push(take)), "an agent");
  }

  async ask(path, body, method = body === undefined ? "GET" : "POST") {
    const response = await fetch(this.url + path, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async project(id) {
    await this.ask("/api/projects", { id });
    return id;
  }

  /** Asks for a run; the agent is not there yet. */
  async run(request = {}, project = "default") {
    const what = request.brief ? {} : { page: PAGE };
    const { runId } = await this.ask(`/api/projects/${project}/runs`, { agent: "played", critique: true, title: "Landing page", ...what, ...request });
    return runId;
  }

  /** Asks for a run and waits for its agent. */
  async play(request = {}, project = "default") {
    const id = await this.run(request, project);
    return { id, agent: await this.agent() };
  }

  /** A run that ends by itself once all is said. */
  async whole(text, request = {}, project = "default") {
    const { id, agent } = await this.play(request, project);
    agent.say(text).exit();
    await this.ended(id, project);
    return id;
  }

  /** Follows a run until an event fits; its records so far. One of the critic is found in the stream of the whole project. */
  async until(id, fits, project = "default", part = `run=${id}`) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error("waited in vain for an event")), PATIENCE);
    const records = [];
    try {
      const response = await fetch(`${this.url}/api/projects/${project}/events?${part}`, { signal: stop.signal });
      let text = "";
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const data = text.slice(0, end).split("\n").find((line) => line.startsWith("data:"));
          text = text.slice(end + 2);
          if (!data) continue;
          const record = JSON.parse(data.slice(5));
          if (!record.event || record.runId !== id) continue;
          records.push(record);
          if (fits(record)) return records;
        }
      }
      throw new Error("the stream ended too early");
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  ended(id, project) {
    return this.until(id, ({ event }) => /\.(ship|degraded|interrupted|failed)$/.test(event), project);
  }

  /** `jury ARGS` in the same folder. */
  jury(...args) {
    try {
      return execFileSync(JURY, args, { cwd: this.folder, env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      return String(error.stdout);
    }
  }

  async stop(signal = "SIGTERM") {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, "exit");
      this.child.kill(signal);
      await soon(gone, "the daemon's end");
    }
    this.stage.close();
  }

  async end() {
    daemons.delete(this);
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A way to the daemon that can be cut. */
export class Wire {
  static async to(url) {
    const { createConnection } = await import("node:net");
    const { hostname, port } = new URL(url);
    const wire = new Wire();
    wire.sockets = new Set();
    wire.server = createServer((near) => {
      if (wire.isCut) return near.destroy();
      const far = createConnection(Number(port), hostname);
      for (const socket of [near, far]) {
        wire.sockets.add(socket);
        socket.on("error", () => undefined).on("close", () => {
          wire.sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.pipe(near);
    }).listen(0, "127.0.0.1");
    await once(wire.server, "listening");
    wire.url = `http://127.0.0.1:${wire.server.address().port}`;
    return wire;
  }
  /** Takes the wire away in the middle of whatever goes over it. */
  cut() {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }
  mend() {
    this.isCut = false;
  }
  end() {
    this.cut();
    this.server.close();
  }
}

export async function browse() {
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--font-render-hinting=none"],
  });
}

/** A tab with nothing in it. Whatever the page's scripts fail with fails the test: see `calm`. */
export async function tab(browser, options = {}) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    // A browser complains of refused requests by itself, and of what pages under review may not do.
    const expected = /Failed to load resource|Blocked script execution|\.html|\/artifact|Loading the image 'data:/;
    if (message.type() === "error" && !expected.test(`${message.text()} ${message.location().url}`)) page.faults.push(message.text());
  });
  return page;
}

const axe = readFileSync(join(web, "node_modules/axe-core/axe.min.js"), "utf8");

/** What axe has against the page as it is, in words; pages under review are not ours. */
export async function violations(page) {
  await page.evaluate(`globalThis.axe || (() => { ${axe} })()`);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run({ exclude: ["iframe"] }, { iframes: false, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ""}`));
  });
}

/** Text that is smaller than text may be. Tags and pills may have 11 pixels. */
export function smallText(page) {
  return page.evaluate(() => {
    const chrome = ".role-tag, .meta-pill, .round-divider, .dim-dot";
    const small = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (node.textContent.trim() === "" || !parent.checkVisibility()) continue;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      const least = parent.closest(chrome) ? 11 : 12;
      if (size < least) small.push(`${size}px: ${node.textContent}`);
    }
    return small;
  });
}

/** Whether something is wider than the window. */
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What the daemon says to a page, changed: for what cannot be brought about in a moment. */
export async function altered(page, url, change) {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    change(body);
    await route.fulfill({ response, json: body });
  });
}

export async function theme(page, name) {
  await page.evaluate((name) => (document.documentElement.dataset.theme = name), name);
}

/** Brings everything of a run that is over: by itself it is its verdict and its page. */
export async function unfold(page) {
  const whole = page.getByRole("button", { name: "The whole review" });
  await whole.waitFor();
  if ((await whole.getAttribute("aria-expanded")) === "false") await whole.click();
}

/** Nothing against it in either theme, nothing too small, nothing too wide. */
export async function isSound(page) {
  for (const width of [1280, 768, 375]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await overflow(page);
    if (over > 0) throw new Error(`${over} pixels wider than ${width}`);
    for (const name of { 1280: ["light", "dark"], 375: ["dark"] }[width] ?? []) {
      await theme(page, name);
      const against = await violations(page);
      if (against.length > 0) throw new Error(`${name} ${width}: ${against.join("\n")}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const wrong = [...(await smallText(page)), ...page.faults];
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}
