// The frame of every page, and which one an address means.
import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";

import { t } from "./i18n";
import type { BesideProps } from "./inbox/Beside";
import { useLazy } from "./lib/hooks";
import { Icon } from "./lib/Icon";
import * as icon from "./lib/icons";
import { After, nothing } from "./lib/later";
import { Link, links, usePlace } from "./lib/router";
import { RunPage } from "./theater/RunPage";

export interface PageProps {
  name: string;
  project: string;
  id: string;
  query: URLSearchParams;
}

const critic = () => import("./critic/Critic");
const PAGES: Record<string, () => Promise<{ default: FunctionComponent<PageProps> }>> = {
  history: () => import("./pages/History"),
  new: () => import("./pages/Start"),
  compare: () => import("./pages/Compare"),
  critic,
  inbox: critic,
  judge: () => import("./judge/Judge"),
  content: () => import("./content/Content"),
  settings: () => import("./pages/Settings"),
};

const TABS = ["history", "new", "inbox", "critic", "judge", "content", "compare", "settings"] as const;

export function App() {
  const { path, query } = usePlace();
  const inProject = path[0] === "p";
  const project = (inProject && path[1]) || "default";
  const page = inProject ? (path[2] ?? "history") : path.length === 0 ? "history" : "";
  const [asked, setAsked] = useState(0);
  const Beside = useLazy<BesideProps>(() => import("./inbox/Beside"), nothing);
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
          {TABS.map((name) => (
            <Link key={name} to={links.page(project, name === "history" ? "" : name)} current={page === name}>
              {t(`nav.${name}`)}
              {name === "inbox" && asked > 0 && <b class="nav-count"> {asked}</b>}
            </Link>
          ))}
        </nav>
        <span class="bar-project">{project}</span>
      </header>
      <main id="main" tabIndex={-1}>
        {Beside && <Beside onCount={setAsked} />}
        {page === "run" ? (
          <RunPage key={path[3]} project={project} id={path[3] ?? ""} query={query} />
        ) : page in PAGES ? <Lazy key={page + path[3]} name={page} project={project} id={path[3] ?? ""} query={query} /> : <After what="nowhere" project={project} id="" />}
      </main>
    </>
  );
}

function Lazy(props: PageProps) {
  const Page = useLazy(PAGES[props.name] as (typeof PAGES)[string]);
  return Page ? <Page {...props} /> : <p class="wait">{t("loading")}</p>;
}
