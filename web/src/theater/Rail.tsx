// The rail: the composite, the rounds and the lanes. Under 720 pixels it is a drawer.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { count, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { keep, kept } from "../lib/hooks";
import { asked, type Density, openness, scores } from "../state/lanes";
import { active, cast, mustFix, type Phase, reviewOf, shares, speaker } from "../state/selectors";
import type { Board, Role, RoundBoard } from "../words";
import { Badge } from "./Badge";
import { Card } from "./Card";
import { Lane } from "./Lane";

const FIRST: RoundBoard = { round: 1, reviews: [], artifact: null, evidence: [], end: null };

interface RailProps {
  board: Board;
  phase: Phase;
  round: RoundBoard | undefined;
  onRound: (round: number) => void;
  /** The lane that an address named. */
  role: Role | null;
  onRole: (role: Role | null) => void;
  moving: boolean;
}

export function Rail({ board, phase, round, onRound, role: named, onRole, moving }: RailProps) {
  const [density, setDensity] = useState<Density>(() => kept<Density>("density", "smart"));
  const [overrides, setOverrides] = useState<Partial<Record<Role, boolean>>>(named ? { [named]: true } : {});
  const [drawer, setDrawer] = useState(false);
  const rail = useRef<HTMLElement>(null);
  const handle = useRef<HTMLButtonElement>(null);

  const choose = (next: Density) => {
    setDensity(next);
    setOverrides({});
    // Only a wish to see everything is remembered.
    keep("density", next === "all" ? next : "");
  };
  // The same for as long as the rail stands, so that a lane is not drawn anew for it.
  const chosen = useRef(onRole);
  chosen.current = onRole;
  const toggle = useCallback((role: Role, open: boolean) => {
    setOverrides((before) => ({ ...before, [role]: open }));
    chosen.current(open ? role : null);
  }, []);
  useEffect(() => {
    if (!named) return;
    setOverrides((before) => ({ ...before, [named]: true }));
    setDrawer(true);
  }, []);
  const point = () => {
    const lane = named && document.getElementById(`lane-${named}`);
    if (!lane) return;
    lane.scrollIntoView({ block: "nearest" });
    lane.querySelector("button")?.focus({ preventScroll: true });
  };
  useLayoutEffect(point, [!!board.started]);
  // Beside the stage the rail is always open, whatever the drawer is.
  const isDrawn = () => drawer && getComputedStyle(rail.current as Element).position === "fixed";
  // Before the next frame: a drawer that is seen to be open or closed has the focus where it belongs.
  useLayoutEffect(() => {
    if (!drawer) return;
    // The focus stays in an open drawer: what lies under it cannot be seen.
    const enter = () => rail.current?.querySelector("button")?.focus();
    const stay = ({ target }: FocusEvent) => isDrawn() && !rail.current?.contains(target as Node) && enter();
    enter();
    point();
    document.addEventListener("focusin", stay);
    return () => {
      document.removeEventListener("focusin", stay);
      handle.current?.focus();
    };
  }, [drawer]);
  const close = () => setDrawer(false);

  const now = speaker(board);
  const important = active(board, round);
  const part = useMemo(() => shares(board, round), [board.started, round]);
  const histories = useMemo(
    () => Object.fromEntries(cast(board).map((role) => [role, scores(board, role)])),
    [board.rounds, board.started],
  );
  const fixes = useMemo(() => asked(board.ledger), [board.ledger]);
  const isLast = round === board.rounds.at(-1);
  // Before anybody has spoken, the seats are there.
  const rounds = board.rounds.length > 0 ? board.rounds : [FIRST];
  const shown = round ?? FIRST;
  return (
    <>
      <button type="button" class="drawer-handle" ref={handle} aria-expanded={drawer} aria-controls="rail" onClick={() => setDrawer(true)}>
        <Badge board={board} />
        <span class="drawer-word">
          <Icon path={icon.panel} />
          {t("rail.open")}
        </span>
      </button>
      <aside
        class={`rail ${drawer ? "is-drawn" : ""}`}
        id="rail"
        ref={rail}
        aria-label={t("rail.name")}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !isDrawn()) return;
          event.stopPropagation();
          close();
        }}
      >
        <button type="button" class="quiet drawer-close" onClick={close}>
          <Icon path={icon.cross} />
          {t("rail.close")}
        </button>
        <Card board={board} round={round} phase={phase} />
        <fieldset class="segments">
          <legend class="sr-only">{t("density.name")}</legend>
          {(["smart", "active", "all"] as const).map((mode) => (
            <label key={mode} class="segment">
              <input type="radio" name="density" checked={density === mode} onChange={() => choose(mode)} />
              <span>{t(`density.${mode}`)}</span>
            </label>
          ))}
        </fieldset>
        {board.superseded.length > 0 && <p class="superseded">{count("round.superseded", board.superseded.length)}</p>}
        {/* The lanes keep their place in the tree when another round is shown: they change, and are not made anew. */}
        {rounds.flatMap((one) => [
          <Divider key={one.round} one={one} isShown={one === shown} isOver={board.ended !== null} onRound={onRound} />,
          one === shown && (
            <div key="lanes" class="lanes">
              {cast(board).map((role) => (
                <Lane
                  key={role}
                  role={role}
                  review={reviewOf(one, role)}
                  speaks={isLast && now === role}
                  openness={openness(density, important === role, overrides[role])}
                  onToggle={toggle}
                  scale={board.started?.scale ?? 10}
                  threshold={board.started?.threshold ?? 0}
                  share={part[role]}
                  history={histories[role] ?? ""}
                  round={one.round}
                  asked={fixes[role]?.[0] ?? 0}
                  open={fixes[role]?.[1] ?? 0}
                  board={board}
                  evidence={one.evidence}
                  moving={moving}
                  rows={density === "all" ? 6 : 10}
                  roundIsOver={one.end !== null || board.ended !== null}
                />
              ))}
            </div>
          ),
          one === shown && one.end && (
            <p key="reason" class="round-reason">
              {one.end.reason}
              {one.end.note && <q class="round-note">{one.end.note}</q>}
            </p>
          ),
        ])}
      </aside>
      {drawer && <div class="scrim" onClick={close} />}
    </>
  );
}

interface DividerProps {
  one: RoundBoard;
  isShown: boolean;
  isOver: boolean;
  onRound: (round: number) => void;
}

function Divider({ one, isShown, isOver, onRound }: DividerProps) {
  const { end } = one;
  return (
    <h2 class="round">
      <button type="button" class="round-divider" aria-expanded={isShown} onClick={() => onRound(one.round)}>
        <span>{t("round.name", { n: one.round })}</span>
        {end ? (
          <>
            <span>{score(end.composite)}</span>
            <span>{count("lane.mustFix", mustFix(one))}</span>
            <span>{t(`decision.${end.decision}`)}</span>
          </>
        ) : (
          <span>{t(isOver ? "round.cut" : "round.open")}</span>
        )}
      </button>
    </h2>
  );
}
