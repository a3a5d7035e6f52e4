// One pass: the verdict on each criterion with what it rests on, the failure scenario, and what was changed.
import type { ComponentChildren } from "preact";

import { count, maybe, number, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Criterion, Judged, Pass as PassDocket, Proof } from "../net/critic";

const MARKS = { PASS: icon.check, FAIL: icon.cross, ESCALATE: icon.alert, DEFER: icon.clock, none: icon.ring };
/** The name under which the failure scenario has its evidence. */
const SCENARIO = "ADVERSARIAL";

export function Pass({ pass, criteria, open }: { pass: PassDocket; criteria: readonly Criterion[]; open: boolean }) {
  const { end, fixed, adversarial, evidence, verdicts } = pass;
  const of = (id: string) => evidence.filter((proof) => proof.criterion === id);
  const order = criteria.length > 0 ? criteria.map(({ id }) => id) : verdicts.map(({ criterion }) => criterion);
  return (
    <details class="panel pass" open={open}>
      <summary>
        <h2>{t("docket.pass", { n: pass.pass })}</h2>
        <span class="meta-pill">{end ? end.result.keyword.replace("_", " ") : t("round.open")}</span>
        {end && <span class="pass-sum">{count("docket.open", end.open)}</span>}
      </summary>
      {end && <p class="panel-text">{end.reason}</p>}
      <ol class="verdicts">
        {order.map((id) => {
          const judged = verdicts.findLast(({ criterion }) => criterion === id);
          const question = criteria.find((one) => one.id === id)?.question ?? "";
          const kind = judged ? (judged.verdict ?? "none") : null;
          return (
            <Line key={id} mark={kind} word={kind === null ? t("docket.unjudged") : kind === "none" ? t("said.none") : kind} name={id} question={question}>
              {judged && <Said judged={judged} shown={of(id).some(({ summary }) => summary === judged.answer)} />}
              <Proofs list={of(id)} />
            </Line>
          );
        })}
        {(adversarial || of(SCENARIO).length > 0) && (
          <Line
            mark={adversarial?.realistic == null ? "none" : adversarial.realistic ? "FAIL" : "PASS"}
            word={t(adversarial?.realistic == null ? "said.undecided" : adversarial.realistic ? "said.realistic" : "said.unrealistic")}
            name={SCENARIO}
            question={adversarial?.scenario || t("docket.scenario")}
          >
            {adversarial && (
              <>
                <p>{adversarial.rationale}</p>
                <p class="said-basis">
                  {t(`rests.${adversarial.basis}`)}
                  {adversarial.gap && ` · ${maybe(`lacks.${adversarial.gap}`, adversarial.gap)}`}
                </p>
              </>
            )}
            <Proofs list={of(SCENARIO)} />
          </Line>
        )}
      </ol>
      {pass.rejections.map((one, index) => (
        <p key={index} class="pass-note">
          <Icon path={icon.again} />
          <span>{t("docket.rejected", { criterion: one.criterion, reason: one.reason })}</span>
        </p>
      ))}
      {pass.absences.map((one) => (
        <p key={one.attempt} class="pass-note">
          <Icon path={icon.alert} />
          <span>{t("docket.absent", { n: one.attempt, detail: one.detail })}</span>
        </p>
      ))}
      {fixed && (
        <p class="pass-note">
          <Icon path={icon.check} />
          <span>
            <b>{t("docket.fixed", { criteria: fixed.applied.join(", ") })}</b> {fixed.summary}{" "}
            {(fixed.changes ?? []).map(({ place }) => place).filter(Boolean).join("; ")}
          </span>
        </p>
      )}
    </details>
  );
}

interface LineProps {
  mark: keyof typeof MARKS | null;
  word: string;
  name: string;
  question: string;
  children: ComponentChildren;
}

function Line({ mark, word, name, question, children }: LineProps) {
  return (
    <li class={`verdict is-${mark ?? "wait"}`}>
      <span class="verdict-word">
        <Icon path={mark ? MARKS[mark] : icon.ring} />
        {word}
      </span>
      <div class="verdict-body">
        <h3>
          <code>{name}</code> {question}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** `shown` when what was measured says the same words. */
function Said({ judged, shown }: { judged: Judged; shown: boolean }) {
  const { answer, basis, overruled, fix, gap, deferral } = judged;
  return (
    <>
      {answer && !shown && <p>{answer}</p>}
      {fix && (
        <p>
          <b>{t("docket.todo")}</b> {fix}
        </p>
      )}
      {deferral && <p>{t("docket.until", { author: deferral.author, reason: deferral.reason, when: when(deferral.until) })}</p>}
      <p class="said-basis">
        {t(`rests.${basis}`)}
        {overruled && ` · ${t("docket.overruled", { verdict: overruled })}`}
        {gap && ` · ${maybe(`lacks.${gap}`, gap)}`}
      </p>
    </>
  );
}

function Proofs({ list }: { list: readonly Proof[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="proofs">
      {list.map((proof, index) => (
        <li key={index} class={`proof ${proof.passed === false ? "is-overrated" : ""}`}>
          <Icon path={proof.passed == null ? icon.ring : proof.passed ? icon.check : icon.cross} />
          <div>
            <b>{t(proof.passed == null ? "docket.unmeasured" : proof.passed ? "docket.within" : "docket.beyond")}</b> {proof.summary}{" "}
            {Object.entries(proof.figures ?? {}).map(([name, value]) => (
              <code key={name}>
                {name} {number(value)}{" "}
              </code>
            ))}
            {proof.exit !== undefined && <code>exit {proof.exit}</code>}
            {(proof.places?.length ?? 0) > 0 && (
              <ul class="claims">
                {proof.places?.map((place, at) => (
                  <li key={at}>
                    {place.line !== undefined && <code>{t("measured.line", { n: place.line })}</code>} {place.text}
                  </li>
                ))}
              </ul>
            )}
            {proof.output && (
              <details class="log">
                <summary>{t("docket.output")}</summary>
                <pre tabIndex={0}>{proof.output}</pre>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
