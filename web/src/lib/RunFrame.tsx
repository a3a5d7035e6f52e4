// What the pages of a run of the critic and of the judge have in common: followed while the run goes on, stopped after one
// question, replayed once it has ended.
import type { ComponentChildren, FunctionComponent } from "preact";
import { useState } from "preact/hooks";

import { Interrupt } from "../after/Interrupt";
import { t } from "../i18n";
import { ApiError } from "../net/api";
import { type RunLine, type Stood, stopRun } from "../net/runs";
import { Trouble } from "./Empty";
import { Icon } from "./Icon";
import * as icon from "./icons";
import { Replayed, ReplayButton } from "./Replayed";
import { Link, links } from "./router";
import { type Followed, useRun, useRunAt } from "./useRun";

export interface SheetProps<State> {
  project: string;
  run: RunLine;
  state: State;
  /** Whether this is how it stood, in a replay: there is nothing to be done about it. */
  past: boolean;
  /** What stands at the end of the head. */
  actions: ComponentChildren;
  banner: ComponentChildren;
}

interface RunFrameProps<State> {
  workflow: Followed;
  project: string;
  id: string;
  query: URLSearchParams;
  /** What stopping it means. */
  stop: string;
  Sheet: FunctionComponent<SheetProps<State>>;
}

export function RunFrame<State>({ workflow, project, id, query, stop, Sheet }: RunFrameProps<State>) {
  const live = useRun<State>(workflow, project, id);
  const [asking, setAsking] = useState(false);
  const [stopping, setStopping] = useState(false);
  const [said, setSaid] = useState<ApiError | null>(null);
  const { value } = live;
  if (live.error && !value) {
    return (
      <Trouble error={live.error} missing={[t("unknown.title"), t("unknown.text")]} onAgain={live.again}>
        <Link class="button" to={links.page(project, workflow)}>
          {t(`nav.${workflow}`)}
        </Link>
      </Trouble>
    );
  }
  if (!value) return <p class="wait">{t("loading")}</p>;
  const over = value.run.state === "ended";
  if (over && query.has("replay")) {
    return (
      <Replayed
        id={id}
        query={query}
        show={(_, events, actions) => <Past workflow={workflow} project={project} end={value} events={events} actions={actions} Sheet={Sheet} />}
      />
    );
  }
  const confirm = () => {
    setStopping(true);
    setSaid(null);
    stopRun(id).then(live.again, (error: unknown) => {
      setStopping(false);
      setSaid(error instanceof ApiError ? error : null);
    });
  };
  return (
    <Sheet
      project={project}
      {...value}
      past={false}
      actions={over ? <ReplayButton /> : <Interrupt asking={asking} going={stopping} text={stop} onAsk={setAsking} onConfirm={confirm} />}
      banner={
        <>
          {live.lost && <Lost />}
          {said && (
            <p class="link-lost is-error" role="alert">
              <Icon path={icon.alert} />
              {said.message || t("trouble.title")} {said.hint}
            </p>
          )}
        </>
      }
    />
  );
}

interface PastProps<State> extends Pick<RunFrameProps<State>, "workflow" | "project" | "Sheet"> {
  end: Stood<State>;
  events: number;
  actions: ComponentChildren;
}

function Past<State>({ workflow, project, end, events, actions, Sheet }: PastProps<State>) {
  const { value, error } = useRunAt(workflow, project, end, events);
  if (!value) return <p class="wait">{t(error ? "trouble.title" : "loading")}</p>;
  return <Sheet project={project} {...value} past actions={actions} banner={error && <Lost />} />;
}

function Lost() {
  return (
    <p class="link-lost" role="status">
      <Icon path={icon.again} />
      {t("link.lost")}
    </p>
  );
}
