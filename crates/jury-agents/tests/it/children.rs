//! Children that fork, linger, ignore signals, flood, never read, never write.

use std::path::Path;
use std::time::Duration;

use jury_agents::{AgentError, AnswerPiece, Invocation, Session, SessionLimits};
use jury_core::process::Exit;
use jury_core::unit::Bytes;
use jury_testkit::process::is_alive;

pub(crate) fn shell(script: &str) -> Invocation {
    Invocation::new("sh").arg("-c").arg(script)
}

pub(crate) fn limits() -> SessionLimits {
    SessionLimits {
        spool: Bytes(1 << 20),
        grace: Duration::from_millis(300),
        linger: Duration::from_millis(300),
        ..SessionLimits::default()
    }
}

pub(crate) fn start(invocation: Invocation, dir: &Path) -> Session {
    Session::start(invocation, dir, limits()).unwrap()
}

/// Everything until the end, and how it ended.
pub(crate) async fn answer(session: &mut Session) -> (Vec<u8>, Exit) {
    let mut all = Vec::new();
    loop {
        match session.next().await.unwrap() {
            AnswerPiece::Bytes(bytes) => all.extend_from_slice(bytes),
            other @ (AnswerPiece::Oversize | AnswerPiece::Silent) => panic!("{other:?}"),
            AnswerPiece::End(exit) => return (all, exit),
        }
    }
}

/// Reads until the answer has this many bytes.
async fn first_bytes(session: &mut Session, count: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < count {
        match session.next().await.unwrap() {
            AnswerPiece::Bytes(bytes) => all.extend_from_slice(bytes),
            other @ (AnswerPiece::Oversize | AnswerPiece::Silent | AnswerPiece::End(_)) => {
                panic!("{other:?} after {all:?}")
            }
        }
    }
    all
}

#[tokio::test]
async fn process_gets_its_prompt_and_is_read_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let prompt = "line one\nline two\n".repeat(10_000);
    let mut session = start(Invocation::new("cat").prompt(prompt.clone()), dir.path());
    let (all, exit) = answer(&mut session).await;
    assert!(all == prompt.as_bytes());
    assert_eq!(exit, Exit::Code(0));
}

#[tokio::test]
async fn process_exit_code_and_complaints_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("echo partial; echo 'no key' >&2; exit 7"), dir.path());
    let (all, exit) = answer(&mut session).await;
    assert_eq!(all, b"partial\n");
    assert_eq!(exit, Exit::Code(7));
    assert_eq!(session.complaints(), "no key");
}

#[tokio::test]
async fn process_killed_by_somebody_else_is_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("kill -9 $$"), dir.path());
    assert_eq!(answer(&mut session).await.1, Exit::Signal(9));
}

#[tokio::test]
async fn process_that_is_missing_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let error = Session::start(Invocation::new("no-such-agent"), dir.path(), limits()).unwrap_err();
    assert!(matches!(error, AgentError::NotFound { .. }));
    assert_eq!(error.to_string(), "cannot find the program 'no-such-agent'; install it or give its path");
}

#[tokio::test]
async fn process_that_never_reads_its_prompt_does_not_hold_anybody_up() {
    let dir = tempfile::tempdir().unwrap();
    let prompt = vec![b'x'; 8 << 20];
    let mut session = start(shell("echo done").prompt(prompt), dir.path());
    assert_eq!(answer(&mut session).await, (b"done\n".to_vec(), Exit::Code(0)));
}

#[tokio::test]
async fn process_that_ignores_term_is_killed_with_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let script =
        "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $! $$; while :; do sleep 1; done";
    let mut session = start(shell(script), dir.path());
    let mut line = Vec::new();
    while !line.contains(&b'\n') {
        line.extend(first_bytes(&mut session, 1).await);
    }
    let line = String::from_utf8(line).unwrap();
    let pids: Vec<&str> = line.split_whitespace().collect();
    assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
    session.stop().await;
    // KILL is delivered at once; the kernel may need a moment to take the last one down.
    while pids.iter().any(|pid| is_alive(pid)) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn process_dropped_without_stop_is_killed_with_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("sleep 1000 & echo $!; wait"), dir.path());
    let mut line = Vec::new();
    while !line.contains(&b'\n') {
        line.extend(first_bytes(&mut session, 1).await);
    }
    let pid = String::from_utf8(line).unwrap();
    drop(session);
    while is_alive(&pid) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn process_that_closes_stdout_and_lingers_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("echo all; exec >&- 2>&-; sleep 1000"), dir.path());
    let (all, exit) = answer(&mut session).await;
    assert_eq!(all, b"all\n");
    assert_eq!(exit, Exit::Signal(9));
}

#[tokio::test]
async fn grandchild_that_holds_the_pipe_does_not_hold_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("sleep 1000 & echo all"), dir.path());
    assert_eq!(answer(&mut session).await, (b"all\n".to_vec(), Exit::Code(0)));
}

#[tokio::test]
async fn grandchild_that_left_the_group_does_not_hold_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("setsid sleep 5 & echo all"), dir.path());
    assert_eq!(answer(&mut session).await, (b"all\n".to_vec(), Exit::Code(0)));
}

#[tokio::test]
async fn process_that_floods_is_cut_at_the_limit_and_is_not_slowed_before() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("yes"), dir.path());
    let mut count = 0;
    loop {
        match session.next().await.unwrap() {
            AnswerPiece::Bytes(bytes) => count += bytes.len(),
            AnswerPiece::Oversize => break,
            other @ (AnswerPiece::Silent | AnswerPiece::End(_)) => panic!("{other:?}"),
        }
    }
    assert_eq!(count, 1 << 20);
    session.stop().await;
}

#[tokio::test]
async fn process_that_complains_for_ever_costs_a_bounded_tail() {
    let dir = tempfile::tempdir().unwrap();
    let script = "i=0; while [ $i -lt 20000 ]; do echo \"complaint $i\" >&2; i=$((i+1)); done; echo done";
    let mut session = start(shell(script), dir.path());
    assert_eq!(answer(&mut session).await, (b"done\n".to_vec(), Exit::Code(0)));
    let complaints = session.complaints();
    assert!(complaints.ends_with("complaint 19999"), "{complaints}");
    assert!(complaints.len() <= 4096);
}

/// Five of seven real agents lose output when their pipe backs up. Nobody reads here until the child has
/// written all of it.
#[tokio::test]
async fn twenty_megabytes_are_written_while_nobody_reads() {
    let dir = tempfile::tempdir().unwrap();
    let done = dir.path().join("done");
    rustix::fs::mknodat(rustix::fs::CWD, &done, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    let script = format!("head -c 20971520 /dev/zero | tr '\\0' x; echo finished > {}", done.display());
    let limits = SessionLimits { spool: Bytes(64 << 20), ..limits() };
    let mut session = Session::start(shell(&script), dir.path(), limits).unwrap();
    // Blocks this thread, and with it everything but the drain, until the child is done writing.
    assert_eq!(std::fs::read_to_string(&done).unwrap(), "finished\n");
    let (all, exit) = answer(&mut session).await;
    assert_eq!((all.len(), exit), (20 << 20, Exit::Code(0)));
}
