// The bar of a replay: play, speed, and a track to drag on, with a mark for each round, pass or seat.
import { useRef, useState } from "preact/hooks";

import { clock, maybe, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { memo } from "../lib/memo";
import { type Line, type Place, placeOf, stepRound } from "../state/timeline";
import { type Player, SPEEDS } from "./player";

export function Controls({ line, player }: { line: Line; player: Player }) {
  const { index, playing, speed } = player;
  const length = line.records.length;
  const total = line.times.at(-1) ?? 0;
  const now = line.times[Math.max(0, index - 1)] ?? 0;
  return (
    <section class="replay" aria-label={t("replay.name")}>
      <div class="replay-buttons">
        <button type="button" class="button is-icon" onClick={() => player.seek(stepRound(line, index, -1))} title="[">
          <Icon path={icon.previous} />
          <span class="sr-only">{t(`previous.${line.unit}`)}</span>
        </button>
        <button type="button" class="button is-icon is-main" onClick={() => player.play(!playing)}>
          <Icon path={playing ? icon.pause : icon.play} />
          <span class="sr-only">{t(playing ? "replay.pause" : "replay.play")}</span>
        </button>
        <button type="button" class="button is-icon" onClick={() => player.seek(stepRound(line, index, 1))} title="]">
          <Icon path={icon.next} />
          <span class="sr-only">{t(`next.${line.unit}`)}</span>
        </button>
        <span class="replay-time">
          {clock(now)} <span>/ {clock(total)}</span>
        </span>
      </div>
      <Track line={line} index={index} length={length} onSeek={player.seek} />
      <div class="replay-options">
        <fieldset class="segments">
          <legend class="sr-only">{t("replay.speed")}</legend>
          {SPEEDS.map((one) => (
            <label key={one} class="segment">
              <input type="radio" name="speed" checked={speed === one} onChange={() => player.setSpeed(one)} />
              <span>{one === "1x" || one === "4x" ? one.replace("x", "×") : t(`replay.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        {speed === "fixed" && (
          <label class="pick">
            <span>{t("replay.every")}</span>
            <select value={player.interval} onChange={(event) => player.setInterval(Number(event.currentTarget.value))}>
              {[50, 100, 250, 500, 1000].map((ms) => (
                <option key={ms} value={ms}>
                  {ms} ms
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={player.skipIdle} onChange={() => player.setSkipIdle(!player.skipIdle)} />
          {t("replay.skipIdle")}
        </label>
      </div>
    </section>
  );
}

interface TrackProps {
  line: Line;
  index: number;
  length: number;
  onSeek: (index: number) => void;
}

function Track({ line, index, length, onSeek }: TrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<{ x: number; place: Place } | null>(null);
  const spot = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.width === 0) return null;
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
  };
  const show = (event: PointerEvent) => {
    const x = spot(event);
    if (x !== null) setHover({ x, place: placeOf(line, Math.round(x * length)) });
  };
  return (
    <div class="track" ref={track} onPointerMove={show} onPointerLeave={() => setHover(null)}>
      <span class="track-done" style={{ width: share(index, length) }} />
      <Marks line={line} />
      <input
        type="range"
        min="0"
        max={length}
        value={index}
        aria-label={t("replay.track")}
        aria-valuetext={spoken(line, placeOf(line, index))}
        onInput={(event) => onSeek(Number(event.currentTarget.value))}
      />
      {hover && (
        <span class="track-label" style={{ left: `${hover.x * 100}%` }}>
          {spoken(line, hover.place)}
        </span>
      )}
    </div>
  );
}

const share = (at: number, length: number) => `${length === 0 ? 0 : (at / length) * 100}%`;

const Marks = memo(function Marks({ line }: { line: Line }) {
  return (
    <>
      {line.marks.map((mark) =>
        mark.kind === "must_fix" ? null : (
          <span key={`${mark.kind}${mark.index}`} class={`track-mark is-${mark.kind}`} style={{ left: share(mark.index, line.records.length) }}>
            {mark.kind === "round" && <span class="meta-pill">{mark.round}</span>}
          </span>
        ),
      )}
    </>
  );
});

function spoken({ unit }: Line, { round, role, at }: Place): string {
  const parts = [clock(at)];
  if (round !== null) parts.push(t(`at.${unit}`, { n: round }));
  if (role !== null) parts.push(maybe(`role.${role}`, role));
  return parts.join(" · ");
}
