// How a run stands, what that means, and what can be done about it: one notice for each way.
import { count, maybe, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links } from "../lib/router";
import { current } from "../state/progress";
import type { Studio } from "../state/studio";
import { Prose } from "../theater/Prose";
import { address } from "./address";
import { ICONS, type Stand } from "./Stands";

interface NoticeProps {
  project: string;
  studio: Studio;
  as: Stand;
  going: boolean;
  /** None in a replay. */
  onResume: (() => void) | null;
}

export function Notice({ project, studio, as, going, onResume }: NoticeProps) {
  const { text, detail } = wordsOf(studio, as);
  const url = address(studio.finished?.url ?? studio.site.deployed?.url);
  return (
    <section class={`notice is-${as}`} aria-labelledby="notice-title">
      <Icon path={ICONS[as]} />
      <div class="notice-words">
        <h2 id="notice-title">{t(`stood.${as}`)}</h2>
        <p>{text}</p>
        <Prose class="notice-detail" text={detail} />
        <div class="notice-actions">
          {(as === "paused" || as === "halted") && onResume && (
            <button type="button" class="button is-main" disabled={going} onClick={onResume}>
              <Icon path={icon.play} />
              {t("studio.resume")}
            </button>
          )}
          {url && (
            <a class="button is-main" href={url} target="_blank" rel="noopener">
              {t("studio.visit")}
            </a>
          )}
          {studio.ended && (
            <Link class="button" to={links.page(project, "content")}>
              {t("studio.another")}
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

function wordsOf(studio: Studio, as: Stand): { text: string; detail: string } {
  const { halted, needs, saved, paused, started, rounds, abandoned } = studio;
  const n = rounds.at(-1)?.round ?? 0;
  const kept = saved ? `${t("studio.kept", { n: saved.round })} ${count("studio.open", saved.open)}` : "";
  switch (as) {
    case "queued":
      return { text: t("studio.queuedText"), detail: "" };
    case "running": {
      const tool = current(studio);
      return { text: tool ? t(`does.${tool}`, { n, of: started?.recipe.maxRevisionRounds ?? 0 }) : t("studio.follows"), detail: "" };
    }
    case "paused":
      return { text: t(paused === "restart" ? "studio.restartText" : "studio.pausedText"), detail: "" };
    case "halted":
      return { text: halted ? `${t(`tool.${halted.tool}`)}: ${maybe(`failed.${halted.cause}`, halted.cause)} ${t("studio.haltedText")}` : "", detail: halted?.detail ?? "" };
    case "needs-human":
      return { text: t("studio.needsText"), detail: needs?.reason ?? "" };
    case "approved":
      return { text: kept, detail: "" };
    case "abandoned":
      return { text: t("studio.abandonedText"), detail: abandoned };
    default:
      return { text: `${t(`so.${as}`)} ${kept}`, detail: "" };
  }
}
