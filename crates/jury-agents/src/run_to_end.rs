//! The one way to run a program to its end: with a deadline, a cap on what it prints, a way to interrupt it, and
//! nothing of it left behind.
//!
//! Everything here is a [`Session`]: a process group of its own, a spool that never makes the program wait, TERM and
//! then KILL. Whoever talks with a program while it runs uses the session itself; a helper process that is asked line
//! by line is a [`Worker`](crate::Worker).

use std::path::Path;
use std::pin::pin;
use std::process::ExitStatus;
use std::thread;
use std::time::Duration;

use jury_core::process::Exit;
use tokio::time::{Instant, sleep_until};

use crate::{AgentError, AnswerPiece, Invocation, Session, SessionLimits};

/// What a program that is run to its end may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds<'a> {
    /// The folder where its output is spooled.
    pub spool_dir: &'a Path,
    /// How long it may take in all.
    pub time: Duration,
    /// How much it may print, and how it is stopped.
    pub limits: SessionLimits,
    /// What becomes of a program that prints more.
    pub excess: Excess,
}

/// What becomes of a program that prints more than [`SessionLimits::spool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// The program is stopped.
    Stop,
    /// It goes on, and what is beyond the cap is discarded.
    Discard,
}

impl<'a> Bounds<'a> {
    /// So much time, the usual [`SessionLimits`], and a stop for whoever prints more.
    pub fn new(spool_dir: &'a Path, time: Duration) -> Self {
        Self { spool_dir, time, limits: SessionLimits::default(), excess: Excess::Stop }
    }

    /// The same with these limits.
    #[must_use]
    pub fn limits(mut self, limits: SessionLimits) -> Self {
        self.limits = limits;
        self
    }
}

/// How the run of a program came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It ended by itself.
    Exited(Exit),
    /// It printed more than it may, and was stopped.
    Oversize,
    /// It took longer than it may, and was stopped.
    Late,
    /// Somebody wanted it stopped.
    Interrupted,
}

/// A program that has ended, and what it printed until then.
#[derive(Debug)]
pub struct FinishedProgram {
    /// How it came to its end.
    pub end: End,
    /// What it printed on stdout.
    pub stdout: Vec<u8>,
    /// The last of what it complained about: as many bytes as [`SessionLimits::complaints`] allows.
    pub stderr: String,
}

/// Runs a program to its end, or until `interrupt` is ready. When this returns, no process of it is left.
///
/// ```no_run
/// # async fn example(stop: impl Future<Output = ()>) -> Result<(), jury_agents::AgentError> {
/// use jury_agents::{Bounds, Invocation, run_to_end};
///
/// let bounds = Bounds::new(std::path::Path::new("."), std::time::Duration::from_secs(20));
/// let finished = run_to_end(Invocation::new("cat").prompt("hello"), bounds, stop).await?;
/// assert_eq!(finished.stdout, b"hello");
/// # Ok(())
/// # }
/// ```
pub async fn run_to_end(
    invocation: Invocation,
    bounds: Bounds<'_>,
    interrupt: impl Future<Output = ()>,
) -> Result<FinishedProgram, AgentError> {
    let mut stdout = Vec::new();
    let finished = run_to_end_into(invocation, bounds, interrupt, |bytes| stdout.extend_from_slice(bytes));
    let finished = finished.await?;
    Ok(FinishedProgram { stdout, ..finished })
}

/// The same for output that is too much to keep: `take` gets it piece by piece, and [`FinishedProgram::stdout`] stays empty.
pub async fn run_to_end_into(
    invocation: Invocation,
    bounds: Bounds<'_>,
    interrupt: impl Future<Output = ()>,
    mut take: impl FnMut(&[u8]),
) -> Result<FinishedProgram, AgentError> {
    let mut session = Session::start(invocation, bounds.spool_dir, bounds.limits)?;
    if bounds.excess == Excess::Discard {
        session.discard_excess();
    }
    let deadline = Instant::now().checked_add(bounds.time);
    let mut interrupt = pin!(interrupt);
    let end = loop {
        tokio::select! {
            biased;
            () = &mut interrupt => break Ok(End::Interrupted),
            () = until(deadline) => break Ok(End::Late),
            piece = session.next() => match piece {
                Ok(AnswerPiece::Bytes(bytes)) => take(bytes),
                Ok(AnswerPiece::Oversize) => break Ok(End::Oversize),
                Ok(AnswerPiece::Silent) => {}
                Ok(AnswerPiece::End(exit)) => break Ok(End::Exited(exit)),
                Err(error) => break Err(error),
            },
        }
    };
    let stderr = session.complaints();
    session.stop().await;
    Ok(FinishedProgram { end: end?, stdout: Vec::new(), stderr })
}

/// The same for callers that block. They may block a thread of a runtime: the program has a thread of its own.
pub fn run_to_end_blocking(
    invocation: Invocation,
    bounds: Bounds<'_>,
) -> Result<FinishedProgram, AgentError> {
    let program = invocation.program.clone();
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| AgentError::Spawn { program, source })?;
        runtime.block_on(run_to_end(invocation, bounds, std::future::pending()))
    };
    thread::scope(|scope| match scope.spawn(run).join() {
        Ok(finished) => finished,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// How the system words the end of a process: `exit status: 3`, `signal: 9 (SIGKILL)`.
pub fn exit_words(exit: Exit) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match exit {
        Exit::Code(code) => ExitStatus::from_raw((code & 0xff) << 8).to_string(),
        Exit::Signal(signal) => ExitStatus::from_raw(signal & 0x7f).to_string(),
        Exit::Unknown => "nobody knows what".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_worded_as_the_system_words_them() {
        assert_eq!(exit_words(Exit::Code(0)), "exit status: 0");
        assert_eq!(exit_words(Exit::Code(3)), "exit status: 3");
        assert_eq!(exit_words(Exit::Signal(9)), "signal: 9 (SIGKILL)");
    }
}
