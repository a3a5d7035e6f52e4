// The form that starts a run for an idea.
import { useState } from "preact/hooks";

import { number, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { go, links } from "../lib/router";
import { ApiError } from "../net/api";
import { type Idea, postContent } from "../net/content";
import type { Recipe } from "./wire";

export interface IdeaProps {
  project: string;
  idea: Idea;
  recipes: readonly Recipe[];
  agents: readonly string[];
}

/** What a kind of content needs and the idea does not have. */
export const missing = (idea: Idea, recipe: Recipe) => recipe.authorContextDocs.filter((kind) => !idea.documents.some((doc) => doc.kind === kind && doc.words > 0));

export function Start({ project, idea, recipes, agents }: IdeaProps) {
  const [type, setType] = useState("");
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const recipe = recipes.find(({ contentType }) => contentType === type) ?? recipes[0];
  const lacks = recipe ? missing(idea, recipe) : [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [draft, agent] = ["draft", "agent"].map((name) => String(form.get(name) ?? "").trim());
    if (!recipe) return;
    setSending(true);
    setError(null);
    postContent(idea.ideaId, { contentType: recipe.contentType, ...(draft ? { draft } : {}), ...(agent ? { agent } : {}) }).then(
      ({ runId }) => go(links.page(project, "content", `${idea.ideaId}/${runId}`)),
      (reason: unknown) => {
        setSending(false);
        setError(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""));
      },
    );
  };
  if (!recipe) return <p class="panel-text">{t("studio.noRecipes")}</p>;
  return (
    <form class="hand-start" onSubmit={submit}>
      <div class="columns">
        <label class="field">
          <span>{t("studio.type")}</span>
          <select value={recipe.contentType} onChange={(event) => setType(event.currentTarget.value)}>
            {recipes.map(({ contentType }) => (
              <option key={contentType} value={contentType}>
                {contentType}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("studio.who")}</span>
          <select name="agent">
            <option value="">{t("studio.offline")}</option>
            {agents.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="panel-text">{t(recipe.publish ? "studio.publishes" : "studio.keeps", { n: recipe.maxRevisionRounds, min: number(recipe.minAggregateScore) })}</p>
      <label class="field">
        <span>{t("studio.own")}</span>
        <textarea name="draft" class="is-mono" rows={6} />
      </label>
      {lacks.length > 0 && (
        <p class="lacks">
          <Icon path={icon.alert} />
          <span>{t("studio.lacks", { type: recipe.contentType, files: lacks.map((kind) => `${kind}.md`).join(", ") })}</span>
        </p>
      )}
      {error && (
        <p class="link-lost is-error" role="alert">
          <Icon path={icon.alert} />
          {error.message || t("trouble.text")} {error.hint}
        </p>
      )}
      <div>
        <button type="submit" class="button is-main" disabled={sending || lacks.length > 0}>
          {t(sending ? "start.sending" : "studio.go")}
        </button>
      </div>
    </form>
  );
}
