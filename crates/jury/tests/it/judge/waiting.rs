//! The throttle: what comes too soon waits, and is not dropped.

use insta::assert_snapshot;
use serde_json::json;

use super::bench::{CLEAN, answer, bench, judge_at, kept, record};

#[test]
fn what_comes_too_soon_waits_in_the_queue_and_is_worked_off() {
    let cx = bench(CLEAN, &[("opus", &[answer([0.9, 0.9, 0.9, 0.9])])]);
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
    assert!(early.starts_with("exit: 4"), "{early}");
    let later = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain", "--quiet"]));
    assert!(later.starts_with("exit: 0") && later.contains("PASS  0.90  bd-two"), "{later}");
    assert_eq!(kept(&cx, "bd-two")["judged_at"], "2026-03-01T11:00:00Z");
    let empty = cx.show(&mut judge_at(&cx, "2026-03-01T11:00:00Z", &["--drain"]));
    assert!(empty.starts_with("exit: 0") && empty.contains("nothing waits"), "{empty}");
}

#[test]
fn measuring_costs_nothing_and_never_waits() {
    let cx = bench(CLEAN, &[]);
    for _ in 0..3 {
        let mut command =
            judge_at(&cx, "2026-03-01T10:00:00Z", &["run.json", "--diff", "change.diff", "--quiet"]);
        assert!(cx.show(command.env("JUDGE_PER_HOUR", "1")).starts_with("exit: 0"));
    }
}
