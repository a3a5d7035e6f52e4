// The replay of an ended run on its own page: its transcript, the player, and the address. The page itself is drawn by whoever
// has it, for any place of the log.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { getTranscript } from "../net/runs";
import type { AgainProps } from "../replay/Again";
import { readTranscript } from "../state/timeline";
import type { AnyRecord } from "../words";
import { Trouble } from "./Empty";
import { useLazy } from "./hooks";
import { Icon } from "./Icon";
import * as icon from "./icons";
import { useLoaded } from "./loaded";
import { requery } from "./router";

interface ReplayedProps {
  id: string;
  query: URLSearchParams;
  show: (records: readonly AnyRecord[], events: number, actions: ComponentChildren) => ComponentChildren;
}

export function Replayed({ id, query, show }: ReplayedProps) {
  const Again = useLazy<AgainProps>(async () => ({ default: (await import("../replay/Replay")).Again }));
  const loaded = useLoaded(id, async () => readTranscript<AnyRecord>(await getTranscript(id)));
  const [at] = useState(() => Number(query.get("t")) || 0);
  const records = loaded.value;
  if (loaded.error && !records) return <Trouble error={loaded.error} missing={[t("unknown.title"), t("unknown.text")]} onAgain={loaded.again} />;
  if (!Again || !records) return <p class="wait">{t("loading")}</p>;
  return (
    <Again
      records={records}
      at={at}
      show={(events, actions) => show(records, events, actions)}
      onLeave={() => requery({ replay: null, t: null })}
      onAt={(ms) => requery({ t: ms > 0 ? String(Math.round(ms)) : null })}
    />
  );
}

/** The way into it. */
export function ReplayButton() {
  return (
    <button type="button" class="button is-main" onClick={() => requery({ replay: "1" })}>
      <Icon path={icon.play} />
      {t("run.replay")}
    </button>
  );
}
