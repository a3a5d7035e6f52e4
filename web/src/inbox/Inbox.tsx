// What runs of the critic and of the judge ask people. The questions of one run stand together: it goes on when all have their answers.
import { useEffect, useState } from "preact/hooks";

import { count, t } from "../i18n";
import { Empty, Trouble } from "../lib/Empty";
import { useKept, useLoaded } from "../lib/loaded";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { Link, links } from "../lib/router";
import { type Decision, getDecisions } from "../net/critic";
import { Ask } from "./Ask";
import { ANSWERED, ASKED } from "./unread";

export function Inbox({ project }: { project: string }) {
  const loaded = useLoaded("decisions", () => getDecisions());
  const [by, setBy] = useKept<string>("by", "");
  const [all, setAll] = useState(false);
  // What was answered here stays where it was, with its answer, until somebody leaves.
  const [settled, setSettled] = useState<Record<string, Decision>>({});
  useEffect(() => {
    addEventListener(ASKED, loaded.again);
    return () => removeEventListener(ASKED, loaded.again);
  }, []);
  if (loaded.error && !loaded.value) return <Trouble error={loaded.error} onAgain={loaded.again} />;
  if (!loaded.value) return <p class="wait">{t("loading")}</p>;

  const every = loaded.value.map((one) => settled[one.id] ?? one);
  const shown = every.filter((one) => all || one.state === "open" || settled[one.id]);
  const groups = new Map<string, Decision[]>();
  for (const one of shown) groups.set(one.runId, [...(groups.get(one.runId) ?? []), one]);
  const past = every.filter((one) => one.state !== "open").length;
  const toggle = past > 0 && (
    <label class="check">
      <input type="checkbox" checked={all} onChange={() => setAll(!all)} />
      {count("inbox.past", past)}
    </label>
  );
  if (shown.length === 0) {
    return (
      <Empty title={t("inbox.emptyTitle")} text={t("inbox.emptyText")}>
        <Link class="button is-main" to={links.critic(project)}>
          {t("nav.critic")}
        </Link>
        {toggle}
      </Empty>
    );
  }
  return (
    <div class="sheet-page">
      <header class="page-head">
        <div>
          <p class="eyebrow">{t("inbox.text")}</p>
          <h1>{t("nav.inbox")}</h1>
        </div>
        {toggle}
      </header>
      <label class="field inbox-name">
        <span>{t("inbox.name")}</span>
        <input type="text" autoComplete="name" maxLength={80} value={by} onInput={(event) => setBy(event.currentTarget.value)} />
      </label>
      {[...groups].map(([run, list]) => (
        <Group key={run} list={list} every={every} by={by.trim()} onSettled={(one) => {
          setSettled((before) => ({ ...before, [one.id]: one }));
          dispatchEvent(new Event(ANSWERED));
        }} />
      ))}
    </div>
  );
}

interface GroupProps {
  list: Decision[];
  every: Decision[];
  by: string;
  onSettled: (decision: Decision) => void;
}

function Group({ list, every, by, onSettled }: GroupProps) {
  const last = list.at(-1) as Decision;
  const { runId, projectId, title } = last;
  // Questions that were asked together are waited for together.
  const batch = every.filter((one) => one.runId === runId && one.round === last.round);
  const open = batch.filter((one) => one.state === "open").length;
  const over = batch.some((one) => one.state === "closed");
  const progress = over ? t("inbox.ended") : t(open > 0 ? "inbox.progress" : "inbox.goesOn", { n: batch.length - open, of: batch.length });
  return (
    <section class="panel" aria-labelledby={`run-${runId}`}>
      <header class="panel-head">
        <h2 id={`run-${runId}`}>{title || t("run.untitled")}</h2>
        <p>{projectId}</p>
      </header>
      {list.map((one) => (
        <Ask key={one.id} decision={one} by={by} onSettled={onSettled} />
      ))}
      <p class={`ask-run ${open === 0 && !over ? "is-met" : ""}`} role="status">
        <Icon path={open === 0 && !over ? icon.right : over ? icon.dash : icon.clock} />
        <span>{progress}</span>
        <Link to={links[last.workflow === "judge" ? "judge" : "critic"](projectId, runId)}>{t("inbox.run")}</Link>
      </p>
    </section>
  );
}
