// The daemon's API, as far as the page uses it.
import type { components } from "../api.gen";
import type { Board } from "../words";

type Schemas = components["schemas"];

export type RunSummary = Schemas["RunSummary"];
export type RunView = Omit<Schemas["RunView"], "state"> & { state: Board };
export type Project = Schemas["Project"];
export type RunRequest = Schemas["RunRequest"];
export type AgentHealth = Schemas["AgentView"];
export type SettingsView = Schemas["SettingsView"];
export type Skill = Schemas["SkillView"];

/** What the daemon, or the way to it, said no with. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

export async function ask(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new ApiError(0, "unreachable", "", "");
  }
  if (response.ok) return response;
  // Without the token there is a page that asks for it, in the place of this one.
  if (response.status === 401) location.reload();
  const body = (await response.json().catch(() => null)) as { error?: Partial<ApiError> } | null;
  const { code = "unknown", message = response.statusText, hint = "" } = body?.error ?? {};
  throw new ApiError(response.status, code, message, hint);
}

export async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

export function sending(method: string, body?: unknown): RequestInit {
  if (body === undefined) return { method };
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

export const projectPath = (project: string) => `/api/projects/${encodeURIComponent(project)}`;
export const runPath = (project: string, run: string) => `${projectPath(project)}/critique/${encodeURIComponent(run)}`;
export const artifactPath = (project: string, run: string, round: number | null, version = "") =>
  `${runPath(project, run)}${round === null ? "" : `/rounds/${round}`}/artifact${version && `?v=${version}`}`;

export const getRun = (project: string, run: string) => json<RunView>(runPath(project, run));
export const postInterrupt = (project: string, run: string) => ask(`${runPath(project, run)}/interrupt`, sending("POST"));
export const postRerun = (project: string, run: string) =>
  json<{ runId: string }>(`${runPath(project, run)}/rerun`, sending("POST"));
export const getText = async (path: string) => (await ask(path)).text();
