// Copying.
import { useRef, useState } from "preact/hooks";

/** Copies a text; says for a moment that it did. */
export function useCopy(): [string | null, (what: string, text: () => Promise<string>) => void] {
  const [done, set] = useState<string | null>(null);
  const timer = useRef(0);
  const copy = (what: string, text: () => Promise<string>) => {
    void text()
      .then((value) => navigator.clipboard.writeText(value))
      .then(() => {
        set(what);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => set(null), 2000);
      })
      .catch(() => set(null));
  };
  return [done, copy];
}
