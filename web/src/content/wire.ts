// The words of the content pipeline under short names, as the log has them.
export type Severity = "high" | "medium" | "low";
export type Quality = "approved" | "stalled" | "max-rounds-reached" | "needs-human";
export type Standing = "running" | "paused" | "halted" | "needs-human" | "approved" | "unreviewed" | "stalled" | "max-rounds-reached" | "abandoned";
export type Writer = "model" | "template" | "repairs" | "person";
export type Decision = "approve" | "revise" | "stop" | "error";
export type Reason = "quorum_missed" | "high_issue" | "decreasing" | "mean_reached" | "mean_below";
export type Tool =
  | "generate_draft"
  | "run_critiques"
  | "editor_decision"
  | "summarize_round"
  | "revise_draft"
  | "save_content"
  | "design_brand"
  | "assemble_site_files"
  | "validate_code"
  | "create_repo"
  | "push_files"
  | "deploy"
  | "verify";

export interface Blob {
  sha256: string;
  bytes: number;
  mime: string;
}
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  costUsd?: number;
}
export interface Issue {
  id: string;
  severity: Severity;
  description: string;
  suggestion: string;
  rule?: string | null;
  quote?: string | null;
}
export interface OpenIssue extends Issue {
  advisorId: string;
  name: string;
  since: number;
}
export interface Critique {
  advisorId: string;
  name: string;
  score: number;
  pass: boolean;
  issues: Issue[];
  statuses?: { id: string; fixed: boolean }[];
  measured?: boolean;
  usage?: Usage | null;
}
export interface Seat {
  advisorId: string;
  name: string;
  named: boolean;
  clauses?: string[];
}
export interface Selection {
  seats: Seat[];
  how: "vote" | "model";
  warnings?: string[];
}
export interface Recipe {
  contentType: string;
  form: "page" | "article" | "post";
  authorAdvisor: string;
  authorContextDocs: string[];
  evaluationNeeds: string;
  minAggregateScore: number;
  maxRevisionRounds: number;
  publish?: boolean;
}
export interface Started {
  ideaId: string;
  recipe: Recipe;
  author: string;
  agent?: string;
  docs: { kind: string; sha256: string; words: number }[];
  publish: boolean;
  startedAt: string;
}
export interface Ruling {
  decision: Decision;
  reason: Reason;
  mean: number | null;
  common: { before: number; now: number } | null;
  high: number;
  answered: number;
  seats: number;
  missing?: string[];
}
export interface FixedItem {
  id: string;
  advisorId: string;
  description: string;
  round: number;
  quote?: string | null;
}
export interface WellScored {
  advisorId: string;
  name: string;
  score: number;
  round: number;
}
export interface Summary {
  round: number;
  avgScore: number | null;
  highIssueCount: number;
  editorDecision: Decision;
  brief: string;
  fixedItems: FixedItem[];
  wellScoredAspects: WellScored[];
  regressed?: string[];
}
export interface Lost {
  passage: string;
  because: "mended" | "not_at_issue";
}
export interface Absent {
  round: number;
  advisorId: string;
  attempts: number;
  cause: string;
  detail: string;
}
export interface Drafted {
  round: number;
  draft: Blob;
  writer: Writer;
  words: number;
  remarks?: string[];
  usage?: Usage;
}
export interface Revised extends Omit<Drafted, "remarks"> {
  done?: string[];
  brought?: string[];
  lost?: Lost[];
}
export interface Saved {
  quality: Quality;
  round: number;
  draft: Blob;
  unreviewed?: boolean;
  open: number;
}
export interface Needs {
  round: number;
  reason: string;
  brief: string;
}
export interface Halted {
  tool: Tool;
  cause: string;
  detail: string;
}
export interface Finished {
  quality: Quality;
  unreviewed?: boolean;
  url?: string;
}
export interface Branded {
  brand: unknown;
  notes?: string[];
}
export interface Assembled {
  sha256: string;
  files: number;
  bytes: number;
  baseUrl: string;
}
export interface Validated {
  sentences: number;
  warnings?: string[];
}
export interface RepoCreated {
  site: string;
  created: boolean;
}
export interface Pushed {
  commit: string;
  changed: number;
  remote?: string;
}
export interface Deployed {
  site: string;
  release: string;
  previous?: string;
  url: string;
}
export interface Verified {
  fetched: number;
}

export type ContentEvent =
  | ({ event: "content.queued" } & { projectId: string; artifactId: string; ideaId: string; contentType: string; agent?: string })
  | ({ event: "content.run_started" } & Started)
  | ({ event: "content.drafted" } & Drafted)
  | ({ event: "content.panel_selected" } & Selection)
  | ({ event: "content.critic_started" } & { round: number; advisorId: string; attempt: number })
  | ({ event: "content.critiqued" } & { round: number; critique: Critique })
  | ({ event: "content.critic_absent" } & Absent)
  | ({ event: "content.decided" } & Ruling & { round: number; open: OpenIssue[] })
  | ({ event: "content.summarised" } & Summary)
  | ({ event: "content.revised" } & Revised)
  | ({ event: "content.needs_human" } & Needs)
  | ({ event: "content.saved" } & Saved)
  | ({ event: "content.branded" } & Branded)
  | ({ event: "content.assembled" } & Assembled)
  | ({ event: "content.validated" } & Validated)
  | ({ event: "content.repo_created" } & RepoCreated)
  | ({ event: "content.pushed" } & Pushed)
  | ({ event: "content.deployed" } & Deployed)
  | ({ event: "content.verified" } & Verified)
  | ({ event: "content.agent" } & { kind: string; detail?: string; status?: number; usage?: Usage })
  | ({ event: "content.halted" } & Halted)
  | ({ event: "content.paused" } & { reason: "asked" | "restart" })
  | ({ event: "content.resumed" } & { tool?: Tool })
  | ({ event: "content.finished" } & Finished)
  | ({ event: "content.abandoned" } & { reason?: string });

export interface Progress {
  status: "running" | "complete" | "error" | "max-rounds-reached" | "stalled" | "paused" | "needs-human" | "abandoned";
  contentType: string;
  currentStep: string;
  round: number;
  maxRounds: number;
  quality: Quality | null;
  selectedCritics: { advisorId: string; name: string }[];
  steps: Step[];
  critiqueHistory: {
    round: number;
    critiques: Critique[];
    absent?: string[];
    editorDecision: Decision | null;
    revisionBrief?: string;
    fixedItems: string[];
    wellScoredAspects: string[];
  }[];
  detail?: string;
  url?: string;
}
export interface Step {
  name: string;
  status: "pending" | "running" | "complete" | "error";
  detail?: string;
}
