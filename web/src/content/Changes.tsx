// What changed between the drafts of two rounds: blocks that came and went, and the words in those that became another.
import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";

import { count, number, t } from "../i18n";
import { useLoaded } from "../lib/loaded";
import { getChanges } from "../net/content";
import type { Round } from "../state/studio";
import { type Change, changes, type Compared, sumOf } from "./compared";

/** No more than a few screens at a time. */
const MOST = 200;

export function Changes({ idea, id, rounds }: { idea: string; id: string; rounds: readonly Round[] }) {
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const last = rounds.find(({ round }) => round === to) ?? rounds.at(-1);
  const first = rounds.find(({ round }) => round === from) ?? rounds.at(-2);
  const loaded = useLoaded(`${first?.draft.sha256} ${last?.draft.sha256}`, async () => (first && last ? getChanges(idea, id, first.round, last.round) : []));
  if (!first || !last) return null;
  const ends = [
    [t("docket.from"), first, setFrom],
    [t("docket.to"), last, setTo],
  ] as const;
  return (
    <section class="panel" aria-labelledby="changes-name">
      <header class="panel-head">
        <h2 id="changes-name">{t("studio.changes")}</h2>
        <div class="run-actions">
          {ends.map(([label, chosen, choose]) => (
            <label key={label} class="pick">
              <span>{label}</span>
              <select value={chosen.round} onChange={(event) => choose(Number(event.currentTarget.value))}>
                {rounds.map(({ round }) => (
                  <option key={round} value={round}>
                    {t("round.name", { n: round })}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </header>
      {loaded.error ? <p class="page-none">{t("studio.noDraft")}</p> : loaded.value ? <Blocks list={loaded.value} /> : <p class="page-none">{t("loading")}</p>}
    </section>
  );
}

function Blocks({ list }: { list: readonly Compared[] }) {
  const all = useMemo(() => changes(list), [list]);
  const [most, setMost] = useState(MOST);
  const sum = sumOf(all);
  if (sum.blocks === 0) return <p class="page-none">{t("studio.same")}</p>;
  return (
    <div class="diff">
      <p class="diff-sum">
        <span class="is-new">+{number(sum.added)}</span> <span class="is-gone">−{number(sum.removed)}</span> {count("studio.wordsIn", sum.blocks)}
      </p>
      <ol class="changes">
        {all.slice(0, most).map((one, index) => (
          <One key={index} change={one} />
        ))}
      </ol>
      {all.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + MOST)}>
          {t("more")}
        </button>
      )}
    </div>
  );
}

function One({ change }: { change: Change }) {
  if (change.kind === "same") return <li class="change is-same">{count("studio.unchanged", change.blocks)}</li>;
  return (
    <li class={`change is-${change.kind}`}>
      <span class="change-how">{t(`change.${change.kind}`)}</span>
      <p>
        {change.kind === "changed" ? (
          change.words.map(({ kind, text }, index) => {
            const Tag = kind === "gone" ? "del" : kind === "new" ? "ins" : "span";
            return (
              <Fragment key={index}>
                <Tag>{text}</Tag>{" "}
              </Fragment>
            );
          })
        ) : change.kind === "removed" ? (
          <del>{change.text}</del>
        ) : (
          <ins>{change.text}</ins>
        )}
      </p>
    </li>
  );
}
