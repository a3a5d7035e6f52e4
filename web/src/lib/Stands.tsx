// How a run of the critic or the judge stands, as a mark and a word.
import type { components } from "../api.gen";
import { t } from "../i18n";
import { Icon } from "./Icon";
import * as icon from "./icons";

type Schemas = components["schemas"];
/** Before its end too. */
export type Standing = Schemas["CriticStanding"] | Schemas["JudgeStanding"] | "queued";

export const MARKS: Record<Standing, string> = {
  queued: icon.clock,
  running: icon.ring,
  escalated: icon.alert,
  disputed: icon.alert,
  throttled: icon.clock,
  converged: icon.check,
  pass: icon.check,
  partial: icon.dash,
  fail: icon.cross,
  skipped: icon.dash,
  safety_cap: icon.dash,
  stopped: icon.dash,
  inconclusive: icon.alert,
  interrupted: icon.stop,
  failed: icon.cross,
};

export function Stands({ as }: { as: Standing }) {
  return (
    <span class={`status is-${as}`}>
      <Icon path={MARKS[as]} />
      {t(`stands.${as}`)}
    </span>
  );
}
