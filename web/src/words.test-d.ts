// What the page relies on, checked by the compiler alone: `npm run check`.
import type { components } from "./api.gen";
import type { Board, Enablement, Event, EventKind, EventOf, LogRecord, Role } from "./words";

type Schemas = components["schemas"];
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;
function holds<_ extends true>(): void {}

// The union is told apart by `event`, and every kind is there once.
holds<
  Same<
    EventKind,
    | "critique.queued"
    | "critique.run_started"
    | "critique.panelist_open"
    | "critique.panelist_dim"
    | "critique.panelist_must_fix"
    | "critique.panelist_close"
    | "critique.round_end"
    | "critique.agent"
    | "critique.evidence"
    | "critique.lint"
    | "critique.fallback"
    | "critique.ship"
    | "critique.degraded"
    | "critique.interrupted"
    | "critique.failed"
    | "critique.parser_warning"
  >
>();

// A record is its numbers and an event.
holds<Same<LogRecord["seq"], number>>();
holds<Same<LogRecord["at"], number>>();
holds<Same<LogRecord["runId"], string>>();
holds<Same<LogRecord["event"], EventKind>>();
holds<LogRecord extends Event ? true : false>();

// Flattened parts lie beside the others: always there, null when there is none.
holds<
  Same<
    Flat<EventOf<"critique.interrupted">>,
    {
      artifact?: Schemas["Blob"];
      artifactRef: Schemas["ArtifactRef"] | null;
      bestRound: number | null;
      composite: number | null;
      recoveryReason?: "daemon_restart";
      event: "critique.interrupted";
    }
  >
>();
holds<Same<EventOf<"critique.degraded">["bestRound"], number | null>>();
holds<Same<EventOf<"critique.failed">["composite"], number | null>>();
holds<Same<EventOf<"critique.degraded">["position"], number | undefined>>();

// A score that there is none of is null; other things without a value on the wire are absent.
holds<Same<EventOf<"critique.panelist_close">["score"], number | null>>();
holds<Same<EventOf<"critique.panelist_dim">["dimScore"], number | null>>();
holds<Same<EventOf<"critique.panelist_close">["artifact"], Schemas["Blob"] | undefined>>();
holds<Same<Board["ended"], Event | null>>();
holds<Same<Board["fallback"], Schemas["Fallback"] | null>>();
holds<Same<Enablement["tier"], "skill" | "project" | "setting" | "rollout">>();
holds<Same<Role, string>>();

/** Narrowing reaches the fields of one kind, and a forgotten kind does not compile. */
export function title(record: LogRecord): string {
  switch (record.event) {
    case "critique.queued":
      return record.title;
    case "critique.run_started":
      return `${record.seq} ${record.cast.join()} ${record.maxRounds} ${record.weights.critic}`;
    case "critique.panelist_open":
      return `${record.round} ${record.role}`;
    case "critique.panelist_dim":
      return `${record.dimName} ${record.dimScore?.toFixed(1)} ${record.dimNote}`;
    case "critique.panelist_must_fix":
      return `${record.finding} ${record.state} ${record.text}`;
    case "critique.panelist_close":
      return `${record.score?.toFixed(1)} ${record.notes ?? ""} ${record.artifact?.sha256}`;
    case "critique.round_end":
      return `${record.composite.toFixed(1)} ${record.mustFix} ${record.decision satisfies "continue" | "ship"}`;
    case "critique.agent":
      return `${record.kind} ${record.detail ?? ""} ${record.usage?.outputTokens}`;
    case "critique.evidence":
      return `${record.standing} ${record.measured} ${record.place ?? ""}`;
    case "critique.lint":
      return record.findings.map((finding) => `${finding.line} ${finding.message}`).join();
    case "critique.fallback":
      return `${record.reason satisfies EventOf<"critique.degraded">["reason"] | "disabled"} ${record.detail}`;
    case "critique.ship":
      return `${record.status satisfies "shipped" | "below_threshold" | "timed_out" | "legacy"} ${record.artifactRef?.artifactId}`;
    case "critique.degraded":
      return `${record.reason} ${record.adapter} ${record.bestRound}`;
    case "critique.interrupted":
      return `${record.bestRound} ${record.recoveryReason}`;
    case "critique.failed":
      return `${record.cause} ${record.detail}`;
    case "critique.parser_warning":
      return `${record.kind} ${record.position}`;
    default:
      return record satisfies never;
  }
}

export function misuse(event: Event): void {
  // @ts-expect-error before it is narrowed, an event has only what all have
  void event.composite;
  if (event.event === "critique.ship") {
    // @ts-expect-error a round may be null
    void event.round.toFixed();
  }
  // @ts-expect-error no such kind
  void (event.event === "critique.round_start");
}
