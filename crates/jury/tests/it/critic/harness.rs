//! A folder with a plan, criteria, and an agent that says what is written down for it.

use std::fmt::Write as _;
use std::process::Command;

use crate::harness::Context;

/// A plan that nothing measured is wrong with.
pub(crate) const PLAN: &str =
    "# Plan\n\nThe import reads one file per night.\n\n## Steps\n\n1. Read the file.\n2. Store 40 rows.\n";

/// One criterion that takes a critic, one that is counted.
pub(crate) const SMALL: &str = "name = \"small\"\ntitle = \"Small\"\ncap = 3\n\n\
    [[criterion]]\nid = \"COMPLETENESS\"\nquestion = \"Is every requirement taken up by a step?\"\nseverity = \"high\"\n\
    needs = \"opinion\"\nescalate_when = [\"missing-information\"]\n\n\
    [[criterion]]\nid = \"FINISHED\"\nquestion = \"Is nothing left open that is marked as open?\"\nmeasure = \"unfinished-marker\"\n";

/// The agent: the first answer to a review, the second, and so on; the same for fixes.
const AGENT: &str = "cat > prompt.txt\n\
    if grep -q 'You change one document' prompt.txt; then kind=fix; else kind=answer; fi\n\
    n=$(( $(cat $kind.count 2>/dev/null || echo 0) + 1 ))\necho $n > $kind.count\ncp prompt.txt $kind-$n.prompt\n\
    cat $kind-$n.txt\n";

/// A folder with a plan, criteria and a critic who says these things, one after the other.
pub(crate) fn critic_context(answers: &[String], fixes: &[&str]) -> Context {
    let cx = Context::new();
    cx.write("plan.md", PLAN);
    std::fs::create_dir(cx.path("criteria")).unwrap();
    cx.write("criteria/small.toml", SMALL);
    cx.write("agent.sh", AGENT);
    cx.write("jury.toml", "[agents.critic]\ncommand = [\"sh\", \"agent.sh\"]\n");
    for (index, answer) in answers.iter().enumerate() {
        cx.write(&format!("answer-{}.txt", index + 1), answer);
    }
    for (index, document) in fixes.iter().enumerate() {
        let answer = format!("=== DOCUMENT ===\n{document}=== END OF DOCUMENT ===\n");
        cx.write(&format!("fix-{}.txt", index + 1), answer);
    }
    cx
}

/// `jury critic run plan.md` with that critic.
pub(crate) fn run(cx: &Context, args: &[&str]) -> Command {
    let mut command = cx.jury();
    command.args(["critic", "run", "plan.md", "--criteria", "small", "--agent", "critic"]).args(args);
    command.env("USER", "ada");
    command
}

/// A report with this verdict on the one criterion that takes a critic.
pub(crate) fn report(verdict: &str) -> String {
    format!(
        "=== CRITIC 1 ===\n[COMPLETENESS] Is every requirement taken up by a step? → 2 of 2 requirements looked at\n  \
         Verdict: {verdict}\n[ADVERSARIAL] Failure scenario: the file is larger than the disk\n  \
         → Realistic? N → the largest of 90 files had 2 MB\n"
    )
}

pub(crate) fn pass() -> String {
    report("PASS")
}

pub(crate) fn fail() -> String {
    report("FAIL (say what happens to a broken row)")
}

/// A question with so many ways out beside the skip.
pub(crate) fn escalate(options: usize) -> String {
    let ways = ["Stop — the night is repeated", "Go on — the row is left out"];
    let mut text = report("ESCALATE");
    text.push_str(
        "\n=== CRITIC ESCALATION (1) ===\n[COMPLETENESS] What happens to a broken row?\n\nIssue: The plan does not say it.\n\
         Why escalation: Only the owner of the data knows what a gap costs.\n\nOptions:\n",
    );
    for (index, way) in ways.iter().take(options).enumerate() {
        writeln!(text, "  {}. {way}\n     Pro: simple  Con: a gap of 1 night", index + 1).unwrap();
    }
    writeln!(text, "  {}. Skip — keep current state, mark as [DEFERRED]", options + 1).unwrap();
    text
}

/// The plan with an answer in it.
pub(crate) const BETTER: &str = "# Plan\n\nThe import reads one file per night.\n\n## Steps\n\n1. Read the file.\n2. Store 40 rows.\n3. Stop at a broken row.\n";

/// The run as its JSON has it.
pub(crate) fn json(cx: &Context) -> serde_json::Value {
    let output = cx.jury().args(["critic", "show", "last", "--format", "json"]).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// The ids of what is asked.
pub(crate) fn asked(cx: &Context) -> Vec<String> {
    let output = cx.jury().args(["decisions", "list", "--format", "json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}
