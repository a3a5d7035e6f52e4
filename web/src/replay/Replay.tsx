// A run again, from its transcript, with the components that show it live. It needs nothing but a list of records, so
// a report can carry one.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

import { t } from "../i18n";
import { useSettled } from "../lib/settled";
import { boardAt, indexAt, stepRound, timeline } from "../state/timeline";
import { type Frame, Theater } from "../theater/Theater";
import type { LogRecord, Role } from "../words";
import { Controls } from "./Controls";
import { useFollowed, usePlayer } from "./player";

export { Again } from "./Again";

interface ReplayProps {
  records: readonly LogRecord[];
  frame: Frame;
  facts?: ComponentChildren;
  /** Where to begin, in milliseconds of the run. */
  at?: number;
  round?: number | null;
  role?: Role | null;
  onLeave?: () => void;
  onAt?: (ms: number) => void;
}

export default function Replay({ records, frame, facts, at = 0, round = null, role = null, onLeave, onAt }: ReplayProps) {
  const line = useMemo(() => timeline(records), [records]);
  const player = usePlayer(line, at > 0 ? indexAt(line.times, at) : 0);
  const board = useMemo(() => boardAt(line, player.index), [line, player.index]);
  const settled = useSettled(player.index);
  const title = records[0]?.event === "critique.queued" ? records[0].title : "";
  const now = useFollowed(line, player, onAt);
  return (
    <Theater
      board={board}
      title={title}
      facts={facts}
      frame={frame}
      durationMs={now}
      still={!player.playing}
      moving={!player.playing && settled !== player.index}
      round={round}
      role={role}
      onStep={(direction) => player.seek(stepRound(line, player.index, direction))}
      {...(onLeave ? { onEscape: onLeave } : {})}
      actions={
        onLeave && (
          <button type="button" class="button" onClick={onLeave}>
            {t("replay.leave")} <kbd>Esc</kbd>
          </button>
        )
      }
    >
      <Controls line={line} player={player} />
    </Theater>
  );
}
