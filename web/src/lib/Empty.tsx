// A screen with nothing on it yet, or no more: what that means and what to do.
import type { ComponentChildren } from "preact";

import { t } from "../i18n";
import type { ApiError } from "../net/api";
import { Icon } from "./Icon";
import * as icon from "./icons";

export function Empty({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <Icon path={icon.scales} />
      <h1>{title}</h1>
      <p>{text}</p>
      {children && <div class="empty-actions">{children}</div>}
    </section>
  );
}

/** No answer, or one that says no. What is not there will not be there the next time either. */
export function Trouble({ error, missing, onAgain, children }: { error: ApiError; missing?: [title: string, text: string]; onAgain: () => void; children?: ComponentChildren }) {
  const [title, text] = (error.status === 404 && missing) || [t("trouble.title"), error.message || t("trouble.text")];
  return (
    <Empty title={title} text={text}>
      {error.status !== 404 && (
        <button type="button" class="button is-main" onClick={onAgain}>
          {t("again")}
        </button>
      )}
      {children}
    </Empty>
  );
}
