// The page of one run: how it stands and what to do about it, its steps, its rounds, its drafts and its site.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { ago, count, number, t, when } from "../i18n";
import { money } from "../i18n/format";
import { Trouble } from "../lib/Empty";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Replayed, ReplayButton } from "../lib/Replayed";
import { Link, links } from "../lib/router";
import { ApiError } from "../net/api";
import { postAbandon, postPause, postResume } from "../net/content";
import { current } from "../state/progress";
import { fold } from "../state/studied";
import { EMPTY, standing, type Studio } from "../state/studio";
import { Confirm } from "./Confirm";
import { Changes } from "./Changes";
import { Draft } from "./Draft";
import { Hand } from "./Hand";
import { Notice } from "./Notice";
import { Panel } from "./Panel";
import { Round } from "./Round";
import { Site } from "./Site";
import { type Stand, Stands } from "./Stands";
import { detail, Steps } from "./Steps";
import { useStudio } from "./useStudio";
import type { ContentEvent } from "./wire";

interface RunProps {
  project: string;
  idea: string;
  id: string;
  query: URLSearchParams;
}

export function Run({ project, idea, id, query }: RunProps) {
  const { studio, error, lost, again, known } = useStudio(project, idea, id);
  const [going, setGoing] = useState(false);
  const [said, setSaid] = useState<ApiError | null>(null);
  if (error && !known) {
    return (
      <Trouble error={error} missing={[t("unknown.title"), t("studio.unknown")]} onAgain={again}>
        <Link class="button" to={links.page(project, "content")}>
          {t("nav.content")}
        </Link>
      </Trouble>
    );
  }
  if (!studio) return <p class="wait">{t("loading")}</p>;
  if (studio.ended && query.has("replay")) {
    return (
      <Replayed
        id={id}
        query={query}
        show={(records, events, leave) => <Sheet project={project} idea={idea} id={id} studio={fold(EMPTY, records.slice(0, events) as ContentEvent[])} actions={leave} />}
      />
    );
  }

  /** What came of it, the stream says. */
  const act = (what: Promise<unknown>) => {
    setGoing(true);
    setSaid(null);
    what.catch((reason: unknown) => setSaid(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""))).finally(() => setGoing(false));
  };
  const as = standOf(studio);
  return (
    <Sheet
      project={project}
      idea={idea}
      id={id}
      studio={studio}
      going={going}
      onResume={() => act(postResume(idea, id))}
      actions={
        studio.ended ? (
          <ReplayButton />
        ) : (
          <>
            {(as === "running" || as === "queued") && (
              <Confirm id="pause" name={t("studio.pause")} title={t("studio.pauseTitle")} text={t("studio.pauseText")} disabled={going} onConfirm={() => act(postPause(idea, id))}>
                <Icon path={icon.pause} />
              </Confirm>
            )}
            <Confirm id="abandon" name={t("studio.abandon")} title={t("studio.abandonTitle")} text={t("studio.abandonText")} danger disabled={going} onConfirm={() => act(postAbandon(idea, id))}>
              <Icon path={icon.stop} />
            </Confirm>
          </>
        )
      }
      banner={
        <>
          {lost && (
            <p class="link-lost" role="status">
              <Icon path={icon.again} />
              {t("link.lost")}
            </p>
          )}
          {said && (
            <p class="link-lost is-error" role="alert">
              <Icon path={icon.alert} />
              {said.message || t("trouble.title")} {said.hint}
            </p>
          )}
        </>
      }
    />
  );
}

function standOf(studio: Studio): Stand {
  const stood = standing(studio);
  return stood === "running" && !studio.started ? "queued" : stood;
}

interface SheetProps extends Omit<RunProps, "query"> {
  studio: Studio;
  going?: boolean;
  /** How it is taken up; none in a replay, where nothing can be done. */
  onResume?: () => void;
  actions: ComponentChildren;
  banner?: ComponentChildren;
}

function Sheet({ project, idea, id, studio, going = false, onResume, actions, banner }: SheetProps) {
  const as = standOf(studio);
  const rounds = studio.rounds;
  const at = current(studio);
  return (
    <div class={`sheet-page is-${as}`}>
      <header class="page-head">
        <div class="run-words">
          <p class="eyebrow">{t("studio.name")}</p>
          <h1>{t("studio.of", { type: typeOf(studio), idea })}</h1>
          <Facts studio={studio} as={as} />
        </div>
        <div class="run-actions">{actions}</div>
      </header>
      {banner}
      <p class="sr-only" aria-live="polite">
        {t(`work.${as}`)} {at && `${t(`tool.${at}`)} ${detail(studio, at)}`}
      </p>
      <Notice project={project} studio={studio} as={as} going={going} onResume={onResume ?? null} />
      {as === "needs-human" && studio.needs && onResume && <Hand key={rounds.length} idea={idea} id={id} round={rounds.at(-1)?.round ?? 0} brief={studio.needs.brief} />}
      <Steps studio={studio} />
      <Panel panel={studio.panel} />
      {rounds.map((round, index) => <Round key={index} studio={studio} round={round} open={index === rounds.length - 1} />).reverse()}
      <Site studio={studio} />
      {rounds.length > 0 && <Draft idea={idea} id={id} studio={studio} />}
      {rounds.length > 1 && <Changes idea={idea} id={id} rounds={rounds} />}
    </div>
  );
}

const typeOf = ({ started, queued }: Studio) => started?.recipe.contentType ?? queued?.contentType ?? "";

function Facts({ studio, as }: { studio: Studio; as: Stand }) {
  const { started, usage, rounds } = studio;
  return (
    <div class="run-facts">
      <Stands as={as} />
      {started && (
        <>
          <span class="fact">{t("studio.round", { n: rounds.at(-1)?.round ?? 0, of: started.recipe.maxRevisionRounds })}</span>
          <span class="fact">{started.agent ? t("run.by", { agent: started.agent }) : t("studio.offline")}</span>
          <span class="fact">{t("studio.author", { author: started.author })}</span>
          <span class="fact">{count("studio.documents", started.docs.length)}</span>
          <time class="fact" dateTime={started.startedAt} title={when(started.startedAt)}>
            {ago(started.startedAt)}
          </time>
        </>
      )}
      {usage.inputTokens + usage.outputTokens > 0 && (
        <span class="fact is-mono" title={t("measured.tokens")}>
          {number(usage.inputTokens)} → {number(usage.outputTokens)}
          {usage.costUsd !== undefined && ` · ${money(usage.costUsd)}`}
        </span>
      )}
    </div>
  );
}
