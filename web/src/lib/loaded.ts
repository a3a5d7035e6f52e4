// What pages ask for, and what they remember.
import { useCallback, useEffect, useState } from "preact/hooks";

import { ApiError } from "../net/api";
import { keep, kept } from "./hooks";

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
  /** No answer has come yet. */
  loading: boolean;
  again: () => void;
}

/** What a request brings. Asked again when `key` changes, or by hand; an answer that comes too late is dropped. */
export function useLoaded<T>(key: string, bring: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [answered, setAnswered] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let current = true;
    bring().then(
      (answer) => {
        if (!current) return;
        setValue(answer);
        setError(null);
        setAnswered(true);
      },
      (reason: unknown) => {
        if (!current) return;
        setError(reason instanceof ApiError ? reason : new ApiError(0, "unknown", String(reason), ""));
        setAnswered(true);
      },
    );
    return () => {
      current = false;
    };
  }, [key, turn]);
  return { value, error, loading: !answered, again: useCallback(() => setTurn((n) => n + 1), []) };
}

/** A value that the browser remembers. */
export function useKept<T extends string>(name: string, usual: T): [T, (value: T) => void] {
  const [value, set] = useState<T>(() => kept(name, usual));
  const change = (next: T) => {
    set(next);
    keep(name, next);
  };
  return [value, change];
}
