// How scores went: one dot per run, oldest to newest, against the bar.
import { score, t } from "../i18n";
import type { RunLine } from "../net/runs";

const W = 600;
const H = 84;
const MOST = 60;

export function Trend({ runs, threshold, scale }: { runs: readonly RunLine[]; threshold: number | null; scale: number }) {
  const scored = runs.filter((run) => run.composite != null).slice(0, MOST).reverse();
  if (scored.length < 2) return null;
  const x = (index: number) => 6 + (index * (W - 12)) / (scored.length - 1);
  // Only as much of the scale as is used, so that a change can be seen.
  const values = [...scored.map((run) => run.composite ?? 0), ...(threshold === null ? [] : [threshold])];
  const low = Math.max(0, Math.min(...values) - 1);
  const high = Math.min(scale, Math.max(...values) + 0.5);
  const y = (value: number) => H - 6 - ((value - low) / (high - low || 1)) * (H - 12);
  const last = scored.at(-1)?.composite ?? 0;
  const best = Math.max(...scored.map((run) => run.composite ?? 0));
  return (
    <figure class="trend">
      <figcaption>
        {t("trend.name")}
        <span>{t("trend.text", { n: scored.length, last: score(last), best: score(best) })}</span>
        {threshold !== null && <span class="ticker-key">{t("ticker.bar", { threshold: score(threshold) })}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={t("trend.text", { n: scored.length, last: score(last), best: score(best) })}>
        {threshold !== null && <line class="trend-bar" x1="0" x2={W} y1={y(threshold)} y2={y(threshold)} />}
        <polyline points={scored.map((run, index) => `${x(index)},${y(run.composite ?? 0)}`).join(" ")} />
      </svg>
      <div class="trend-dots" aria-hidden="true">
        {scored.map((run, index) => (
          <span
            key={run.runId}
            class={run.status === "shipped" ? "is-met" : "is-under"}
            style={{ left: `${(x(index) / W) * 100}%`, top: `${(y(run.composite ?? 0) / H) * 100}%` }}
          />
        ))}
      </div>
    </figure>
  );
}
