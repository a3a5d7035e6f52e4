// Who reviews, and why: the panel is chosen once.
import { t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Selection } from "./wire";

export function Panel({ panel }: { panel: Selection | null }) {
  if (!panel || panel.seats.length === 0) return null;
  return (
    <details class="panel pass">
      <summary>
        <h2>{t("studio.panel")}</h2>
        <span class="pass-sum">{panel.seats.map(({ name }) => name).join(", ")}</span>
      </summary>
      <p class="panel-text">{t(`chosen.${panel.how}`)}</p>
      <ul class="claims">
        {panel.seats.map(({ advisorId, name, named, clauses = [] }) => (
          <li key={advisorId}>
            <b>{name}</b> {[named && t("studio.named"), ...clauses.map((clause) => `“${clause}”`)].filter(Boolean).join(" · ")}
          </li>
        ))}
        {(panel.warnings ?? []).map((text, index) => (
          <li key={index} class="lacks">
            <Icon path={icon.alert} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
