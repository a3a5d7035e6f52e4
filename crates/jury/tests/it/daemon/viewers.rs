//! Those who look on: slow, silent, gone, too many. None of them costs a run anything.

use std::fmt::Write as _;

use serde_json::Value;

use super::harness::{Daemon, OPEN, add_agents, agents, round, ship, until};
use crate::harness::{Context, GOOD_PAGE};

fn viewers(daemon: &Daemon) -> u64 {
    daemon.get("/api/health").json()["viewers"].as_u64().unwrap()
}

/// An answer with many long findings: about 4 MB of events.
fn long_answer() -> String {
    let mut fixes = String::new();
    let padding = "and some more words about it ".repeat(30);
    for number in 0..4_000 {
        write!(fixes, "<DIM name=\"d{number}\" score=\"9\">{padding}</DIM>").unwrap();
        if number % 200 == 199 {
            fixes.push_str("</PANELIST></ROUND>");
            // A block has a bound, so there are many rounds of them.
            write!(fixes, "<ROUND n=\"{}\"><PANELIST role=\"critic\" score=\"6\">", number / 200 + 2)
                .unwrap();
        }
    }
    format!("{OPEN}{}<ROUND n=\"2\"><PANELIST role=\"critic\" score=\"6\">{fixes}", round(1, 7, GOOD_PAGE))
}

#[test]
fn readers_that_never_read_cost_little_and_slow_nothing() {
    let cx = Context::new();
    add_agents(&cx, &[("long", "cat long.txt")]);
    cx.write("long.txt", long_answer());
    let settings = std::fs::read_to_string(cx.path("jury.toml")).unwrap();
    cx.write("jury.toml", format!("[critique]\nmax_rounds = 20\n{settings}"));
    let daemon = Daemon::start(&cx);
    // The first run warms everything up, and nobody looks on.
    let first = daemon.ask("long");
    let whole = daemon.finish(&first);
    let bytes: usize = whole.iter().map(|frame| frame.data.len()).sum();
    assert!(bytes > 3_000_000, "{bytes} bytes of events in {} events", whole.len());
    let before = daemon.memory();
    let stalled: Vec<_> = (0..40)
        .map(|_| {
            let path = "/api/projects/default/events?after=0";
            daemon.client.open("GET", path, &[], None).unwrap()
        })
        .collect();
    until("everybody looks on", || viewers(&daemon) == 40);
    let mut reader = daemon.stream("/api/projects/default/events", &[]);
    let second = daemon.ask("long");
    let seen = reader.rest_of_run().unwrap();
    assert_eq!(seen.len(), whole.len());
    assert_eq!(daemon.view(&second)["run"]["status"], daemon.view(&first)["run"]["status"]);
    let after = daemon.memory();
    assert!(after < before + 30_000, "{before} KiB before, {after} KiB with 40 stalled readers");
    drop(stalled);
    drop(reader);
    until("nobody looks on", || viewers(&daemon) == 0);
}

#[test]
fn a_silent_stream_shows_that_it_is_alive() {
    let cx = agents(&[]);
    let daemon = Daemon::start_with(&cx, &["--limits", "heartbeat=20"]);
    let mut stream = daemon.stream("/api/projects/default/events", &[]);
    for _ in 0..3 {
        stream.comment().unwrap();
    }
    let header =
        |name: &str| stream.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    assert_eq!(header("content-type"), Some("text/event-stream"));
    assert_eq!(header("cache-control"), Some("no-store"));
    assert_eq!(header("x-accel-buffering"), Some("no"));
}

#[test]
fn there_are_only_so_many_seats_and_whoever_leaves_frees_one() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start_with(&cx, &["--limits", "viewers=2"]);
    let path = "/api/projects/default/events";
    let first = daemon.stream(path, &[]);
    let _second = daemon.stream(path, &[]);
    let refused = daemon.client.stream(path, &[]).unwrap().unwrap_err();
    assert_eq!(
        (refused.status, refused.code(), refused.header("retry-after")),
        (503, "busy".to_owned(), Some("1"))
    );
    // Who does not look on is answered as always.
    assert_eq!(daemon.get("/api/projects").status, 200);
    drop(first);
    until("a seat is free", || viewers(&daemon) == 1);
    let mut third = daemon.stream(path, &[]);
    let run = daemon.ask("scripted");
    let frames = third.rest_of_run().unwrap();
    assert_eq!(frames.last().unwrap().json()["runId"], Value::from(run.id));
    assert_eq!(ship(2, GOOD_PAGE).matches("SHIP").count(), 2);
}
