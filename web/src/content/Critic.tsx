// One critic in one round: whether it reads, did not answer, or what it says, issue by issue.
import { count, maybe, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Absent, Critique, Issue, OpenIssue, Seat } from "./wire";

interface CriticProps {
  seat: Seat;
  said: Critique | undefined;
  absent: Absent | undefined;
  /** How often it was asked; never is 0. */
  attempt: number;
  goesOn: boolean;
  /** What is open after the round, for how long something has been. */
  open: readonly OpenIssue[];
}

const SEVERITIES = { high: icon.alert, medium: icon.dash, low: icon.ring };

export function Critic({ seat, said, absent, attempt, goesOn, open }: CriticProps) {
  const reads = !said && !absent && attempt > 0 && goesOn;
  const way = said ? (said.pass ? "PASS" : "FAIL") : absent ? "none" : "wait";
  const path = said ? (said.pass ? icon.check : icon.cross) : absent ? icon.alert : reads ? icon.play : icon.ring;
  const word = said
    ? t("studio.score", { n: score(said.score) })
    : absent
      ? t("studio.absent")
      : !reads
        ? t(goesOn ? "studio.waits" : "studio.unheard")
        : attempt > 1
          ? t("studio.readsAgain", { n: attempt })
          : t("studio.reads");
  const mended = new Map(said?.statuses?.map(({ id, fixed }) => [id, fixed]));
  const fixed = [...mended.values()].filter(Boolean).length;
  // Said before, not raised again, and not mended either: it is open all the same.
  const left = open.filter((issue) => issue.advisorId === seat.advisorId && !said?.issues.some(({ id }) => id === issue.id));
  return (
    <li class={`verdict is-${way}`}>
      <span class="verdict-word">
        <Icon path={path} />
        {word}
      </span>
      <div class="verdict-body">
        <h3>{seat.name}</h3>
        <p class="said-basis">
          {[
            said && t(said.pass ? "studio.passes" : "studio.fails"),
            said && t(said.measured ? "studio.measured" : "studio.model"),
            seat.named && t("studio.named"),
            said && count("studio.issues", said.issues.length),
            fixed > 0 && count("studio.mended", fixed),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {absent && (
          <>
            <p>
              {maybe(`failed.${absent.cause}`, absent.cause)} {count("studio.asked", absent.attempts)}
            </p>
            <p class="said-basis">{absent.detail}</p>
          </>
        )}
        {(said?.issues.length ?? 0) + left.length > 0 && (
          <ul class="issues">
            {said?.issues.map((issue) => (
              <One key={issue.id} issue={issue} since={open.find(({ id, advisorId }) => id === issue.id && advisorId === seat.advisorId)?.since} />
            ))}
            {left.map((issue) => (
              <One key={issue.id} issue={issue} since={issue.since} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

export function One({ issue, since }: { issue: Issue; since: number | undefined }) {
  return (
    <li class={`issue is-${issue.severity}`}>
      <span class="issue-how">
        <Icon path={SEVERITIES[issue.severity]} />
        {t(`grave.${issue.severity}`)}
      </span>
      <div>
        <p class="issue-what">{issue.description}</p>
        {issue.quote && (
          <blockquote class="issue-quote">
            <p>{issue.quote}</p>
          </blockquote>
        )}
        {issue.suggestion && (
          <p>
            <b>{t("studio.suggestion")}</b> {issue.suggestion}
          </p>
        )}
        <p class="said-basis">
          {issue.rule && <code>{issue.rule}</code>} {since !== undefined && t("fix.since", { n: since })}
        </p>
      </div>
    </li>
  );
}
