// Ideas: their documents, what a kind of content still needs of them, their runs, and a way to start another.
import { useEffect } from "preact/hooks";

import { ago, count, t, when } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useLoaded } from "../lib/loaded";
import { Link, links } from "../lib/router";
import { getIdeas, getRecipes } from "../net/content";
import { getAgents, optional } from "../net/pages";
import { Stands } from "./Stands";
import { type IdeaProps, missing, Start } from "./Start";

const EVERY = 5000;

export function Ideas({ project, only }: { project: string; only: string }) {
  const ideas = useLoaded("ideas", getIdeas);
  const recipes = useLoaded("recipes", getRecipes);
  const agents = useLoaded("agents", () => optional(getAgents()));
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && ideas.again(), EVERY);
    return () => clearInterval(timer);
  }, []);
  const error = ideas.error ?? recipes.error;
  const both = () => {
    ideas.again();
    recipes.again();
  };
  if (error && !(ideas.value && recipes.value)) return <Trouble error={error} onAgain={both} />;
  if (!ideas.value || !recipes.value) return <p class="wait">{t("loading")}</p>;
  const list = ideas.value.ideas.filter(({ ideaId }) => !only || ideaId === only);
  if (list.length === 0) {
    return (
      <Empty title={t("studio.emptyTitle")} text={t("studio.emptyText")}>
        <code class="command">ideas/NAME/positioning.md</code>
        <code class="command">jury content run website --idea ideas/NAME</code>
      </Empty>
    );
  }
  const able = agents.value?.filter(({ id, available }) => available && id !== "house").map(({ id }) => id) ?? [];
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("studio.text")}</p>
          <h1>{t("nav.content")}</h1>
        </div>
      </header>
      {error && (
        <p class="link-lost" role="status">
          <Icon path={icon.again} />
          {t("trouble.title")}
        </p>
      )}
      {list.map((idea) => (
        <One key={idea.ideaId} project={project} idea={idea} recipes={recipes.value ?? []} agents={able} />
      ))}
    </div>
  );
}

function One({ project, idea, recipes, agents }: IdeaProps) {
  const { ideaId, documents, runs, trouble } = idea;
  const lacks = recipes.map((recipe) => [recipe.contentType, missing(idea, recipe)] as const).filter(([, kinds]) => kinds.length > 0);
  return (
    <section class="panel" aria-labelledby={`idea-${ideaId}`}>
      <header class="panel-head">
        <h2 id={`idea-${ideaId}`}>{ideaId}</h2>
        <p>{count("studio.documents", documents.length)}</p>
      </header>
      <ul class="docs">
        {documents.map(({ kind, words }) => (
          <li key={kind}>
            <code>{kind}</code> {count("studio.words", words)}
          </li>
        ))}
      </ul>
      {trouble && (
        <p class="link-lost is-error">
          <Icon path={icon.alert} />
          {trouble}
        </p>
      )}
      {!trouble && lacks.length > 0 && (
        <ul class="claims">
          {lacks.map(([type, kinds]) => (
            <li key={type} class="lacks">
              <Icon path={icon.alert} />
              <span>{t("studio.lacks", { type, files: kinds.map((kind) => `${kind}.md`).join(", ") })}</span>
            </li>
          ))}
        </ul>
      )}
      {runs.length > 0 ? (
        <ol class="runs">
          {runs.map((run) => (
            <li key={run.runId}>
              <Link class="run-row is-critic" to={links.page(project, "content", `${ideaId}/${run.runId}`)}>
                <span class="run-title">{run.contentType}</span>
                <Stands as={run.outcome ?? (run.state === "ended" ? "running" : run.state)} />
                <span class="run-agent">{run.agent === "house" ? t("studio.offline") : run.agent}</span>
                <span class="run-rounds" />
                <span class="run-when" title={when(run.createdAt)}>
                  {ago(run.createdAt)}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <p class="panel-text">{t("studio.noRuns")}</p>
      )}
      <details class="log">
        <summary>{t("studio.start")}</summary>
        <Start project={project} idea={idea} recipes={recipes} agents={agents} />
      </details>
    </section>
  );
}
