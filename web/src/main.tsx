// Where the page begins: the reader's theme and language, then the rest.
import "./styles/index.css";

import { render } from "preact";

import { App } from "./App";
import { choose, load, type Locale, LOCALES, t } from "./i18n";
import { kept } from "./lib/hooks";

function dress(theme: string): void {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Draws the page in a language. */
async function speak(locale: string): Promise<void> {
  const chosen: Locale = locale in LOCALES ? (locale as Locale) : choose(navigator.languages);
  await load(chosen);
  document.documentElement.lang = chosen;
  document.title = t("critiqueTheater.userFacingName");
  const root = document.getElementById("root");
  if (!root) return;
  // Every word changes, so everything is drawn anew.
  render(null, root);
  render(<App />, root);
}

addEventListener("jury:locale", () => void speak(kept("locale", "")));
addEventListener("jury:theme", () => dress(kept("theme", "")));
dress(kept("theme", ""));
void speak(kept("locale", ""));
