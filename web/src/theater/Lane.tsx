// One panelist: what it scores, what it wants fixed, and how that went over the rounds.
import type { ComponentChildren, JSX, Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { count, percent, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useFacts, useSpark } from "../lib/later";
import { memo } from "../lib/memo";
import { type Openness, summary } from "../state/selectors";
import type { Dimension, Entry, Evidence, Review, Role } from "../words";
import { Prose } from "./Prose";

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
  ledger: Record<string, Entry>;
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
  // A ledger changes with every must-fix of anybody. What a lane shows of it changes with the lane's own.
}, "ledger");

function Whole(props: LaneProps & { place: Ref<HTMLElement> }) {
  const { role, review, speaks, openness, onToggle, scale, threshold, share, history, roundIsOver } = props;
  const Spark = useSpark();
  const open = openness === "open";
  const id = `lane-${role}`;
  const fixes = review?.mustFix.length ?? 0;
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
          <span class="role-tag">{t(`tag.${role}`)}</span>
          <span class="lane-name" id={`${id}-name`}>
            {t(`role.${role}`)}
          </span>
          {speaks && (
            <span class="caret">
              <span class="sr-only">{t("lane.speaks")}</span>
            </span>
          )}
          <span class="spark">{Spark && <Spark values={history} scale={scale} threshold={threshold} />}</span>
          {fixes > 0 && (
            <span class="fix-count" title={count("lane.mustFix", fixes)}>
              <Icon path={icon.alert} />
              <span class="sr-only">{count("lane.mustFix", fixes)}</span>
              <span aria-hidden="true">{fixes}</span>
            </span>
          )}
          <Score value={value} review={review} share={share} threshold={threshold} />
          <Icon path={open ? icon.down : icon.right} />
        </button>
      </h3>
      {line && <p class="lane-summary">{line}</p>}
      <div id={`${id}-body`} class="lane-body" hidden={!open}>
        {open && <Body {...props} />}
        {open && !review && <p class="lane-wait">{t(roundIsOver ? "lane.absent" : "lane.waits")}</p>}
      </div>
    </section>
  );
}

function Score({ value, review, share, threshold }: { value: number | null; review: Review | undefined; share: number | undefined; threshold: number }) {
  if (value !== null) {
    const met = value >= threshold;
    return (
      <span class={`lane-score ${met ? "is-met" : "is-under"}`}>
        {score(value)}
        <span class="sr-only">{t(met ? "lane.reaches" : "lane.under")}</span>
      </span>
    );
  }
  const word = share === undefined ? "lane.unscored" : review?.closed ? "lane.noScore" : null;
  return <span class="lane-score is-none">{word ? t(word) : "–"}</span>;
}

function Body({ role, review, scale, share, round, ledger, evidence, rows }: LaneProps) {
  const Facts = useFacts();
  if (!review) return null;
  const facts = (of: object) => Facts && <Facts evidence={evidence} role={role} {...of} />;
  return (
    <>
      <Prose class="lane-notes" text={review.notes} />
      <Rows items={review.dimensions} rows={rows} tail={!review.closed} label={t("lane.dimensions")} className="dims">
        {(dimension, index) => (
          <Bar key={index} dimension={dimension} scale={scale}>
            {facts({ dimension: dimension.name })}
          </Bar>
        )}
      </Rows>
      <Rows items={review.mustFix} rows={rows} tail={!review.closed} label={t("lane.mustFixes")} className="fixes">
        {(fix, index) => {
          const entry = ledger[fix.finding];
          const since = entry && entry.first < round ? entry.first : null;
          return (
            <li key={index} class="fix">
              <Icon path={icon.alert} />
              <span class="fix-text">
                {fix.text}
                {since !== null && (
                  <span class="fix-since">
                    {entry?.state === "regressed" ? t("fix.regressed") : t("fix.since", { n: since })}
                  </span>
                )}
                {facts({ finding: fix.finding })}
              </span>
            </li>
          );
        }}
      </Rows>
      {facts({ rest: review })}
      <p class="lane-weight">
        {share === undefined ? t("lane.noWeight") : t("lane.weight", { share: percent(share) })}
        {review.closed && review.mustFix.length === 0 && role !== "designer" && ` ${t("lane.content")}`}
      </p>
    </>
  );
}

function Bar({ dimension, scale, children }: { dimension: Dimension; scale: number; children: ComponentChildren }) {
  const { name, score: value, note } = dimension;
  return (
    <li class="dim">
      <span class="dim-name">{name}</span>
      <span class="dim-track" aria-hidden="true">
        <span class="dim-fill" style={{ width: `${((value ?? 0) / scale) * 100}%` }} />
      </span>
      <span class="dim-score">{value === null ? "–" : score(value)}</span>
      {note && <span class="dim-note">{note}</span>}
      {children}
    </li>
  );
}

interface RowsProps<T> {
  items: readonly T[];
  rows: number;
  /** Whether the end matters more than the beginning. */
  tail: boolean;
  label: string;
  className: string;
  children: (item: T, index: number) => JSX.Element;
}

/** A list of which one window is on the page, so that a lane with hundreds of rows costs no more than a short one. */
function Rows<T>({ items, rows, tail, label, className, children }: RowsProps<T>) {
  const [page, setPage] = useState<number | null>(null);
  if (items.length === 0) return null;
  const pages = Math.ceil(items.length / rows);
  const at = Math.min(page ?? (tail ? pages - 1 : 0), pages - 1);
  const from = at * rows;
  const shown = items.slice(from, from + rows);
  return (
    <>
      <ul class={className} aria-label={label}>
        {shown.map((item, index) => children(item, from + index))}
      </ul>
      {pages > 1 && (
        <div class="pager" role="group" aria-label={label}>
          <button type="button" class="quiet" disabled={at === 0} onClick={() => setPage(at - 1)}>
            <Icon path={icon.left} />
            <span class="sr-only">{t("pager.before")}</span>
          </button>
          <span>{t("pager.range", { from: from + 1, to: from + shown.length, of: items.length })}</span>
          <button type="button" class="quiet" disabled={at === pages - 1} onClick={() => setPage(at + 1)}>
            <Icon path={icon.right} />
            <span class="sr-only">{t("pager.after")}</span>
          </button>
        </div>
      )}
    </>
  );
}
