// The clock of a replay. Between frames it knows a place and a speed, and nothing else.
import { useEffect, useRef, useState } from "preact/hooks";

import { indexAt, type Line } from "../state/timeline";

type Speed = "1x" | "4x" | "instant" | "fixed";
export const SPEEDS: readonly Speed[] = ["1x", "4x", "instant", "fixed"];

export interface Player {
  index: number;
  playing: boolean;
  speed: Speed;
  interval: number;
  skipIdle: boolean;
  seek: (index: number) => void;
  play: (playing: boolean) => void;
  setSpeed: (speed: Speed) => void;
  setInterval: (ms: number) => void;
  setSkipIdle: (skip: boolean) => void;
}

export function usePlayer(line: Line, start: number): Player {
  const length = line.records.length;
  const [index, setIndex] = useState(Math.min(start, length));
  const [playing, setPlaying] = useState(start < length);
  const [speed, setSpeed] = useState<Speed>("1x");
  const [interval, setEvery] = useState(250);
  const [skipIdle, setSkipIdle] = useState(true);
  const [seeks, setSeeks] = useState(0);
  const place = useRef(index);
  place.current = index;
  const instant = playing && speed === "instant";

  useEffect(() => {
    if (!instant) return;
    setIndex(length);
    setPlaying(false);
  }, [instant, length]);

  useEffect(() => {
    if (!playing || speed === "instant") return;
    const times = skipIdle ? line.brisk : line.times;
    const factor = speed === "4x" ? 4 : 1;
    // Where the clock stands: at the event that was last shown.
    const from = place.current;
    const origin = times[Math.max(0, from - 1)] ?? 0;
    const began = performance.now();
    let frame = requestAnimationFrame(function tick(now) {
      const passed = Math.max(0, now - began);
      const next =
        speed === "fixed" ? from + Math.floor(passed / interval) : Math.max(from, indexAt(times, origin + passed * factor));
      const at = Math.min(next, length);
      if (at !== place.current) setIndex(at);
      if (at >= length) setPlaying(false);
      else frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
    // A seek while it plays begins anew from there.
  }, [playing, speed, interval, skipIdle, line, length, seeks]);

  const seek = (next: number) => {
    place.current = Math.max(0, Math.min(next, length));
    setIndex(place.current);
    setSeeks((n) => n + 1);
  };
  return {
    index,
    playing,
    speed,
    interval,
    skipIdle,
    seek,
    play: (next) => {
      // At the end, playing begins again.
      if (next && place.current >= length) seek(0);
      setPlaying(next);
    },
    setSpeed,
    setInterval: setEvery,
    setSkipIdle,
  };
}

/** Tells where the player rests: an address follows a person's hand, not the clock. */
export function useFollowed(line: Line, { index, playing }: Player, onAt?: (ms: number) => void): number {
  const now = line.times[Math.max(0, index - 1)] ?? 0;
  useEffect(() => {
    if (playing) return;
    const timer = setTimeout(() => onAt?.(now), 400);
    return () => clearTimeout(timer);
  }, [playing, playing ? 0 : now]);
  return now;
}
