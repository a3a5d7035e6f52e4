// What a board keeps of an event.
import type { Event, LogRecord } from "../words";

/** The event without its place in the log. */
export function named<E extends Event>(event: E): E {
  const { seq: _seq, at: _at, runId: _run, ...rest } = event as E & Partial<LogRecord>;
  return rest as unknown as E;
}

/** The fields of the event alone. */
export function bare<E extends Event>(event: E): Omit<E, "event"> {
  const { event: _event, ...rest } = named(event);
  return rest;
}
