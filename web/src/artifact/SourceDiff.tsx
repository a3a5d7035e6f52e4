// The sources of two rounds, line by line. Only what differs is drawn, and of that no more than a screenful at a time.
import { useMemo, useState } from "preact/hooks";

import { count, number, t } from "../i18n";
import { useLoaded } from "../lib/loaded";
import { diff, fold, type Line } from "../state/diff";
import { textOf } from "./origin";

const ROWS = 300;
const MARKS = { same: " ", gone: "−", new: "+" };

export function SourceDiff({ before, after }: { before: string | null; after: string | null }) {
  const loaded = useLoaded(`${before} ${after}`, async () =>
    before && after ? Promise.all([textOf(before), textOf(after)]) : null,
  );
  if (loaded.error) return <p class="page-none">{t("artifact.none")}</p>;
  if (!loaded.value) return <p class="page-none">{t("loading")}</p>;
  return <Lines before={loaded.value[0]} after={loaded.value[1]} />;
}

function Lines({ before, after }: { before: string; after: string }) {
  const [rows, setRows] = useState(ROWS);
  const result = useMemo(() => diff(before, after), [before, after]);
  const folded = useMemo(() => fold(result.lines), [result]);
  if (result.added + result.removed === 0) return <p class="page-none">{t("diff.same")}</p>;
  return (
    <div class="diff">
      <p class="diff-sum">
        <span class="is-new">+{number(result.added)}</span> <span class="is-gone">−{number(result.removed)}</span>
        {result.coarse && ` ${t("diff.coarse")}`}
      </p>
      <div class="diff-lines" role="region" aria-label={t("artifact.source")} tabIndex={0}>
        <table>
          <tbody>
            {folded.slice(0, rows).map((line, index) =>
              typeof line === "number" ? (
                <tr key={index} class="diff-gap">
                  <td colSpan={4}>{count("diff.gap", line)}</td>
                </tr>
              ) : (
                <Row key={index} line={line} />
              ),
            )}
          </tbody>
        </table>
      </div>
      {folded.length > rows && (
        <button type="button" class="quiet" onClick={() => setRows(rows + ROWS)}>
          {t("more")}
        </button>
      )}
    </div>
  );
}

function Row({ line }: { line: Line }) {
  return (
    <tr class={`is-${line.kind}`}>
      <td class="diff-number">{line.old ?? ""}</td>
      <td class="diff-number">{line.now ?? ""}</td>
      <td class="diff-mark">{MARKS[line.kind]}</td>
      <td class="diff-text">{line.text.length > 2000 ? `${line.text.slice(0, 2000)}…` : line.text}</td>
    </tr>
  );
}
