// What a state means, and what can be done about it: one notice for each way a run can stand.
import type { ComponentChildren } from "preact";

import { t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { type Phase, unreviewed } from "../state/selectors";
import type { Board } from "../words";
import { Prose } from "./Prose";

export interface Words {
  icon: string;
  title: string;
  text: string;
  detail?: string | undefined;
}

export interface NoticeProps {
  board: Board;
  phase: Phase;
  children?: ComponentChildren;
}

/** Before the end, what is waited for. The verdict has its words where it is fetched. */
export function Notice({ board, phase }: NoticeProps) {
  const words = wordsOf(board, phase);
  return words && <Slip board={board} phase={phase} words={words} />;
}

export function Slip({ board, phase, words, strong = [], children }: NoticeProps & { words: Words; strong?: string[] }) {
  return (
    <section class={`notice is-${phase}`} aria-labelledby="notice-title">
      <Icon path={words.icon} />
      <div class="notice-words">
        <h2 id="notice-title">{words.title}</h2>
        <p>{words.text}</p>
        <Prose class="notice-detail" text={words.detail ?? ""} />
        {(unreviewed(board) ? [t("notice.unreviewed"), ...strong] : strong).map((text) => (
          <p key={text} class="notice-strong">{text}</p>
        ))}
        {children && <div class="notice-actions">{children}</div>}
      </div>
    </section>
  );
}

function wordsOf(board: Board, phase: Phase): Words | null {
  const agent = board.queued?.agent ?? board.started?.agent ?? "";
  switch (phase) {
    case "queued":
      return { icon: icon.clock, title: t("queued.title"), text: t("queued.text", { agent }) };
    case "running":
      if (board.rounds.length > 0) return null;
      return { icon: icon.ring, title: t("running.title"), text: t("running.text", { agent }) };
    case "fallback":
      return { icon: icon.alert, title: t("fallback.title"), text: t("fallback.text", { agent }), detail: board.fallback?.detail };
    default:
      return null;
  }
}
