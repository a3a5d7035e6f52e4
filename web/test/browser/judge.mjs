// The files of the judge's learning loop as its commands write them, for a browser to look at.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A name that would be a script, if anything took it for one. */
export const HOSTILE = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>';
/** A name that does not fit on any line. */
export const LONG = `migrate-${"the-old-orders-table-to-the-new-shape-".repeat(6)}v12`;

const estimate = (value, by) => ({ value, low: Math.max(0, +(value - by).toFixed(4)), high: Math.min(1, +(value + by).toFixed(4)) });

/** One template of `template-scores.json`. */
export const score = (template, mechanical, more = {}) => ({
  template,
  total_runs: 24,
  scoreable_runs: 23,
  full_pass_rate: mechanical,
  partial_pass_rate: 0.1,
  retry_rate: 0.05,
  timeout_rate: 0,
  score: mechanical,
  confidence: "high",
  trend: "stable",
  agents: [
    { agent: "claude", total_runs: 14, full_pass_rate: 0.8, score: 0.81 },
    { agent: "codex", total_runs: 10, full_pass_rate: 0.6, score: 0.63 },
  ],
  mechanical: estimate(mechanical, 0.16),
  judged_runs: 0,
  blended: estimate(mechanical, 0.16),
  ...more,
});

/** `state/judgments/<bead>.json`. */
export const judgement = (bead, verdict, value, more = {}) => ({
  schema_version: "1.0.0",
  bead,
  verdict,
  score: value,
  dimensions: { correctness: value, scope_adherence: value, code_quality: value, completeness: value },
  issues: [],
  summary: "The change does what was asked and its tests test it.",
  confidence: "medium",
  judged_at: "2026-01-05T08:40:00Z",
  judge: { model: "opus", prompt: "9f0c", context: "77ab", version: "0.1.0" },
  cost: { input_tokens: 9100, output_tokens: 640, cost_usd: 0.0712, duration_ms: 14200 },
  ...more,
});

export const issue = (severity, description, file, line, more = {}) => ({ severity, description, evidence: { file, line }, ...more });

/** `state/feedback/<bead>.json`. */
export const feedback = (bead, template, more = {}) => ({
  schema_version: "1.0.0",
  bead,
  timestamp: "2026-01-05T08:30:00Z",
  template,
  agent: "claude",
  model: "sonnet",
  outcome: "full_pass",
  signals: { exit_clean: true, tests_pass: true, lint_pass: true, ubs_clean: true, truthsayer_clean: true, duration_ratio: 0.6, retried: false },
  failure_patterns: [],
  opus_quality_score: null,
  opus_judge: null,
  prompt_hash: "",
  judgment: null,
  ...more,
});

/** Puts files into the folder of a daemon: text as it is, anything else as JSON. */
export function put(daemon, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(daemon.folder, "state", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}

/** Everything that the page can show. */
export function full() {
  const panel = judgement("bd-panel", "partial", 0.66, {
    dimensions: { correctness: 0.6, scope_adherence: 0.9, code_quality: 0.7, completeness: 0.5 },
    judged_at: "2026-01-05T08:55:00Z",
    judge: { model: "haiku+opus" },
    confidence: "low",
    issues: [
      issue("major", "The test asserts what the code returns, not what was asked.", "tests/price.rs", 14, {
        dimension: "correctness",
        seats: 2,
        evidence: { file: "tests/price.rs", line: 14, quote: "assert_eq!(total(), total());" },
      }),
      issue("minor", "A TODO is left.", "src/price.rs", 88, { seats: 1 }),
      issue("minor", "A comment repeats the code.", "src/price.rs", 12),
      issue("minor", "The changelog is not touched.", undefined, undefined),
    ],
    coverage: { share: 0.84, lines: 210, left_out: 40, cut: false, prompt: true, tests: true, lint: false },
    warnings: ["opus (1): calls it a pass, and its marks make it partial"],
    panel: {
      seats: [
        { judge: "opus", repeat: 1, verdict: "partial", dimensions: { correctness: 0.6, scope_adherence: 0.9, code_quality: 0.7, completeness: 0.5 } },
        { judge: "opus", repeat: 2, verdict: "fail", dimensions: { correctness: 0.3, scope_adherence: 0.9, code_quality: 0.7, completeness: 0.4 } },
        { judge: "haiku", repeat: 1, absent: "no answer within 60 s" },
      ],
      spread: { score: 0.14, dimensions: { correctness: 0.3, scope_adherence: 0, code_quality: 0, completeness: 0.1 }, agreement: 0.3333 },
    },
  });
  return {
    "scores/template-scores.json": {
      schema_version: "1.0.0",
      generated_at: "2026-01-05T09:00:00Z",
      templates: [
        score("bug-fix", 0.72, { trend: "improving", judged_runs: 12, judged: estimate(0.61, 0.12), blended: estimate(0.676, 0.12) }),
        score("docs", 0.91, { total_runs: 7, confidence: "medium", trend: "insufficient_data" }),
        score("refactor", 0.38, { trend: "declining", judged_runs: 9, judged: estimate(0.31, 0.14), blended: estimate(0.352, 0.11) }),
      ],
    },
    "judgments/bd-panel.json": panel,
    "judgments/bd-pass.json": judgement("bd-pass", "pass", 0.86, { judged_at: "2026-01-04T16:00:00Z", confidence: "high" }),
    "judgments/bd-fail.json": judgement("bd-fail", "fail", 0.31, {
      judged_at: "2026-01-02T11:00:00Z",
      cost: undefined,
      judge: { model: "heuristic" },
      issues: [issue("major", "The only test is skipped.", "tests/cart.py", 3)],
    }),
    "feedback/bd-panel.json": feedback("bd-panel", "bug-fix", { outcome: "partial_pass", failure_patterns: ["lint-failure-after-completion"] }),
    "feedback/bd-pass.json": feedback("bd-pass", "docs"),
    "feedback/bd-fail.json": feedback("bd-fail", "refactor", { agent: "codex" }),
    "feedback/bd-plain.json": feedback("bd-plain", "docs"),
    "feedback/pattern-registry.json": {
      "scope-creep": { count: 3, first_seen: "2025-12-01T10:00:00Z", last_seen: "2026-01-04T10:00:00Z", last_beads: ["bd-1"] },
      "lint-failure-after-completion": {
        count: 11,
        first_seen: "2025-12-01T10:00:00Z",
        last_seen: "2026-01-05T08:30:00Z",
        last_beads: ["bd-panel"],
        mitigation: "The prompt names the lint command.",
        mitigated_at: "2026-01-01T10:00:00Z",
        count_at_mitigation: 9,
      },
      "infra-tmux": { count: 2, first_seen: "2025-12-01T10:00:00Z", last_seen: "2025-12-20T10:00:00Z", last_beads: [] },
    },
    "scores/ab-tests.json": {
      schema_version: "1.0.0",
      tests: [
        { original: "docs", variant: "docs-v1", status: "completed", target_runs: 10, original_runs: 20, variant_runs: 20, created_at: "2025-12-10T10:00:00Z", decision: "promoted", completed_at: "2025-12-30T10:00:00Z", looks: 2 },
        { original: "bug-fix", variant: "bug-fix-v2", status: "active", target_runs: 10, original_runs: 7, variant_runs: 6, created_at: "2026-01-03T10:00:00Z" },
      ],
    },
    "scores/promotion-review-queue.json": {
      schema_version: "1.0.0",
      entries: [{ original: "refactor", variant: "refactor-v1", original_score: 0.38, variant_score: 0.61, score_diff: 0.23, status: "pending", queued_at: "2026-01-05T07:00:00Z" }],
    },
    "scores/refinement-log.json": {
      schema_version: "1.0.0",
      entries: [
        { template: "bug-fix", variant: "bug-fix-v2", trigger: "low_judgement", timestamp: "2026-01-03T09:00:00Z", full_pass_rate: 0.6, total_runs: 20, patterns_applied: ["scope-creep"] },
        { type: "ab_test_result", original: "docs", variant: "docs-v1", decision: "promoted", original_score: 0.7, variant_score: 0.9, timestamp: "2025-12-30T10:00:00Z" },
      ],
    },
  };
}

/** What a judge says. */
export const verdict = (mark, words) =>
  JSON.stringify({
    dimensions: { correctness: mark, scope_adherence: mark, code_quality: mark, completeness: mark },
    issues: [{ severity: "minor", description: "The name could be better.", evidence: { file: "src/a.rs", line: 1 } }],
    summary: words,
    confidence: "high",
  });
const DIFF = `diff --git a/src/a.rs b/src/a.rs
--- a/src/a.rs
+++ b/src/a.rs
@@ -1,2 +1,2 @@
-fn price() -> u32 { 1 }
+fn price() -> u32 { 2 }
 fn other() {}
`;

const finished = (bead, more = {}) => ({
  bead,
  status: "done",
  exit_code: 0,
  agent: "claude",
  model: "sonnet",
  template_name: "bug-fix",
  duration_seconds: 300,
  finished_at: "2026-01-05T08:00:00Z",
  prompt: "Make price() return 2.",
  verification: { tests: "pass", lint: "pass", ubs: "clean", truthsayer: "pass" },
  ...more,
});

/** A run record, as a dispatcher writes it. */
export function record(daemon, bead, more = {}) {
  writeFileSync(join(daemon.folder, "run.json"), JSON.stringify(finished(bead, more)));
  writeFileSync(join(daemon.folder, "change.diff"), DIFF);
}

/** For `Daemon.start`: two judges who never agree. */
export const JUDGES = ["kind", "strict"].map((name) => `[agents.${name}]\ncommand = ["sh", "-c", "cat > /dev/null; cat ${name}.json"]\n`).join("");

function brief(daemon) {
  writeFileSync(join(daemon.folder, "kind.json"), verdict(0.9, "It does what was asked."));
  writeFileSync(join(daemon.folder, "strict.json"), verdict(0.3, "It does something else."));
}

/** A run of the daemon itself, with these judges. */
export async function judged(daemon, bead, agents) {
  brief(daemon);
  const { runId } = await daemon.ask("/api/runs", { workflow: "judge", request: { record: finished(bead), diff: DIFF, agents } });
  return runId;
}

/** `jury judge` with both of them: the run waits for a person. */
export function disagree(daemon, bead) {
  brief(daemon);
  record(daemon, bead);
  return daemon.jury("judge", "run.json", "--agent", "kind", "--agent", "strict", "--diff", "change.diff");
}
