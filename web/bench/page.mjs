// The page in a real browser, over a transcript of 1 MiB: how long a step of a scrub keeps the main thread, and how soon the
// first lane is there. Times are the main thread's CPU time out of a trace, so that a busy machine changes little.
//
//   JURY=../target/release/jury node bench/page.mjs [scrub] [lane] [--trace]
import { browse, Daemon, endAll, tab } from "../test/browser/stand.mjs";
import { head, open } from "../test/browser/words.mjs";
import { transcript } from "./transcript.mjs";

const STEPS = 120;
const FRAME = 16.6;
const FIRST = 200;
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const does = (name) => wanted.length === 0 || wanted.includes(name);
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;
const PARTS = new Set(["FireAnimationFrame", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "EventDispatch", "MinorGC", "MajorGC", "HitTest"]);
let failed = false;
function verdict(name, values, share, bar) {
  const value = at(values, share);
  const over = value > bar;
  failed ||= over;
  console.log(`${name.padEnd(28)} p50 ${at(values, 0.5).toFixed(1).padStart(6)} ms   p95 ${at(values, 0.95).toFixed(1).padStart(6)} ms   bar ${share === 0.5 ? "p50" : "p95"} ≤ ${bar} ms${over ? "   OVER" : ""}`);
}

/** Main-thread CPU time between marks, in milliseconds, and what it went into. */
async function traced(browser, page, act) {
  await browser.startTracing(page, { categories: ["blink.user_timing", "toplevel", ...(process.argv.includes("--trace") ? ["devtools.timeline"] : [])] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const marks = traceEvents.filter((event) => event.cat.includes("blink.user_timing") && event.name.startsWith("step")).sort((a, b) => a.ts - b.ts);
  const { pid, tid } = marks[0];
  const here = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X");
  const tasks = here.filter((event) => event.name === "ThreadControllerImpl::RunTask" || event.name === "RunTask").sort((a, b) => a.ts - b.ts);
  // Tasks can nest; the outer one counts.
  const outer = [];
  let end = 0;
  for (const task of tasks) {
    if (task.ts < end) continue;
    end = task.ts + task.dur;
    outer.push(task);
  }
  const spans = marks.slice(0, -1).map((mark, index) => [mark.ts, marks[index + 1].ts]);
  const steps = spans.map(([from, to]) => outer.filter((task) => task.ts >= from && task.ts < to).reduce((sum, task) => sum + (task.tdur ?? task.dur), 0) / 1000);
  // What the slowest tenth went into.
  const slow = spans.filter((_, index) => steps[index] >= at(steps, 0.9));
  const parts = {};
  for (const event of here) {
    if (!PARTS.has(event.name) || !slow.some(([from, to]) => event.ts >= from && event.ts < to)) continue;
    parts[event.name] = (parts[event.name] ?? 0) + (event.tdur ?? 0) / 1000 / slow.length;
  }
  return { steps, parts };
}

async function scrub(browser, daemon) {
  const text = transcript();
  const id = await daemon.whole(text, { maxRounds: 10 });
  const bytes = (await (await fetch(`${daemon.url}/api/projects/default/critique/${id}/transcript`)).text()).length;
  console.log(`transcript of ${(bytes / 1024 / 1024).toFixed(2)} MiB, ${(await daemon.ended(id)).length} events`);
  for (const density of ["smart", "active", "all"]) {
    const page = await tab(browser);
    await page.goto(`${daemon.url}/p/default/run/${id}?replay=1&t=999999999`);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.locator(`.rail .segment input`).nth(["smart", "active", "all"].indexOf(density)).check({ force: true });
    for (const kind of ["drag", "jump"]) {
      const act = () =>
        page.evaluate(
          async ([kind, steps]) => {
            const track = document.querySelector(".track input");
            const length = Number(track.max);
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            let seed = 7;
            const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
            for (let step = 0; step <= steps; step++) {
              performance.mark(`step${step}`);
              track.value = String(kind === "drag" ? Math.floor(length / 3) + step * 5 : Math.floor(random() * length));
              track.dispatchEvent(new Event("input", { bubbles: true }));
              // The frame that shows it, and the end of that frame.
              await frame();
              await frame();
            }
          },
          [kind, STEPS],
        );
      await act();
      const { steps, parts } = await traced(browser, page, act);
      verdict(`scrub, ${density}, ${kind}`, steps, 0.95, FRAME);
      if (process.argv.includes("--trace")) console.log(Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join("  "));
    }
    await page.context().close();
  }
}

/** From the first event in the browser to the first lane on the screen. */
async function lane(browser, daemon) {
  const times = [];
  for (let turn = 0; turn < 9; turn++) {
    const page = await tab(browser);
    await page.addInitScript(() => {
      const { addEventListener } = EventSource.prototype;
      EventSource.prototype.addEventListener = function (kind, listener) {
        return addEventListener.call(this, kind, (event) => {
          if (kind === "critique.panelist_open") globalThis.first ??= performance.now();
          listener(event);
        });
      };
      new MutationObserver((_, observer) => {
        if (!document.querySelector(".lane.is-live")) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.shown = performance.now())));
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    const { id, agent } = await daemon.play();
    await page.goto(`${daemon.url}/p/default/run/${id}`);
    await page.getByText("The panel is taking its seats").waitFor();
    agent.say(`${head() + open(1)}<PANELIST role="designer">`);
    await page.waitForFunction(() => globalThis.shown);
    // The first is for the caches.
    if (turn > 0) times.push(await page.evaluate(() => globalThis.shown - globalThis.first));
    agent.exit();
    await page.context().close();
  }
  verdict("first lane after first event", times, 0.5, FIRST);
}

const browser = await browse();
const daemon = await Daemon.start();
try {
  if (does("lane")) await lane(browser, daemon);
  if (does("scrub")) await scrub(browser, daemon);
} finally {
  await browser.close();
  await endAll();
}
if (failed) process.exitCode = 1;
