// What lies under the score: the page under review, the fate of every must-fix, what was measured. It is fetched once
// the stage stands.
import { useEffect, useState } from "preact/hooks";

import { isOver, type Phase } from "../state/selectors";
import type { Frame } from "../theater/Theater";
import type { Board } from "../words";
import { Proofs } from "./Facts";
import { Findings, Measured } from "./Findings";
import Viewer from "./Viewer";

export { Facts } from "./Facts";

interface DetailsProps {
  board: Board;
  phase: Phase;
  shown: number | null;
  frame: Frame;
  durationMs: number | null;
}

/** A value once it has stayed for a moment: a page is not loaded for every place that a scrub passes. */
function useSettled<T>(value: T): T {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), 150);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export default function Details({ board, phase, shown, frame, durationMs }: DetailsProps) {
  const rounds = useSettled(
    board.rounds
      .filter((round) => round.artifact)
      .map((round) => `${round.round}:${round.artifact?.sha256.slice(0, 12)}`)
      .join(),
  );
  const settled = useSettled(shown);
  const { ended } = board;
  const handedOver = isOver(phase) && ended && "artifactRef" in ended && ended.artifactRef;
  return (
    <>
      {(rounds !== "" || handedOver) && <Viewer rounds={rounds} shown={settled} frame={frame} />}
      <Findings board={board} />
      <Proofs board={board} shown={settled} />
      <Measured board={board} durationMs={durationMs} />
    </>
  );
}
