// The words of the domain under short names. The types themselves are generated.
import type { components } from "./api.gen";

type Schemas = components["schemas"];

/** A fact of a run of the panel, told apart by `event`. */
export type Event = Schemas["TheaterEvent"];
export type EventKind = Event["event"];
/** The event of one kind. */
export type EventOf<Kind extends EventKind> = Extract<Event, { event: Kind }>;
/** An event in its place: a line of a transcript, the data of an SSE frame. */
export type LogRecord = Extract<Schemas["Record"], { event: EventKind }>;

/** The same of any workflow. */
export type AnyRecord = Schemas["Record"];

export type Board = Schemas["Board"];
export type RoundBoard = Schemas["RoundBoard"];
export type Review = Schemas["Review"];
export type Dimension = Schemas["Dimension"];
/** A measured fact beside a claimed one. */
export type Evidence = Schemas["MeasuredEvidence"];
export type Entry = Schemas["Entry_Role"];
export type Role = Schemas["Role"];
/** A cast with its weights: of a run, or of the settings. */
export type Weighed = Pick<Schemas["RunStarted"], "weights" | "seats">;
export type CritiqueConfig = Schemas["CritiqueConfig"];
/** Whether the panel sits, who says so, and why. */
export type Enablement = Schemas["Enablement"];

/** How a run ended. */
export type Status = Schemas["Status"];
