// How a run of a list stands.
import type { Phase } from "../state/selectors";

export const phaseOfRun = ({ status, state }: { status?: string | null; state: string }): Phase => (status as Phase | null) ?? (state === "queued" ? "queued" : "running");
