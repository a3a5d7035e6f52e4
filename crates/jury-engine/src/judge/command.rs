//! A judge that is a program of the user's: `JUDGE_MODE=command`. It gets the run record on its stdin and prints a
//! judgement, in the native shape or in that of the older judge. No shell is between; see [`words`].

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jury_agents::{
    Bounds, COMMAND_GRACE, End, FinishedProgram, Inherit, Invocation, SessionLimits, run_to_end,
};
use jury_core::judge::machine::SeatFailure;
use jury_core::judge::{Bead, JudgeAnswer, LONGEST_ANSWER_BYTES, OpusJudgement, words};
use jury_core::process::Exit;
use jury_core::unit::{Bytes, Millis};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::context::GatheredCase;
use crate::ask::with_complaint;

/// Why a program did not judge, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SilentCommand {
    /// Whether it may answer when it is asked again.
    pub failure: SeatFailure,
    /// The reason, for a person.
    pub reason: String,
}

impl SilentCommand {
    /// It would end in the same way again.
    pub fn lasting(reason: impl Into<String>) -> Self {
        Self { failure: SeatFailure::Lasting, reason: reason.into() }
    }

    fn passing(reason: String) -> Self {
        Self { failure: SeatFailure::Passing, reason }
    }
}

/// Asks the program, in this folder. When this returns, nothing of the program is left.
pub async fn ask(
    command: &str,
    pass_env: &[String],
    case: &GatheredCase,
    dir: &Path,
    scratch: &Path,
    timeout: Millis,
    interrupt: &CancellationToken,
) -> Result<JudgeAnswer, SilentCommand> {
    let words =
        words::split(command).map_err(|error| SilentCommand::lasting(format!("JUDGE_COMMAND: {error}")))?;
    let printed = output(&words, pass_env, &case.raw, dir, scratch, timeout, interrupt).await?;
    read(&printed, &case.record.bead).map_err(SilentCommand::passing)
}

async fn output(
    words: &[String],
    pass_env: &[String],
    record: &[u8],
    dir: &Path,
    scratch: &Path,
    timeout: Millis,
    interrupt: &CancellationToken,
) -> Result<Vec<u8>, SilentCommand> {
    let (program, args) =
        words.split_first().ok_or_else(|| SilentCommand::lasting("JUDGE_COMMAND is empty"))?;
    // A path is one from the folder it runs in; a name is looked for where the system looks.
    let path = if program.contains('/') { dir.join(program) } else { program.into() };
    let mut invocation = Invocation::new(path).prompt(record);
    for arg in args {
        invocation = invocation.arg(arg);
    }
    invocation.inherit = Inherit::Users { named: pass_env.to_vec(), without: Vec::new() };
    invocation.dir = Some(dir.to_owned());
    let limits = SessionLimits {
        spool: Bytes(LONGEST_ANSWER_BYTES as u64),
        grace: COMMAND_GRACE,
        ..SessionLimits::default()
    };
    let bounds = Bounds::new(scratch, Duration::from_millis(timeout.0)).limits(limits);
    let finished = run_to_end(invocation, bounds, interrupt.cancelled()).await;
    let FinishedProgram { end, stdout, stderr } =
        finished.map_err(|error| SilentCommand::lasting(error.to_string()))?;
    let what = match end {
        End::Exited(Exit::Code(0)) => return Ok(stdout),
        End::Exited(Exit::Code(code)) => format!("{program} exited with code {code}"),
        End::Exited(Exit::Signal(signal)) => format!("{program} was killed by signal {signal}"),
        End::Exited(Exit::Unknown) => format!("how {program} ended is not known"),
        End::Oversize => {
            let why = format!("{program} printed more than {LONGEST_ANSWER_BYTES} bytes");
            return Err(SilentCommand::passing(why));
        }
        End::Late => {
            let why = format!("{program} took longer than {} s", timeout.0 / 1000);
            return Err(SilentCommand::passing(why));
        }
        End::Interrupted => return Err(SilentCommand::lasting("it was stopped")),
    };
    Err(SilentCommand::passing(with_complaint(what, &stderr)))
}

/// What a program printed, in either shape.
pub fn read(printed: &[u8], bead: &Bead) -> Result<JudgeAnswer, String> {
    let older = serde_json::from_slice::<Value>(printed)
        .is_ok_and(|value| value.get("quality_score").is_some() && value.get("dimensions").is_none());
    if older {
        // When it was judged is ours to say.
        let judgement = OpusJudgement::read(printed, bead, Timestamp::UNIX_EPOCH);
        return judgement.map(|judgement| judgement.answer()).map_err(|error| error.to_string());
    }
    let text = String::from_utf8_lossy(printed);
    JudgeAnswer::read(&text, bead).map_err(|error| error.to_string())
}
