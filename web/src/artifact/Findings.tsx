// Every must-fix with its fate, and what was measured beside what was claimed.
import { useMemo, useState } from "preact/hooks";

import { count, maybe, number, t } from "../i18n";
import { bytes, money } from "../i18n/format";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import { type Finding, findings } from "../state/findings";
import { own } from "../state/verdict";
import type { Board, Evidence } from "../words";
import { Facts } from "./Facts";

const SHOWN = 12;
const ICONS = { open: icon.alert, regressed: icon.again, fixed: icon.check };

export function Findings({ board }: { board: Board }) {
  const [all, setAll] = useState(false);
  const list = useMemo(() => findings(board), [board.ledger]);
  const mine = own(board);
  if (list.length + mine.length === 0) return null;
  const open = list.filter((finding) => finding.state !== "fixed").length;
  const shown = all ? list.slice(0, 200) : list.slice(0, SHOWN);
  return (
    <section class="panel" aria-labelledby="findings-name">
      <header class="panel-head">
        <h2 id="findings-name">{t("findings.name")}</h2>
        <p>{t("findings.count", { open: number(open + mine.length), fixed: number(list.length - open) })}</p>
      </header>
      <ul class="findings">
        {mine.slice(0, 200).map((item, index) => (
          <Own key={index} item={item} />
        ))}
        {shown.map((finding) => (
          <Row key={finding.id} finding={finding} board={board} />
        ))}
      </ul>
      {list.length > SHOWN && (
        <button type="button" class="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("findings.fewer") : count("findings.more", list.length - SHOWN)}
        </button>
      )}
    </section>
  );
}

function Row({ finding, board }: { finding: Finding; board: Board }) {
  const { id, state, role, text, first, last } = finding;
  const evidence = board.rounds.findLast((round) => round.round === last)?.evidence ?? [];
  return (
    <li class={`finding is-${state} ink-${role}`}>
      <span class="finding-state">
        <Icon path={ICONS[state]} />
        {t(`finding.${state}`)}
      </span>
      <span class="role-tag">{maybe(`tag.${role}`, role)}</span>
      <span class="finding-text">
        {text}
        <Facts evidence={evidence} role={role} finding={id} />
      </span>
      <span class="finding-rounds">{first === last ? t("round.short", { n: first }) : t("round.span", { from: first, to: last })}</span>
    </li>
  );
}

/** A must-fix of jury's own. */
function Own({ item }: { item: Evidence }) {
  const { measured, bound, criterion, place, round } = item;
  return (
    <li class="finding is-open">
      <span class="finding-state">
        <Icon path={icon.alert} />
        {t("finding.open")}
      </span>
      <span class="role-tag">{t("own.tag")}</span>
      <span class="finding-text">
        {[measured, bound && t("evidence.needs", { bound }), criterion].filter(Boolean).join("; ")}
        {place && <code> {place}</code>}
      </span>
      <span class="finding-rounds">{t("round.short", { n: round })}</span>
    </li>
  );
}

/** Numbers of the agent's that were not taken, and what the program found by itself. */
export function Measured({ board, durationMs }: { board: Board; durationMs: number | null }) {
  const { usage, lint } = board;
  const claims = Object.entries(board.warnings).sort(([, a], [, b]) => b - a);
  const written = board.rounds.reduce((sum, round) => sum + (round.end?.bytes ?? 0), 0);
  const facts: [string, string][] = [];
  if (durationMs !== null) facts.push([t("measured.took"), t("measured.seconds", { n: number(Math.round(durationMs / 100) / 10) })]);
  if (written > 0) facts.push([t("measured.written"), bytes(written)]);
  if (usage.inputTokens + usage.outputTokens > 0) {
    facts.push([t("measured.tokens"), `${number(usage.inputTokens)} → ${number(usage.outputTokens)}`]);
  }
  if (usage.costUsd !== undefined) facts.push([t("measured.cost"), money(usage.costUsd)]);
  if (lint) facts.push([t("measured.lint"), lint.findings.length === 0 ? t("measured.clean") : count("measured.found", lint.findings.length)]);
  if (facts.length === 0 && claims.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="measured-name">
      <header class="panel-head">
        <h2 id="measured-name">{t("measured.name")}</h2>
        <p>{t("measured.text")}</p>
      </header>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {lint && lint.findings.length > 0 && (
        <ul class="claims">
          {lint.findings.map((finding, index) => (
            <li key={index}>
              <code>{t("measured.line", { n: finding.line })}</code> {finding.message}
            </li>
          ))}
        </ul>
      )}
      {claims.length > 0 && (
        <details class="log">
          <summary>{t("measured.claims")}</summary>
          <ul class="claims">
          {claims.map(([kind, times]) => (
            <li key={kind}>
              <code>{times > 1 ? `${kind} ×${number(times)}` : kind}</code> {maybe(`warning.${kind}`, "")}
            </li>
          ))}
          </ul>
        </details>
      )}
    </section>
  );
}
