//! An agent that takes back what it has said, and says so outside its answer.

use jury_core::protocol::{Parser, ParserLimits, Signal};
use jury_core::warning::WarningKind;

const OPEN: &str = "Well: <CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"critic\" score=\"8\">";

const WHOLE: &str = "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"critic\" score=\"7\">\
    <NOTES>Seen.</NOTES></PANELIST></ROUND></CRITIQUE_RUN>";

/// Where it is said to have begun again, when the agent takes back the first part and says the second; and how it ends.
fn taken_back(first: &str, second: &str) -> (Vec<u64>, Result<(), String>) {
    let mut parser = Parser::new(ParserLimits::default());
    let mut restarts = Vec::new();
    let mut sink = |signal: Signal<'_>| {
        if let Signal::Warning { kind: WarningKind::Restarted, position, .. } = signal {
            restarts.push(position.0);
        }
    };
    let mut end = parser.feed(first.as_bytes(), &mut sink);
    parser.restart(&mut sink);
    end = end.and_then(|()| parser.feed(second.as_bytes(), &mut sink));
    let end = end.and_then(|()| parser.finish());
    (restarts, end.map_err(|fault| fault.detail))
}

#[test]
fn a_run_that_is_open_is_dropped_and_the_next_one_counts() {
    let in_tag = "<CRITIQUE_RUN version=";
    for open in [OPEN, in_tag] {
        assert_eq!(taken_back(open, WHOLE), (vec![open.len() as u64], Ok(())), "{open}");
    }
}

#[test]
fn where_no_run_is_open_there_is_nothing_to_drop() {
    for outside in ["", "Well, ", "a <", "<think>hm ", "<!-- hm "] {
        let (restarts, _) = taken_back(outside, WHOLE);
        assert_eq!(restarts, [] as [u64; 0], "{outside}");
    }
    assert_eq!(taken_back("Well, ", WHOLE), (Vec::new(), Ok(())));
}

#[test]
fn a_run_that_has_closed_stays() {
    assert_eq!(taken_back(WHOLE, " Done."), (Vec::new(), Ok(())));
}

#[test]
fn what_is_taken_back_and_not_said_again_is_missing() {
    let (_, end) = taken_back(OPEN, "Sorry.");
    assert_eq!(end, Err("the answer has no <CRITIQUE_RUN>; it ends".to_owned()));
}

#[test]
fn a_fault_cannot_be_taken_back() {
    let broken = format!("{OPEN}<ROUND n=\"2\">");
    let (restarts, end) = taken_back(&broken, WHOLE);
    assert_eq!(restarts, [] as [u64; 0]);
    assert_eq!(end, Err("<ROUND> cannot stand in <PANELIST>".to_owned()));
}
