// The daemon's API, as far as the page uses it.
import type { Board, CritiqueConfig, Enablement, Status } from "../words";

export interface RunSummary {
  runId: string;
  projectId: string;
  artifactId: string;
  agent: string;
  title: string;
  state: "queued" | "running" | "ended";
  status: Status | null;
  score: number | null;
  round: number | null;
  rounds: number;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}
export interface RunView {
  run: RunSummary;
  state: Board;
}
export interface Project {
  id: string;
  name: string;
  metadata: Record<string, unknown>;
  critique: Enablement;
}
export interface AgentHealth {
  id: string;
  kind: "house" | "program" | "service" | "own";
  available: boolean;
  detail: string;
  degradedUntil: string | null;
  degradedReason: string | null;
  lastCycle: { at: string; runs: number; shipped: number; clean: number } | null;
}
export interface SettingsView {
  critique: CritiqueConfig;
  enabledGiven: boolean | null;
  enablement: Enablement;
}
export interface RunRequest {
  agent?: string;
  model?: string;
  title?: string;
  page?: string;
  brief?: string;
  design?: string;
  skill?: string;
  critique?: boolean;
  threshold?: number;
  maxRounds?: number;
}

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
export const artifactPath = (project: string, run: string, round: number | null) =>
  round === null ? `${runPath(project, run)}/artifact` : `${runPath(project, run)}/rounds/${round}/artifact`;

export const getRun = (project: string, run: string) => json<RunView>(runPath(project, run));
export const postInterrupt = (project: string, run: string) => ask(`${runPath(project, run)}/interrupt`, sending("POST"));
export const postRerun = (project: string, run: string) =>
  json<{ runId: string }>(`${runPath(project, run)}/rerun`, sending("POST"));
export const getText = async (path: string) => (await ask(path)).text();
