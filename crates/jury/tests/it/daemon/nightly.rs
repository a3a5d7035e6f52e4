//! The nightly conformance cycle: it happens, it is kept like any other, and what goes wrong with it stays there.

use serde_json::Value;

use super::harness::{Daemon, add_agents, until};
use crate::harness::Context;

/// Ten past three, in the hour of the cycle, and an hour later.
const NIGHT: &str = "2026-03-01T03:10:00Z";
const MORNING: &str = "2026-03-01T04:10:00Z";

/// A folder in which these agents are tested from three to four.
fn tonight(cx: &Context, agents: &str) {
    add_agents(cx, &[("good", "cat ship.txt"), ("bad", "exit 7"), ("other", "cat ship.txt")]);
    let settings = std::fs::read_to_string(cx.path("jury.toml")).unwrap();
    let more = format!("[critique]\nevidence = \"off\"\n[conformance]\nhour = 3\nagents = {agents}\n");
    cx.write("jury.toml", settings + &more);
}

/// A daemon whose clock stands still.
fn start_at(cx: &Context, moment: &str) -> Daemon {
    Daemon::run(cx.jury().env("JURY_NOW", moment).args(["serve", "--addr", "127.0.0.1:0"]))
}

/// The cycles of an agent as the API shows them: runs, shipped, clean.
fn cycles(daemon: &Daemon, agent: &str) -> Vec<Value> {
    let shown = daemon.get("/api/critique/conformance").json();
    let agents = shown["agents"].as_array().unwrap();
    let found = agents.iter().find(|one| one["agent"] == agent);
    found.map(|one| one["cycles"].as_array().unwrap().clone()).unwrap_or_default()
}

#[test]
fn agents_are_tested_once_a_night_and_a_failing_one_takes_nothing_down() {
    let cx = Context::new();
    tonight(&cx, r#"["missing", "bad", "good"]"#);
    let mut daemon = start_at(&cx, NIGHT);
    daemon.says("there is no agent 'missing'");
    until("the last agent is tested", || !cycles(&daemon, "good").is_empty());
    let (good, bad) = (cycles(&daemon, "good"), cycles(&daemon, "bad"));
    assert_eq!((good.len(), bad.len()), (1, 1));
    assert_eq!((&good[0]["runs"], &bad[0]["runs"], &bad[0]["shipped"]), (&10.into(), &10.into(), &0.into()));
    assert_eq!(cycles(&daemon, "missing"), Vec::<Value>::new());
    assert_eq!(daemon.get("/api/health").status, 200);
    assert_eq!(daemon.stop().0, Some(0));

    // A daemon that starts again in the same night does only what was not done.
    tonight(&cx, r#"["good", "other"]"#);
    let daemon = start_at(&cx, NIGHT);
    until("the new agent is tested", || !cycles(&daemon, "other").is_empty());
    assert_eq!(cycles(&daemon, "good").len(), 1);
    assert_eq!(daemon.stop().0, Some(0));
}

#[test]
fn a_daemon_that_ends_at_night_stops_the_cycle_and_keeps_none_of_it() {
    let cx = Context::new();
    add_agents(&cx, &[("slow", "echo begun > begun; exec sleep 600")]);
    let mut settings = std::fs::read_to_string(cx.path("jury.toml")).unwrap();
    settings.push_str("[conformance]\nhour = 3\nagents = \"slow\"\n");
    cx.write("jury.toml", settings);
    let daemon = start_at(&cx, NIGHT);
    until("the agent is asked", || cx.path("begun").exists());
    let (code, said) = daemon.stop();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("it is not kept"), "{said}");
}

#[test]
fn outside_of_its_hour_nothing_is_tested_and_a_clock_that_is_none_is_refused() {
    let cx = Context::new();
    tonight(&cx, r#"["good"]"#);
    let daemon = start_at(&cx, MORNING);
    assert_eq!(daemon.get("/api/health").status, 200);
    let (code, said) = daemon.stop();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("conformance cycle"), "{said}");
    let refused = cx.show(cx.jury().env("JURY_NOW", "three").args(["serve", "--addr", "127.0.0.1:0"]));
    assert!(
        refused.starts_with("exit: 2") && refused.contains("JURY_NOW: \"three\" is no moment"),
        "{refused}"
    );
}
