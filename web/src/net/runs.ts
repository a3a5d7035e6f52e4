// Runs of every workflow under the same addresses: as they stand, as they stood, and their events.
import type { components } from "../api.gen";
import { ApiError, ask, json, sending } from "./api";

type Schemas = components["schemas"];

export type RunLine = Schemas["RunLine"];
type Workflow = Schemas["Workflow"];

/** A run, and the state that its events add up to. */
export interface Stood<State> {
  run: RunLine;
  state: State;
}

const path = (id: string) => `/api/runs/${encodeURIComponent(id)}`;

/** A run now, or after so many of its events. One of another project or workflow has no place on this page. */
export async function getStood<State>(workflow: Workflow, project: string, id: string, at?: number): Promise<Stood<State>> {
  const stood = await json<Stood<State>>(path(id) + (at === undefined ? "" : `?at=${at}`));
  if (stood.run.workflow !== workflow || stood.run.projectId !== project) throw new ApiError(404, "no_such_run", "", "");
  return stood;
}

export const getRuns = (query: Record<string, string>) =>
  json<Schemas["RunPage"]>(`/api/runs?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))}`);
export const getComparison = (base: string, other: string) =>
  json<Schemas["RunComparison"]>(`${path(base)}/compare/${encodeURIComponent(other)}`);
export const eventsPath = (id: string) => `${path(id)}/events`;
export const getTranscript = (id: string) => ask(`${path(id)}/transcript`);
export const stopRun = (id: string) => ask(`${path(id)}/interrupt`, sending("POST"));
