// Small hooks that the stage has too.
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { ask } from "../net/api";
import { Gone } from "./Gone";

/** What the browser remembers: of this session, else of all. */
export function kept<T extends string>(name: string, usual: T): T {
  try {
    const key = `jury.${name}`;
    return ((sessionStorage.getItem(key) || localStorage.getItem(key)) as T | null) || usual;
  } catch {
    return usual;
  }
}

/** Remembers it. A browser that keeps nothing still shows everything. */
export function keep(name: string, value: string, session?: boolean): void {
  try {
    (session ? sessionStorage : localStorage).setItem(`jury.${name}`, value);
  } catch {}
}

/** A part of the page that is fetched when it is needed, and what there is when it cannot be. */
export function useLazy<P>(fetchPart: () => Promise<{ default: FunctionComponent<P> }>, Instead: FunctionComponent = Gone): FunctionComponent<P> | null {
  const [part, set] = useState<{ it: FunctionComponent<P> } | null>(null);
  useEffect(() => {
    let current = true;
    fetchPart().then(
      (module) => current && set({ it: module.default }),
      () => {
        if (current) set({ it: Instead });
        // Gone, or asking for its token: this finds out.
        ask("/api/settings").catch(() => undefined);
      },
    );
    return () => {
      current = false;
    };
  }, []);
  return part?.it ?? null;
}

/** The time, every so often, while it matters. */
export function useNow(running: boolean, every = 1000): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => set(Date.now()), every);
    return () => clearInterval(timer);
  }, [running, every]);
  return now;
}
