// The draft of a round, as it reads or as Markdown.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { useLoaded } from "../lib/loaded";
import { getDraft } from "../net/content";
import type { Studio } from "../state/studio";
import { type Block, type Piece, read } from "./markdown";

export function Draft({ idea, id, studio }: { idea: string; id: string; studio: Studio }) {
  const { rounds, saved } = studio;
  const [chosen, choose] = useState<number | null>(null);
  const [how, setHow] = useState<"read" | "source">("read");
  const round = rounds.find((one) => one.round === (chosen ?? saved?.round)) ?? rounds.at(-1);
  const loaded = useLoaded(`${round?.round} ${round?.draft.sha256}`, () => getDraft(idea, id, round?.round ?? 0));
  return (
    <section class="panel" aria-labelledby="draft-name">
      <header class="panel-head">
        <h2 id="draft-name">{t("studio.draft")}</h2>
        <div class="run-actions">
          <label class="pick">
            <span>{t("studio.roundName")}</span>
            <select value={round?.round} onChange={(event) => choose(Number(event.currentTarget.value))}>
              {rounds.map((one) => (
                <option key={one.round} value={one.round}>
                  {t(one.round === saved?.round ? "studio.keptRound" : "round.name", { n: one.round })}
                </option>
              ))}
            </select>
          </label>
          <fieldset class="segments">
            <legend class="sr-only">{t("artifact.view")}</legend>
            {(["read", "source"] as const).map((one) => (
              <label key={one} class="segment">
                <input type="radio" name="how" checked={how === one} onChange={() => setHow(one)} />
                <span>{t(`view.${one}`)}</span>
              </label>
            ))}
          </fieldset>
        </div>
      </header>
      {loaded.error ? (
        <p class="page-none">
          {t("studio.noDraft")}{" "}
          <button type="button" class="quiet" onClick={loaded.again}>
            {t("again")}
          </button>
        </p>
      ) : loaded.value === null ? (
        <p class="page-none">{t("loading")}</p>
      ) : how === "source" ? (
        <pre class="brief is-draft" tabIndex={0}>
          {loaded.value}
        </pre>
      ) : (
        <Read markdown={loaded.value} />
      )}
    </section>
  );
}

function Read({ markdown }: { markdown: string }) {
  const { front, blocks } = read(markdown);
  return (
    <div class="prose" role="group" aria-label={t("studio.draft")} tabIndex={0}>
      {front.length > 0 && (
        <dl class="prose-front">
          {front.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {blocks.map((block, index) => (
        <Shown key={index} block={block} />
      ))}
    </div>
  );
}

function Shown({ block }: { block: Block }): ComponentChildren {
  switch (block.kind) {
    case "heading": {
      // The page has the first two levels.
      const Level = `h${Math.min(6, block.level + 2)}` as "h3";
      return (
        <Level class={`prose-h is-h${block.level}`}>
          <Pieces of={block.pieces} /> {block.mark && <span class="meta-pill">{block.mark}</span>}
        </Level>
      );
    }
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List class="prose-list">
          {block.items.map((item, index) => (
            <li key={index}>
              <Pieces of={item} />
            </li>
          ))}
        </List>
      );
    }
    case "code":
      return <pre class="brief">{block.text}</pre>;
    case "quote":
      return (
        <blockquote class="issue-quote">
          <p>
            <Pieces of={block.pieces} />
          </p>
        </blockquote>
      );
    default:
      return (
        <p>
          <Pieces of={block.pieces} />
        </p>
      );
  }
}

function Pieces({ of }: { of: readonly Piece[] }) {
  return (
    <>
      {of.map((piece, index) => {
        switch (piece.kind) {
          case "strong":
            return <b key={index}>{piece.text}</b>;
          case "code":
            return <code key={index}>{piece.text}</code>;
          case "link":
            return (
              <span key={index} class="prose-link">
                <b>{piece.text}</b> <code>{piece.href}</code>
              </span>
            );
          default:
            return piece.text;
        }
      })}
    </>
  );
}
