//! The table of failures, row by row: each is made to happen with a real process, and leaves its event, its rows, its
//! transcript and its number.

use std::path::Path;

use jury_store::{ArtifactRow, Store};
use jury_testkit::client::Frame;
use serde_json::{Value, json};

use super::harness::{Daemon, OPEN, Run, agents, gone, lines, metric, names, round, until};
use crate::harness::{Context, GOOD_PAGE};

/// Whether the daemon serves `/metrics`. Set to true, every row of the table checks its number too.
const METRICS: bool = true;

/// What must be true of a run that failed, whichever way.
struct Failed<'a> {
    event: &'a str,
    status: &'a str,
    exit: i64,
    /// Fields of the event.
    says: Value,
    /// What was kept.
    page: Option<&'a str>,
    /// The number that went up by one.
    counted: (&'a str, &'a [&'a str]),
}

impl Failed<'_> {
    /// Waits for the end of the run and holds everything that is left of it against what is expected.
    fn check(&self, cx: &Context, daemon: &Daemon, run: &Run) -> Vec<Frame> {
        let frames = daemon.finish(run);
        let last = frames.last().unwrap().json();
        assert_eq!(last["event"], self.event, "{last:#}");
        for (field, value) in self.says.as_object().unwrap() {
            assert_eq!(&last[field], value, "{field}: {last:#}");
        }
        assert_eq!(frames.iter().filter(|frame| frame.is_terminal()).count(), 1);

        let row = &daemon.get(&format!("/api/projects/{}/critique?limit=200", run.project)).json()["runs"];
        let row = row.as_array().unwrap().iter().find(|row| row["runId"] == run.id).unwrap().clone();
        assert_eq!((&row["state"], &row["status"]), (&"ended".into(), &self.status.into()), "{row:#}");
        let view = daemon.view(run);
        assert_eq!(view["run"], row);
        assert_eq!(view["state"]["ended"]["event"], self.event, "{view:#}");

        let artifact = exported(cx, run);
        assert_eq!(artifact.status.unwrap().as_str(), self.status);
        assert_eq!(artifact.protocol_version, Some(1));
        let file = cx.path(".od/artifacts").join(&run.artifact).join(artifact.transcript_path.unwrap());
        assert_eq!(read(&file), lines(&frames), "the file is what was seen");
        assert_eq!(daemon.transcript(run), lines(&frames), "and what is served");

        let kept = daemon.get(&format!("{}/artifact", run.path()));
        match self.page {
            Some(page) => assert_eq!((kept.status, kept.text()), (200, page.to_owned())),
            None => assert_eq!((kept.status, kept.code()), (404, "no_artifact".to_owned())),
        }
        let report = cx.jury().args(["report", &run.id, "--json"]).output().unwrap();
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        assert_eq!((&report["status"], &report["exitCode"]), (&self.status.into(), &self.exit.into()));
        let (name, labels) = self.counted;
        counted(daemon, name, labels);
        frames
    }
}

/// A number that went from 0 to 1.
fn counted(daemon: &Daemon, name: &str, labels: &[&str]) {
    if METRICS {
        until(&format!("{name} {labels:?} is 1"), || {
            (metric(daemon, name, labels) - 1.0).abs() < f64::EPSILON
        });
    }
}

/// The row of the artifact, once the transcript is written.
fn exported(cx: &Context, run: &Run) -> ArtifactRow {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = runtime.block_on(Store::open_existing(cx.path(".od"))).unwrap();
    let read = || runtime.block_on(store.artifact(run.artifact.parse().unwrap())).unwrap().unwrap();
    until("the transcript is written", || read().transcript_path.is_some());
    read()
}

/// The cause in the rounds of an artifact's row.
fn in_rounds(cx: &Context, run: &Run, key: &str) -> Value {
    let rounds: Value = serde_json::from_str(&exported(cx, run).rounds_json.unwrap()).unwrap();
    rounds[key].clone()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// A run that has something to make, with a panel over it.
fn brief(daemon: &Daemon, agent: &str) -> Run {
    daemon.ask_in("default", &json!({"agent": agent, "brief": "A page for a bakery.", "critique": true}))
}

/// An agent that breaks as a panel, and writes a page when it is asked for the page alone.
fn breaks(panel: &str) -> String {
    format!("case \"$prompt\" in *'<CRITIQUE_RUN'*) {panel};; *) cat page.html;; esac")
}

const DEGRADED: &str = "open_design_critique_degraded_total";
const RUNS: &str = "open_design_critique_runs_total";

#[test]
fn a_malformed_block_degrades_and_the_page_comes_the_plain_way() {
    let cx = agents(&[("broken", &breaks("cat broken.txt")), ("late", &breaks("cat late.txt"))]);
    cx.write("page.html", GOOD_PAGE);
    let broken = "<PANELIST role=\"critic\" score=\"9\"><ROUND_END n=\"1\"/>";
    cx.write("broken.txt", format!("{OPEN}<ROUND n=\"1\">{broken}"));
    cx.write("late.txt", format!("{OPEN}{}<ROUND n=\"2\">{broken}", round(1, 7, "<p>draft</p>")));
    let daemon = Daemon::start(&cx);
    let row = Failed {
        event: "critique.degraded",
        status: "degraded",
        exit: 3,
        says: json!({"reason": "malformed_block", "adapter": "broken"}),
        page: Some(GOOD_PAGE.trim_end()),
        counted: (DEGRADED, &["reason=\"malformed_block\"", "adapter=\"broken\""]),
    };
    row.check(&cx, &daemon, &brief(&daemon, "broken"));
    // Where a round was closed there is something better than a page that nobody looked at.
    let reviewed = Failed {
        says: json!({"reason": "malformed_block", "adapter": "late", "bestRound": 1}),
        page: Some("<p>draft</p>"),
        counted: (DEGRADED, &["reason=\"malformed_block\"", "adapter=\"late\""]),
        ..row
    };
    reviewed.check(&cx, &daemon, &brief(&daemon, "late"));
}

#[test]
fn an_oversize_block_degrades_and_says_where() {
    let cx = agents(&[(
        "huge",
        &breaks(
            "printf '<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><NOTES>'; yes",
        ),
    )]);
    cx.write("page.html", GOOD_PAGE);
    let daemon = Daemon::start(&cx);
    let run = brief(&daemon, "huge");
    let frames = Failed {
        event: "critique.degraded",
        status: "degraded",
        exit: 3,
        says: json!({"reason": "oversize_block", "adapter": "huge"}),
        page: Some(GOOD_PAGE.trim_end()),
        counted: (DEGRADED, &["reason=\"oversize_block\""]),
    }
    .check(&cx, &daemon, &run);
    let position = frames.last().unwrap().json()["position"].as_u64().unwrap();
    assert!((40..600_000).contains(&position), "{position}");
}

#[test]
fn a_first_round_without_an_artifact_degrades() {
    let cx = agents(&[("empty", &breaks("cat empty.txt"))]);
    cx.write("page.html", GOOD_PAGE);
    let body = round(1, 9, "x");
    let (before, rest) = body.split_once("<ARTIFACT>").unwrap();
    let (_, after) = rest.split_once("</ARTIFACT>").unwrap();
    cx.write("empty.txt", format!("{OPEN}{before}{after}</CRITIQUE_RUN>"));
    let daemon = Daemon::start(&cx);
    let run = brief(&daemon, "empty");
    Failed {
        event: "critique.degraded",
        status: "degraded",
        exit: 3,
        says: json!({"reason": "missing_artifact", "adapter": "empty"}),
        page: Some(GOOD_PAGE.trim_end()),
        counted: (DEGRADED, &["reason=\"missing_artifact\""]),
    }
    .check(&cx, &daemon, &run);
}

#[test]
fn another_protocol_degrades() {
    let cx = agents(&[("future", "echo '<CRITIQUE_RUN version=\"9\"><ROUND n=\"1\">'")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("future");
    Failed {
        event: "critique.degraded",
        status: "degraded",
        exit: 3,
        says: json!({"reason": "protocol_version_mismatch", "adapter": "future"}),
        page: None,
        counted: (DEGRADED, &["reason=\"protocol_version_mismatch\""]),
    }
    .check(&cx, &daemon, &run);
}

#[test]
fn a_score_that_never_crosses_the_bar_hands_the_best_over_and_calls_it_so() {
    let cx = agents(&[("low", "cat low.txt")]);
    cx.write(
        "low.txt",
        format!(
            "{OPEN}{}{}{}</CRITIQUE_RUN>",
            round(1, 5, "<p>first</p>"),
            round(2, 7, GOOD_PAGE),
            round(3, 6, "<p>worse</p>")
        ),
    );
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("low");
    Failed {
        event: "critique.ship",
        status: "below_threshold",
        exit: 1,
        says: json!({"status": "below_threshold", "round": 2, "composite": 7.0}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"below_threshold\"", "adapter=\"low\""]),
    }
    .check(&cx, &daemon, &run);
    let run = daemon.ask_in("default", &json!({"agent": "low", "page": GOOD_PAGE, "fallbackPolicy": "fail"}));
    let last = daemon.finish(&run).last().unwrap().json();
    assert_eq!((&last["status"], &last["artifactRef"]), (&"below_threshold".into(), &Value::Null));
    assert_eq!(daemon.get(&format!("{}/artifact", run.path())).status, 404);
}

/// A daemon whose runs have little time for this: enough to close a round on a busy machine, whose draft is measured first.
fn hasty(cx: &Context, variable: &str) -> Daemon {
    Daemon::run(cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env(variable, "6000"))
}

#[test]
fn a_round_that_takes_too_long_ends_with_the_best_so_far() {
    let cx = agents(&[("hangs", "echo $$ > pids; cat one.txt; while :; do sleep 1; done")]);
    let daemon = hasty(&cx, "OD_CRITIQUE_ROUND_TIMEOUT_MS");
    let run = daemon.ask("hangs");
    Failed {
        event: "critique.ship",
        status: "timed_out",
        exit: 3,
        says: json!({"status": "timed_out", "cause": "round_timeout", "round": 1, "composite": 7.0}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"timed_out\"", "adapter=\"hangs\""]),
    }
    .check(&cx, &daemon, &run);
    gone(&cx, "pids");
}

#[test]
fn a_run_that_takes_too_long_is_ended_with_its_agent() {
    let cx = agents(&[(
        "hangs",
        "echo $$ > pids; printf '%s' \"$(head -c -14 one.txt)\"; trap '' TERM; while :; do sleep 1; done",
    )]);
    let daemon = hasty(&cx, "OD_CRITIQUE_TOTAL_TIMEOUT_MS");
    let run = daemon.ask("hangs");
    let frames = Failed {
        event: "critique.ship",
        status: "timed_out",
        exit: 3,
        says: json!({"status": "timed_out", "cause": "total_timeout", "round": 1}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"timed_out\""]),
    }
    .check(&cx, &daemon, &run);
    assert!(names(&frames).contains(&"critique.round_end"), "the part that was said is kept");
    gone(&cx, "pids");
}

#[test]
fn a_user_who_interrupts_gets_the_best_so_far() {
    let cx = agents(&[("sits", "echo $$ > pids; cat one.txt; while :; do sleep 1; done")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("sits");
    daemon.wait_for(&run, "critique.round_end");
    assert_eq!(daemon.interrupt(&run).status, 202);
    Failed {
        event: "critique.interrupted",
        status: "interrupted",
        exit: 130,
        says: json!({"bestRound": 1, "composite": 7.0}),
        page: Some(GOOD_PAGE),
        counted: ("open_design_critique_interrupted_total", &["adapter=\"sits\""]),
    }
    .check(&cx, &daemon, &run);
    gone(&cx, "pids");
}

#[test]
fn a_program_that_crashes_fails_the_run_loudly_and_once() {
    let cx = agents(&[("crashes", "echo x >> starts; cat one.txt; echo 'out of luck' >&2; exit 9")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("crashes");
    let frames = Failed {
        event: "critique.failed",
        status: "failed",
        exit: 3,
        says: json!({"cause": "cli_exit_nonzero", "bestRound": 1}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"failed\"", "cause=\"cli_exit_nonzero\""]),
    }
    .check(&cx, &daemon, &run);
    let detail = frames.last().unwrap().json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("code 9") && detail.contains("out of luck"), "{detail}");
    assert_eq!(in_rounds(&cx, &run, "cause"), "cli_exit_nonzero");
    assert_eq!(read(&cx.path("starts")), "x\n", "it is not tried again");
}

#[test]
fn a_program_that_is_killed_fails_the_run() {
    let cx = agents(&[("dies", "cat one.txt; kill -9 $$")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("dies");
    Failed {
        event: "critique.failed",
        status: "failed",
        exit: 3,
        says: json!({"cause": "cli_signal", "bestRound": 1}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"failed\"", "cause=\"cli_signal\""]),
    }
    .check(&cx, &daemon, &run);
}

#[test]
fn a_daemon_that_died_in_the_middle_says_so_at_its_next_start() {
    let cx = agents(&[("sits", "echo $$ > pids; cat one.txt; while :; do sleep 1; done")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("sits");
    daemon.wait_for(&run, "critique.round_end");
    daemon.kill();
    gone(&cx, "pids");
    let daemon = Daemon::start(&cx);
    Failed {
        event: "critique.interrupted",
        status: "interrupted",
        exit: 130,
        says: json!({"recoveryReason": "daemon_restart", "bestRound": 1, "composite": 7.0}),
        page: Some(GOOD_PAGE),
        counted: (RUNS, &["status=\"interrupted\"", "cause=\"daemon_restart\""]),
    }
    .check(&cx, &daemon, &run);
    assert_eq!(in_rounds(&cx, &run, "recoveryReason"), "daemon_restart");
}

#[test]
fn an_agent_that_does_not_conform_is_marked_and_not_asked_for_a_panel() {
    let cx = agents(&[("poor", &format!("echo x >> starts; {}", breaks("echo 'I would rather not.'")))]);
    cx.write("page.html", GOOD_PAGE);
    for _ in 0..2 {
        cx.show(cx.jury().args(["agents", "test", "poor", "--quiet"]));
    }
    let starts = read(&cx.path("starts")).lines().count();
    let daemon = Daemon::start(&cx);
    let conformance = daemon.get("/api/critique/conformance").json();
    assert_eq!(conformance["agents"][0]["agent"], "poor");
    assert!(conformance["agents"][0]["degradedUntil"].is_string(), "{conformance:#}");
    let run = brief(&daemon, "poor");
    Failed {
        event: "critique.degraded",
        status: "degraded",
        exit: 3,
        says: json!({"reason": "adapter_unsupported", "adapter": "poor"}),
        page: Some(GOOD_PAGE.trim_end()),
        counted: (DEGRADED, &["reason=\"adapter_unsupported\"", "adapter=\"poor\""]),
    }
    .check(&cx, &daemon, &run);
    assert_eq!(read(&cx.path("starts")).lines().count(), starts + 1, "once, for the page alone");
}
