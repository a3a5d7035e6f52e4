// The static part of a report in the reader's language. It is there in English before any script runs, and it is what
// gets printed; what can be said otherwise carries the name of its phrase.
import { exact, maybe, number, when } from "../i18n";

/** Values of phrases that are scores and not counts. They come as the program shows them. */
const SCORES = new Set(["composite", "threshold"]);

export function translate(paper: Element): void {
  for (const one of paper.querySelectorAll<HTMLElement>("[data-t]")) {
    const { t: key = "", ...values } = one.dataset;
    one.textContent = maybe(key, one.textContent ?? "").replace(/\{(\w+)\}/g, (whole, name: string) => written(name, values[name]) ?? whole);
  }
  for (const one of paper.querySelectorAll<HTMLElement>("[data-score]")) one.textContent = exact(Number(one.dataset["score"]));
  for (const one of paper.querySelectorAll("time")) one.textContent = when(one.dateTime);
}

function written(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === "" || Number.isNaN(Number(value))) return value;
  return SCORES.has(name) ? exact(Number(value)) : number(Number(value));
}
