// What a run keeps book of: questions with their answers, findings with their fate, and what is put off.
import type { ComponentChildren } from "preact";

import { number, t, when } from "../i18n";
import { said } from "../inbox/said";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Deferral, CriticState } from "../net/critic";

const STATES = { open: icon.alert, regressed: icon.again, escalated: icon.alert, deferred: icon.clock, refuted: icon.dash, fixed: icon.check, known: icon.clock, waived: icon.clock, noted: icon.dash };
const ORDER = Object.keys(STATES);

export function Books({ docket }: { docket: CriticState }) {
  const { questions, ledger, deferrals, reopened, moreQuestions } = docket;
  const findings = Object.entries(ledger).sort(([, a], [, b]) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.first - b.first);
  const left = findings.filter(([, { state }]) => state === "open" || state === "regressed" || state === "escalated").length;
  return (
    <>
      {questions.length > 0 && (
        <Book name={t("docket.questions")} beside={moreQuestions > 0 ? t("docket.more", { n: moreQuestions }) : ""}>
          <ul class="findings">
            {questions.map(({ question, answer, pass }) => (
              <li key={question.number} class={`finding is-book ${answer ? "is-fixed" : "is-open"}`}>
                <State path={answer ? icon.check : icon.clock} word={t(answer ? "docket.has" : "docket.lacks")} />
                <code>{question.criterion}</code>
                <span class="finding-text">
                  {question.question}
                  {answer && (
                    <span class="book-note">
                      <b>{said(question, answer.answer)}</b> {t("docket.by", { by: answer.by })}
                    </span>
                  )}
                </span>
                <span class="finding-rounds">{t("docket.pass", { n: pass })}</span>
              </li>
            ))}
          </ul>
        </Book>
      )}
      {findings.length > 0 && (
        <Book name={t("docket.ledger")} beside={t("docket.left", { n: number(left), of: number(findings.length) })}>
          <ul class="findings">
            {findings.slice(0, 200).map(([id, { state, role, text, first, last, until }]) => (
              <li key={id} class={`finding is-book is-${state}`}>
                <State path={STATES[state]} word={t(`finding.${state}`)} />
                <code>{role}</code>
                <span class="finding-text">
                  {text}
                  {until && <span class="book-note">{t("docket.again", { when: when(until) })}</span>}
                </span>
                <span class="finding-rounds">{t("docket.pass", { n: first === last ? first : `${first}–${last}` })}</span>
              </li>
            ))}
          </ul>
        </Book>
      )}
      {deferrals.length > 0 && <Off name={t("docket.deferrals")} list={deferrals} />}
      {reopened.length > 0 && <Off name={t("docket.reopened")} list={reopened} />}
    </>
  );
}

function Off({ name, list }: { name: string; list: readonly Deferral[] }) {
  return (
    <Book name={name} beside={number(list.length)}>
      <ul class="claims">
        {list.map((one, index) => (
          <li key={index}>
            <code>{one.criterion}</code> {t("docket.until", { author: one.author, reason: one.reason, when: when(one.until) })}
          </li>
        ))}
      </ul>
    </Book>
  );
}

function Book({ name, beside, children }: { name: string; beside: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{name}</h2>
        <p>{beside}</p>
      </header>
      {children}
    </section>
  );
}

function State({ path, word }: { path: string; word: string }) {
  return (
    <span class="finding-state">
      <Icon path={path} />
      {word}
    </span>
  );
}
