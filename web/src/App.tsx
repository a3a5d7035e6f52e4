// The frame of every page, and which one an address means.
import type { FunctionComponent } from "preact";

import { t } from "./i18n";
import { useLazy } from "./lib/hooks";
import { Icon } from "./lib/Icon";
import * as icon from "./lib/icons";
import { After } from "./lib/later";
import { Link, links, usePlace } from "./lib/router";
import { RunPage } from "./theater/RunPage";

export interface PageProps {
  project: string;
  id: string;
  query: URLSearchParams;
}

const PAGES: Record<string, () => Promise<{ default: FunctionComponent<PageProps> }>> = {
  history: () => import("./pages/History"),
  new: () => import("./pages/Start"),
  compare: () => import("./pages/Compare"),
  settings: () => import("./pages/Settings"),
};

export function App() {
  const { path, query } = usePlace();
  const inProject = path[0] === "p";
  const project = (inProject && path[1]) || "default";
  const page = inProject ? (path[2] ?? "history") : path.length === 0 ? "history" : "";
  const tabs = [
    ["history", links.history(project), t("nav.history")],
    ["new", links.start(project), t("nav.new")],
    ["compare", links.compare(project), t("nav.compare")],
    ["settings", links.settings(project), t("nav.settings")],
  ] as const;
  return (
    <>
      <a class="skip" href="#main">
        {t("nav.skip")}
      </a>
      <header class="bar">
        <Link class="mark" to={links.history(project)}>
          <Icon path={icon.scales} />
          jury
        </Link>
        <nav aria-label={t("nav.name")}>
          {tabs.map(([name, to, label]) => (
            <Link key={name} to={to} current={page === name}>
              {label}
            </Link>
          ))}
        </nav>
        <span class="bar-project">{project}</span>
      </header>
      <main id="main" tabIndex={-1}>
        {page === "run" ? (
          <RunPage key={path[3]} project={project} id={path[3] ?? ""} query={query} />
        ) : page in PAGES ? <Lazy key={page} name={page} project={project} id={path[3] ?? ""} query={query} /> : <After what="nowhere" project={project} id="" />}
      </main>
    </>
  );
}

function Lazy({ name, ...props }: PageProps & { name: string }) {
  const Page = useLazy(PAGES[name] as (typeof PAGES)[string]);
  return Page ? <Page {...props} /> : <p class="wait">{t("loading")}</p>;
}
