// What lies under the score: the page under review, the fate of every must-fix, what was measured. It is fetched once
// the stage stands.
import { memo } from "../lib/memo";
import { useSettled } from "../lib/settled";
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
      <Under board={useSettled(board, 1500)} durationMs={useSettled(durationMs, 1500)} />
    </>
  );
}

const Under = memo(function Under({ board, durationMs }: { board: Board; durationMs: number | null }) {
  return (
    <>
      <Findings board={board} />
      <Measured board={board} durationMs={durationMs} />
    </>
  );
});
