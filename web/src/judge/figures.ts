// Numbers and days as the judge's pages show them. What comes from files may be anything: nothing here fails on it.
import type { Day, Estimate, Issue } from "../net/judge";

/** A place on a bar from 0 to 1, in percent. */
export const at = (value: number) => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0)) * 100;

/** Where the interval of a score lies on its bar. */
export function span({ value, low, high }: Estimate): { left: number; width: number; tick: number } {
  const [from, to] = [at(Math.min(low, high)), at(Math.max(low, high))];
  return { left: from, width: to - from, tick: at(value) };
}

/** Where an issue can be seen: `file:line`. */
export function place({ evidence }: Issue): string {
  const { file, line } = evidence ?? {};
  return file ? (line === undefined ? file : `${file}:${line}`) : "";
}

const DAY = 86_400_000;

/** The last days up to the newest that is known, those without a judgement too. */
export function calendar(days: readonly Day[], most = 30): Day[] {
  const last = Date.parse(days.at(-1)?.date ?? "");
  if (Number.isNaN(last)) return [];
  const known = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: most }, (_, index) => {
    const date = new Date(last - (most - 1 - index) * DAY).toISOString().slice(0, 10);
    return known.get(date) ?? { date, judgements: 0, unpriced: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  });
}

export function sum(days: readonly Day[]): Omit<Day, "date"> {
  const all = { judgements: 0, unpriced: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  for (const day of days) for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += day[name];
  return all;
}
