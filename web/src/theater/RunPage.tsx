// The page of one run: live while it goes on, then its verdict, and its replay.
import { useCallback, useState } from "preact/hooks";

import { ago, clock, t, when } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { kept, useNow } from "../lib/hooks";
import { After } from "../lib/later";
import { go, links, requery } from "../lib/router";
import { ApiError, artifactPath, postRerun, type RunSummary } from "../net/api";
import { isOver, phase as phaseOf } from "../state/selectors";
import type { Role } from "../words";
import { Theater } from "./Theater";
import { useRun } from "./useRun";

interface RunPageProps {
  project: string;
  id: string;
  query: URLSearchParams;
}

export function RunPage({ project, id, query }: RunPageProps) {
  const live = useRun(project, id);
  const [asking, setAsking] = useState(false);
  // An address that names a round or a lane leads to it.
  const [whole, setWhole] = useState(() => query.has("round") || query.has("role") || kept(`whole.${id}`, "") !== "");
  const [said, setSaid] = useState<ApiError | null>(null);
  const { run, board, link } = live;
  const phase = phaseOf(board);
  const over = isOver(phase);
  const now = useNow(run !== null && !over);
  const place = useCallback((round: number | null, role: Role | null) => {
    requery({ round: round === null ? null : String(round), role });
  }, []);
  const frame = useCallback((round: number | null, version?: string) => artifactPath(project, id, round, version), [project, id]);

  if (link === "error") return <After what="trouble" error={live.error} project={project} id={id} onAgain={live.again} />;
  if (!run) return <p class="wait">{t("loading")}</p>;
  const round = Number(query.get("round")) || null;
  const role = query.get("role");
  if (query.has("replay") && over) {
    return <After what="replay" project={project} id={id} query={query} round={round} role={role} facts={<Facts run={run} time={null} />} />;
  }

  const since = run.startedAt ?? run.createdAt;
  const duration = run.endedAt && run.startedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt) : null;
  const rerun = () => {
    postRerun(project, id).then(
      (next) => go(links.run(project, next.runId)),
      (error: unknown) => setSaid(error instanceof ApiError ? error : null),
    );
  };
  return (
    <Theater
      key={id}
      board={board}
      title={run.title}
      facts={<Facts run={run} time={over ? duration : run.startedAt ? now - Date.parse(since) : null} />}
      frame={frame}
      durationMs={duration}
      round={round}
      role={role}
      onPlace={place}
      {...(over || live.interrupting ? {} : { onEscape: () => setAsking(true) })}
      banner={
        <>
          {link === "lost" && (
            <p class="link-lost" role="status">
              <Icon path={icon.again} />
              {t("link.lost")}
            </p>
          )}
          {(said ?? live.error) && (
            <p class="link-lost is-error" role="alert">
              <Icon path={icon.alert} />
              {(said ?? live.error)?.message} {(said ?? live.error)?.hint}
            </p>
          )}
        </>
      }
      actions={
        over ? (
          <After what="actions" project={project} id={id} onAgain={rerun} />
        ) : (
          <After what="interrupt" board={board} asking={asking} going={live.interrupting} onAsk={setAsking} onConfirm={live.interrupt} />
        )
      }
      folded={over && !whole}
      remedies={<After what="remedies" project={project} id={id} phase={phase} onAgain={rerun} whole={whole} onWhole={setWhole} />}
    />
  );
}

function Facts({ run, time }: { run: RunSummary; time: number | null }) {
  return (
    <>
      <span class="fact">{t("run.by", { agent: run.agent })}</span>
      <span class="fact" title={when(run.createdAt)}>
        {ago(run.createdAt)}
      </span>
      {time !== null && (
        <span class="fact is-mono" title={t("run.took")}>
          {clock(time)}
        </span>
      )}
    </>
  );
}
