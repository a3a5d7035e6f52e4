// What judging cost, day by day: a chart, and the same as a table.
import { count, number, t } from "../i18n";
import { money } from "../i18n/format";
import type { Day } from "../net/judge";
import { calendar, sum } from "./figures";
import { Section } from "./parts";

const W = 600;
const H = 84;

export function Cost({ days }: { days: readonly Day[] }) {
  const shown = calendar(days);
  const all = sum(shown);
  const priced = all.costUsd > 0;
  const height = (day: Day) => (priced ? day.costUsd : day.judgements);
  const top = Math.max(...shown.map(height)) || 1;
  const step = W / (shown.length || 1);
  const text = t("judge.costText", { n: number(all.judgements), cost: money(all.costUsd), tokens: number(all.inputTokens + all.outputTokens) });
  return (
    <Section name={t("judge.cost")} beside={all.unpriced > 0 && count("judge.unpriced", all.unpriced)} empty={shown.length === 0 && [t("judge.noCost"), "jury judge RUN.json"]}>
      <figure class="trend">
        <figcaption>
          {t(priced ? "judge.perDay" : "judge.judgementsPerDay")}
          <span>{text}</span>
        </figcaption>
        <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={text}>
          <line class="trend-bar" x1="0" x2={W} y1={H} y2={H} />
          {shown.map((day, index) => {
            const high = (height(day) / top) * (H - 4);
            return high > 0 && <rect key={day.date} x={index * step + step * 0.1} y={H - high} width={step * 0.8} height={high} />;
          })}
        </svg>
      </figure>
      <details class="log">
        <summary>{t("judge.table")}</summary>
        <table class="deltas is-judge">
          <thead>
            <tr>
              <th scope="col">{t("judge.day")}</th>
              <th scope="col">{t("judge.judgements")}</th>
              <th scope="col">{t("measured.tokens")}</th>
              <th scope="col">{t("measured.cost")}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.date}>
                <th scope="row">{day.date}</th>
                <td data-name={t("judge.judgements")}>{number(day.judgements)}</td>
                <td data-name={t("measured.tokens")}>
                  {number(day.inputTokens)} → {number(day.outputTokens)}
                </td>
                <td data-name={t("measured.cost")}>{money(day.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  );
}
