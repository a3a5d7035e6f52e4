//! Judges who do not agree, and the person who decides.

use insta::assert_snapshot;

use super::harness::{CLEAN, answer, judge, judge_context, jury, kept};
use crate::harness::Context;

/// Three judges with three verdicts.
fn dispute() -> Context {
    judge_context(
        CLEAN,
        &[
            ("kind", &[answer([0.9, 0.9, 0.9, 0.9])]),
            ("fair", &[answer([0.6, 0.9, 0.9, 0.9])]),
            ("strict", &[answer([0.1, 0.4, 0.4, 0.4])]),
        ],
    )
}

const PANEL: [&str; 6] = ["--agent", "kind", "--agent", "fair", "--agent", "strict"];

/// The id of the one question.
fn asked(cx: &Context) -> String {
    let output = jury(cx).args(["decisions", "list", "--format", "json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    list[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_panel_that_agrees_needs_nobody() {
    let cx = dispute();
    let shown = cx.show(&mut judge(&cx, &["--agent", "kind", "--agent", "fair", "--repeat", "2", "--quiet"]));
    assert!(shown.starts_with("exit: 4"), "two of four are no majority: {shown}");
    let shown = cx.show(&mut judge(&cx, &["--agent", "kind", "--repeat", "3", "--quiet"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("panel      3 seats: 3 pass; scores lie 0.00 apart"), "{shown}");
    assert_eq!(kept(&cx, "bd-one")["panel"]["majority"], "pass");
}

#[test]
fn a_dispute_waits_for_a_person_and_ends_with_their_word() {
    let cx = dispute();
    let shown = cx.show(judge(&cx, &PANEL).arg("--quiet"));
    assert_snapshot!("judge_disputed", shown);
    assert_eq!(cx.runs()[0]["state"], "waiting");
    assert_snapshot!("judge_decisions", cx.show(jury(&cx).args(["decisions", "list"])));
    let id = asked(&cx);
    let wrong = cx.show(jury(&cx).args(["decisions", "answer", &id, "perhaps"]));
    assert!(
        wrong.starts_with("exit: 2") && wrong.contains("asks for a verdict: pass, partial, fail"),
        "{wrong}"
    );
    let settled = cx.show(jury(&cx).args(["decisions", "answer", &id, "fail", "--by", "ada"]));
    assert!(settled.starts_with("exit: 1") && settled.contains("ada decides: fail"), "{settled}");
    assert!(settled.contains("FAIL  0.78  bd-one"), "{settled}");
    assert_eq!(kept(&cx, "bd-one")["verdict"], "fail");
    assert_eq!(kept(&cx, ".redispatch")["entries"][0]["bead"], "bd-one");
    let second = cx.show(jury(&cx).args(["decisions", "answer", &id, "pass"]));
    assert!(second.starts_with("exit: 2") && second.contains("the first one counts"), "{second}");
}

#[test]
fn who_defers_leaves_it_partial_and_a_pass_is_green() {
    for (word, code, verdict) in [("defer", 1, "partial"), ("1", 0, "pass")] {
        let cx = dispute();
        cx.show(judge(&cx, &PANEL).arg("--quiet"));
        let settled = cx.show(jury(&cx).args(["decisions", "answer", &asked(&cx), word, "--quiet"]));
        assert!(settled.starts_with(&format!("exit: {code}\n")), "{settled}");
        assert_eq!(kept(&cx, "bd-one")["verdict"], verdict);
    }
}

#[test]
fn what_was_collected_before_takes_the_judgement_in() {
    let cx = dispute();
    let collected = cx.show(jury(&cx).args(["feedback", "collect", "run.json", "--quiet"]));
    assert!(collected.starts_with("exit: 0"), "{collected}");
    let feedback = || -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(cx.path("state/feedback/bd-one.json")).unwrap()).unwrap()
    };
    assert_eq!(feedback()["judgment"], serde_json::Value::Null);
    cx.show(judge(&cx, &PANEL).arg("--quiet"));
    assert_eq!(feedback()["judgment"], serde_json::Value::Null, "nobody has decided yet");
    cx.show(jury(&cx).args(["decisions", "answer", &asked(&cx), "fail", "--by", "ada"]));
    assert_eq!(feedback()["judgment"]["verdict"], "fail");
    cx.show(&mut judge(&cx, &["--agent", "kind", "--quiet"]));
    assert_eq!(feedback()["judgment"]["verdict"], "pass");
}
