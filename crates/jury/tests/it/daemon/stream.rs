//! Live streams: nothing is lost and nothing comes twice, however often a viewer goes and comes back.

use std::collections::BTreeMap;

use jury_testkit::client::Frame;
use serde_json::json;

use super::harness::{Daemon, Run, agents, lines, names};
use crate::harness::{Context, GOOD_PAGE};

/// Prints the first half of an answer, waits for a file, prints the rest.
const HALVES: &str =
    "head -c 700 ship.txt; touch half; until [ -e go ]; do sleep 0.02; done; tail -c +701 ship.txt";

/// Reads a run one event per connection, by this way of saying how far it got.
fn cut_after_every_event(daemon: &Daemon, run: &Run, by_header: bool) -> Vec<Frame> {
    let path = format!("/api/projects/{}/events?run={}", run.project, run.id);
    let mut frames: Vec<Frame> = Vec::new();
    while !frames.last().is_some_and(Frame::is_terminal) {
        let last = frames.last().map_or(0, |frame| frame.id).to_string();
        let mut stream = if by_header {
            daemon.stream(&path, &[("last-event-id", &last)])
        } else {
            daemon.stream(&format!("{path}&after={last}"), &[])
        };
        frames.push(stream.frame().unwrap().unwrap());
    }
    frames
}

#[test]
fn a_stream_that_is_cut_after_every_event_is_the_transcript() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    cx.example("landing.html");
    let daemon = Daemon::start(&cx);
    let page = std::fs::read_to_string(cx.path("landing.html")).unwrap();
    for agent in ["house", "scripted"] {
        for by_header in [true, false] {
            let run = daemon.ask_in("default", &json!({"agent": agent, "page": page}));
            let frames = cut_after_every_event(&daemon, &run, by_header);
            assert!(frames.len() > 10, "{agent}: {:?}", names(&frames));
            assert_eq!(lines(&frames), daemon.transcript(&run), "{agent}");
            // Once more when it is over, and in one go.
            assert_eq!(cut_after_every_event(&daemon, &run, by_header), frames, "{agent}");
            assert_eq!(daemon.finish(&run), frames, "{agent}");
        }
    }
}

#[test]
fn a_late_subscriber_gets_the_whole_run_and_then_what_happens() {
    let cx = agents(&[("halves", HALVES)]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("halves");
    daemon.wait_for(&run, "critique.round_end");
    let mut late = daemon.follow(&run);
    let mut of_project = daemon.stream("/api/projects/default/events", &[]);
    let mut seen = vec![late.frame().unwrap().unwrap()];
    cx.write("go", "");
    seen.extend(late.rest_of_run().unwrap());
    assert_eq!(names(&seen)[..2], ["critique.queued", "critique.run_started"]);
    assert_eq!(lines(&seen), daemon.transcript(&run));
    assert_eq!(of_project.rest_of_run().unwrap(), seen, "the stream of a project begins with what goes on");
    let seqs: Vec<_> = seen.iter().map(|frame| frame.json()["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    assert!(seen.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert!(seen.iter().all(|frame| frame.json()["runId"] == run.id && frame.json()["at"].is_u64()));
}

#[test]
fn the_stream_of_a_project_has_all_its_runs_in_order_and_no_others() {
    // Each begins, waits for the other one to have begun, and goes on.
    let cx = agents(&[
        (
            "left",
            "head -c 700 ship.txt; touch left; until [ -e right ]; do sleep 0.02; done; tail -c +701 ship.txt",
        ),
        (
            "right",
            "head -c 700 ship.txt; touch right; until [ -e left ]; do sleep 0.02; done; tail -c +701 ship.txt",
        ),
        ("other", "cat ship.txt"),
    ]);
    let daemon = Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "3"),
    );
    daemon.project("shop");
    let mut here = daemon.stream("/api/projects/default/events?after=0", &[]);
    let mut there = daemon.stream("/api/projects/shop/events?after=0", &[]);
    let runs = [daemon.ask("left"), daemon.ask("right")];
    let other = daemon.ask_in("shop", &json!({"agent": "other", "page": GOOD_PAGE}));
    let mut frames = Vec::new();
    for _ in &runs {
        frames.extend(here.rest_of_run().unwrap());
    }
    assert!(frames.windows(2).all(|pair| pair[0].id < pair[1].id), "{frames:?}");
    let mut by_run: BTreeMap<String, Vec<Frame>> = BTreeMap::new();
    for frame in frames {
        by_run.entry(frame.json()["runId"].as_str().unwrap().to_owned()).or_default().push(frame);
    }
    assert_eq!(by_run.len(), 2);
    for run in &runs {
        assert_eq!(lines(&by_run[&run.id]), daemon.transcript(run));
    }
    assert_eq!(lines(&there.rest_of_run().unwrap()), daemon.transcript(&other));
    // A run is not to be had by way of another project.
    let path = format!("/api/projects/shop/events?run={}", runs[0].id);
    assert_eq!(daemon.client.stream(&path, &[]).unwrap().unwrap_err().code(), "no_such_run");
}

#[test]
fn runs_of_other_processes_are_in_the_stream_too() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let daemon = Daemon::start(&cx);
    let mut stream = daemon.stream("/api/projects/default/events", &[]);
    let output = cx.jury().args(["run", "page.html", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let frames = stream.rest_of_run().unwrap();
    assert_eq!(frames.last().unwrap().event, "critique.ship");
    let id = frames[0].json()["runId"].as_str().unwrap().to_owned();
    let run = Run { project: "default".to_owned(), id, artifact: String::new() };
    assert_eq!(lines(&frames), daemon.transcript(&run));
    assert_eq!(daemon.view(&run)["run"]["status"], "shipped");
}

#[test]
fn a_position_that_is_none_and_a_position_that_is_not_ours() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start(&cx);
    let refused = |path: &str| daemon.client.stream(path, &[]).unwrap().unwrap_err();
    for after in ["x", "-1", "1.5", "99999999999999999999999"] {
        let answer = refused(&format!("/api/projects/default/events?after={after}"));
        assert_eq!((answer.status, answer.code()), (400, "bad_request".to_owned()), "{after}");
    }
    assert_eq!(refused("/api/projects/nobody/events").code(), "no_such_project");
    assert_eq!(refused("/api/projects/default/events?run=x").code(), "no_such_run");
    let run = daemon.ask("scripted");
    let whole = daemon.finish(&run);
    // A header that is no position is as good as none; the address counts then.
    let path = format!("/api/projects/default/events?run={}", run.id);
    let mut stream = daemon.stream(&path, &[("last-event-id", "what?")]);
    assert_eq!(stream.rest_of_run().unwrap(), whole);
    // The header is later than the address, and wins.
    let third = whole[2].id.to_string();
    let mut stream = daemon.stream(&format!("{path}&after=0"), &[("last-event-id", &third)]);
    assert_eq!(stream.rest_of_run().unwrap(), whole[3..]);
    // Nothing is going on: a stream of the project begins with what comes.
    let mut stream = daemon.stream("/api/projects/default/events", &[]);
    let next = daemon.ask("scripted");
    assert_eq!(lines(&stream.rest_of_run().unwrap()), daemon.transcript(&next));
}

/// A position from a store that was thrown away is behind everything that will ever come.
#[test]
fn a_position_beyond_the_end_does_not_make_a_viewer_deaf() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start(&cx);
    let mut stream = daemon.stream("/api/projects/default/events", &[("last-event-id", "1000000")]);
    let run = daemon.ask("scripted");
    assert_eq!(lines(&stream.rest_of_run().unwrap()), daemon.transcript(&run));
}
