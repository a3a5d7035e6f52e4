//! The daemon's own life: it ends in order, comes back after it was killed, is alone in its folder, and reads its
//! settings again.

use rustix::process::Signal;
use serde_json::json;

use super::harness::{Daemon, add_agents, agents, gone, names, until};
use crate::harness::{Context, GOOD_PAGE};

const SITS: &str = "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $$ $! > pids; cat one.txt; while :; do sleep 1; done";

fn one_place(cx: &Context) -> Daemon {
    Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "1"),
    )
}

#[test]
fn term_stops_what_goes_on_keeps_what_waits_and_shows_it_to_viewers() {
    let cx = agents(&[("sits", SITS), ("quick", "cat ship.txt")]);
    let daemon = one_place(&cx);
    let running = daemon.ask("sits");
    daemon.wait_for(&running, "critique.round_end");
    let waiting = daemon.ask("quick");
    let mut viewer = daemon.follow(&running);
    daemon.signal(Signal::TERM);
    // While it ends it lives, and takes nothing on.
    until("it is not ready any more", || daemon.get("/api/health").status == 503);
    let health = daemon.get("/api/health").json();
    assert_eq!((&health["live"], &health["ready"]), (&true.into(), &false.into()));
    let refused = daemon.post("/api/projects/default/runs", &json!({"page": GOOD_PAGE}));
    assert_eq!((refused.status, refused.code()), (503, "closing".to_owned()), "{}", refused.text());
    let frames = viewer.rest_of_run().unwrap();
    assert_eq!(frames.last().unwrap().event, "critique.interrupted");
    assert_eq!(viewer.frame().unwrap(), None, "then the stream ends");
    let (code, said) = daemon.wait();
    assert_eq!(code, Some(0), "{said}");
    gone(&cx, "pids");

    let daemon = one_place(&cx);
    let view = daemon.view(&running);
    assert_eq!((&view["run"]["status"], &view["run"]["round"]), (&"interrupted".into(), &1.into()));
    assert_eq!(daemon.finish(&running), frames, "the end it had is the end it has");
    let begun = daemon.finish(&waiting);
    assert_eq!(begun.last().unwrap().event, "critique.ship", "what waited begins by itself");
    assert_eq!(daemon.stop().0, Some(0));
}

#[test]
fn killed_it_comes_back_marks_what_went_on_and_begins_what_waited() {
    let cx = agents(&[("sits", SITS), ("quick", "cat ship.txt")]);
    let daemon = one_place(&cx);
    let running = daemon.ask("sits");
    daemon.wait_for(&running, "critique.round_end");
    let waiting = [daemon.ask("quick"), daemon.ask("quick")];
    daemon.kill();
    gone(&cx, "pids");
    std::fs::remove_file(cx.path("pids")).unwrap();

    let daemon = one_place(&cx);
    let frames = daemon.finish(&running);
    let last = frames.last().unwrap();
    assert_eq!(
        (last.event.as_str(), &last.json()["recoveryReason"]),
        ("critique.interrupted", &"daemon_restart".into())
    );
    assert_eq!(last.json()["bestRound"], 1);
    assert_eq!(daemon.get(&format!("{}/artifact", running.path())).text(), GOOD_PAGE);
    for run in &waiting {
        assert_eq!(names(&daemon.finish(run)).last(), Some(&"critique.ship"));
    }
    assert!(!cx.path("pids").exists(), "what went on is never begun again");
    assert_eq!(daemon.finish(&running), frames);
}

/// A killed daemon cannot remove the folders of its agents, with prompts and pages in them. Its guard does.
#[test]
fn killed_it_leaves_no_private_folder_behind() {
    let cx = agents(&[]);
    std::fs::create_dir(cx.path("tmp")).unwrap();
    cx.write("tmp/kept", "");
    let daemon =
        Daemon::run(cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("TMPDIR", cx.path("tmp")));
    let left = format!("tmp/jury-{}-0-1", daemon.pid());
    std::fs::create_dir(cx.path(&left)).unwrap();
    cx.write(&format!("{left}/prompt.txt"), "a secret");
    daemon.kill();
    let names = || std::fs::read_dir(cx.path("tmp")).unwrap().map(|entry| entry.unwrap().file_name());
    until("the folder is gone", || names().collect::<Vec<_>>() == ["kept"]);
}

#[test]
fn a_second_daemon_in_the_same_folder_is_refused_and_told_who_serves() {
    let cx = agents(&[]);
    let daemon = Daemon::start(&cx);
    let address = daemon.client.address();
    let shown = cx.show(cx.jury().args(["serve", "--addr", "127.0.0.1:0"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert!(shown.contains(&format!("process {} at http://{address}", daemon.pid())), "{shown}");
    // Other commands work beside it.
    assert_eq!(cx.runs().len(), 0);
    daemon.kill();
    let third = Daemon::start(&cx);
    assert_eq!(third.stop().0, Some(0));
    let taken = Daemon::start(&cx);
    let other = Context::new();
    let shown = other.show(other.jury().args(["serve", "--addr", &taken.client.address().to_string()]));
    assert!(shown.starts_with("exit: 2") && shown.contains("cannot listen on"), "{shown}");
}

#[test]
fn hup_reads_the_settings_again_and_a_bad_file_changes_nothing() {
    let cx = agents(&[("old", "cat ship.txt")]);
    let mut daemon = Daemon::start(&cx);
    let ask = |daemon: &Daemon, agent: &str| {
        daemon.post("/api/projects/default/runs", &json!({"agent": agent, "page": GOOD_PAGE}))
    };
    let refused = ask(&daemon, "new");
    assert_eq!((refused.status, refused.code()), (422, "unusable_request".to_owned()), "{}", refused.text());
    add_agents(&cx, &[("old", "cat ship.txt"), ("new", "cat ship.txt")]);
    daemon.signal(Signal::HUP);
    daemon.says("settings were read again");
    let run = daemon.ask("new");
    assert_eq!(daemon.finish(&run).last().unwrap().event, "critique.ship");
    cx.write("jury.toml", "[critique]\nscore_threshold = 'high'\n");
    daemon.signal(Signal::HUP);
    let said = daemon.says("settings stay as they were");
    assert!(said.contains("jury.toml"), "{said}");
    let run = daemon.ask("new");
    assert_eq!(daemon.finish(&run).last().unwrap().event, "critique.ship");
    assert_eq!(daemon.stop().0, Some(0));
}

/// What an agent was asked with is what was set when its run began, and a run that cannot begin any more says so.
#[test]
fn a_run_that_waited_for_an_agent_that_is_gone_ends_as_failed() {
    let cx = agents(&[("sits", SITS), ("leaves", "cat ship.txt")]);
    let mut daemon = one_place(&cx);
    let first = daemon.ask("sits");
    daemon.wait_for(&first, "critique.round_end");
    let waiting = daemon.ask("leaves");
    add_agents(&cx, &[("sits", SITS)]);
    daemon.signal(Signal::HUP);
    daemon.says("settings were read again");
    daemon.interrupt(&first);
    let frames = daemon.finish(&waiting);
    let last = frames.last().unwrap();
    assert_eq!((last.event.as_str(), &last.json()["cause"]), ("critique.failed", &"spawn_failed".into()));
    assert!(last.json()["detail"].as_str().unwrap().contains("leaves"), "{}", last.data);
}

#[test]
fn int_ends_it_like_term_and_a_client_that_takes_nothing_does_not_keep_it() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--limits", "linger=100"]);
    // One that asks and never reads, one that says nothing, one that stops in the middle of a body.
    let stalled = daemon.client.open("GET", "/api/projects/default/events", &[], None).unwrap();
    let silent = daemon.client.connect().unwrap();
    let head = [("content-type", "application/json"), ("content-length", "100")];
    let half = daemon.client.open("POST", "/api/projects", &head, None).unwrap();
    until("it is seen", || daemon.get("/api/health").json()["viewers"] == 1);
    daemon.signal(Signal::INT);
    let (code, said) = daemon.wait();
    assert_eq!(code, Some(0), "{said}");
    drop((stalled, silent, half));
}

#[test]
fn a_daemon_that_is_told_to_end_as_soon_as_it_speaks_ends_in_order() {
    let cx = agents(&[]);
    for _ in 0..5 {
        let (code, said) = Daemon::start(&cx).stop();
        assert_eq!(code, Some(0), "{said}");
    }
}
