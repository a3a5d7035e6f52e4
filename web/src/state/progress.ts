// How far a run of the content pipeline has come. It mirrors `PipelineProgress::of` of the program, and `Studio::next` as far
// as that says which tool is at work.
import type { Progress, Standing, Step, Tool } from "../content/wire";
import { of, type Round, standing, type Studio } from "./studio";

const FIRST_PHASE = ["generate_draft", "run_critiques", "editor_decision", "summarize_round", "revise_draft", "save_content"] as const satisfies Tool[];
const SECOND_PHASE = ["design_brand", "assemble_site_files", "validate_code", "create_repo", "push_files", "deploy", "verify"] as const satisfies Tool[];

/** What each tool of the second phase leaves behind. */
const LEAVES = {
  design_brand: "branded",
  assemble_site_files: "assembled",
  validate_code: "validated",
  create_repo: "repo",
  push_files: "pushed",
  deploy: "deployed",
  verify: "verified",
} as const;

const STATUS = {
  running: "running",
  paused: "paused",
  halted: "error",
  unreviewed: "error",
  "needs-human": "needs-human",
  approved: "complete",
  stalled: "stalled",
  "max-rounds-reached": "max-rounds-reached",
  abandoned: "abandoned",
} as const;

/** There is nothing to come after these. */
const ENDS = new Set<Standing>(["approved", "unreviewed", "stalled", "max-rounds-reached", "abandoned"]);

const UNREVIEWED = "nobody's expertise was asked for, so nobody has reviewed it";

/** Null before it has begun. */
export function progress(studio: Studio): Progress | null {
  const { started, needs, saved, rounds, halted, panel } = studio;
  if (!started) return null;
  const stands = standing(studio);
  const detail = halted?.detail ?? (needs && !ENDS.has(stands) ? needs.reason : stands === "unreviewed" ? UNREVIEWED : undefined);
  const url = studio.finished?.url;
  return {
    status: STATUS[stands],
    contentType: started.recipe.contentType,
    currentStep: current(studio) ?? "",
    round: rounds.at(-1)?.round ?? 0,
    maxRounds: started.recipe.maxRevisionRounds,
    quality: saved?.quality ?? (needs ? "needs-human" : null),
    ...(started.evidence === undefined ? {} : { evidence: started.evidence }),
    selectedCritics: (panel?.seats ?? []).map(({ advisorId, name }) => ({ advisorId, name })),
    steps: steps(studio),
    critiqueHistory: rounds.map((round) => history(studio, round)),
    ...(detail === undefined ? {} : { detail }),
    ...(url === undefined ? {} : { url }),
  };
}

/** The tool that is at work, could not do its work, or waits to be taken up. */
export function current(studio: Studio): Tool | null {
  if (studio.ended) return null;
  if (studio.halted) return studio.halted.tool;
  return studio.needs ? "revise_draft" : next(studio);
}

/** The tool of the next step, as if it went on. */
function next(studio: Studio): Tool | null {
  const { started, saved, rounds, panel } = studio;
  if (!started) return null;
  if (saved) {
    if (!started.publish || saved.quality !== "approved" || saved.unreviewed) return null;
    return SECOND_PHASE.find((tool) => !studio.site[LEAVES[tool]]) ?? null;
  }
  const round = rounds.at(-1);
  if (!round) return "generate_draft";
  if (!panel) return "run_critiques";
  if (panel.seats.length === 0) return "save_content";
  const { ruling } = round;
  if (!ruling) {
    const isMissing = panel.seats.some(({ advisorId: who }) => !of(round.critiques, who) && !of(round.absent, who));
    return isMissing || (!round.measured && started.evidence !== "off") ? "run_critiques" : "editor_decision";
  }
  if (!round.summary && ruling.decision !== "error") return "summarize_round";
  switch (ruling.decision) {
    case "approve":
      return "save_content";
    case "stop":
      return hasBest(studio) ? "save_content" : null;
    case "revise":
      return !isAtTheCap(studio, started.recipe.maxRevisionRounds) ? "revise_draft" : hasBest(studio) ? "save_content" : null;
    default:
      return null;
  }
}

/** Whether some round was decided upon by scores. */
const hasBest = ({ rounds }: Studio) => rounds.some(({ ruling }) => ruling && ruling.decision !== "error" && ruling.mean !== null);

/** Whether as many rounds were made as may be, counted from a person's last draft on. */
function isAtTheCap({ rounds }: Studio, most: number): boolean {
  const since = Math.max(0, rounds.findLastIndex(({ writer }) => writer === "person"));
  return rounds.length - since >= Math.max(1, most);
}

function history({ panel }: Studio, round: Round): Progress["critiqueHistory"][number] {
  const { summary } = round;
  const absent = Object.keys(round.absent).sort();
  const measured = round.measured && { round: round.measured.round, mode: round.measured.mode, issues: round.measured.issues };
  return {
    round: round.round,
    critiques: (panel?.seats ?? []).flatMap(({ advisorId }) => of(round.critiques, advisorId) ?? []),
    ...(absent.length > 0 ? { absent } : {}),
    ...(measured ? { measured } : {}),
    editorDecision: round.ruling?.decision ?? null,
    ...(summary?.brief ? { revisionBrief: summary.brief } : {}),
    fixedItems: (summary?.fixedItems ?? []).map(({ description }) => description),
    wellScoredAspects: (summary?.wellScoredAspects ?? []).map(({ domain, name, score }) => `${domain || name}: ${tenths(score)}/10`),
  };
}

/** One decimal as the program writes it: of two that are as near, the even one. */
export function tenths(value: number): string {
  if (Math.abs(value * 4) % 2 !== 1) return value.toFixed(1);
  const down = Math.floor(value * 10);
  return ((down % 2 === 0 ? down : down + 1) / 10).toFixed(1);
}

export function steps(studio: Studio): Step[] {
  const { started, rounds, saved, site, halted } = studio;
  if (!started) return [];
  const at = current(studio);
  const goesOn = standing(studio) === "running";
  const last = rounds.at(-1);
  const decided = !!last?.ruling || !!saved;
  const done: Record<Tool, boolean> = {
    generate_draft: !!last,
    run_critiques: decided || at === "editor_decision" || at === "save_content",
    editor_decision: decided,
    summarize_round: !!last?.summary || !!saved,
    revise_draft: !!saved || (rounds.length > 1 && last?.writer !== "person"),
    save_content: !!saved,
    design_brand: !!site.branded,
    assemble_site_files: !!site.assembled,
    validate_code: !!site.validated,
    create_repo: !!site.repo,
    push_files: !!site.pushed,
    deploy: !!site.deployed,
    verify: !!site.verified,
  };
  const tools: Tool[] = started.publish ? [...FIRST_PHASE, ...SECOND_PHASE] : [...FIRST_PHASE];
  return tools.map((name) => {
    const status = halted?.tool === name ? "error" : at === name ? (goesOn ? "running" : "pending") : done[name] ? "complete" : "pending";
    const detail = detailOf(studio, name);
    return { name, status, ...(detail === undefined ? {} : { detail }) };
  });
}

function detailOf({ started, rounds, panel, saved, site }: Studio, tool: Tool): string | undefined {
  const last = rounds.at(-1);
  switch (tool) {
    case "generate_draft": {
      const writer = rounds[0]?.writer;
      return writer && (writer === "model" ? started?.author : writer === "person" ? "a person's" : "from the documents");
    }
    case "run_critiques": {
      const seats = panel?.seats.length ?? 0;
      return seats > 0 ? `${Object.keys(last?.critiques ?? {}).length} of ${seats}` : undefined;
    }
    case "editor_decision":
      return last?.ruling?.decision;
    case "save_content":
      return saved?.quality;
    case "push_files":
      return site.pushed && [...site.pushed.commit].slice(0, 12).join("");
    case "deploy":
      return site.deployed?.url;
    case "verify":
      return site.verified && `${site.verified.fetched} fetched`;
    default:
      return undefined;
  }
}
