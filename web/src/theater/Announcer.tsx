// The one thing that speaks by itself: the end of a round and the verdict, and nothing between.
import { useEffect, useRef, useState } from "preact/hooks";

import { count, score, t } from "../i18n";
import { ending, standing, status } from "../state/selectors";
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
    if (board.ended) {
      const { composite, round } = ending(board);
      const word = t(`status.${standing(board)}`);
      return composite === null || round === null ? word : t("say.ended", { status: word, round, composite: score(composite) });
    }
    const end = closed.at(-1)?.end;
    if (!end) return "";
    return t("say.round", { n: end.round, composite: score(end.composite), fixes: count("lane.mustFix", end.mustFix) });
  }
}
