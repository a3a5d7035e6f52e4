// In a report nothing is fetched, and of what comes after a run only the verdict and the rule are shown. It stands for `lib/later`.
import type { AfterProps } from "../after/After";
import { Rule } from "../after/Rule";
import { Verdict } from "../after/Verdict";
import { Facts } from "../artifact/Facts";
import { Spark } from "../theater/Spark";

export function After({ what, board, phase, shown, children }: AfterProps) {
  if (what === "rule") return board && phase ? <Rule board={board} round={shown} phase={phase} /> : null;
  return board && phase ? (
    <Verdict board={board} phase={phase}>
      {children}
    </Verdict>
  ) : null;
}

/** What was measured beside a claim. */
export const useFacts = () => Facts;

/** Scores over the rounds. */
export const useSpark = () => Spark;
