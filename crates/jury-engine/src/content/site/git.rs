//! Git as a program: an array of arguments, no prompts, no hooks, nothing of the surroundings that points elsewhere, and an
//! end.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::SiteError;

/// How long something in the repository may take.
pub(super) const LOCAL: Duration = Duration::from_mins(1);
/// How long a push may take.
pub(super) const REMOTE: Duration = Duration::from_mins(3);
/// The most that is read of what git prints.
const MOST: u64 = 1 << 20;
const PAUSE: Duration = Duration::from_millis(5);

/// What git printed, and whether it said yes.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) yes: bool,
    pub(super) out: Vec<u8>,
    complaint: String,
}

/// The options of every call: nothing that the repository or its owner configured may run or ask.
const OPTIONS: [&str; 9] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "commit.gpgSign=false",
    "protocol.ext.allow=never",
    "user.name=jury",
    "user.email=jury@localhost",
    "gc.auto=0",
];

/// Variables that stay: how to reach a remote is the user's business.
const KEPT: [&str; 3] = ["GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO"];

/// Calls git in a repository and waits.
pub(super) fn call(repo: &Path, arguments: &[&str], time: Duration) -> Result<Said, SiteError> {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        let points_elsewhere = name.to_string_lossy().starts_with("GIT_");
        if points_elsewhere && !KEPT.iter().any(|kept| name == *kept) {
            command.env_remove(name);
        }
    }
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ASKPASS", "").env("SSH_ASKPASS_REQUIRE", "never");
    command.env_remove("SSH_ASKPASS").env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
    if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
        command.env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
    }
    for option in OPTIONS {
        command.args(["-c", option]);
    }
    if arguments.first() != Some(&"init") {
        // It is called in the repository: a path that begins elsewhere would be looked for in there.
        command.args(["--git-dir=.git", "--work-tree=."]);
    }
    command.arg("--literal-pathspecs").args(arguments).current_dir(repo);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(|source| SiteError::NoGit { source })?;
    let out = child.stdout.take().map(|pipe| thread::spawn(move || all_of(pipe)));
    let complaint = child.stderr.take().map(|pipe| thread::spawn(move || all_of(pipe)));
    let ended = wait(&mut child, time);
    let text = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    let (out, complaint) = (text(out), text(complaint));
    let complaint = String::from_utf8_lossy(&complaint).into_owned();
    match ended {
        Some(yes) => Ok(Said { yes, out, complaint }),
        None => Err(SiteError::Git {
            command: arguments.first().copied().unwrap_or_default().to_owned(),
            problem: format!("no answer in {} s; it was stopped", time.as_secs()),
        }),
    }
}

/// Calls git, which has to say yes.
pub(super) fn done(repo: &Path, arguments: &[&str], time: Duration) -> Result<Vec<u8>, SiteError> {
    let said = call(repo, arguments, time)?;
    if said.yes {
        return Ok(said.out);
    }
    Err(SiteError::Git {
        command: arguments.first().copied().unwrap_or_default().to_owned(),
        problem: one_line(&said.complaint),
    })
}

/// The line of a complaint that says why, without a password that an address may hold.
fn one_line(complaint: &str) -> String {
    let lines: Vec<&str> = complaint.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let marked = |mark: &str| lines.iter().find(|line| line.starts_with(mark));
    let line = marked("! ").or_else(|| marked("fatal:")).or_else(|| marked("error:")).or(lines.last());
    let line: String = line
        .copied()
        .unwrap_or("it failed and does not say why")
        .chars()
        .filter(|ch| !ch.is_control())
        .collect();
    let line = if line.contains("(non-fast-forward)") || line.contains("(fetch first)") {
        format!("{line}: the remote has commits that are not here; fetch and merge them, and push again")
    } else if line.contains(".lock': File exists") {
        format!("{line} If no other git works there, one was cut off: remove that file and try again")
    } else {
        line
    };
    without_password(&line).chars().take(300).collect()
}

/// Addresses without what stands before their `@`.
pub(super) fn without_password(text: &str) -> String {
    let hide = |word: &str| match word.split_once("://") {
        Some((scheme, rest)) => match rest.split('/').next().and_then(|host| host.rsplit_once('@')) {
            Some((secret, _)) => format!("{scheme}://{}", rest.get(secret.len() + 1..).unwrap_or_default()),
            None => word.to_owned(),
        },
        None => word.to_owned(),
    };
    text.split(' ').map(hide).collect::<Vec<_>>().join(" ")
}

fn all_of(pipe: impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut pipe = pipe.take(MOST);
    drop(pipe.read_to_end(&mut bytes));
    // What is beyond is read and forgotten, so that nobody waits to write it.
    drop(std::io::copy(&mut pipe.into_inner(), &mut std::io::sink()));
    bytes
}

/// Whether it said yes; none when it had to be ended, with everything that it had started.
fn wait(child: &mut Child, time: Duration) -> Option<bool> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) => thread::sleep(PAUSE),
            Err(_) => break,
        }
    }
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process_group(group, Signal::KILL).ok();
    }
    drop(child.wait());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_one_line_without_a_password() {
        assert_eq!(one_line("remote: hi\nfatal: unable to access 'x'\n"), "fatal: unable to access 'x'");
        assert_eq!(one_line("To https://me:hunter2@host.example/x.git\n"), "To https://host.example/x.git");
        assert!(
            one_line(" ! [rejected]        HEAD -> main (fetch first)\nerror: failed")
                .ends_with("and push again")
        );
        assert_eq!(
            one_line("fatal: Unable to create '/x/.git/index.lock': File exists.\n\nAnother git process\n"),
            "fatal: Unable to create '/x/.git/index.lock': File exists. If no other git works there, one was cut off: \
             remove that file and try again"
        );
        assert_eq!(one_line(""), "it failed and does not say why");
    }
}
