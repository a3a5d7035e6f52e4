// A report on a screen: the run as the theater shows it, at its verdict, ready to be played again.
import { clock, type Locale, LOCALES, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import Replay from "../replay/Replay";
import type { Frame } from "../theater/Theater";
import type { LogRecord } from "../words";

export interface About {
  /** The page that was handed over, by the beginning of its digest. */
  last: string | null;
  createdAt: string | null;
  project: string;
}

interface ReportProps {
  about: About;
  records: readonly LogRecord[];
  frame: Frame;
  theme: string;
  locale: Locale;
  onTheme: (theme: string) => void;
  onLocale: (locale: Locale) => void;
}

const ENDS = /^critique\.(ship|degraded|interrupted|failed)$/;

/** `#t=1500&round=2&role=a11y`: where a link into a report leads. */
const place = () => new URLSearchParams(location.hash.slice(1));

export function Report({ about, records, frame, theme, locale, onTheme, onLocale }: ReportProps) {
  const asked = place();
  const agent = records[0]?.event === "critique.queued" ? records[0].agent : "";
  const took = records.at(-1)?.at ?? 0;
  const over = records.some((record) => ENDS.test(record.event));
  return (
    <>
      <header class="bar report-bar">
        <span class="mark">
          <Icon path={icon.scales} />
          jury
        </span>
        <span class="report-name">{t("report.name")}</span>
        <div class="report-tools">
          <label class="pick">
            <span class="sr-only">{t("looks.language")}</span>
            <select value={locale} onChange={(event) => onLocale(event.currentTarget.value as Locale)}>
              {Object.entries(LOCALES).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="pick">
            <span class="sr-only">{t("looks.theme")}</span>
            <select value={theme} onChange={(event) => onTheme(event.currentTarget.value)}>
              <option value="">{t("looks.system")}</option>
              <option value="light">{t("looks.light")}</option>
              <option value="dark">{t("looks.dark")}</option>
            </select>
          </label>
          <button type="button" class="button" onClick={() => print()}>
            {t("report.print")}
          </button>
        </div>
      </header>
      <main id="main">
        {!over && (
          <p class="report-unfinished" role="status">
            <Icon path={icon.clock} />
            {t("report.unfinished")}
          </p>
        )}
        <Replay
          records={records}
          frame={frame}
          // A report opens at the verdict; a link may lead elsewhere.
          at={asked.has("t") ? Number(asked.get("t")) || 0 : Number.MAX_SAFE_INTEGER}
          round={Number(asked.get("round")) || null}
          role={asked.get("role")}
          onAt={keep}
          facts={
            <>
              {agent && <span class="fact">{t("run.by", { agent })}</span>}
              {about.createdAt && <span class="fact">{when(about.createdAt)}</span>}
              <span class="fact is-mono" title={t("run.took")}>
                {clock(took)}
              </span>
            </>
          }
        />
      </main>
    </>
  );

  /** The address keeps the place, so that a link leads to it. At the verdict there is nothing to keep. */
  function keep(ms: number): void {
    const next = place();
    if (ms >= took) next.delete("t");
    else next.set("t", String(Math.round(ms)));
    const hash = next.toString();
    if (hash === place().toString()) return;
    try {
      history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
    } catch {
      // Where addresses cannot be changed, the report still plays.
    }
  }
}
