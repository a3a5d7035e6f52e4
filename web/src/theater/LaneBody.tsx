// What an open lane holds: the dimensions with their bars and how each went over the rounds, and the must-fixes.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { percent, score, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useFacts, useSpark } from "../lib/later";
import { scores } from "../state/lanes";
import { weighs } from "../state/selectors";
import type { Dimension } from "../words";
import type { LaneProps } from "./Lane";
import { Prose } from "./Prose";

export function LaneBody({ role, review, scale, threshold, share, round, board, evidence, rows }: LaneProps) {
  const Facts = useFacts();
  const Spark = useSpark();
  if (!review) return null;
  const facts = (of: object) => Facts && <Facts evidence={evidence} role={role} {...of} />;
  return (
    <>
      <Prose class="lane-notes" text={review.notes} />
      <Rows items={review.dimensions} rows={rows} tail={!review.closed} label={t("lane.dimensions")} className="dims">
        {(dimension, index) => (
          <Bar key={index} dimension={dimension} scale={scale} past={Spark && <Spark values={scores(board, role, dimension.name)} scale={scale} threshold={threshold} />}>
            {facts({ dimension: dimension.name })}
          </Bar>
        )}
      </Rows>
      <Rows items={review.mustFix} rows={rows} tail={!review.closed} label={t("lane.mustFixes")} className="fixes">
        {(fix, index) => {
          const entry = board.ledger[fix.finding];
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
        {share !== undefined ? t("lane.weight", { share: percent(share) }) : !weighs(board, role) && t("lane.noWeight")}
        {review.closed && review.mustFix.length === 0 && role !== "designer" && ` ${t("lane.content")}`}
      </p>
    </>
  );
}

function Bar({ dimension, scale, past, children }: { dimension: Dimension; scale: number; past: ComponentChildren; children: ComponentChildren }) {
  const { name, score: value, note } = dimension;
  return (
    <li class="dim">
      <details open>
        <summary>
          <span class="dim-name">{name}</span>
          <span class="dim-track" aria-hidden="true">
            <span class="dim-fill" style={{ width: `${((value ?? 0) / scale) * 100}%` }} />
          </span>
          <span class="spark">{past}</span>
          <span class="dim-score">{value === null ? "–" : score(value)}</span>
        </summary>
        {note && <p class="dim-note">{note}</p>}
        {children}
      </details>
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
