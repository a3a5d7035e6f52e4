// What was measured, beside what a panelist says of it.
import { maybe, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { factsOf, type Wanted } from "../state/facts";
import type { Board, Evidence } from "../words";

const ICONS = {
  consistent: icon.check,
  overrated: icon.alert,
  underrated: icon.dash,
  contradicted: icon.cross,
  unverifiable: icon.ring,
};

export interface FactsProps extends Wanted {
  evidence: readonly Evidence[];
}

export function Facts({ evidence, ...wanted }: FactsProps) {
  return <List items={factsOf(evidence, wanted)} />;
}

function List({ items }: { items: readonly Evidence[] }) {
  if (items.length === 0) return null;
  return (
    <ul class="proofs">
      {items.map((item, index) => (
        <Proof key={index} item={item} />
      ))}
    </ul>
  );
}

function Proof({ item, whole = false }: { item: Evidence; whole?: boolean }) {
  const { standing, kind, role, dimension, measured, bound, criterion, place, line, claim } = item;
  const words = [t("evidence.measured", { value: measured })];
  if (bound && kind !== "score") words.push(t("evidence.needs", { bound }));
  if (criterion) words.push(criterion);
  if (kind === "failure" && !claim) words.push(t("evidence.unasked"));
  if (claim && (whole || kind === "claim")) words.push(t("evidence.claimed", { text: claim }));
  return (
    <li class={`proof is-${standing}`}>
      <Icon path={ICONS[standing]} />
      <span>
        <b>{t(`evidence.${standing}`)}</b> {whole && role && `${maybe(`role.${role}`, role)}${dimension ? ` (${dimension})` : ""}: `}
        {words.join("; ")}
        {place && <code> {place}</code>}
        {line && <code> {t("measured.line", { n: line })}</code>}
      </span>
    </li>
  );
}

/** The claims of the round that is shown which do not stand, the failures that were measured, and what could not be. */
export function Proofs({ board, shown }: { board: Board; shown: number | null }) {
  const round = board.rounds.findLast((one) => shown === null || one.round === shown);
  const all = round?.evidence ?? [];
  const wrong = all.filter((item) => item.standing === "overrated" || item.standing === "contradicted");
  const items = all.filter((item) => wrong.includes(item) || item.kind === "failure" || item.kind === "measurement");
  const checked = all.filter((item) => item.standing !== "unverifiable").length;
  if (all.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="evidence-name">
      <header class="panel-head">
        <h2 id="evidence-name">{t("evidence.name")}</h2>
        <p>{t("evidence.count", { wrong: wrong.length, n: checked })}</p>
      </header>
      <ul class="proofs">
        {items.slice(0, 40).map((item, index) => (
          <Proof key={index} item={item} whole />
        ))}
      </ul>
    </section>
  );
}
