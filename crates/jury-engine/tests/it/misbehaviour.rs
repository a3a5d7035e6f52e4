//! Things that must not be lost, left over, or waited for.

use jury_core::event::{Event, TheaterEvent};
use jury_core::outcome::TheaterStatus;
use jury_core::record::Record;
use jury_testkit::process::is_alive;
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{PAGE, answer, patient, prints, round, run, run_with, shell, ship};

/// The log stands still until the child has written 20 MB: nothing is lost, and the child is not slowed.
#[tokio::test]
async fn a_stalled_log_does_not_stall_the_agent() {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("done");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    // Many small findings and a lot of prose: the mailbox fills many times over.
    let asks: Vec<String> = (0..3_000).map(|n| format!("Fix item {n} of the list.")).collect();
    let asks: Vec<&str> = asks.iter().map(String::as_str).collect();
    let prose = "thinking about it\n".repeat(20 * 1024 * 1024 / 18);
    let text =
        answer(&[round(1, "6.0", Some(PAGE), &asks), prose, round(2, "9.0", None, &[])], &ship(2, PAGE));
    assert!(text.len() > 20_000_000);
    let done = fifo.clone();
    let mut stalled = true;
    let watch = move |record: &Record| {
        if stalled && matches!(record.event, Event::Theater(TheaterEvent::PanelistOpen(_))) {
            stalled = false;
            // Opening the pipe blocks the one thread that drives the run, its parser and its log.
            assert_eq!(std::fs::read_to_string(&done).unwrap(), "written\n");
        }
    };
    let then = format!("echo written > {}", fifo.display());
    let ran = run_with(patient(), |dir| prints(dir, &text, &then), watch, CancellationToken::new()).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    let asked = ran
        .log
        .iter()
        .filter(|record| matches!(record.event, Event::Theater(TheaterEvent::PanelistMustFix(_))))
        .count();
    assert_eq!(asked, 3_000);
}

#[tokio::test]
async fn nothing_of_an_agent_is_left_when_a_run_returns() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let script = format!(
        "trap '' TERM; sleep 1000 & echo $! > {0}; echo $$ >> {0}; echo '<CRITIQUE_RUN version=\"9\">'; wait; sleep 1000",
        pids.display()
    );
    let ran = run(patient(), |_| shell(&script)).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Degraded));
    let pids = std::fs::read_to_string(&pids).unwrap();
    assert_eq!(pids.lines().count(), 2);
    while pids.lines().any(is_alive) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn events_are_timed_and_numbered_without_a_gap() {
    let text = answer(&[round(1, "9.0", Some(PAGE), &[])], &ship(1, PAGE));
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    let numbers: Vec<u64> = ran.log.iter().map(|record| record.seq.0).collect();
    assert_eq!(numbers, (1..=ran.log.len() as u64).collect::<Vec<_>>());
    assert!(ran.log.is_sorted_by_key(|record| record.at));
}

#[tokio::test]
async fn an_agent_that_prints_nothing_but_trouble_does_not_fill_the_log() {
    let trouble = "</DIM>prose<SUMMARY>x</SUMMARY>".repeat(20_000);
    let text = answer(&[round(1, "9.0", Some(PAGE), &[]), trouble], &ship(1, PAGE));
    let ran = run(patient(), |dir| prints(dir, &text, "exit 0")).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    assert!(ran.log.len() < 500, "{} events", ran.log.len());
}
