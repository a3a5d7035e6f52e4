//! The throttle: what comes too soon waits, and is not dropped.

use insta::assert_snapshot;
use serde_json::json;

use super::harness::{CLEAN, GREEN, answer, judge_at, judge_context, kept, record};
use crate::harness::Context;

#[test]
fn what_comes_too_soon_waits_in_the_queue_and_is_worked_off() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 0.9, 0.9, 0.9])])]);
    cx.write("two.json", record(&json!({"bead": "bd-two"})));
    cx.write("opus-2.txt", answer([0.9, 0.9, 0.9, 0.9]).replace("bd-one", "bd-two"));
    let ask = |file: &str, moment: &str| {
        let mut command =
            judge_at(&cx, moment, &[file, "--diff", "change.diff", "--agent", "opus", "--no-wait"]);
        command.env("JUDGE_PER_HOUR", "1");
        command
    };
    let first = cx.show(&mut ask("run.json", "2026-03-01T10:00:00Z"));
    assert!(first.starts_with("exit: 0"), "{first}");
    assert_snapshot!("judge_throttled", cx.show(&mut ask("two.json", "2026-03-01T10:20:00Z")));
    assert_eq!(cx.runs()[0]["state"], "queued");
    let early = cx.show(&mut judge_at(&cx, "2026-03-01T10:30:00Z", &["--drain", "--no-wait", "--quiet"]));
    assert!(early.starts_with("exit: 3"), "{early}");
    let later = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain", "--quiet"]));
    assert!(later.starts_with("exit: 0") && later.contains("PASS  0.90  bd-two"), "{later}");
    assert_eq!(kept(&cx, "bd-two")["judged_at"], "2026-03-01T11:00:00Z");
    let empty = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain"]));
    assert!(empty.starts_with("exit: 0") && empty.contains("nothing waits"), "{empty}");
}

#[test]
fn measuring_costs_nothing_and_never_waits() {
    let cx = judge_context(CLEAN, &[]);
    cx.write("run.json", record(&json!({"test_output": GREEN})));
    for _ in 0..3 {
        let mut command =
            judge_at(&cx, "2026-03-01T10:00:00Z", &["run.json", "--diff", "change.diff", "--quiet"]);
        assert!(cx.show(command.env("JUDGE_PER_HOUR", "1")).starts_with("exit: 0"));
    }
}

/// Puts these runs into the queue, behind one that was judged.
fn queue(cx: &Context, names: &[&str], agents: &[&str]) {
    for name in [&["run"], names].concat() {
        if name != "run" {
            cx.write(&format!("{name}.json"), record(&json!({"bead": name})));
            std::fs::copy(cx.path("change.diff"), cx.path(&format!("{name}.diff"))).unwrap();
        }
        let (file, diff) = (format!("{name}.json"), format!("{name}.diff"));
        let diff = if name == "run" { "change.diff" } else { &diff };
        let mut command =
            judge_at(cx, "2026-03-01T10:00:00Z", &[&file, "--diff", diff, "--no-wait", "--quiet"]);
        command.args(agents).env("JUDGE_PER_HOUR", "1");
        cx.show(&mut command);
    }
}

#[test]
fn a_run_whose_change_is_gone_ends_inconclusive_and_the_next_is_judged() {
    let cx = judge_context(
        CLEAN,
        &[("opus", &[answer([0.9, 0.9, 0.9, 0.9]).replace("\"bead\":\"bd-one\",", "")])],
    );
    queue(&cx, &["bd-gone", "bd-there"], &["--agent", "opus"]);
    std::fs::remove_file(cx.path("bd-gone.diff")).unwrap();
    let drained = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain", "--no-wait"]));
    assert!(drained.starts_with("exit: 3"), "{drained}");
    assert!(drained.contains("ends inconclusive") && !drained.contains("nothing waits"), "{drained}");
    assert!(drained.contains("PASS  0.90  bd-there"), "{drained}");
    assert!(cx.runs().iter().all(|run| run["state"] == "ended"), "{:#?}", cx.runs());
    let again = cx.show(&mut judge_at(&cx, "2026-03-01T12:00:00Z", &["--drain"]));
    assert!(again.starts_with("exit: 0") && again.contains("nothing waits"), "{again}");
}

#[test]
fn a_run_whose_judge_is_not_there_waits_on_and_is_counted() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 0.9, 0.9, 0.9])])]);
    queue(&cx, &["bd-two"], &["--agent", "opus"]);
    cx.write("jury.toml", "");
    let drained = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain", "--no-wait"]));
    assert!(drained.starts_with("exit: 3") && drained.contains("still waits"), "{drained}");
    assert_eq!(cx.runs()[0]["state"], "queued");
}

#[test]
fn a_dispute_does_not_hold_back_those_behind_it() {
    let plain = |marks| answer(marks).replace("\"bead\":\"bd-one\",", "");
    let good = plain([0.9, 0.9, 0.9, 0.9]);
    let cx = judge_context(
        CLEAN,
        &[
            ("kind", std::slice::from_ref(&good)),
            // About the second run they do not agree.
            ("strict", &[good.clone(), plain([0.1, 0.4, 0.4, 0.4]), good.clone()]),
        ],
    );
    queue(&cx, &["bd-two", "bd-three"], &["--agent", "kind", "--agent", "strict"]);
    // There is room for both.
    let mut drain = judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain"]);
    std::fs::remove_file(cx.path("state/judgments/.throttle.json")).unwrap();
    let first = cx.show(drain.arg("--no-wait"));
    assert!(first.starts_with("exit: 4") && first.contains("bd-two"), "{first}");
    assert!(first.contains("bd-three"), "{first}");
}

#[test]
fn what_nobody_prices_binds_the_budget_and_nothing_is_never() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 0.9, 0.9, 0.9])])]);
    let ask = |budget: &str, minute: u8| {
        let moment = format!("2026-03-01T10:{minute:02}:00Z");
        let args = ["run.json", "--diff", "change.diff", "--agent", "opus", "--no-wait", "--quiet"];
        cx.show(judge_at(&cx, &moment, &args).env("JUDGE_DAILY_BUDGET", budget))
    };
    let never = ask("0", 0);
    assert!(never.starts_with("exit: 3") && never.contains("never, with 0 dollars a day"), "{never}");
    assert!(ask("0.35", 1).starts_with("exit: 0"));
    assert!(ask("0.35", 2).starts_with("exit: 0"));
    let held = ask("0.35", 3);
    assert!(held.starts_with("exit: 3"), "{held}");
    let small = ask("0.1", 4);
    assert!(small.contains("a seat whose price nobody says counts as 0.15"), "{small}");
}

#[test]
fn a_broken_throttle_admits_nobody() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 0.9, 0.9, 0.9])])]);
    std::fs::create_dir_all(cx.path("state/judgments")).unwrap();
    cx.write("state/judgments/.throttle.json", "garbage");
    let args = ["run.json", "--diff", "change.diff", "--agent", "opus", "--no-wait", "--quiet"];
    let shown = cx.show(judge_at(&cx, "2026-03-01T10:00:00Z", &args).env("JUDGE_DAILY_BUDGET", "1"));
    assert!(shown.starts_with("exit: 3") && shown.contains("2026-03-02"), "{shown}");
}
