// What the content pages ask the daemon.
import type { components } from "../api.gen";
import { ask, json, sending } from "./api";

type Schemas = components["schemas"];

export type Idea = Schemas["ContentIdea"];

const ideaPath = (idea: string) => `/api/content-pipeline/${encodeURIComponent(idea)}`;
const runPath = (idea: string, run: string) => `${ideaPath(idea)}/runs/${encodeURIComponent(run)}`;

export const getIdeas = () => json<Schemas["Ideas"]>("/api/content-pipeline");
export const getRecipes = async () => (await json<Schemas["Recipes"]>("/api/content/recipes")).recipes.map(({ recipe }) => recipe);
export const postContent = (idea: string, request: Schemas["ContentAsk"]) =>
  json<{ runId: string }>(ideaPath(idea), sending("POST", request));
export const getContentRun = (idea: string, run: string) => json<Schemas["ContentRun"]>(runPath(idea, run));
export const eventsPath = (idea: string, run: string) => `${runPath(idea, run)}/events`;
export const getDraft = async (idea: string, run: string, round: number) => (await ask(`${runPath(idea, run)}/rounds/${round}/draft`)).text();
export const getChanges = async (idea: string, run: string, from: number, to: number) =>
  (await json<Schemas["DraftDiff"]>(`${runPath(idea, run)}/diff?${new URLSearchParams({ from: String(from), to: String(to) })}`)).blocks;
export const postResume = (idea: string, run: string, draft?: string) => ask(`${runPath(idea, run)}/resume`, sending("POST", draft === undefined ? {} : { draft }));
export const postPause = (idea: string, run: string) => ask(`${runPath(idea, run)}/pause`, sending("POST"));
export const postAbandon = (idea: string, run: string) => ask(`${runPath(idea, run)}/abandon`, sending("POST", {}));
