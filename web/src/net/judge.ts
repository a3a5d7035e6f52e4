// What the judge's pages ask the daemon.
import type { components } from "../api.gen";
import { json } from "./api";

type Schemas = components["schemas"];

/** Files may leave things out; the daemon fills them in. */
export type Template = Required<Omit<Schemas["TemplateScore"], "agents" | "judged">> & {
  agents: Required<Schemas["AgentPart"]>[];
  judged?: Estimate;
};
export type Estimate = Schemas["Estimate"];
export type Trend = Schemas["Trend"];
export type Verdict = Schemas["JudgeVerdict"];
export type Judgement = Schemas["Judgement"];
export type JudgementSummary = Schemas["JudgementSummary"];
export type Issue = Schemas["Issue"];
type Case = Schemas["JudgedCase"];
export type Pattern = Schemas["PatternView"];
export type Day = Schemas["JudgeDay"];
export type Tests = Schemas["JudgeTests"];
export type AbTest = Schemas["AbTest"];
/** Everything that is known about a run of the judge. */
export type JudgeState = Schemas["JudgeState"];
export type SeatState = Schemas["JudgeSeatState"];
export type Standing = Schemas["JudgeStanding"] | "queued";
export type FileProblem = Schemas["FileProblem"];

const get = <T>(what: string) => json<T>(`/api/judge/${what}`);

export const getTemplates = () => get<Omit<Schemas["JudgeTemplates"], "templates"> & { templates: Template[] }>("templates");
export const getJudgements = (query: Record<string, string>) =>
  get<Schemas["Judgements"]>(`judgements?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))}`);
export const getCase = (bead: string) => get<Case>(`judgements/${encodeURIComponent(bead)}`);
export const getPatterns = () => get<Schemas["JudgePatterns"]>("patterns");
export const getCost = () => get<Schemas["JudgeSpending"]>("cost");
export const getTests = () => get<Tests>("tests");
