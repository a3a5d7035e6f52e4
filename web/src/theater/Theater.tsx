// The stage: one board, drawn whole. Live runs, replays and reports all come through here.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { useLazy } from "../lib/hooks";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { After } from "../lib/later";
import { ending, isOver, phase as phaseOf, roundOf } from "../state/selectors";
import type { Board, Role } from "../words";
import { Announcer } from "./Announcer";
import { Badge } from "./Badge";
import { Notice } from "./Notice";
import { Rail } from "./Rail";
import { Ticker } from "./Ticker";

/** Where the page of a round is, or of what was handed over when there is no round; null when it is nowhere. A round
 * shows the page before it until its own comes: the version tells them apart. */
export type Frame = (round: number | null, version?: string) => string | null;

interface TheaterProps {
  board: Board;
  title: string;
  /** What stands beside the title: who, when, how long. */
  facts: ComponentChildren;
  actions: ComponentChildren;
  /** What can be done about the state that the run is in. */
  remedies?: ComponentChildren;
  banner?: ComponentChildren;
  frame: Frame;
  durationMs: number | null;
  /** From the address. */
  round?: number | null;
  role?: Role | null;
  onPlace?: (round: number | null, role: Role | null) => void;
  onEscape?: () => void;
  /** `[` and `]` go here in a replay; otherwise they step through the rounds that there are. */
  onStep?: (direction: 1 | -1) => void;
  /** A run that is over is its badge, its verdict and its page, until somebody asks for the rest. */
  folded?: boolean;
  /** Nothing moves by itself: bars stand where they belong, at once. */
  still?: boolean;
  /** Somebody drags through a replay right now. */
  moving?: boolean;
  children?: ComponentChildren;
}

const nothing = () => undefined;

export function Theater(props: TheaterProps) {
  const { board, onPlace = nothing, onStep, onEscape } = props;
  const [pinned, setPinned] = useState<number | null>(props.round ?? null);
  const [role, setRole] = useState<Role | null>(props.role ?? null);
  const root = useRef<HTMLDivElement>(null);
  const phase = phaseOf(board);
  const last = board.rounds.at(-1);
  const ended = ending(board).round;
  // A person's choice stays; otherwise the newest round is shown, and at the end the one that the run ended with.
  const shown = (pinned === null ? undefined : roundOf(board, pinned)) ?? (ended ? roundOf(board, ended) : undefined) ?? last;

  // Without a panel there is no score, and no room is kept for one; a run that is folded shows neither.
  const sits = !props.folded && board.started !== null && (last !== undefined || !(board.ended || board.fallback));

  const pin = (round: number | null) => {
    setPinned(round);
    onPlace(round, role);
  };
  const setLane = (next: Role | null) => {
    setRole(next);
    onPlace(pinned, next);
  };
  const step = (direction: 1 | -1) => {
    if (onStep) return onStep(direction);
    const next = roundOf(board, (shown?.round ?? 0) + direction);
    if (next) pin(next.round);
  };
  const press = (event: KeyboardEvent) => {
    const from = event.target as HTMLElement;
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(from.tagName) && (from as HTMLInputElement).type !== "radio";
    if (event.ctrlKey || event.metaKey || event.altKey || typing || from.closest("dialog")) return;
    if (event.key === "[" || event.key === "k" || event.key === "K") step(-1);
    else if (event.key === "]" || event.key === "j" || event.key === "J") step(1);
    else if (event.key === "Escape" && onEscape) onEscape();
    else return;
    event.preventDefault();
  };
  // Keys work while the stage has the focus, so it takes it: before anybody can see it and press one.
  useLayoutEffect(() => {
    // What is folded away may have had it.
    if (document.activeElement?.contains(root.current)) root.current?.focus({ preventScroll: true });
  }, [props.folded]);

  return (
    <div class={`theater is-${phase} ${props.still ? "is-still" : ""}`} ref={root} tabIndex={-1} onKeyDown={press}>
      <Announcer board={board} quiet={props.still} />
      <header class="run-head">
        <div class="run-words">
          <p class="eyebrow">{t("critiqueTheater.userFacingName")}</p>
          <h1>{props.title || t("run.untitled")}</h1>
          <div class="run-facts">
            <Badge board={board} />
            {props.facts}
          </div>
        </div>
        <div class="run-actions">{props.actions}</div>
      </header>
      {props.banner}
      <div class={sits ? "stage" : "stage is-bare"}>
        <div class="stage-main">
          {isOver(phase) ? (
            <After what="verdict" board={board} phase={phase}>
              {props.remedies}
            </After>
          ) : (
            <Notice board={board} phase={phase} />
          )}
          {board.warnings["weak_debate"] && (
            <p class="link-lost">
              <Icon path={icon.alert} />
              {t("notice.weakDebate")}
            </p>
          )}
          {sits && <Ticker board={board} selected={shown?.round ?? 0} onSelect={pin} />}
          {pinned !== null && !isOver(phase) && last && last.round !== shown?.round && (
            <button type="button" class="button follow" onClick={() => pin(null)}>
              {t("run.follow")}
            </button>
          )}
          <Details board={board} phase={phase} shown={shown?.round ?? null} frame={props.frame} durationMs={props.durationMs} folded={props.folded} />
        </div>
        {sits && <Rail board={board} phase={phase} round={shown} onRound={pin} role={role} onRole={setLane} moving={!!props.moving} />}
      </div>
      {props.children}
    </div>
  );
}

function Details(props: Parameters<typeof import("../artifact/Details").default>[0]) {
  const Part = useLazy(() => import("../artifact/Details"));
  return Part && <Part {...props} />;
}
