// A screen with nothing on it yet, or no more: what that means and what to do.
import type { ComponentChildren } from "preact";

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
