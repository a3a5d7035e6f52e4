// What is fetched once it is known to be needed.
import type { AfterProps } from "../after/After";
import type { FactsProps } from "../artifact/Facts";
import type { SparkProps } from "../theater/Spark";
import { useLazy } from "./hooks";

export function After(props: AfterProps) {
  const Part = useLazy(() => import("../after/After"));
  return Part && <Part {...props} />;
}

/** What stands for a part that is no loss. */
export const nothing = () => null;

/** What was measured beside a claim. */
export const useFacts = () => useLazy<FactsProps>(async () => ({ default: (await import("../artifact/Details")).Facts }), nothing);

/** Scores over the rounds. */
export const useSpark = () => useLazy<SparkProps>(async () => ({ default: (await import("../artifact/Details")).Spark }), nothing);
