// What can be done with a run, what it has when it is over, and what there is when there is no run: the interrupt, actions,
// the replay, trouble.
import type { ComponentChildren } from "preact";
import { useCallback, useState } from "preact/hooks";

import { t } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { useCopy } from "../lib/copy";
import { keep, useLazy } from "../lib/hooks";
import { useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links, requery } from "../lib/router";
import { type ApiError, artifactPath, ask, getText, runPath } from "../net/api";
import type { Phase } from "../state/selectors";
import { readTranscript } from "../state/timeline";
import type { Board, Role, RoundBoard } from "../words";
import { Interrupt } from "./Interrupt";
import { Rule } from "./Rule";
import { Verdict } from "./Verdict";

export interface AfterProps {
  what: "interrupt" | "actions" | "verdict" | "rule" | "remedies" | "replay" | "trouble" | "nowhere";
  project?: string;
  id?: string;
  query?: URLSearchParams;
  round?: number | null;
  shown?: RoundBoard | undefined;
  role?: Role | null;
  facts?: ComponentChildren;
  error?: ApiError | null;
  onAgain?: () => void;
  /** Whether more is shown than the verdict and the page. */
  whole?: boolean;
  onWhole?: (whole: boolean) => void;
  board?: Board;
  phase?: Phase;
  children?: ComponentChildren;
  asking?: boolean;
  going?: boolean;
  onAsk?: (asking: boolean) => void;
  onConfirm?: () => void;
}

const nothing = (): void => undefined;

export default function After(props: AfterProps) {
  switch (props.what) {
    case "interrupt": {
      const { board, asking = false, going = false, onAsk = nothing, onConfirm = nothing } = props;
      const kept = board?.rounds.some((one) => one.end) ? board.started?.fallbackPolicy : undefined;
      return <Interrupt asking={asking} going={going} text={t(`interrupt.${kept ?? "nothing"}`)} esc onAsk={onAsk} onConfirm={onConfirm} />;
    }
    case "actions":
      return <Actions {...props} />;
    case "remedies":
      return <Remedies {...props} />;
    case "verdict":
      return props.board && props.phase ? <Verdict board={props.board} phase={props.phase}>{props.children}</Verdict> : null;
    case "rule":
      return props.board && props.phase ? <Rule board={props.board} round={props.shown} phase={props.phase} /> : null;
    case "replay":
      return <Replayed {...props} />;
    case "trouble":
      return <Lost {...props} />;
    case "nowhere":
      return (
        <Empty title={t("nowhere.title")} text={t("nowhere.text")}>
          <Link class="button is-main" to={links.history(props.project ?? "")}>
            {t("nav.history")}
          </Link>
        </Empty>
      );
  }
}

function Actions({ project = "", id = "", onAgain }: AfterProps) {
  const [done, copy] = useCopy();
  return (
    <>
      <button type="button" class="button is-main" onClick={() => requery({ replay: "1" })}>
        <Icon path={icon.play} />
        {t("run.replay")}
      </button>
      <button type="button" class="button" onClick={onAgain}>
        <Icon path={icon.again} />
        {t("run.rerun")}
      </button>
      <Link class="button" to={links.compare(project, "", id)}>
        {t("run.compare")}
      </Link>
      <a class="button" href={`${runPath(project, id)}/report?format=html`} download={`jury-${id}.html`}>
        <Icon path={icon.down} />
        {t("run.download")}
      </a>
      {(["markdown", "json"] as const).map((format) => (
        <button key={format} type="button" class="button" onClick={() => copy(format, () => getText(`${runPath(project, id)}/report?format=${format}`))}>
          <Icon path={done === format ? icon.check : icon.copy} />
          {done === format ? t("copied") : t(`copy.${format}`)}
        </button>
      ))}
    </>
  );
}

/** What can be done about how a run ended, and the rest of it: remembered for the session, for each run by itself. */
function Remedies({ project = "", id = "", phase, onAgain, whole = false, onWhole = nothing }: AfterProps) {
  const turn = () => {
    onWhole(!whole);
    keep(`whole.${id}`, whole ? "" : "1", true);
  };
  return (
    <>
      {phase !== "shipped" && (
        <>
          <button type="button" class="button is-main" onClick={onAgain}>
            <Icon path={icon.again} />
            {t("run.retry")}
          </button>
          <Link class="button" to={links.start(project)}>
            {t("run.change")}
          </Link>
        </>
      )}
      <button type="button" class="button" aria-expanded={whole} onClick={turn}>
        <Icon path={whole ? icon.down : icon.right} />
        {t("run.whole")}
      </button>
    </>
  );
}

function Replayed({ project = "", id = "", query, round = null, role = null, facts }: AfterProps) {
  const Replay = useLazy(() => import("../replay/Replay"));
  const loaded = useLoaded(`${project}/${id}`, async () => readTranscript(await ask(`${runPath(project, id)}/transcript`)));
  const frame = useCallback((one: number | null, version?: string) => artifactPath(project, id, one, version), [project, id]);
  const [at] = useState(() => Number(query?.get("t")) || 0);
  if (loaded.error) return <Lost what="trouble" error={loaded.error} project={project} id={id} onAgain={loaded.again} />;
  if (!Replay || !loaded.value) return <p class="wait">{t("loading")}</p>;
  return (
    <Replay
      records={loaded.value}
      frame={frame}
      facts={facts}
      at={at}
      round={round}
      role={role}
      onLeave={() => requery({ replay: null, t: null })}
      onAt={(ms) => requery({ t: ms > 0 ? String(Math.round(ms)) : null })}
    />
  );
}

function Lost({ error, project = "", onAgain = nothing }: AfterProps) {
  return (
    error && (
      <Trouble error={error} missing={[t("unknown.title"), t("unknown.text")]} onAgain={onAgain}>
        <Link class="button" to={links.history(project)}>
          {t("nav.history")}
        </Link>
      </Trouble>
    )
  );
}
