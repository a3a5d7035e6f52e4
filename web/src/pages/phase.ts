// How a run of a list stands.
import type { RunSummary } from "../net/api";
import type { Phase } from "../state/selectors";

export const phaseOfRun = (run: RunSummary): Phase => run.status ?? (run.state === "queued" ? "queued" : "running");
