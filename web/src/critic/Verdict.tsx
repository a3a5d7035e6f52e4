// How a run of the critic stands, what that means, and what can be done about it: one notice for each way.
import { useEffect } from "preact/hooks";

import { count, maybe, t } from "../i18n";
import { ASKED } from "../inbox/unread";
import { Icon } from "../lib/Icon";
import { useLoaded } from "../lib/loaded";
import { Link, links } from "../lib/router";
import { MARKS } from "../lib/Stands";
import { type CriticState, documentPath, getDecisions, type Standing } from "../net/critic";
import type { RunLine } from "../net/runs";
import { Prose } from "../theater/Prose";
import { firstWith } from "./Changes";

interface VerdictProps {
  project: string;
  run: RunLine;
  docket: CriticState;
  standing: Standing;
  past: boolean;
}

export function Verdict({ project, run, docket, standing, past }: VerdictProps) {
  const { title, text, detail } = wordsOf(docket, standing);
  const last = docket.passes.at(-1);
  return (
    <section class={`notice is-${standing}`} aria-labelledby="notice-title">
      <Icon path={MARKS[standing]} />
      <div class="notice-words">
        <h2 id="notice-title">{title}</h2>
        <p>{standing === "escalated" && !past ? <Waits run={run.runId} /> : text}</p>
        <Prose class="notice-detail" text={detail} />
        <div class="notice-actions">
          {standing === "escalated" && !past && (
            <Link class="button is-main" to={links.page(project, "inbox")}>
              {t("docket.inbox")}
            </Link>
          )}
          {run.state === "ended" && last && (
            <a class="button" href={documentPath(project, run.runId, firstWith(docket.passes, last))}>
              {t("docket.document", { n: last.pass })}
            </a>
          )}
        </div>
      </div>
    </section>
  );
}

/** The log has answers once the run goes on with them; until then they are in the inbox. */
function Waits({ run }: { run: string }) {
  const { value, again } = useLoaded(run, getDecisions);
  useEffect(() => {
    addEventListener(ASKED, again);
    return () => removeEventListener(ASKED, again);
  }, []);
  const open = value?.filter((one) => one.runId === run && one.state === "open").length;
  return open === undefined ? null : <>{open > 0 ? count("docket.waits", open) : t("docket.answered")}</>;
}

interface Words {
  title: string;
  text: string;
  detail: string;
}

function wordsOf(docket: CriticState, standing: Standing): Words {
  const { ended, passes, started } = docket;
  const detail = ended && "detail" in ended && typeof ended.detail === "string" ? ended.detail : "";
  const title = t(`docket.${standing}`, { n: passes.length });
  switch (ended?.event) {
    case "critic.converged":
      return { title, text: t(ended.fast ? "docket.fastText" : "docket.convergedText"), detail };
    case "critic.safety_cap":
      return { title, text: `${count("docket.open", ended.open)} ${t("docket.capText")}`, detail };
    case "critic.stopped": {
      const why = ended.churn ?? ended.reason;
      return { title, text: maybe(`circle.${why}`, why), detail };
    }
    case "critic.inconclusive":
      return { title, text: `${maybe(`lacks.${ended.gap}`, ended.gap)} ${ended.criteria.join(", ")}`, detail };
    case "critic.interrupted":
      return { title, text: t(ended.recoveryReason ? "docket.restartText" : "docket.interruptedText"), detail };
    case "critic.failed":
      return { title, text: maybe(`failed.${ended.cause}`, ended.cause), detail };
    default:
      // As the log has it: who waits is asked while it does.
      if (standing === "escalated") return { title, text: count("docket.waits", docket.questions.filter(({ answer }) => !answer).length), detail };
      if (standing === "queued") return { title, text: t("docket.queuedText"), detail };
      return { title, text: t("docket.runningText", { n: passes.length, of: started?.cap ?? 0 }), detail };
  }
}
