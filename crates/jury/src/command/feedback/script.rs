//! A program of the user's that judges: called with the path of the record and nothing else, without a shell, for so long
//! and no longer.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use jury_core::judge::LONGEST_ANSWER;
use rustix::process::{Pid, Signal, kill_process_group};

/// How often a program that has closed its output is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// What the program printed. An error is one line that says why there is nothing to read.
pub(super) fn run(program: &str, record: &Path, timeout: Duration) -> Result<Vec<u8>, String> {
    let until = Instant::now() + timeout;
    let mut child = Command::new(program)
        .arg(record)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A group of its own, so that whatever it starts ends with it.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("JUDGE_SCRIPT {program} cannot be started: {error}"))?;
    let result = listen(&mut child, until, program, timeout);
    end(&mut child);
    result
}

fn listen(child: &mut Child, until: Instant, program: &str, timeout: Duration) -> Result<Vec<u8>, String> {
    let late = || format!("JUDGE_SCRIPT {program} took longer than {} seconds", timeout.as_secs());
    let Some(stdout) = child.stdout.take() else {
        return Err(format!("JUDGE_SCRIPT {program} has no output"));
    };
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut answer = Vec::new();
        let most = u64::try_from(LONGEST_ANSWER).unwrap_or(u64::MAX).saturating_add(1);
        let read = stdout.take(most).read_to_end(&mut answer).map(|_| answer);
        // Nobody waits any more when it was too late.
        send.send(read).ok();
    });
    let answer = match receive.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => return Err(format!("JUDGE_SCRIPT {program} cannot be read: {error}")),
        Err(_) => return Err(late()),
    };
    if answer.len() > LONGEST_ANSWER {
        return Err(format!("JUDGE_SCRIPT {program} printed more than {LONGEST_ANSWER} bytes"));
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(answer),
            Ok(Some(status)) => return Err(format!("JUDGE_SCRIPT {program} failed ({status})")),
            Ok(None) if Instant::now() < until => thread::sleep(PAUSE),
            Ok(None) => return Err(late()),
            Err(error) => return Err(format!("JUDGE_SCRIPT {program} cannot be waited for: {error}")),
        }
    }
}

/// Ends the program and everything in its group. It may have ended before.
fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process_group(group, Signal::KILL).ok();
    }
    child.wait().ok();
}
