// Small hooks that several pages share.
import type { FunctionComponent } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";

import { ApiError, ask } from "../net/api";
import { Gone } from "./Gone";

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
  again: () => void;
}

/** What a request brings. Asked again when `key` changes, or by hand; an answer that comes too late is dropped. */
export function useLoaded<T>(key: string, bring: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let current = true;
    bring().then(
      (answer) => {
        if (!current) return;
        setValue(answer);
        setError(null);
      },
      (reason: unknown) => {
        if (current) setError(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""));
      },
    );
    return () => {
      current = false;
    };
  }, [key, turn]);
  return { value, error, again: useCallback(() => setTurn((n) => n + 1), []) };
}

/** A value that the browser remembers. */
export function useKept<T extends string>(name: string, usual: T): [T, (value: T) => void] {
  const [value, set] = useState<T>(() => kept(name, usual));
  const change = (next: T) => {
    set(next);
    try {
      localStorage.setItem(`jury.${name}`, next);
    } catch {
      // A browser that keeps nothing still shows everything.
    }
  };
  return [value, change];
}

export function kept<T extends string>(name: string, usual: T): T {
  try {
    return (localStorage.getItem(`jury.${name}`) as T | null) ?? usual;
  } catch {
    return usual;
  }
}

/** A part of the page that is fetched when it is needed. */
export function useLazy<P>(fetchPart: () => Promise<{ default: FunctionComponent<P> }>): FunctionComponent<P> | null {
  const [part, set] = useState<{ it: FunctionComponent<P> } | null>(null);
  useEffect(() => {
    let current = true;
    fetchPart().then(
      (module) => current && set({ it: module.default }),
      () => {
        if (current) set({ it: Gone });
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
