// A sparkline of the scores of a lane or a dimension over the rounds, with the bar as a hairline.
import { score, t } from "../i18n";

const W = 44;
const H = 16;

export interface SparkProps {
  values: string;
  scale: number;
  threshold: number;
}

/** `values` are scores with commas between, a hole being empty: a text, so that equal ones are the same. */
export function Spark({ values, scale, threshold }: SparkProps) {
  const list = values.split(",").map((text) => (text === "" ? null : Number(text)));
  const known = list.filter((value) => value !== null);
  if (known.length < 2) return null;
  const x = (index: number) => 2 + (index * (W - 4)) / Math.max(1, list.length - 1);
  // Only as much of the scale as is used: differences matter here, not heights.
  const low = Math.max(0, Math.min(threshold, ...known) - 1);
  const high = Math.min(scale, Math.max(threshold, ...known) + 1);
  const y = (value: number) => H - 2 - ((value - low) / (high - low || 1)) * (H - 4);
  const points = list.flatMap((value, index) => (value === null ? [] : [[x(index), y(value)] as const]));
  const last = points.at(-1);
  return (
    <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label={t("lane.trend", { scores: known.map(score).join(" → ") })}>
      <line class="spark-bar" x1="0" x2={W} y1={y(threshold)} y2={y(threshold)} />
      <polyline points={points.map((point) => point.join()).join(" ")} />
      {last && <circle cx={last[0]} cy={last[1]} r="2" />}
    </svg>
  );
}
