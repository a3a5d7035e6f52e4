// The site that came of an approved draft: where it is, what was checked, and what was odd.
import { t } from "../i18n";
import type { Studio } from "../state/studio";
import { address } from "./address";

export function Site({ studio: { site } }: { studio: Studio }) {
  const { branded, validated, pushed, deployed } = site;
  if (!branded) return null;
  const url = address(deployed?.url);
  const odd = [...(branded.notes ?? []), ...(validated?.warnings ?? [])];
  return (
    <section class="panel" aria-labelledby="site-name">
      <header class="panel-head">
        <h2 id="site-name">{t("studio.site")}</h2>
        {url && (
          <a href={url} target="_blank" rel="noopener">
            {deployed?.url}
          </a>
        )}
      </header>
      {deployed && (
        <p class="panel-text">
          {t("studio.release", { release: deployed.release })} {deployed.previous && t("studio.previous", { release: deployed.previous })} {pushed?.remote && t("studio.remote", { remote: pushed.remote })}
        </p>
      )}
      {odd.length > 0 && (
        <ul class="claims">
          {odd.map((text, index) => (
            <li key={index}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
