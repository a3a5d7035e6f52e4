// What lies under the score: the page under review, the fate of every must-fix, what was measured. It is fetched once
// the stage stands.
import { memo } from "../lib/memo";
import { useSettled } from "../lib/settled";
import { isOver, type Phase } from "../state/selectors";
import type { Frame } from "../theater/Theater";
import type { Board } from "../words";
import { Proofs } from "./Facts";
import { Findings, Measured } from "./Findings";
import Viewer from "./Viewer";

export { Spark } from "../theater/Spark";
export { Facts } from "./Facts";
export { Page } from "./Page";
export { SourceDiff } from "./SourceDiff";

interface DetailsProps {
  board: Board;
  phase: Phase;
  shown: number | null;
  frame: Frame;
  durationMs: number | null;
  folded?: boolean | undefined;
}

export default function Details({ board, phase, shown, frame, durationMs, folded }: DetailsProps) {
  const rounds = useSettled(
    board.rounds
      .filter((round) => round.artifact)
      .map((round) => `${round.round}:${round.artifact?.sha256.slice(0, 12)}`)
      .join(),
  );
  const settled = useSettled(shown);
  const under = { board: useSettled(board, 1500), durationMs: useSettled(durationMs, 1500) };
  const { ended } = board;
  const handedOver = isOver(phase) && ended && "artifactRef" in ended && ended.artifactRef;
  return (
    <>
      {(rounds !== "" || handedOver) && <Viewer rounds={rounds} shown={settled} frame={frame} />}
      {!folded && <Under {...under} shown={settled} />}
    </>
  );
}

interface UnderProps {
  board: Board;
  shown: number | null;
  durationMs: number | null;
}

const Under = memo(function Under({ board, shown, durationMs }: UnderProps) {
  return (
    <>
      <Findings board={board} />
      <Proofs board={board} shown={shown} />
      <Measured board={board} durationMs={durationMs} />
    </>
  );
});
