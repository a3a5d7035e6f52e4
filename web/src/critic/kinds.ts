// The events of a run of the critic.
import type { CriticEvent } from "../net/critic";

type Kind<E = CriticEvent["event"]> = E extends `critic.${infer Name}` ? Name : never;

const NAMES: Record<Kind, 1> = {
  queued: 1,
  run_started: 1,
  reopened: 1,
  pass_started: 1,
  evidence: 1,
  agent: 1,
  absent: 1,
  rejected: 1,
  verdict: 1,
  adversarial: 1,
  fixed: 1,
  fix_failed: 1,
  pass_ended: 1,
  escalated: 1,
  answered: 1,
  converged: 1,
  safety_cap: 1,
  stopped: 1,
  inconclusive: 1,
  interrupted: 1,
  failed: 1,
};

export const KINDS = Object.keys(NAMES).map((name) => `critic.${name}`);
