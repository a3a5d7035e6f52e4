// An answer in words.
import { t } from "../i18n";
import type { Answer, Question } from "../net/critic";

export function said(question: Question, answer: Answer): string {
  if (answer === "skip") return t("inbox.skip");
  if ("text" in answer) return `“${answer.text}”`;
  return `${answer.option}. ${question.options[answer.option - 1]?.label ?? ""}`;
}
