// Two rounds over each other, with a line between them that can be dragged or moved with the arrow keys.
import { useState } from "preact/hooks";

import { t } from "../i18n";
import { Sheet, useScale } from "./Page";

interface SliderProps {
  before: string | null;
  after: string | null;
  from: number;
  to: number;
  tall: boolean;
}

export function Slider({ before, after, from, to, tall }: SliderProps) {
  const [at, setAt] = useState(50);
  const [room, scale] = useScale<HTMLDivElement>();
  const height = tall ? 3200 : 800;
  if (!before || !after) return <p class="page-none">{t("artifact.none")}</p>;
  return (
    <div class="slider">
      <div class="page" ref={room} style={{ height: `${height * scale}px` }}>
        <Sheet source={after} title={t("artifact.title", { n: to })} scale={scale} height={height} />
        <div class="slider-before" style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }}>
          <Sheet source={before} title={t("artifact.title", { n: from })} scale={scale} height={height} />
        </div>
        <span class="slider-line" style={{ left: `${at}%` }} />
        <span class="slider-name is-left">{t("round.name", { n: from })}</span>
        <span class="slider-name is-right">{t("round.name", { n: to })}</span>
        <input
          class="slider-range"
          type="range"
          min="0"
          max="100"
          step="0.5"
          value={at}
          aria-label={t("artifact.slide", { from, to })}
          onInput={(event) => setAt(Number(event.currentTarget.value))}
        />
      </div>
    </div>
  );
}
