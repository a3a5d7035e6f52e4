//! The commands beside the run: transcripts, criteria, and what is refused.

use insta::assert_snapshot;

use super::harness::{critic_context, pass, run};
use crate::harness::Context;

const TRANSCRIPT: &str = "=== CRITIC 1 ===\n[COMPLETENESS] Is it all there? → yes\n  Verdict: PASS\n\
    [RISK] Which risks? → 3 of 3 named\n  Verdict: FAIL\n\
    === Result: CONVERGED (1 passes, 0 fixes, 0 escalations) ===\n";

#[test]
fn a_transcript_is_checked_line_by_line() {
    let cx = Context::new();
    cx.write("report.txt", TRANSCRIPT);
    for format in ["human", "json", "github", "sarif"] {
        let shown = cx.show(cx.jury().args(["critic", "check", "report.txt", "--format", format]));
        assert_snapshot!(format!("critic_check_{format}"), shown);
    }
    let good = format!("{}=== Result: CONVERGED (1 passes, 0 fixes, 0 escalations) ===\n", pass());
    cx.write("good.txt", &good);
    let shown = cx.show(cx.jury().args(["critic", "check", "good.txt"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("nothing is wrong with it"), "{shown}");
    let shown =
        cx.show_with_input(cx.jury().args(["critic", "check", "-", "--criteria", "plan"]), good.as_bytes());
    assert!(shown.starts_with("exit: 1") && shown.contains("stdin:1: missing_criterion"), "{shown}");
}

#[test]
fn criteria_are_listed_explained_and_begun() {
    let cx = Context::new();
    assert_snapshot!("critic_criteria", cx.show(cx.jury().args(["critic", "criteria"])));
    assert_snapshot!("critic_criteria_plan", cx.show(cx.jury().args(["critic", "criteria", "plan"])));
    assert_snapshot!("critic_init", cx.show(cx.jury().args(["critic", "init", "ours", "--set", "debug"])));
    let text = std::fs::read_to_string(cx.path("criteria/ours.toml")).unwrap();
    assert_snapshot!("critic_init_file", text);
    let again = cx.show(cx.jury().args(["critic", "init", "ours"]));
    assert!(again.starts_with("exit: 2") && again.contains("is there already"), "{again}");
    let shown = cx.show(cx.jury().args(["critic", "criteria"]));
    assert!(shown.contains("criteria/ours.toml"), "{shown}");
    let json = cx.jury().args(["critic", "criteria", "ours", "--format", "json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["criteria"][0]["id"], "SAFETY");
    let bad = cx.show(cx.jury().args(["critic", "init", "Not A Name"]));
    assert!(bad.starts_with("exit: 2") && bad.contains("use small letters"), "{bad}");
}

#[test]
fn bad_input_is_refused_in_a_line() {
    let cx = critic_context(&[pass()], &[]);
    cx.write("empty.md", " \n");
    cx.write("binary.md", [0, 1, 2]);
    cx.write("latin.md", b"caf\xe9\n");
    cx.write(
        "wrong.toml",
        "name = \"wrong\"\ncap = 3\n\n[[criterion]]\nid = \"lower\"\nquestion = \"What?\"\n",
    );
    cx.write("typo.toml", "name = \"typo\"\ncap = 3\nfoo = 1\n");
    let refused = |args: &[&str], what: &str| {
        let shown = cx.show(cx.jury().args(["critic"]).args(args));
        assert!(shown.starts_with("exit: 2"), "{args:?}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{args:?}: {shown}");
        assert!(shown.contains(what), "{args:?}: {shown}");
    };
    refused(&["run", "gone.md", "--criteria", "small"], "no such file: gone.md");
    refused(&["run", ".", "--criteria", "small"], "is a folder; name a document in it");
    refused(&["run", "empty.md", "--criteria", "small"], "is empty");
    refused(&["run", "binary.md", "--criteria", "small"], "is a binary file");
    refused(&["run", "latin.md", "--criteria", "small"], "is not UTF-8 from byte 3");
    refused(&["run", "plan.md", "--criteria", "nothing"], "there are no criteria 'nothing'");
    refused(&["run", "plan.md", "--criteria", "gone.toml"], "no such file: gone.toml");
    refused(&["run", "plan.md", "--criteria", "wrong.toml"], "wrong.toml line 5: id 'lower'");
    refused(&["run", "plan.md", "--criteria", "typo.toml"], "typo.toml line 3: unknown field");
    refused(&["run", "plan.md"], "--criteria");
    refused(&["run", "plan.md", "--criteria", "small", "--agent", "ghost"], "there is no agent 'ghost'");
    refused(&["run", "plan.md", "--criteria", "small", "--model", "x"], "--model does not go with the house");
    refused(&["run", "plan.md", "--criteria", "small", "--max-passes", "0"], "from 1 to 20");
    refused(&["run", "plan.md", "--criteria", "small", "--answer-within", "soon"], "such as 3d");
    refused(&["run", "plan.md", "--criteria", "small", "--out", "no/where.md"], "does not exist");
    refused(&["run", "-", "--criteria", "small", "--write"], "--write needs a file");
    refused(&["show", "last"], "");
    refused(&["check", "gone.txt"], "no such file");
    assert!(!cx.path(".od").exists(), "what is refused leaves nothing");
    cx.show(cx.jury().args(["run", "plan.md", "--quiet"]));
    let shown = cx.show(&mut run(&cx, &["--quiet"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
}

#[test]
fn a_diff_from_stdin() {
    let cx = critic_context(&[pass()], &[]);
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n";
    let mut command = cx.jury();
    command.args(["critic", "run", "-", "--criteria", "small", "--agent", "critic", "--quiet"]);
    let shown = cx.show_with_input(&mut command, diff.as_bytes());
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(std::fs::read_to_string(cx.path("answer-1.prompt")).unwrap().contains("+two"));
}
