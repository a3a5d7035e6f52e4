// What the pages beside the stage ask the daemon.
import { type AgentHealth, ApiError, json, type Project, projectPath, type RunRequest, sending, type SettingsView, type Skill } from "./api";

export const getProject = (project: string) => json<Project>(projectPath(project));
export const patchProject = (project: string, metadata: Record<string, unknown>) =>
  json<Project>(projectPath(project), sending("PATCH", { metadata }));
export const postRun = (project: string, request: RunRequest) =>
  json<{ runId: string }>(`${projectPath(project)}/runs`, sending("POST", request));
export const getSettings = () => json<SettingsView>("/api/settings");
export const getAgents = async () => (await json<{ agents: AgentHealth[] }>("/api/agents")).agents;
export const getSkills = async () => (await json<{ skills: Skill[] }>("/api/skills")).skills;

/** What an older daemon does not have is not there; any other failure is one. */
export async function optional<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
