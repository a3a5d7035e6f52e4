// One question to a person, with its ways out; or what was answered, and by whom.
import { useState } from "preact/hooks";

import { ago, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { ApiError } from "../net/api";
import { type Decision, getDecisions, postAnswer } from "../net/critic";
import { said } from "./said";

const VERDICTS = ["pass", "partial", "fail"] as const;

interface AskProps {
  decision: Decision;
  by: string;
  /** It has its answer, whoever gave it. */
  onSettled: (decision: Decision) => void;
}

export function Ask({ decision, by, onSettled }: AskProps) {
  const { id, question, state, askedAt, answerBy, round } = decision;
  const [choice, setChoice] = useState("");
  const [words, setWords] = useState("");
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [late, setLate] = useState(false);
  const text = choice === "words" ? words.trim() : choice;

  const send = async () => {
    if (!text || sending) return;
    setSending(true);
    setError(null);
    try {
      onSettled((await postAnswer(id, text, by)).decision);
    } catch (reason) {
      const failure = reason instanceof ApiError ? reason : new ApiError(0, "unknown", "", "");
      // Somebody was faster, or the run ended: what counts is shown in the place of what was chosen here.
      const now = failure.status === 409 ? (await getDecisions().catch(() => [])).find((one) => one.id === id) : undefined;
      if (now && now.state !== "open") {
        setLate(true);
        onSettled(now);
      } else setError(failure);
    }
    setSending(false);
  };

  // A judge is told a verdict: one that a seat gave, or another.
  const judged = decision.workflow === "judge";
  const others = judged ? VERDICTS.filter((verdict) => !question.options.some(({ label }) => label === verdict)) : [];
  const options = [
    ...question.options.map((option, index) => ({ ...option, value: String(index + 1), label: `${index + 1}. ${option.label}` })),
    ...others.map((verdict) => ({ value: verdict, label: t(`says.${verdict}`), description: t("inbox.unsaid"), pro: "", con: "" })),
    { value: "skip", label: t("inbox.skip"), description: t(judged ? "inbox.stands" : "inbox.skipText"), pro: "", con: "" },
  ];
  return (
    <article class={`ask is-${state}`} aria-labelledby={`ask-${id}`}>
      <p class="ask-meta">
        <span class="meta-pill">{question.criterion}</span>
        {!judged && <span>{t("inbox.pass", { n: round })}</span>}
        <time dateTime={askedAt} title={when(askedAt)}>
          {t("inbox.asked", { when: ago(askedAt) })}
        </time>
        <code>{id}</code>
      </p>
      <h3 id={`ask-${id}`}>{question.question}</h3>
      <dl class="ask-why">
        <dt>{t("inbox.issue")}</dt>
        <dd>{question.issue}</dd>
        <dt>{t("inbox.why")}</dt>
        <dd>{question.why}</dd>
      </dl>
      {state === "open" ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <fieldset class="ways" disabled={sending}>
            <legend class="sr-only">{question.question}</legend>
            {options.map(({ value, label, description, pro, con }) => (
              <label key={value} class="way">
                <input type="radio" name={`ask-${id}`} checked={choice === value} onChange={() => setChoice(value)} />
                <span class="way-words">
                  <b>{label}</b> {description}
                  {pro && <Side path={icon.plus} name={t("inbox.pro")} text={pro} />}
                  {con && <Side path={icon.dash} name={t("inbox.con")} text={con} />}
                </span>
              </label>
            ))}
            {!judged && (
              <label class="way">
                <input type="radio" name={`ask-${id}`} checked={choice === "words"} onChange={() => setChoice("words")} />
                <span class="way-words">
                  <b>{t("inbox.words")}</b> {t("inbox.wordsText")}
                </span>
              </label>
            )}
            {choice === "words" && (
              <label class="field">
                <span class="sr-only">{t("inbox.words")}</span>
                <textarea autocomplete="off" rows={3} maxLength={4000} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
              </label>
            )}
          </fieldset>
          {error && (
            <p class="link-lost is-error" role="alert">
              <Icon path={icon.alert} />
              {error.status === 404 ? t("inbox.gone") : error.status === 0 ? `${t("trouble.title")}. ${t("inbox.kept")}` : `${error.message} ${error.hint}`}
            </p>
          )}
          <div class="ask-foot">
            <button type="submit" class="button is-main" disabled={!text || sending}>
              {t(sending ? "inbox.sending" : error ? "again" : "inbox.send")}
            </button>
            <p>
              {answerBy
                ? t("inbox.deadline", { when: when(answerBy), answer: said(question, decision.defaultAnswer) })
                : t("inbox.forever", { answer: said(question, decision.defaultAnswer) })}
            </p>
          </div>
        </form>
      ) : (
        <p class="ask-given" role={late ? "alert" : "status"}>
          <Icon path={decision.answer ? icon.check : icon.dash} />
          <span>
            {late && decision.answer && `${t("inbox.late")} `}
            {decision.answer ? <Given decision={decision} /> : t("inbox.closed")}
          </span>
        </p>
      )}
    </article>
  );
}

function Side({ path, name, text }: { path: string; name: string; text: string }) {
  return (
    <span class="way-side">
      <Icon path={path} />
      {name}: {text}
    </span>
  );
}

function Given({ decision: { answer, question } }: { decision: Decision }) {
  if (!answer) return null;
  return (
    <>
      <b>{said(question, answer.answer)}</b>{" "}
      {t(answer.by === "deadline" ? "inbox.byDeadline" : "inbox.by", { by: answer.by, when: when(answer.at) })}
    </>
  );
}
