// Addresses of the page: `/p/PROJECT/...`. Links are links: they can be copied, and opened in another tab.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Place {
  path: string[];
  query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.split("/").filter(Boolean).map(decodeURIComponent),
  query: new URLSearchParams(location.search),
});

const MOVED = "jury:moved";

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  dispatchEvent(new Event(MOVED));
}

/** Changes the query of this place: null takes a name out. */
export function requery(changes: Record<string, string | null>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  go(url.pathname + url.search, true);
}

export function usePlace(): Place {
  const [place, set] = useState(here);
  useEffect(() => {
    const moved = () => set(here());
    addEventListener("popstate", moved);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener("popstate", moved);
      removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
}

const at = (project: string, page = "", id = "") => `/p/${encodeURIComponent(project)}${page && `/${page}`}${id && `/${id}`}`;

export const links = {
  history: (project: string) => at(project),
  start: (project: string) => at(project, "new"),
  compare: (project: string, a = "", b = "") => at(project, "compare") + (a || b ? `?${new URLSearchParams({ a, b })}` : ""),
  run: (project: string, run: string) => at(project, "run", run),
  critic: (project: string, run?: string) => at(project, "critic", run),
  judge: (project: string, run: string) => at(project, "judge/run", run),
  page: at,
};

interface LinkProps {
  to: string;
  class?: string;
  children: ComponentChildren;
  current?: boolean;
}

export function Link({ to, children, current, ...rest }: LinkProps) {
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
    scrollTo(0, 0);
  };
  return (
    <a href={to} onClick={click} aria-current={current ? "page" : undefined} {...rest}>
      {children}
    </a>
  );
}
