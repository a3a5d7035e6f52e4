// A run again on the page of its workflow: the player, and the page as it stood at the place where the player is.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { t } from "../i18n";
import { indexAt, stepRound, timeline } from "../state/timeline";
import type { AnyRecord } from "../words";
import { Controls } from "./Controls";
import { useFollowed, usePlayer } from "./player";

export interface AgainProps {
  records: readonly AnyRecord[];
  /** Where to begin, in milliseconds of the run. */
  at: number;
  /** The page after so many events, with what stands at the end of its head. */
  show: (events: number, actions: ComponentChildren) => ComponentChildren;
  onLeave: () => void;
  onAt: (ms: number) => void;
}

export function Again({ records, at, show, onLeave, onAt }: AgainProps) {
  const line = useMemo(() => timeline(records), [records]);
  const player = usePlayer(line, at > 0 ? indexAt(line.times, at) : 0);
  const root = useRef<HTMLDivElement>(null);
  useFollowed(line, player, onAt);
  // Keys work while the page has the focus, so it takes it.
  useEffect(() => root.current?.focus({ preventScroll: true }), []);
  const press = (event: KeyboardEvent) => {
    const from = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || from.tagName === "SELECT") return;
    if (event.key === "[") player.seek(stepRound(line, player.index, -1));
    else if (event.key === "]") player.seek(stepRound(line, player.index, 1));
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <div class="again" ref={root} tabIndex={-1} onKeyDown={press}>
      {show(
        player.index,
        <button type="button" class="button" onClick={onLeave}>
          {t("replay.leave")} <kbd>Esc</kbd>
        </button>,
      )}
      <Controls line={line} player={player} />
    </div>
  );
}
