// How a run of the content pipeline stands, as a mark and a word.
import { t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Standing } from "./wire";

export type Stand = Standing | "queued";

export const ICONS: Record<Stand | "waiting", string> = {
  queued: icon.clock,
  running: icon.ring,
  waiting: icon.alert,
  paused: icon.pause,
  halted: icon.cross,
  "needs-human": icon.alert,
  approved: icon.check,
  unreviewed: icon.dash,
  stalled: icon.dash,
  "max-rounds-reached": icon.dash,
  abandoned: icon.stop,
};

/** `waiting` is all that a row knows of a run that somebody has to take up. */
export function Stands({ as }: { as: Stand | "waiting" }) {
  return (
    <span class={`status is-${as}`}>
      <Icon path={ICONS[as] ?? icon.ring} />
      {t(`work.${as}`)}
    </span>
  );
}
