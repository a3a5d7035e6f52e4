// Templates with both of their scores, each with its interval, in numbers and as a bar.
import { count, hundredths, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { Template, Trend } from "../net/judge";
import { Moment, Score, Section } from "./parts";

const WAYS: Record<Trend, [path: string, tone: string]> = {
  improving: [icon.rising, "is-met"],
  declining: [icon.falling, "is-failed"],
  stable: [icon.dash, ""],
  insufficient_data: [icon.ring, ""],
};

export function Templates({ list, at }: { list: readonly Template[]; at: string }) {
  return (
    <Section
      name={t("judge.templates")}
      beside={at && <Moment iso={at} />}
      empty={list.length === 0 && [t("judge.noScores"), "jury templates score"]}
    >
      <p class="panel-text">{t("judge.legend")}</p>
      <table class="deltas is-judge">
        <thead>
          <tr>
            <th scope="col">{t("judge.template")}</th>
            <th scope="col">{t("judge.mechanical")}</th>
            <th scope="col">{t("judge.blended")}</th>
            <th scope="col">{t("judge.runs")}</th>
            <th scope="col">{t("judge.trend")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <Row key={one.template} one={one} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Row({ one }: { one: Template }) {
  const [path, tone] = WAYS[one.trend] ?? WAYS.insufficient_data;
  return (
    <tr>
      <th scope="row">
        <b>{one.template}</b>
        {one.agents.length > 0 && (
          <details class="log">
            <summary>{t("judge.parts")}</summary>
            <ul class="claims">
              {one.judged && (
                <li>
                  <b>{t("judge.mean")}</b> {hundredths(one.judged.value)} ({hundredths(one.judged.low)}–{hundredths(one.judged.high)})
                </li>
              )}
              {one.agents.map(({ agent, score, total_runs }) => (
                <li key={agent}>
                  <code>{hundredths(score)}</code>
                  {agent}, {count("judge.ran", total_runs)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </th>
      <td data-name={t("judge.mechanical")}>{one.mechanical && <Score of={one.mechanical} />}</td>
      <td data-name={t("judge.blended")}>{one.blended && <Score of={one.blended} />}</td>
      <td data-name={t("judge.runs")}>
        {count("judge.ran", one.total_runs)}, {count("judge.judged", one.judged_runs)}
        <span class="book-note">{t(`sure.${one.confidence}`)}</span>
      </td>
      <td data-name={t("judge.trend")}>
        <span class={`status ${tone}`}>
          <Icon path={path} />
          {t(`way.${one.trend}`)}
        </span>
      </td>
    </tr>
  );
}
