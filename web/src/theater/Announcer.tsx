// The one thing that speaks by itself: the end of a round and the verdict, and nothing between.
import { useEffect, useRef, useState } from "preact/hooks";

import { count, score, t } from "../i18n";
import { ending, status } from "../state/selectors";
import type { Board } from "../words";

/** `quiet` while somebody moves through a replay by hand: the track says where they are. */
export function Announcer({ board, quiet }: { board: Board; quiet: boolean | undefined }) {
  const [text, setText] = useState("");
  const closed = board.rounds.filter((round) => round.end);
  const key = `${closed.length} ${status(board) ?? ""}`;
  const first = useRef(true);
  useEffect(() => {
    // What was there when the page opened is read where it stands.
    if (!first.current && !quiet) setText(say());
    first.current = false;
  }, [key]);
  return (
    <p class="sr-only" aria-live="polite">
      {text}
    </p>
  );

  function say(): string {
    const ended = status(board);
    if (ended) {
      const { composite, round } = ending(board);
      if (composite === null || round === null) return t(`status.${ended}`);
      return t("say.ended", { status: t(`status.${ended}`), round, composite: score(composite) });
    }
    const end = closed.at(-1)?.end;
    if (!end) return "";
    return t("say.round", { n: end.round, composite: score(end.composite), fixes: count("lane.mustFix", end.mustFix) });
  }
}
