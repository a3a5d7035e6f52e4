//! A program of the user's that judges: called with the path of the record and nothing else, without a shell, for so long
//! and no longer.

use std::io;
use std::path::Path;
use std::time::Duration;

use jury_agents::{
    AgentError, Bounds, End, FinishedProgram, Inherit, Invocation, SessionLimits, exit_words,
    run_to_end_blocking,
};
use jury_core::judge::LONGEST_ANSWER_BYTES;
use jury_core::process::Exit;
use jury_core::unit::Bytes;

/// What the program printed. An error is one line that says why there is nothing to read.
pub(super) fn run(
    program: &str,
    pass_env: &[String],
    record: &Path,
    timeout: Duration,
) -> Result<Vec<u8>, String> {
    let limits = SessionLimits {
        spool: Bytes(LONGEST_ANSWER_BYTES as u64),
        grace: Duration::ZERO,
        // One that has closed its output has as long to end as any.
        linger: timeout,
        ..SessionLimits::default()
    };
    let scratch = std::env::temp_dir();
    let bounds = Bounds::new(&scratch, timeout).limits(limits);
    let mut invocation = Invocation::new(program).arg(record);
    invocation.inherit = Inherit::Users { named: pass_env.to_vec(), without: Vec::new() };
    let FinishedProgram { end, stdout, .. } = run_to_end_blocking(invocation, bounds).map_err(|error| {
        let what = if matches!(error, AgentError::Spool(_)) { "read" } else { "started" };
        format!("JUDGE_SCRIPT {program} cannot be {what}: {}", io::Error::from(error))
    })?;
    match end {
        End::Exited(Exit::Code(0)) => Ok(stdout),
        End::Exited(exit) => Err(format!("JUDGE_SCRIPT {program} failed ({})", exit_words(exit))),
        End::Oversize => {
            Err(format!("JUDGE_SCRIPT {program} printed more than {LONGEST_ANSWER_BYTES} bytes"))
        }
        End::Late | End::Interrupted => Err(format!(
            "JUDGE_SCRIPT {program} took longer than {}",
            jury_core::line::counted(timeout.as_secs(), "second", "seconds")
        )),
    }
}
