// Waiting for a hand to come to rest.
import { useEffect, useRef, useState } from "preact/hooks";

/** A value once it has stayed for a moment: nothing is loaded for every place that a scrub passes. One that never
 * stays is taken every so often. */
export function useSettled<T>(value: T, most = Infinity): T {
  const [settled, set] = useState(value);
  const since = useRef(0);
  useEffect(() => {
    since.current ||= performance.now();
    const wait = Math.max(0, Math.min(150, since.current + most - performance.now()));
    const timer = setTimeout(() => {
      since.current = 0;
      set(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
