// All steps of a run in order: the tool, how far it is in a word, and what came of it.
import { count, number, t } from "../i18n";
import { bytes } from "../i18n/format";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { current, steps } from "../state/progress";
import { standing, type Studio } from "../state/studio";
import type { Step, Tool } from "./wire";

const MARKS: Record<Step["status"] | "waits", string> = { pending: icon.ring, running: icon.play, complete: icon.check, error: icon.cross, waits: icon.clock };

export function Steps({ studio }: { studio: Studio }) {
  const list = steps(studio);
  if (list.length === 0) return null;
  const at = current(studio);
  const waits = standing(studio) !== "running";
  return (
    <section class="panel" aria-labelledby="steps-name">
      <header class="panel-head">
        <h2 id="steps-name">{t("studio.steps")}</h2>
      </header>
      <ol class="steps">
        {list.map(({ name, status }) => {
          const how = status === "pending" && waits && at === name ? "waits" : status;
          return (
            <li key={name} class={`step is-step-${how}`} aria-current={at === name ? "step" : undefined}>
              <Icon path={MARKS[how]} />
              <span class="step-name">{t(`tool.${name as Tool}`)}</span>
              <span class="step-how">{t(`step.${how}`)}</span>
              <span class="step-detail">{detail(studio, name as Tool)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** What came of a step, in a few words. */
export function detail({ rounds, panel, saved, site, started }: Studio, tool: Tool): string {
  const last = rounds.at(-1);
  switch (tool) {
    case "generate_draft":
      return rounds[0] ? t(`writer.${rounds[0].writer}`, { author: started?.author ?? "" }) : "";
    case "run_critiques":
      return panel && panel.seats.length > 0 ? t("studio.heard", { n: Object.keys(last?.critiques ?? {}).length, of: panel.seats.length }) : "";
    case "editor_decision":
      return last?.ruling ? t(`ruled.${last.ruling.decision}`) : "";
    case "save_content":
      return saved ? t(`work.${saved.unreviewed ? "unreviewed" : saved.quality}`) : "";
    case "assemble_site_files":
      return site.assembled ? `${count("studio.files", site.assembled.files)}, ${bytes(site.assembled.bytes)}` : "";
    case "validate_code":
      return site.validated ? count("studio.sentences", site.validated.sentences) : "";
    case "create_repo":
      return site.repo?.site ?? "";
    case "push_files":
      return site.pushed ? site.pushed.commit.slice(0, 12) : "";
    case "deploy":
      return site.deployed?.url ?? "";
    case "verify":
      return site.verified ? t("studio.fetched", { n: number(site.verified.fetched) }) : "";
    default:
      return "";
  }
}
