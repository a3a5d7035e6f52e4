// What lies under the score: the page under review, the fate of every must-fix, what was measured. It is fetched once
// the stage stands.
import { isOver, type Phase } from "../state/selectors";
import type { Frame } from "../theater/Theater";
import type { Board } from "../words";
import { Findings, Measured } from "./Findings";
import Viewer from "./Viewer";

interface DetailsProps {
  board: Board;
  phase: Phase;
  shown: number | null;
  frame: Frame;
  durationMs: number | null;
}

export default function Details({ board, phase, shown, frame, durationMs }: DetailsProps) {
  const rounds = board.rounds.filter((round) => round.artifact).map((round) => round.round);
  const { ended } = board;
  const handedOver = isOver(phase) && ended && "artifactRef" in ended && ended.artifactRef;
  return (
    <>
      {(rounds.length > 0 || handedOver) && <Viewer rounds={rounds.join()} shown={shown} frame={frame} />}
      <Findings board={board} />
      <Measured board={board} durationMs={durationMs} />
    </>
  );
}
