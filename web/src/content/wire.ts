// The words of the content pipeline under short names. The types themselves are generated.
import type { components } from "../api.gen";

type Schemas = components["schemas"];

/** A fact of a run, told apart by `event`. */
export type ContentEvent = Schemas["ContentEvent"];

export type Progress = Schemas["PipelineProgress"];
export type Step = Schemas["PipelineStep"];
export type Tool = Schemas["ContentTool"];
export type Standing = Schemas["ContentStanding"];
export type Recipe = Schemas["Recipe"];
export type Seat = Schemas["ContentSeat"];
export type Selection = Schemas["ContentSelection"];
export type Critique = Schemas["AdvisorCritique"];
export type Issue = Schemas["ContentIssue"];
export type OpenIssue = Schemas["OpenIssue"];
export type Ruling = Schemas["Ruling"];
export type Summary = Schemas["RoundSummary"];
export type Lost = Schemas["LostPassage"];
export type Absent = Schemas["ContentCriticAbsent"];
export type Measured = Schemas["ContentMeasured"];
export type Started = Schemas["ContentStarted"];
export type Saved = Schemas["ContentSaved"];
export type Needs = Schemas["ContentNeedsHuman"];
export type Halted = Schemas["ContentHalted"];
export type Finished = Schemas["ContentFinished"];
export type Branded = Schemas["Branded"];
export type Assembled = Schemas["Assembled"];
export type Validated = Schemas["Validated"];
export type RepoCreated = Schemas["RepoCreated"];
export type Pushed = Schemas["Pushed"];
export type Deployed = Schemas["Deployed"];
export type Verified = Schemas["Verified"];
export type Writer = Schemas["Writer"];
export type Blob = Schemas["Blob"];
export type Usage = Schemas["Usage"];
