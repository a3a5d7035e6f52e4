// One panelist: what it scores, what it wants fixed, and how that went over the rounds.
import type { JSX, Ref } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { maybe, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useSpark } from "../lib/later";
import { memo } from "../lib/memo";
import { type Openness, summary } from "../state/lanes";
import { weighs } from "../state/selectors";
import type { Board, Evidence, Review, Role } from "../words";
import { LaneBody } from "./LaneBody";

export interface LaneProps {
  role: Role;
  review: Review | undefined;
  speaks: boolean;
  openness: Openness;
  onToggle: (role: Role, open: boolean) => void;
  scale: number;
  threshold: number;
  /** Its share of the composite; none when it does not count. */
  share: number | undefined;
  /** Scores over the rounds. */
  history: string;
  round: number;
  /** The must-fixes that it has asked for over all rounds, each once, and how many of them are open. */
  asked: number;
  open: number;
  /** For what a lane shows of the other rounds. */
  board: Board;
  evidence: readonly Evidence[];
  roundIsOver: boolean;
  /** The most rows of a list that are on the page at once; a lane has two lists. */
  rows: number;
  /** Whether somebody drags through a replay right now. */
  moving: boolean;
}

export const Lane = memo(function Lane(props: LaneProps) {
  const place = useRef<HTMLElement>(null);
  const inSight = useRef(true);
  const drawn = useRef<JSX.Element | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry && (inSight.current = entry.isIntersecting), { rootMargin: "99px" });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  // Who drags through a run sees only so much of it: the rest is drawn where they stop.
  if (!props.moving || inSight.current || !drawn.current) drawn.current = <Whole {...props} place={place} />;
  return drawn.current;
  // A board changes with every word of anybody. What a lane shows of it changes with the lane's own.
}, "board");

function Whole(props: LaneProps & { place: Ref<HTMLElement> }) {
  const { role, review, speaks, openness, onToggle, scale, threshold, history, asked, board, roundIsOver } = props;
  const Spark = useSpark();
  const open = openness === "open";
  const id = `lane-${role}`;
  const fixes = t("lane.asked", { n: asked, open: props.open });
  const value = review?.score ?? null;
  const line = openness === "summary" ? summary(review) : "";
  return (
    <section class={`lane ink-${role} ${open ? "is-open" : ""} ${speaks ? "is-live" : ""}`} aria-labelledby={`${id}-name`} id={id} ref={props.place}>
      <h3 class="lane-title">
        <button
          type="button"
          class="lane-head"
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => onToggle(role, !open)}
        >
          <span class="role-tag">{maybe(`tag.${role}`, role)}</span>
          <span class="lane-name" id={`${id}-name`}>
            {maybe(`role.${role}`, role)}
          </span>
          {speaks && (
            <span class="caret">
              <span class="sr-only">{t("lane.speaks")}</span>
            </span>
          )}
          <span class="spark">{Spark && <Spark values={history} scale={scale} threshold={threshold} />}</span>
          {asked > 0 && (
            <span class={`fix-count ${props.open ? "" : "is-done"}`} title={fixes}>
              <Icon path={props.open ? icon.alert : icon.check} />
              <span class="sr-only">{fixes}</span>
              <span aria-hidden="true">{asked}</span>
            </span>
          )}
          <Score value={value} word={!weighs(board, role) ? t("lane.unscored") : review?.closed ? t("lane.noScore") : "–"} threshold={threshold} />
          <Icon path={open ? icon.down : icon.right} />
        </button>
      </h3>
      {line && <p class="lane-summary">{line}</p>}
      <div id={`${id}-body`} class="lane-body" hidden={!open}>
        {open && <LaneBody {...props} />}
        {open && !review && <p class="lane-wait">{t(roundIsOver ? "lane.absent" : "lane.waits")}</p>}
      </div>
    </section>
  );
}

function Score({ value, word, threshold }: { value: number | null; word: string; threshold: number }) {
  if (value !== null) {
    const met = value >= threshold;
    return (
      <span class={`lane-score ${met ? "is-met" : "is-under"}`}>
        {score(value)}
        <span class="sr-only">{t(met ? "lane.reaches" : "lane.under")}</span>
      </span>
    );
  }
  return <span class="lane-score is-none">{word}</span>;
}
