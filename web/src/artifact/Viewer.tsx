// The page under review: one round, two rounds over each other, two beside each other, or their sources.
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { memo } from "../lib/memo";
import type { Frame } from "../theater/Theater";
import { Page } from "./Page";
import { Slider } from "./Slider";
import { SourceDiff } from "./SourceDiff";

const VIEWS = ["page", "slider", "beside", "source"] as const;
type View = (typeof VIEWS)[number];

interface ViewerProps {
  /** The rounds that have a page, each with the beginning of its digest: `1:abc,2:def`. */
  rounds: string;
  shown: number | null;
  frame: Frame;
}

export default memo(function Viewer({ rounds: text, shown, frame: frameOf }: ViewerProps) {
  const versions = new Map(text.split(",").flatMap((one) => (one === "" ? [] : [one.split(":") as [string, string]])));
  const rounds = [...versions.keys()].map(Number);
  const frame = (round: number | null) => frameOf(round, versions.get(String(round)));
  const first = rounds[0] ?? null;
  const last = rounds.at(-1) ?? null;
  const [view, setView] = useState<View>("page");
  const [before, setBefore] = useState<number | null>(null);
  const [after, setAfter] = useState<number | null>(null);
  const [tall, setTall] = useState(false);
  const now = shown !== null && rounds.includes(shown) ? shown : last;
  const left = before ?? (rounds.length > 1 && now === first ? first : (rounds[rounds.indexOf(now ?? 0) - 1] ?? first));
  const right = after ?? (rounds.length > 1 && now === first ? (rounds[1] ?? last) : now);
  const many = rounds.length > 1;
  const leftSource = frame(left);
  const rightSource = frame(right);
  return (
    <section class="panel viewer" aria-labelledby="viewer-name">
      <header class="panel-head">
        <h2 id="viewer-name">{t("artifact.name")}</h2>
        {many && (
        <fieldset class="segments">
          <legend class="sr-only">{t("artifact.view")}</legend>
          {VIEWS.map((one) => (
            <label key={one} class="segment">
              <input type="radio" name="view" checked={view === one} onChange={() => setView(one)} />
              <span>{t(`artifact.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        )}
        <div class="viewer-tools">
          {view === "page" ? (
            <span class="meta-pill">{now === null ? t("artifact.final") : t("round.name", { n: now })}</span>
          ) : (
            <>
              <Pick label={t("artifact.before")} rounds={rounds} value={left} onPick={setBefore} />
              <Pick label={t("artifact.after")} rounds={rounds} value={right} onPick={setAfter} />
            </>
          )}
          {view !== "source" && (
            <label class="check">
              <input type="checkbox" checked={tall} onChange={() => setTall(!tall)} />
              {t("artifact.tall")}
            </label>
          )}
        </div>
      </header>
      {view === "page" && <Page source={frame(now)} title={t("artifact.title", { n: now ?? 0 })} tall={tall} />}
      {view === "slider" && <Slider before={leftSource} after={rightSource} from={left ?? 0} to={right ?? 0} tall={tall} />}
      {view === "beside" && (
        <div class="beside">
          <Page source={leftSource} title={t("artifact.title", { n: left ?? 0 })} tall={tall} />
          <Page source={rightSource} title={t("artifact.title", { n: right ?? 0 })} tall={tall} />
        </div>
      )}
      {view === "source" && <SourceDiff before={leftSource} after={rightSource} />}
    </section>
  );
});

interface PickProps {
  label: string;
  rounds: number[];
  value: number | null;
  onPick: (round: number) => void;
}

function Pick({ label, rounds, value, onPick }: PickProps) {
  return (
    <label class="pick">
      <span>{label}</span>
      <select value={value ?? ""} onChange={(event) => onPick(Number(event.currentTarget.value))}>
        {rounds.map((round) => (
          <option key={round} value={round}>
            {t("round.name", { n: round })}
          </option>
        ))}
      </select>
    </label>
  );
}
