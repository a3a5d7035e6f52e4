// What the inbox and the critic's pages ask the daemon.
import type { components } from "../api.gen";
import { json, projectPath, sending } from "./api";

type Schemas = components["schemas"];

/** A question in the inbox. */
export type Decision = Schemas["InboxDecision"];
export type Answer = Schemas["Answer"];
export type Question = Schemas["Question"];
export type CriticSummary = Schemas["CriticSummary"];
export type CriticState = Schemas["CriticState"];
export type Pass = Schemas["PassState"];
export type Criterion = Schemas["Criterion"];
export type Judged = Schemas["Judged"];
export type Proof = Schemas["CriticEvidence"];
export type Deferral = Schemas["Deferral"];
/** How a run stands, before its end too. */
export type Standing = Schemas["CriticStanding"] | "queued";

export const getDecisions = async () => (await json<{ decisions: Decision[] }>("/api/decisions?state=all")).decisions;
export const postAnswer = (id: string, answer: string, by: string) =>
  json<{ decision: Decision; left: number }>(`/api/decisions/${encodeURIComponent(id)}`, sending("POST", { answer, ...(by ? { by } : {}) }));

const criticPath = (project: string, run: string) => `${projectPath(project)}/critic/${encodeURIComponent(run)}`;
export const getCriticRuns = (project: string, before = "") =>
  json<Schemas["CriticHistory"]>(`${projectPath(project)}/critic?limit=50${before && `&before=${before}`}`);
export const documentPath = (project: string, run: string, pass: number) => `${criticPath(project, run)}/passes/${pass}/document`;

/** The word of its end, and before that where it is in the queue. */
export const standingOf = (word: string | null, state: Schemas["RunState"]): Standing =>
  (word as Standing | null) ?? (state === "waiting" ? "escalated" : state === "queued" ? "queued" : "running");
