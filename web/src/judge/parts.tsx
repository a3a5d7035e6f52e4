// What the sections of the judge's pages have in common.
import type { ComponentChildren } from "preact";

import { ago, count, hundredths, mark, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Estimate, FileProblem, Verdict } from "../net/judge";
import { at, span } from "./figures";

interface SectionProps {
  name: string;
  beside?: ComponentChildren;
  /** What it says when there is nothing, and the command that changes that. */
  empty?: [text: string, command: string] | false;
  children?: ComponentChildren;
}

export function Section({ name, beside, empty, children }: SectionProps) {
  return (
    <section class="panel" aria-label={name}>
      <header class="panel-head">
        <h2>{name}</h2>
        {beside && <p>{beside}</p>}
      </header>
      {empty ? (
        <>
          <p class="panel-text">{empty[0]}</p>
          <code class="command">{empty[1]}</code>
        </>
      ) : (
        children
      )}
    </section>
  );
}

const MARKS: Record<Verdict, [path: string, tone: string]> = {
  pass: [icon.check, "is-met"],
  partial: [icon.dash, "is-under"],
  fail: [icon.cross, "is-failed"],
};

export function Says({ as, score }: { as: Verdict; score?: number }) {
  const [path, tone] = MARKS[as];
  return (
    <span class={`status ${tone}`}>
      <Icon path={path} />
      {t(`says.${as}`)}
      {score !== undefined && <span class="is-mono">{mark(score)}</span>}
    </span>
  );
}

/** A score, its interval, and both as a bar. */
export function Score({ of }: { of: Estimate }) {
  const { left, width, tick } = span(of);
  return (
    <>
      <b>{hundredths(of.value)}</b> ({hundredths(of.low)}–{hundredths(of.high)})
      <span class="interval" aria-hidden="true">
        <i style={{ left: `${left}%`, width: `${width}%` }} />
        <b style={{ left: `${tick}%` }} />
      </span>
    </>
  );
}

/** A mark from 0 to 1 as a bar, with the place that a pass needs. */
export function Mark({ value, bar }: { value: number; bar: number }) {
  return (
    <>
      {mark(value)}
      <span class="interval" aria-hidden="true">
        <i style={{ left: "0%", width: `${at(value)}%` }} />
        <b style={{ left: `${at(bar)}%` }} />
      </span>
    </>
  );
}

/** A moment as a file has it: some are none. */
export function Moment({ iso }: { iso: string | null | undefined }) {
  if (!iso) return <>–</>;
  return Number.isNaN(Date.parse(iso)) ? <>{iso}</> : <time dateTime={iso} title={when(iso)}>{ago(iso)}</time>;
}

export function Problems({ list }: { list: readonly FileProblem[] }) {
  if (list.length === 0) return null;
  return (
    <section class="panel" aria-label={count("judge.problems", list.length)}>
      <p class="status is-under">
        <Icon path={icon.alert} />
        {count("judge.problems", list.length)}
      </p>
      <ul class="claims">
        {list.map(({ file, problem }, index) => (
          <li key={index}>
            {file && <code>{file}</code>} {problem}
          </li>
        ))}
      </ul>
    </section>
  );
}
