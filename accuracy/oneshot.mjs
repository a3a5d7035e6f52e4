// What a browser with axe costs for some pages, as a person would do it: start it, ask about each page, end it.
//
//   node accuracy/oneshot.mjs FOLDER PAGE...
//
// Prints the CPU time and the memory of the browser with all its processes, and of this script that drives it.
import { readFileSync, readdirSync } from "node:fs";

import { context, judge, launch, open } from "./browser.mjs";

/** Processor time of a process in milliseconds, with what its ended children took, and its parent. */
function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // Ticks of 10 ms: utime, stime, cutime, cstime.
  return { parent: Number(fields[1]), cpu: 10 * fields.slice(11, 15).map(Number).reduce((sum, ticks) => sum + ticks) };
}

/** Memory that is a process's own share, in kilobytes. */
function memory(pid) {
  const hit = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return hit ? Number(hit[1]) : 0;
}

/** All processes below this one. */
function below() {
  const all = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      all.set(Number(name), stat(name));
    } catch {
      // It has ended since the folder was read.
    }
  }
  const mine = new Set([process.pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, { parent }] of all) {
      if (mine.has(parent) && !mine.has(pid)) {
        mine.add(pid);
        grown = true;
      }
    }
  }
  mine.delete(process.pid);
  const sum = { cpu: 0, kilobytes: 0, processes: mine.size };
  for (const pid of mine) {
    sum.cpu += all.get(pid).cpu;
    try {
      sum.kilobytes += memory(pid);
    } catch {
      // It has ended, or does not tell.
    }
  }
  return sum;
}

const [folder, ...pages] = process.argv.slice(2);
const browser = await launch();
const place = await context(browser, folder);
let most = 0;
for (const name of pages) {
  const page = await open(place, name);
  await judge(page);
  most = Math.max(most, below().kilobytes);
  await page.close();
}
const { cpu, processes } = below();
await browser.close();
const own = process.cpuUsage();
console.log(JSON.stringify({ pages: pages.length, browser: cpu, driver: Math.round((own.user + own.system) / 1000), megabytes: Math.round(most / 1024), processes }));
