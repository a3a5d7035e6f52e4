//! A page that nobody reviewed, in every rendering, and never green.

use insta::assert_snapshot;
use serde_json::Value;

use crate::harness::{Context, GOOD_PAGE};

/// An agent that cannot run a jury, and makes a page when it is asked for one.
fn writer(cx: &Context) {
    let script = "if grep -q CRITIQUE_RUN; then echo No.; else echo Here:; cat page.txt; fi";
    cx.write("page.txt", GOOD_PAGE);
    cx.write("jury.toml", format!("[agents.writer]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n"));
}

const RUN: [&str; 5] = ["run", "--brief", "A page about opening hours.", "--agent", "writer"];

#[test]
fn every_rendering_says_that_nobody_reviewed_it() {
    let cx = Context::new();
    writer(&cx);
    assert_snapshot!("unreviewed_human", cx.show(cx.jury().args(RUN).args(["--out", "out.html"])));
    assert_eq!(std::fs::read_to_string(cx.path("out.html")).unwrap(), GOOD_PAGE.trim());
    for format in ["json", "sarif", "junit", "github"] {
        let shown = cx.show(cx.jury().args(RUN).args(["--quiet", "--format", format]));
        assert!(shown.starts_with("exit: 3"), "{shown}");
        assert_snapshot!(format!("unreviewed_{format}"), shown);
    }
    assert_snapshot!("unreviewed_markdown", cx.show(cx.jury().args(["report", "last"])));
    let run = cx.jury().args(RUN).output().unwrap();
    let replay = cx.jury().args(["replay", "last", "--speed", "instant"]).output().unwrap();
    assert_eq!(String::from_utf8(run.stderr).unwrap(), String::from_utf8(replay.stderr).unwrap());
    assert_eq!(cx.runs()[0]["status"], "degraded");
}

#[test]
fn a_review_of_a_page_alone_makes_nothing() {
    let cx = Context::new();
    writer(&cx);
    cx.write("given.html", GOOD_PAGE);
    let output = cx
        .jury()
        .args(["run", "given.html", "--agent", "writer", "--format", "json", "-q"])
        .output()
        .unwrap();
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &run["status"]), (Some(3), &"degraded".into()));
    assert_eq!(
        (&run["artifact"], &run["unreviewed"], &run["fallback"]),
        (&Value::Null, &false.into(), &Value::Null)
    );
}

#[test]
fn a_marked_agent_still_makes_a_page_and_is_not_asked_for_a_panel() {
    let cx = Context::new();
    writer(&cx);
    for _ in 0..2 {
        cx.show(cx.jury().args(["agents", "test", "writer", "-q"]));
    }
    let output = cx.jury().args(RUN).args(["--format", "json", "-q"]).output().unwrap();
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &run["status"]), (Some(3), &"degraded".into()));
    assert_eq!(
        (&run["unreviewed"], &run["fallback"]["reason"]),
        (&true.into(), &"adapter_unsupported".into())
    );
    assert!(run["artifact"].is_string(), "{run:#}");
}
