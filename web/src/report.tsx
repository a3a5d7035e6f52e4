// Where a report begins: the run and the words are in the file, and the pages stand in its frames.
import "./styles/report.css";

import { render } from "preact";

import { choose, type Locale, LOCALES, use } from "./i18n";
import { keep, kept } from "./lib/hooks";
import { translate } from "./report/paper";
import { type About, Report } from "./report/Report";
import type { Frame } from "./theater/Theater";
import type { LogRecord } from "./words";

const read = <T,>(id: string) => JSON.parse(document.getElementById(id)?.textContent ?? "null") as T;

const { about, records } = read<{ about: About; records: LogRecord[] }>("run");
const words = read<Record<Locale, Record<string, string>>>("words");
const root = document.getElementById("root");
const paper = document.getElementById("verdict");

const pages = new Map<string, string>();
for (const page of document.querySelectorAll<HTMLIFrameElement>("iframe[data-page]")) {
  pages.set(page.dataset["page"] ?? "", page.srcdoc);
  // On paper, browsers leave grounds out unless they are told otherwise, and a button without one is none.
  page.srcdoc += "<style>*{print-color-adjust:exact}";
}
const frame: Frame = (round, version) => pages.get(version ?? (round === null ? (about.last ?? "") : "")) ?? null;

let theme = kept<string>("theme", "");
let locale = kept<string>("locale", "");

function dress(): void {
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
  else delete document.documentElement.dataset["theme"];
}

/** Draws everything, in the reader's language. */
function draw(anew: boolean): void {
  if (!root || !paper) return;
  const chosen: Locale = locale in LOCALES ? (locale as Locale) : choose(navigator.languages);
  use(chosen, words[chosen]);
  document.documentElement.lang = chosen;
  translate(paper);
  dress();
  // Every word changes with the language, so everything is drawn anew.
  if (anew) render(null, root);
  render(
    <Report
      about={about}
      records={records}
      frame={frame}
      theme={theme}
      locale={chosen}
      onTheme={(next) => {
        theme = next;
        keep("theme", next);
        draw(false);
      }}
      onLocale={(next) => {
        locale = next;
        keep("locale", next);
        draw(true);
      }}
    />,
    root,
  );
  document.documentElement.classList.add("is-live");
}

draw(false);
