// In which ways runs fail, how often, and what is done about it.
import { count, number, t } from "../i18n";
import type { Pattern } from "../net/judge";
import { Moment, Section } from "./parts";

export function Patterns({ list }: { list: readonly Pattern[] }) {
  return (
    <Section name={t("judge.patterns")} empty={list.length === 0 && [t("judge.noPatterns"), "jury feedback collect RUN.json"]}>
      <table class="deltas is-judge">
        <thead>
          <tr>
            <th scope="col">{t("judge.pattern")}</th>
            <th scope="col">{t("judge.seen")}</th>
            <th scope="col">{t("judge.last")}</th>
            <th scope="col">{t("judge.mitigation")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.name}>
              <th scope="row">
                <b>{one.name}</b> {one.infra && <span class="meta-pill">{t("judge.infra")}</span>}
              </th>
              <td data-name={t("judge.seen")}>{number(one.count)}</td>
              <td data-name={t("judge.last")}>
                <Moment iso={one.lastSeen} />
              </td>
              <td data-name={t("judge.mitigation")}>
                {one.mitigation ?? "–"}
                {one.countAtMitigation !== null && <span class="book-note">{count("judge.since", Math.max(0, one.count - one.countAtMitigation))}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
