// Words of the page. One locale is loaded, as JSON, when it is needed.
import type en from "../../locales/en.json";

type Key = keyof typeof en;
type Counted = Extract<Key, `${string}_other`> extends `${infer Base}_other` ? Base : never;
type Values = Record<string, string | number>;

export const LOCALES = {
  en: "English",
  de: "Deutsch",
  ja: "日本語",
  ko: "한국어",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
} as const;
export type Locale = keyof typeof LOCALES;

let words: Partial<Record<string, string>> = {};
let locale: Locale = "en";
let plural = new Intl.PluralRules("en");
let one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
let plain = new Intl.NumberFormat("en");
let two = plain;
let share = plain;

/** The first of the wanted languages that there is. */
export function choose(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const lower = tag.toLowerCase();
    if (lower.startsWith("zh")) return /hant|tw|hk|mo/.test(lower) ? "zh-TW" : "zh-CN";
    const base = lower.split("-")[0];
    if (base && base in LOCALES) return base as Locale;
  }
  return "en";
}

/** Takes the words of a locale. Whoever has them already gives them: a report carries its own. */
export function use(next: Locale, next_words: Record<string, string>): void {
  locale = next;
  words = next_words;
  plural = new Intl.PluralRules(next);
  one = new Intl.NumberFormat(next, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  plain = new Intl.NumberFormat(next);
  two = new Intl.NumberFormat(next, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  share = new Intl.NumberFormat(next, { style: "percent", maximumFractionDigits: 0 });
}

export async function load(next: Locale): Promise<void> {
  const response = await fetch(`/assets/locales/${next}.json`);
  use(next, (await response.json()) as Record<string, string>);
}

export const current = () => locale;

export function t(key: Key, values?: Values): string {
  return fill(words[key] ?? key, values);
}

/** For keys that are put together at run time, of words that the program may extend. */
export function maybe(key: string, otherwise: string): string {
  return words[key] ?? otherwise;
}

/** A phrase that depends on a number, `n`. */
export function count(key: Counted, n: number, values?: Values): string {
  const text = words[`${key}_${plural.select(n)}`] ?? words[`${key}_other`] ?? key;
  return fill(text, { n: plain.format(n), ...values });
}

function fill(text: string, values?: Values): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const hasTenths = (bar: number) => Math.abs(bar * 10 - Math.round(bar * 10)) < 1e-6;
/** A score with one decimal, or two beside a bar that has more. Cut, so that it is never shown across the bar. */
export function score(value: number, bar = 0): string {
  const [format, unit] = hasTenths(bar) ? [one, 10] : [two, 100];
  return format.format(Math.floor(value * unit + 1e-6) / unit);
}
/** A bar as it was given, with one decimal at least. */
export const exact = (value: number) => (hasTenths(value) ? one : plain).format(value);
/** A mark of a judge: it stands beside a bar, so it is cut. */
export const mark = (value: number) => hundredths(Math.floor(value * 100 + 1e-6) / 100);
export const hundredths = (value: number) => two.format(value);
export const number = (value: number) => plain.format(value);
export const percent = (value: number) => share.format(value);
export function when(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(new Date(iso));
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  for (const [unit, size] of STEPS) if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return relative.format(0, "minute");
}

/** A duration as a clock shows it: 0:07, 12:30. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const rest = String(seconds % 60).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
