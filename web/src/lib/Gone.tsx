// Instead of a part of the page that could not be fetched: the daemon went away. It is with the main script, because nothing
// else can be fetched then.
import { t } from "../i18n";

export function Gone() {
  return (
    <section class="empty">
      <h1>{t("trouble.title")}</h1>
      <p>{t("trouble.text")}</p>
      <button type="button" class="button is-main" onClick={() => location.reload()}>
        {t("again")}
      </button>
    </section>
  );
}
