//! The queue as clients see it: so many at once, first come first served within a project, projects take turns.

use serde_json::json;

use super::harness::{Daemon, agents, until};
use crate::harness::GOOD_PAGE;

#[test]
fn projects_take_turns_and_each_keeps_its_order() {
    let cx =
        agents(&[("gate", "until [ -e go ]; do sleep 0.02; done; cat ship.txt"), ("quick", "cat ship.txt")]);
    let daemon = Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "1"),
    );
    let request = |agent: &str| json!({"agent": agent, "page": GOOD_PAGE});
    for project in ["a", "b", "c"] {
        daemon.project(project);
    }
    let first = daemon.ask_in("a", &request("gate"));
    daemon.wait_for(&first, "critique.run_started");
    let asked =
        ["a", "a", "a", "b", "c", "b"].map(|project| (project, daemon.ask_in(project, &request("quick"))));
    let health = daemon.get("/api/health").json();
    assert_eq!((&health["running"], &health["waiting"]), (&1.into(), &6.into()));
    cx.write("go", "");
    let mut order: Vec<(u64, usize)> = Vec::new();
    for (index, (_, run)) in asked.iter().enumerate() {
        let frames = daemon.finish(run);
        assert_eq!(frames.last().unwrap().event, "critique.ship");
        let started = frames.iter().find(|frame| frame.event == "critique.run_started").unwrap();
        order.push((started.id, index));
    }
    order.sort_unstable();
    let order: Vec<(&str, usize)> = order.iter().map(|(_, index)| (asked[*index].0, *index)).collect();
    // a was served last, so b and c come before it; then they take turns.
    assert_eq!(order, [("b", 3), ("c", 4), ("a", 0), ("b", 5), ("a", 1), ("a", 2)]);
}

#[test]
fn no_more_runs_go_on_than_there_are_places() {
    // Each notes how many are there while it is.
    let script = "n=$$; touch here.$n; ls here.* | wc -l >> counts; sleep 0.1; rm here.$n; cat ship.txt";
    let cx = agents(&[("counts", script)]);
    let daemon = Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "3"),
    );
    let runs: Vec<_> = (0..9).map(|_| daemon.ask("counts")).collect();
    for run in &runs {
        assert_eq!(daemon.finish(run).last().unwrap().event, "critique.ship");
    }
    let counts: Vec<u32> = std::fs::read_to_string(cx.path("counts"))
        .unwrap()
        .lines()
        .map(|line| line.trim().parse().unwrap())
        .collect();
    assert_eq!(counts.len(), 9);
    assert!(counts.iter().all(|count| (1..=3).contains(count)), "{counts:?}");
    assert!(counts.iter().any(|count| *count > 1), "they do go on at once: {counts:?}");
    until("all places are free", || daemon.get("/api/health").json()["running"] == 0);
}

#[test]
fn so_many_runs_go_on_as_there_are_processors_unless_told_otherwise() {
    let cx = agents(&[]);
    let daemon = Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env_remove("OD_CRITIQUE_MAX_CONCURRENT_RUNS"),
    );
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(daemon.get("/api/settings").json()["critique"]["maxConcurrentRuns"], cores);
}
