//! Calls and records that cannot be judged: one line that says what, and nothing is kept.

use serde_json::json;

use super::harness::{CLEAN, judge, judge_at, judge_context, record};

#[test]
fn a_wrong_call_is_one_line_and_exit_code_two() {
    let cx = judge_context(CLEAN, &[]);
    for (args, says) in [
        (vec!["--mode", "magic"], "--mode"),
        (vec!["--repeat", "0"], "--repeat"),
        (vec!["--agent", "house"], "use --mode heuristic"),
        (vec!["--agent", "nobody"], "there is no agent 'nobody'"),
        (vec!["--mode", "command"], "set JUDGE_COMMAND"),
        (vec!["--project", "../x"], "--project"),
        (vec!["--repo", "."], "--diff"),
        (vec!["--tests", "missing.log"], "missing.log"),
    ] {
        let shown = cx.show(&mut judge(&cx, &args));
        assert!(shown.starts_with("exit: 2\n----- stdout -----\n----- stderr"), "{args:?}: {shown}");
        assert!(shown.contains(says), "{args:?}: {shown}");
    }
    let none = cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &[]));
    assert!(none.starts_with("exit: 2") && none.contains("RUN.json"), "{none}");
    let mut sampled = judge(&cx, &[]);
    let shown = cx.show(sampled.env("JUDGE_TIMEOUT_SECONDS", "soon"));
    assert!(shown.starts_with("exit: 2") && shown.contains("JUDGE_TIMEOUT_SECONDS"), "{shown}");
    assert!(!cx.path("state").exists());
}

#[test]
fn a_record_is_not_trusted() {
    let cx = judge_context(CLEAN, &[]);
    for (body, says) in [
        (record(&json!({"bead": "../../escape"})), "cannot be the bead of a run"),
        (record(&json!({"attempt": "PATH[$(touch pwned)]"})), "attempt"),
        ("{\"bead\":".to_owned(), "run.json"),
        ("[]".to_owned(), "run.json"),
    ] {
        cx.write("run.json", &body);
        let shown = cx.show(&mut judge(&cx, &["--quiet"]));
        assert!(shown.starts_with("exit: 2\n----- stdout -----\n----- stderr"), "{body}: {shown}");
        assert!(shown.contains(says), "{body}: {shown}");
    }
    assert!(!cx.path("pwned").exists());
    std::fs::remove_file(cx.path("run.json")).unwrap();
    let gone = cx.show(&mut judge(&cx, &["--quiet"]));
    assert!(gone.starts_with("exit: 2") && gone.contains("run.json"), "{gone}");
}
