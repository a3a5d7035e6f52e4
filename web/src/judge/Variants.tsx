// Variants of templates: those that are tested, those that wait for a person, and those that were made.
import { hundredths, maybe, number, t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";
import type { AbTest, Tests } from "../net/judge";
import { Moment, Section } from "./parts";

const STANDS: Record<string, [path: string, tone: string]> = {
  active: [icon.clock, "is-deferred"],
  promoted: [icon.check, "is-fixed"],
  gated: [icon.alert, "is-open"],
  discarded: [icon.cross, "is-deferred"],
  discarded_limit: [icon.cross, "is-deferred"],
};

export function Variants({ of: { tests, queue, refinements, decisions } }: { of: Tests }) {
  const waiting = queue.filter(({ status }) => status === "pending");
  const log = [...refinements, ...decisions].sort((a, b) => ((a.timestamp ?? "") < (b.timestamp ?? "") ? 1 : -1)).slice(0, 10);
  const nothing = tests.length + queue.length + log.length === 0;
  return (
    <Section name={t("judge.tests")} empty={nothing && [t("judge.noTests"), "jury templates ab create TEMPLATE VARIANT"]}>
      {waiting.length > 0 && (
        <ul class="claims">
          {waiting.map((one, index) => (
            <li key={index}>
              <b>{t("judge.waits")}</b> <code>{one.variant}</code> {one.variantScore !== null && hundredths(one.variantScore)} → <code>{one.original}</code>{" "}
              {one.originalScore !== null && hundredths(one.originalScore)} · <Moment iso={one.queuedAt} />
            </li>
          ))}
        </ul>
      )}
      {tests.length > 0 && (
        <ul class="findings">
          {tests.slice(0, 50).map((one, index) => (
            <Row key={index} one={one} />
          ))}
        </ul>
      )}
      {log.length > 0 && (
        <>
          <h3>{t("judge.log")}</h3>
          <ul class="claims">
            {log.map((one, index) => (
              <li key={index}>
                {"trigger" in one ? t("judge.made", { variant: one.variant ?? "", template: one.template, why: maybe(`trigger.${one.trigger}`, one.trigger) }) : `${one.variant} → ${one.original}: ${maybe(`test.${one.decision}`, one.decision)}`} ·{" "}
                <Moment iso={one.timestamp} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function Row({ one }: { one: AbTest }) {
  const stand = one.status === "active" ? "active" : (one.decision ?? "completed");
  const [path, tone] = STANDS[stand] ?? [icon.dash, "is-deferred"];
  return (
    <li class={`finding is-book ${tone}`}>
      <span class="finding-state">
        <Icon path={path} />
        {maybe(`test.${stand}`, stand)}
      </span>
      <code>{one.variant}</code>
      <span class="finding-text">
        {t("judge.against", { original: one.original })}
        <span class="book-note">{t("judge.arms", { a: number(one.original_runs ?? 0), b: number(one.variant_runs ?? 0), target: number(one.target_runs ?? 0) })}</span>
      </span>
      <span class="finding-rounds">
        <Moment iso={one.completed_at ?? one.created_at} />
      </span>
    </li>
  );
}
