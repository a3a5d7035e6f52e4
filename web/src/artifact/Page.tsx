// Somebody's page in a frame that lets it do nothing: no script, no form, no origin. Drawn as wide as it was measured
// and scaled to the room there is.
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n";
import { shows } from "./origin";

const WIDTH = 1280;

interface PageProps {
  source: string | null;
  title: string;
  tall: boolean;
}

/** How much smaller than life it must be. */
export function useScale<E extends HTMLElement>(): [{ current: E | null }, number] {
  const room = useRef<E>(null);
  const [scale, setScale] = useState(0.5);
  useEffect(() => {
    if (!room.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setScale(Math.min(1, entry.contentRect.width / WIDTH)));
    observer.observe(room.current);
    return () => observer.disconnect();
  }, []);
  return [room, scale];
}

export function Page({ source, title, tall }: PageProps) {
  const [room, scale] = useScale<HTMLDivElement>();
  const height = tall ? 3200 : 800;
  return (
    <div class="page" role="group" aria-label={title} tabIndex={0} ref={room} style={{ height: `${height * scale}px` }}>
      {source === null ? <p class="page-none">{t("artifact.none")}</p> : <Sheet source={source} title={title} scale={scale} height={height} />}
    </div>
  );
}

export function Sheet({ source, title, scale, height }: { source: string; title: string; scale: number; height: number }) {
  return (
    <iframe
      class="sheet"
      sandbox=""
      title={title}
      {...shows(source)}
      loading="lazy"
      style={{ width: `${WIDTH}px`, height: `${height}px`, transform: `scale(${scale})` }}
    />
  );
}
