// What the content pages ask the daemon.
import type { Compared } from "../content/compared";
import type { Recipe, Standing } from "../content/wire";
import { ask, json, sending } from "./api";

export interface Doc {
  kind: string;
  words: number;
}
export interface ContentSummary {
  runId: string;
  contentType: string;
  agent: string;
  state: "queued" | "running" | "waiting" | "ended";
  outcome: Standing | null;
  createdAt: string;
}
export interface Idea {
  ideaId: string;
  documents: Doc[];
  trouble?: string | null;
  runs: ContentSummary[];
}

const ideaPath = (idea: string) => `/api/content-pipeline/${encodeURIComponent(idea)}`;
const runPath = (idea: string, run: string) => `${ideaPath(idea)}/runs/${encodeURIComponent(run)}`;

export const getIdeas = () => json<{ ideas: Idea[] }>("/api/content-pipeline");
export const getRecipes = async () => (await json<{ recipes: { recipe: Recipe }[] }>("/api/content/recipes")).recipes.map(({ recipe }) => recipe);
export const postContent = (idea: string, request: { contentType: string; draft?: string; agent?: string }) =>
  json<{ runId: string }>(ideaPath(idea), sending("POST", request));
export const getContentRun = (idea: string, run: string) => json<{ run: ContentSummary }>(runPath(idea, run));
export const eventsPath = (idea: string, run: string) => `${runPath(idea, run)}/events`;
export const getDraft = async (idea: string, run: string, round: number) => (await ask(`${runPath(idea, run)}/rounds/${round}/draft`)).text();
export const getChanges = async (idea: string, run: string, from: number, to: number) =>
  (await json<{ blocks: Compared[] }>(`${runPath(idea, run)}/diff?${new URLSearchParams({ from: String(from), to: String(to) })}`)).blocks;
export const postResume = (idea: string, run: string, draft?: string) => ask(`${runPath(idea, run)}/resume`, sending("POST", draft === undefined ? {} : { draft }));
export const postPause = (idea: string, run: string) => ask(`${runPath(idea, run)}/pause`, sending("POST"));
export const postAbandon = (idea: string, run: string) => ask(`${runPath(idea, run)}/abandon`, sending("POST", {}));
