//! A folder with the record of a run, its change, and agents that say what is written down for them.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Context;

/// A change that nothing measured is wrong with.
pub(crate) const CLEAN: &str = "diff --git a/src/price.rs b/src/price.rs\n--- a/src/price.rs\n+++ b/src/price.rs\n\
    @@ -1,3 +1,7 @@\n pub fn price(count: u32) -> u32 {\n-    count\n+    if count > 10 {\n+        count * 9 / 10\n\
    +    } else {\n+        count\n+    }\n }\ndiff --git a/tests/price.rs b/tests/price.rs\nnew file mode 100644\n\
    --- /dev/null\n+++ b/tests/price.rs\n@@ -0,0 +1,4 @@\n+#[test]\n+fn more_than_ten_are_cheaper() {\n\
    +    assert_eq!(price(20), 18);\n+}\n";

/// One that leaves the work undone.
pub(crate) const STUB: &str = "diff --git a/src/price.rs b/src/price.rs\n--- a/src/price.rs\n+++ b/src/price.rs\n\
    @@ -1,3 +1,3 @@\n pub fn price(count: u32) -> u32 {\n-    count\n+    todo!()\n }\n";

/// What tests print that pass.
pub(crate) const GREEN: &str = "running 1 test\ntest more_than_ten_are_cheaper ... ok\n\n\
    test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

/// The record of a run that its checks have nothing against.
pub(crate) fn record(over: &Value) -> String {
    let mut record = json!({
        "bead": "bd-one", "status": "done", "exit_code": 0, "agent": "ada", "model": "m1",
        "template_name": "bug-fix", "prompt": "Give src/price.rs a discount for more than ten.",
        "attempt": 1, "duration_seconds": 200,
        "verification": {"tests": "pass", "lint": "pass", "ubs": "clean", "truthsayer": "pass"},
    });
    for (key, value) in over.as_object().unwrap() {
        record[key] = value.clone();
    }
    record.to_string()
}

/// An answer with these marks.
pub(crate) fn answer(marks: [f64; 4]) -> String {
    let [correctness, scope, quality, completeness] = marks;
    json!({
        "bead": "bd-one",
        "dimensions": {"correctness": correctness, "scope_adherence": scope, "code_quality": quality,
            "completeness": completeness},
        "issues": [{"severity": "minor", "description": "Ten is written down twice.", "dimension": "code_quality",
            "evidence": {"file": "src/price.rs", "line": 2, "quote": "if count > 10 {"}}],
        "summary": "The discount is there and tested once.", "confidence": "high",
    })
    .to_string()
}

/// The first answer to the first question, the second to the second, the last one from then on.
const AGENT: &str = "cat > $1.prompt\nn=$(( $(cat $1.count 2>/dev/null || echo 0) + 1 ))\necho $n > $1.count\n\
    while [ ! -e $1-$n.txt ]; do n=$(( n - 1 )); done\ncat $1-$n.txt\n";

/// A folder with a record, a change, and these agents with what each says, one after the other.
pub(crate) fn judge_context(change: &str, agents: &[(&str, &[String])]) -> Context {
    let cx = Context::new();
    cx.write("run.json", record(&json!({})));
    cx.write("change.diff", change);
    cx.write("agent.sh", AGENT);
    let mut settings = String::new();
    for (name, answers) in agents {
        writeln!(settings, "[agents.{name}]\ncommand = [\"sh\", \"agent.sh\", \"{name}\"]").unwrap();
        for (index, text) in answers.iter().enumerate() {
            cx.write(&format!("{name}-{}.txt", index + 1), text);
        }
    }
    cx.write("jury.toml", settings);
    cx
}

/// `jury judge run.json --diff change.diff` at one moment.
pub(crate) fn judge(cx: &Context, args: &[&str]) -> Command {
    judge_at(cx, "2026-03-01T10:00:00Z", &[&["run.json", "--diff", "change.diff"], args].concat())
}

/// `jury judge` at this moment.
pub(crate) fn judge_at(cx: &Context, moment: &str, args: &[&str]) -> Command {
    let mut command = jury(cx);
    command.arg("judge").args(args).env("JURY_NOW", moment).env("USER", "ada");
    command
}

/// The program without what the machine says about judges.
pub(crate) fn jury(cx: &Context) -> Command {
    let mut command = cx.jury();
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("JUDGE_") {
            command.env_remove(name);
        }
    }
    for name in ["WORKSPACE_ROOT", "STATE_DIR", "FEEDBACK_DIR", "JUDGMENTS_DIR"] {
        command.env_remove(name);
    }
    command
}

/// What is kept of a run.
pub(crate) fn kept(cx: &Context, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(cx.path(&format!("state/judgments/{name}.json"))).unwrap()).unwrap()
}
