// The document of one pass beside that of another.
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { SourceDiff } from "../lib/lines";
import { documentPath, type Pass } from "../net/critic";

/** The first pass that saw the same document: it is kept under that number. */
export const firstWith = (passes: readonly Pass[], pass: Pass): number =>
  passes.find(({ document }) => document.sha256 === pass.document.sha256)?.pass ?? pass.pass;

export function Changes({ project, id, passes }: { project: string; id: string; passes: readonly Pass[] }) {
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const first = passes.find(({ pass }) => pass === from) ?? passes[0];
  const last = passes.find(({ pass }) => pass === to) ?? passes.at(-1);
  if (!first || !last || passes.length < 2) return null;
  const ends = [
    [t("docket.from"), first, setFrom],
    [t("docket.to"), last, setTo],
  ] as const;
  return (
    <section class="panel" aria-labelledby="changes-name">
      <header class="panel-head">
        <h2 id="changes-name">{t("docket.changes")}</h2>
        <div class="run-actions">
          {ends.map(([label, chosen, choose]) => (
            <label key={label} class="pick">
              <span>{label}</span>
              <select value={chosen.pass} onChange={(event) => choose(Number(event.currentTarget.value))}>
                {passes.map(({ pass }) => (
                  <option key={pass} value={pass}>
                    {t("docket.pass", { n: pass })}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      </header>
      <SourceDiff before={documentPath(project, id, firstWith(passes, first))} after={documentPath(project, id, firstWith(passes, last))} />
    </section>
  );
}
