//! Commands of criteria: checks and fixes, run in the folder of the document, for so long and with so much to say.

use std::path::Path;
use std::time::Duration;

use jury_agents::{
    Bounds, COMMAND_GRACE, End, FinishedProgram, Inherit, Invocation, SessionLimits, run_to_end,
};
use jury_core::critic::{CheckResult, Command};
use jury_core::process::Exit;
use jury_core::unit::Bytes;
use tokio_util::sync::CancellationToken;

/// The most that a command may print.
const MOST: Bytes = Bytes(4 << 20);

/// What a shell says of a program that it cannot start.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Where a shell is that knows what became of each program of a pipe.
const BASH: [&str; 3] = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

/// Ends like the last line, unless a program of its pipe could not be started: what stands behind that one looked at nothing. One
/// that nobody read to its end did not fail.
const STAGES: &str = r#"jury_ended=("$?" "${PIPESTATUS[@]}")
jury_code=0
for jury_stage in "${jury_ended[@]:1}"; do
  case $jury_stage in
    126 | 127) exit 127 ;;
    0 | 141) ;;
    *) jury_code=$jury_stage ;;
  esac
done
if [ "${jury_ended[0]}" = 141 ]; then exit "$jury_code"; fi
exit "${jury_ended[0]}""#;

/// Where a command runs, and on what.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    /// The folder that it runs in.
    pub(super) dir: &'a Path,
    /// The path of the document.
    pub(super) file: &'a Path,
    /// Where its output is spooled.
    pub(super) spool: &'a Path,
}

/// Runs a command to its end.
pub(super) async fn run(
    command: &Command,
    place: Place<'_>,
    patience: Duration,
    interrupt: &CancellationToken,
) -> CheckResult {
    let invocation = match invocation(command, &place) {
        Ok(invocation) => invocation,
        Err(why) => return CheckResult::NotRun(why),
    };
    let limits = SessionLimits { spool: MOST, grace: COMMAND_GRACE, ..SessionLimits::default() };
    let bounds = Bounds::new(place.spool, patience).limits(limits);
    match run_to_end(invocation, bounds, interrupt.cancelled()).await {
        Ok(FinishedProgram { end: End::Exited(exit), stdout, .. }) => ended(command, exit, stdout),
        Ok(FinishedProgram { end: End::Oversize, .. }) => {
            CheckResult::NotRun(format!("it printed more than {MOST}"))
        }
        Ok(FinishedProgram { end: End::Late, .. }) => {
            CheckResult::NotRun(format!("it took longer than {} s", patience.as_secs()))
        }
        Ok(FinishedProgram { end: End::Interrupted, .. }) => CheckResult::NotRun("it was stopped".to_owned()),
        Err(error) => CheckResult::NotRun(error.to_string()),
    }
}

fn ended(command: &Command, exit: Exit, output: Vec<u8>) -> CheckResult {
    match exit {
        Exit::Code(code) if NOT_STARTED.contains(&code) => {
            let said = String::from_utf8_lossy(&output);
            let said = said.lines().last().unwrap_or_default().trim().to_owned();
            CheckResult::NotRun(format!(
                "'{command}' cannot be started ({said}); install it, or mend the criterion"
            ))
        }
        Exit::Code(code) => CheckResult::Ran { exit: code, output },
        Exit::Signal(signal) => CheckResult::NotRun(format!("it was killed by signal {signal}")),
        Exit::Unknown => CheckResult::NotRun("how it ended is not known".to_owned()),
    }
}

/// Both streams are one, as on a terminal, and a shell that stands between does nothing else.
fn invocation(command: &Command, place: &Place<'_>) -> Result<Invocation, String> {
    let file = place.file.to_str().ok_or("the path of the document is not UTF-8")?;
    let mut invocation;
    match command {
        Command::Argv(argv) => {
            invocation = Invocation::new("/bin/sh").arg("-c").arg("exec \"$@\" 2>&1").arg("sh");
            for part in argv {
                invocation = invocation.arg(part.replace("{file}", file));
            }
        }
        Command::Shell(line) => {
            // A variable in quotes is one word, and nothing in it is carried out, whatever quotes stand around it.
            let line = line.replace("{file}", "\"$JURY_FILE\"");
            invocation = if let Some(bash) = BASH.iter().find(|path| Path::new(path).is_file()) {
                Invocation::new(*bash).arg("-c").arg(format!("exec 2>&1\nset -o pipefail\n{line}\n{STAGES}"))
            } else {
                // Not every shell knows the option, and some end when they are given one that they do not know.
                let option = "(set -o pipefail) 2>/dev/null && set -o pipefail";
                Invocation::new("/bin/sh").arg("-c").arg(format!("exec 2>&1\n{option}\n{line}"))
            };
        }
    }
    // A command of the user's own, which works on a document that others wrote: no keys, and no token of the daemon.
    invocation.inherit = Inherit::users();
    invocation.dir = Some(place.dir.to_owned());
    invocation.env.push(("JURY_FILE".into(), place.file.as_os_str().to_owned()));
    Ok(invocation)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn result(command: Command, name: &str) -> CheckResult {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(name);
        std::fs::write(&file, "one\ntwo\n").unwrap();
        let place = Place { dir: dir.path(), file: &file, spool: dir.path() };
        run(&command, place, Duration::from_secs(20), &CancellationToken::new()).await
    }

    fn argv(parts: &[&str]) -> Command {
        Command::Argv(parts.iter().map(|part| (*part).to_owned()).collect())
    }

    #[tokio::test]
    async fn both_streams_and_the_code_come_back() {
        let shell = Command::Shell("wc -l < {file}; echo oh >&2; exit 3".to_owned());
        let name = "it's $(touch here) a plan.md";
        assert_eq!(result(shell, name).await, CheckResult::Ran { exit: 3, output: b"2\noh\n".to_vec() });
        let ran = result(argv(&["cat", "{file}", "no such"]), name).await;
        let CheckResult::Ran { exit: 1, output } = ran else { panic!("{ran:?}") };
        assert!(output.starts_with(b"one\ntwo\n") && output.len() > 8);
    }

    #[tokio::test]
    async fn a_pipe_fails_when_one_of_its_programs_does() {
        for (line, code) in [
            ("cat {file} | grep -q two", 0),
            ("yes | head -1 | grep -q y", 0),
            ("cat {file} no-such-file | wc -l", 1),
            ("grep -q three {file} || echo none", 0),
            ("false", 1),
            ("true; exit 4", 4),
            ("! grep -q three {file}", 0),
        ] {
            let ran = result(Command::Shell(line.to_owned()), "a.md").await;
            assert!(matches!(ran, CheckResult::Ran { exit, .. } if exit == code), "{line}: {ran:?}");
        }
    }

    #[tokio::test]
    async fn what_cannot_run_is_no_result() {
        let CheckResult::NotRun(why) = result(argv(&["no-such-program"]), "a.md").await else { panic!() };
        assert!(why.contains("no-such-program") && why.contains("cannot be started"), "{why}");
        for line in [
            "no-such-program | cat",
            "no-such-program {file} | grep -c two",
            "cat {file} | no-such-program | wc -l",
        ] {
            let ran = result(Command::Shell(line.to_owned()), "a.md").await;
            assert!(matches!(ran, CheckResult::NotRun(_)), "{line}: {ran:?}");
        }
        let endless = Command::Shell("yes".to_owned());
        let CheckResult::NotRun(why) = result(endless, "a.md").await else { panic!() };
        assert!(why.contains("printed more"), "{why}");
    }
}
