// Runs of the critic for a browser to look at: started on the command line, with a critic who says what is written down.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { JURY } from "./stand.mjs";

/** For `Daemon.start`. */
export const TOML = '[agents.critic]\ncommand = ["sh", "agent.sh"]\n';

export const PLAN = "# Plan\n\nThe import reads one file per night.\n\n## Steps\n\n1. Read the file.\n2. Store 40 rows.\n";
export const BETTER = `${PLAN}3. Stop at a broken row.\n`;

const CRITERIA = `name = "small"
cap = 3

[[criterion]]
id = "COMPLETENESS"
question = "Is every requirement taken up by a step?"
severity = "high"
needs = "opinion"

[[criterion]]
id = "SCOPE"
question = "Is it clear what is left out?"
needs = "opinion"

[[criterion]]
id = "FINISHED"
question = "Is nothing left open that is marked as open?"
measure = "unfinished-marker"
`;

// The first answer to a review, the second, and so on; the same for fixes.
const AGENT = `cat > prompt.txt
if grep -q 'You change one document' prompt.txt; then kind=fix; else kind=answer; fi
n=$(( $(cat $kind.count 2>/dev/null || echo 0) + 1 ))
echo $n > $kind.count
cat $kind-$n.txt
`;

/** What the critic says: a verdict on each of its two criteria. */
export const report = (completeness, scope = "PASS") => `=== CRITIC 1 ===
[COMPLETENESS] Is every requirement taken up by a step? → 2 of 2 requirements are taken up by a step
  Verdict: ${completeness}
[SCOPE] Is it clear what is left out? → 2 of 2 sections say what is left out
  Verdict: ${scope}
[ADVERSARIAL] Failure scenario: the file is larger than the disk
  → Realistic? N → the largest of 90 files had 2 MB
`;

const question = (n, criterion, text) => `
=== CRITIC ESCALATION (${n}) ===
[${criterion}] ${text}

Issue: The plan does not say it.
Why escalation: Only the owner of the data knows what a gap costs.

Options:
  1. Stop — the night is repeated
     Pro: no gap  Con: a late morning
  2. Go on — the row is left out
     Pro: on time  Con: a gap of 1 row
  3. Skip — keep current state, mark as [DEFERRED]
`;
export const ROW = "What happens to a broken row?";
export const PAST = "Are last year’s files part of it?";
export const ONE = report("ESCALATE") + question(1, "COMPLETENESS", ROW);
export const TWO = report("ESCALATE", "ESCALATE") + question(1, "COMPLETENESS", ROW) + question(2, "SCOPE", PAST);
export const PASS = report("PASS");
export const FAIL = report("FAIL (say what happens to a broken row)");

/** `jury critic run`: its exit code, what it said, and the run's id. */
export async function criticise(daemon, answers, { fixes = [], plan = PLAN, name = "plan.md", args = [], agent = AGENT } = {}) {
  const { folder } = daemon;
  mkdirSync(join(folder, "criteria"), { recursive: true });
  writeFileSync(join(folder, "criteria/small.toml"), CRITERIA);
  writeFileSync(join(folder, "agent.sh"), agent);
  writeFileSync(join(folder, name), plan);
  for (const kind of ["answer", "fix"]) rmSync(join(folder, `${kind}.count`), { force: true });
  answers.forEach((text, index) => writeFileSync(join(folder, `answer-${index + 1}.txt`), text));
  fixes.forEach((text, index) => writeFileSync(join(folder, `fix-${index + 1}.txt`), `=== DOCUMENT ===\n${text}=== END OF DOCUMENT ===\n`));
  const critic = args.includes("--no-agent") ? [] : ["--agent", "critic"];
  const rest = args.filter((arg) => arg !== "--no-agent");
  const done = spawnSync(JURY, ["critic", "run", name, "--criteria", "small", ...critic, "--no-input", "--quiet", ...rest], { cwd: folder, env: daemon.env, encoding: "utf8" });
  const { runs } = await daemon.ask("/api/projects/default/critic");
  return { code: done.status, said: done.stdout + done.stderr, id: runs[0]?.runId };
}
