// A person's draft: the last one to edit, the brief beside it, and a way to hand it in. What is typed is kept in the browser
// until it is handed in.
import { useEffect, useState } from "preact/hooks";

import { count, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { useLoaded } from "../lib/loaded";
import { ApiError } from "../net/api";
import { getDraft, postResume } from "../net/content";

interface HandProps {
  idea: string;
  id: string;
  round: number;
  brief: string;
}

export function Hand({ idea, id, round, brief }: HandProps) {
  const place = `jury.draft.${id}.${round}`;
  const loaded = useLoaded(place, () => getDraft(idea, id, round));
  const [text, setText] = useState<string | null>(() => kept(place));
  const shown = text ?? loaded.value ?? "";
  const changed = text !== null && text !== loaded.value;
  useEffect(() => keep(place, changed ? text : null), [text, changed]);
  const [going, setGoing] = useState(false);
  const [refused, setRefused] = useState<ApiError | null>(null);
  const hand = () => {
    setGoing(true);
    setRefused(null);
    // What came of it, the stream says.
    postResume(idea, id, shown).then(
      () => keep(place, null),
      (reason: unknown) => {
        setGoing(false);
        setRefused(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""));
      },
    );
  };
  return (
    <section class="panel" aria-labelledby="hand-name">
      <header class="panel-head">
        <h2 id="hand-name">{t("studio.hand")}</h2>
        <p>{t("studio.handText")}</p>
      </header>
      <form
        class="hand"
        onSubmit={(event) => {
          event.preventDefault();
          hand();
        }}
      >
        <label class="field">
          <span>
            {t("studio.markdown")} · {count("studio.words", shown.split(/\s+/).filter(Boolean).length)}
          </span>
          {/* A browser that fills a field in again after a reload does so without an event: it would show what it remembers
              and hand in what is kept. */}
          <textarea
            autocomplete="off"
            class="is-mono"
            rows={24}
            spellcheck
            lang=""
            value={shown}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="hand-brief">
          <h3>{t("studio.brief")}</h3>
          <pre class="brief" tabIndex={0}>
            {brief}
          </pre>
        </div>
        {(refused || loaded.error) && (
          <p class="link-lost is-error" role="alert">
            <Icon path={icon.alert} />
            {refused ? `${refused.message || t("trouble.title")} ${refused.hint}` : t("studio.noDraft")}
          </p>
        )}
        <div class="ask-foot">
          <button type="submit" class="button is-main is-large" disabled={going || shown.trim() === ""}>
            {t(going ? "studio.handing" : "studio.handIn")}
          </button>
          {changed && (
            <button type="button" class="quiet" onClick={() => setText(null)}>
              {t("studio.reset")}
            </button>
          )}
          <p>{t(changed ? "studio.typed" : "studio.untouched")}</p>
        </div>
      </form>
    </section>
  );
}

function kept(place: string): string | null {
  try {
    return sessionStorage.getItem(place);
  } catch {
    return null;
  }
}

function keep(place: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    // A browser that keeps nothing still hands it in.
  }
}
