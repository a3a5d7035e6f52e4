// Asking for a run: a page to review or a brief to make one from, and who sits over it.
import { useState } from "preact/hooks";

import type { PageProps } from "../App";
import { t } from "../i18n";
import { bytes } from "../i18n/format";
import { useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { go, links } from "../lib/router";
import { ApiError, type RunRequest } from "../net/api";
import { getAgents, getSettings, getSkills, optional, postRun } from "../net/pages";

export default function Start({ project }: PageProps) {
  const [kind, setKind] = useState<"page" | "brief">("page");
  const [page, setPage] = useState<{ name: string; text: string } | null>(null);
  const [design, setDesign] = useState<{ name: string; text: string } | null>(null);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const agents = useLoaded("agents", () => optional(getAgents()));
  const skills = useLoaded("skills", () => optional(getSkills()));
  const settings = useLoaded("settings", () => optional(getSettings()));

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const word = (name: string) => String(form.get(name) ?? "").trim();
    const request: RunRequest = {};
    const html = kind === "page" ? (page?.text ?? word("html")) : "";
    if (html) request.page = html;
    if (page && kind === "page") request.title = page.name;
    if (word("brief")) request.brief = word("brief");
    for (const name of ["agent", "model", "skill"] as const) if (word(name)) request[name] = word(name);
    if (design) request.design = design.text;
    for (const name of ["threshold", "maxRounds"] as const) if (word(name)) request[name] = Number(word(name));
    if (word("panel")) request.critique = word("panel") === "on";
    setSending(true);
    setError(null);
    postRun(project, request).then(
      (taken) => go(links.run(project, taken.runId)),
      (reason: unknown) => {
        setSending(false);
        setError(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""));
      },
    );
  };

  return (
    <form class="sheet-page start" onSubmit={submit}>
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("critiqueTheater.userFacingName")}</p>
          <h1>{t("start.title")}</h1>
        </div>
      </header>
      <fieldset class="segments is-large">
        <legend class="sr-only">{t("start.kind")}</legend>
        {(["page", "brief"] as const).map((one) => (
          <label key={one} class="segment">
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
            <span>{t(`start.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      {kind === "page" && <Drop label={t("start.file")} hint={t("start.fileHint")} accept=".html,.htm,text/html" file={page} onFile={setPage} />}
      {kind === "page" && !page && (
        <label class="field">
          <span>{t("start.paste")}</span>
          <textarea name="html" rows={5} class="is-mono" spellcheck={false} />
        </label>
      )}
      <label class="field">
        <span>{t(kind === "page" ? "start.briefOptional" : "start.briefText")}</span>
        <textarea name="brief" rows={kind === "brief" ? 6 : 2} required={kind === "brief"} />
      </label>
      <div class="columns">
        <label class="field">
          <span>{t("start.agent")}</span>
          {/* The control stays the same while its choices load: whoever has begun to use it must not lose it. */}
          {agents.value || agents.loading ? (
            <select name="agent">
              {agents.value?.map((agent) => (
                <option key={agent.id} value={agent.id} disabled={!agent.available}>
                  {agent.id}
                  {agent.degradedUntil ? ` (${t("status.degraded")})` : agent.available ? "" : ` (${t("agents.absent")})`}
                </option>
              ))}
            </select>
          ) : (
            <input name="agent" placeholder="house" />
          )}
        </label>
        <label class="field">
          <span>{t("start.model")}</span>
          <input name="model" />
        </label>
        <label class="field">
          <span>{t("start.skill")}</span>
          {skills.value || skills.loading ? (
            <select name="skill">
              <option value="">{t("start.noSkill")}</option>
              {skills.value?.map((skill) => (
                <option key={skill.id} value={skill.id} disabled={!!skill.trouble} title={skill.trouble ?? skill.description ?? ""}>
                  {skill.id}
                </option>
              ))}
            </select>
          ) : (
            <input name="skill" />
          )}
        </label>
        <label class="field">
          <span>{t("start.panel")}</span>
          <select name="panel">
            <option value="">{t("start.panelUsual")}</option>
            <option value="on">{t("start.panelOn")}</option>
            <option value="off">{t("start.panelOff")}</option>
          </select>
        </label>
        <label class="field">
          <span>{t("start.threshold")}</span>
          <input name="threshold" type="number" step="0.1" min="0" placeholder={String(settings.value?.critique.scoreThreshold ?? 8)} />
        </label>
        <label class="field">
          <span>{t("start.rounds")}</span>
          <input name="maxRounds" type="number" min="1" max="20" placeholder={String(settings.value?.critique.maxRounds ?? 3)} />
        </label>
      </div>
      <Drop label={t("start.design")} hint={t("start.designHint")} accept=".md,text/markdown" file={design} onFile={setDesign} />
      {error && (
        <p class="link-lost is-error" role="alert">
          <Icon path={icon.alert} />
          {error.message || t("trouble.text")} {error.hint}
        </p>
      )}
      <button type="submit" class="button is-main is-large" disabled={sending}>
        {t(sending ? "start.sending" : "start.go")}
      </button>
    </form>
  );
}

interface DropProps {
  label: string;
  hint: string;
  accept: string;
  file: { name: string; text: string } | null;
  onFile: (file: { name: string; text: string } | null) => void;
}

function Drop({ label, hint, accept, file, onFile }: DropProps) {
  const [over, setOver] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (chosen) onFile({ name: chosen.name, text: await chosen.text() });
  };
  return (
    <div
      class={`drop ${over ? "is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <label class="drop-label">
        <span class="drop-name">{label}</span>
        <span class="drop-hint">{file ? `${file.name} · ${bytes(file.text.length)}` : hint}</span>
        <input type="file" class="sr-only" accept={accept} onChange={(event) => void take(event.currentTarget.files?.[0])} />
      </label>
      {file && (
        <button type="button" class="quiet" onClick={() => onFile(null)}>
          <Icon path={icon.cross} />
          <span class="sr-only">{t("start.remove")}</span>
        </button>
      )}
    </div>
  );
}
