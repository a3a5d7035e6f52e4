// How a run of the critic stands, as a mark and a word.
import { t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Standing } from "../net/critic";

export const ICONS: Record<Standing, string> = {
  queued: icon.clock,
  running: icon.ring,
  escalated: icon.alert,
  converged: icon.check,
  safety_cap: icon.dash,
  stopped: icon.dash,
  inconclusive: icon.alert,
  interrupted: icon.stop,
  failed: icon.cross,
};

export function Stands({ as }: { as: Standing }) {
  return (
    <span class={`status is-${as}`}>
      <Icon path={ICONS[as]} />
      {t(`stands.${as}`)}
    </span>
  );
}
