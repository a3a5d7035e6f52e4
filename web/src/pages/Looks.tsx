// How this page looks: its theme and its language, kept in this browser.
import { type Locale, LOCALES, t } from "../i18n";
import { useKept } from "../lib/loaded";

export function Looks() {
  const [theme, setTheme] = useKept<string>("theme", "");
  const [locale, setLocale] = useKept<string>("locale", "");
  return (
    <section class="panel" aria-labelledby="looks-name">
      <header class="panel-head">
        <h2 id="looks-name">{t("looks.name")}</h2>
      </header>
      <div class="looks">
        <fieldset class="segments">
          <legend class="sr-only">{t("looks.theme")}</legend>
          {(["", "light", "dark"] as const).map((one) => (
            <label key={one} class="segment">
              <input
                type="radio"
                name="theme"
                checked={theme === one}
                onChange={() => {
                  setTheme(one);
                  dispatchEvent(new Event("jury:theme"));
                }}
              />
              <span>{t(one === "" ? "looks.system" : `looks.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        <label class="pick">
          <span>{t("looks.language")}</span>
          <select
            value={locale}
            onChange={(event) => {
              setLocale(event.currentTarget.value);
              dispatchEvent(new Event("jury:locale"));
            }}
          >
            <option value="">{t("looks.system")}</option>
            {(Object.keys(LOCALES) as Locale[]).map((one) => (
              <option key={one} value={one} lang={one}>
                {LOCALES[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  );
}
