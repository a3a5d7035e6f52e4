//! Programs that are run to their end, by themselves or not, and workers that are asked line by line.

use std::future::{pending, ready};
use std::time::{Duration, Instant};

use jury_agents::{
    AgentError, Bounds, End, Excess, FinishedProgram, Inherit, Invocation, SessionLimits, Worker, run_to_end,
    run_to_end_blocking, run_to_end_into,
};
use jury_core::process::Exit;
use jury_core::unit::Bytes;
use jury_testkit::process::is_alive;

use crate::children::shell;

const LONG: Duration = Duration::from_secs(30);

async fn run(script: &str, time: Duration, most: u64, excess: Excess) -> FinishedProgram {
    let dir = tempfile::tempdir().unwrap();
    let limits =
        SessionLimits { spool: Bytes(most), grace: Duration::from_millis(200), ..SessionLimits::default() };
    let bounds = Bounds { excess, ..Bounds::new(dir.path(), time).limits(limits) };
    run_to_end(shell(script).prompt("asked"), bounds, pending()).await.unwrap()
}

#[tokio::test]
async fn what_a_program_printed_and_how_it_ended_come_back() {
    let FinishedProgram { end, stdout, stderr } =
        run("cat; echo oh >&2; exit 3", LONG, 100, Excess::Stop).await;
    assert_eq!(end, End::Exited(Exit::Code(3)));
    assert_eq!((stdout.as_slice(), stderr.as_str()), (&b"asked"[..], "oh"));
    let killed = run("kill -9 $$", LONG, 100, Excess::Stop).await;
    assert_eq!(killed.end, End::Exited(Exit::Signal(9)));
}

#[tokio::test]
async fn a_program_that_is_late_is_stopped_with_what_it_started() {
    let began = Instant::now();
    let FinishedProgram { end, stdout, .. } =
        run("sleep 60 & echo $!; sleep 60", Duration::from_secs(5), 100, Excess::Stop).await;
    assert_eq!(end, End::Late);
    assert!(!is_alive(&String::from_utf8(stdout).unwrap()));
    assert!(began.elapsed() < Duration::from_secs(50));
}

#[tokio::test]
async fn a_program_that_prints_too_much_is_stopped_or_let_be() {
    let stopped = run("yes", LONG, 1000, Excess::Stop).await;
    assert_eq!((stopped.end, stopped.stdout.len()), (End::Oversize, 1000));
    let let_be = run("yes | head -c 300000; exit 4", LONG, 1000, Excess::Discard).await;
    assert_eq!((let_be.end, let_be.stdout.len()), (End::Exited(Exit::Code(4)), 1000));
}

#[tokio::test]
async fn an_interrupt_stops_it_and_a_taker_gets_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = Bounds::new(dir.path(), LONG);
    let stopped = run_to_end(shell("sleep 30"), bounds, ready(())).await.unwrap();
    assert_eq!(stopped.end, End::Interrupted);
    let mut count = 0;
    let taken =
        run_to_end_into(shell("yes | head -c 200000"), bounds, pending(), |bytes| count += bytes.len());
    let taken = taken.await.unwrap();
    assert_eq!((taken.end, taken.stdout.len(), count), (End::Exited(Exit::Code(0)), 0, 200_000));
}

#[tokio::test]
async fn blocking_callers_may_be_anywhere_and_hear_why_there_is_no_program() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = Bounds::new(dir.path(), LONG);
    let mut invocation = shell("echo ${CARGO_PKG_NAME-none} ${CARGO_PKG_VERSION:+some}");
    invocation.inherit = Inherit::Users { named: Vec::new(), without: vec!["CARGO_PKG_NAME".into()] };
    let version = std::env::var_os("CARGO_PKG_VERSION").map_or("", |_| "some");
    let said = run_to_end_blocking(invocation, bounds).unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap().trim_end(), format!("none {version}").trim_end());
    let missing = run_to_end_blocking(Invocation::new("no-such-program"), bounds).unwrap_err();
    assert!(matches!(missing, AgentError::NotFound { .. }), "{missing}");
    assert_eq!(std::io::Error::from(missing).to_string(), "No such file or directory (os error 2)");
}

#[test]
fn a_worker_answers_line_by_line_until_it_ends() {
    let mut worker = Worker::start(&shell("while read -r line; do echo \"<$line>\"; done; exit 5")).unwrap();
    assert_eq!(worker.ask(b"one".to_vec()), b"<one>\n");
    assert_eq!(worker.ask(b"two".to_vec()), b"<two>\n");
    assert_eq!(worker.end().unwrap(), Exit::Code(5));
    let mut broken = Worker::start(&shell("read -r line; kill -9 $$")).unwrap();
    assert_eq!(broken.ask(b"one".to_vec()), b"");
    assert_eq!(broken.kill().unwrap(), Exit::Signal(9));
    let mut stuck = Worker::start(&shell("exec sleep 30")).unwrap();
    assert_eq!(stuck.kill().unwrap(), Exit::Signal(9));
}
