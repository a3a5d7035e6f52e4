//! Log lines: what is in them, and that nothing gets out of them.

use std::io::Write;
use std::sync::{Arc, Mutex};

use jury_core::event::{BestSoFar, Degraded, Event, Failed, Fallback, Ship, ShipStatus, TheaterEvent};
use jury_core::id::{AgentId, RunId};
use jury_core::outcome::{DegradedReason, FailedCause, FallbackReason};
use jury_core::process::Exit;
use jury_core::record::Record;
use jury_core::unit::{Millis, Seq};
use jury_server::journal;
use jury_testkit::fixtures::{transcript_below, transcript_malformed, transcript_shipped};
use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

use crate::logs::{Then, log, until};

#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What the records become as lines of JSON.
fn written<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .without_time()
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, || records.into_iter().for_each(journal::write));
    String::from_utf8(std::mem::take(&mut lines.0.lock().unwrap())).unwrap()
}

#[test]
fn recorded_runs_give_these_lines() {
    let second_round = "<ROUND n=\"2\"";
    let begun = format!("{}{second_round}>", until(transcript_shipped(), second_round));
    let logs = [
        log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0))),
        log(2, "claude", transcript_below(), Then::Exit(Exit::Code(0))),
        log(3, "codex", transcript_malformed(), Then::Exit(Exit::Code(0))),
        log(4, "codex", &begun, Then::Exit(Exit::Code(1))),
        log(5, "codex", &begun, Then::Interrupt),
        log(6, "claude", &begun, Then::Hang),
        log(7, "claude", "", Then::DaemonRestart),
    ];
    insta::assert_snapshot!(written(logs.iter().flatten()));
}

#[test]
fn a_page_that_nobody_reviewed_is_not_called_shipped() {
    let fallback = Fallback { reason: FallbackReason::ALL[0], detail: "it is\noff".to_owned() };
    let ship = Ship {
        round: None,
        composite: None,
        status: ShipStatus::Legacy,
        artifact_ref: None,
        summary: String::new(),
        cause: None,
        partial: false,
        artifact: None,
    };
    let run_id = RunId(Uuid::from_u128(1));
    let events = [Event::Theater(TheaterEvent::Fallback(fallback)), Event::Theater(TheaterEvent::Ship(ship))];
    let records = events.map(|event| Record { seq: Seq(1), at: Millis(2), run_id, event });
    let text = written(&records);
    assert!(text.contains("run_fallback") && text.contains("\"detail\":\"it is off\""), "{text}");
    assert!(text.contains("run_legacy") && !text.contains("run_shipped"), "{text}");
}

fn hostile(detail: &str) -> [Record; 2] {
    let run_id = RunId(Uuid::from_u128(1));
    let degraded = Event::Theater(TheaterEvent::Degraded(Degraded {
        reason: DegradedReason::MalformedBlock,
        adapter: AgentId::house(),
        detail: detail.to_owned(),
        position: None,
        best: BestSoFar::default(),
    }));
    let failed = Event::Theater(TheaterEvent::Failed(Failed {
        cause: FailedCause::AgentError,
        detail: detail.to_owned(),
        best: BestSoFar::default(),
    }));
    [degraded, failed].map(|event| Record { seq: Seq(1), at: Millis(2), run_id, event })
}

/// Two lines, each one object with the fields that it should have and no other, however lines are counted.
fn holds(detail: &str) -> Result<(), TestCaseError> {
    let text = written(&hostile(detail));
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or_default().split(breaks).collect();
    prop_assert_eq!(lines.len(), 2, "{}", text);
    prop_assert!(!text.trim_end().chars().any(|c| c.is_control() && c != '\n'), "{:?}", text);
    for (line, event) in lines.into_iter().zip(["degraded", "run_failed"]) {
        let value: Value =
            serde_json::from_str(line).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&value["event"], event);
        prop_assert_eq!(&value["target"], "critique");
        let known =
            ["agent", "at_ms", "cause", "detail", "event", "level", "reason", "run_id", "seq", "target"];
        for key in value.as_object().into_iter().flat_map(|object| object.keys()) {
            prop_assert!(known.contains(&key.as_str()), "{}", key);
        }
    }
    Ok(())
}

#[test]
fn hostile_texts_stay_in_their_value() {
    for detail in [
        "two\nlines",
        "windows\r\nlines",
        "\"}\n{\"level\":\"INFO\",\"event\":\"run_shipped\"}",
        "\",\"event\":\"run_shipped\",\"x\":\"",
        "\u{1b}[2J\u{1b}[1;1Hcleared \u{1b}]0;title\u{7}",
        "line\u{2028}paragraph\u{2029}next\u{85}line\u{b}tab\u{c}form",
        "\u{202e}desrever\u{0}\u{7f}\u{9b}31m",
        "%s%n ${jndi:ldap://x} {} {0}",
        "\\u000a\\n\\\"",
    ] {
        holds(detail).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_stays_in_its_value(detail in "\\PC*|[\\x00-\\x1f\"\\\\{}\u{1b}\u{9b}\u{2028}a-c:,]*") {
        holds(&detail)?;
    }
}
