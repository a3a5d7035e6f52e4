//! Git as a program: an array of arguments, no prompts, no hooks, nothing of the surroundings that points elsewhere, and an
//! end.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use jury_agents::{
    Bounds, End, Excess, FinishedProgram, Inherit, Invocation, SessionLimits, run_to_end_blocking,
};
use jury_core::process::Exit;
use jury_core::unit::Bytes;

use super::SiteError;

/// How long something in the repository may take.
pub(super) const LOCAL: Duration = Duration::from_mins(1);
/// How long a push may take.
pub(super) const REMOTE: Duration = Duration::from_mins(3);
/// The most that is read of what git prints.
const MOST_OUTPUT_BYTES: usize = 1 << 20;

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

/// Secrets that git may need to reach a remote.
const SIGN_IN: [&str; 3] = ["GH_TOKEN", "GITHUB_TOKEN", "GITLAB_TOKEN"];

/// Calls git in a repository and waits.
pub(super) fn call(repo: &Path, arguments: &[&str], time: Duration) -> Result<Said, SiteError> {
    let points_elsewhere = |name: &OsString| {
        name.to_string_lossy().starts_with("GIT_") && !KEPT.iter().any(|kept| name == *kept)
    };
    let mut left_out: Vec<OsString> =
        std::env::vars_os().map(|(name, _)| name).filter(points_elsewhere).collect();
    left_out.push("SSH_ASKPASS".into());
    let mut git = Invocation::new("git");
    // A helper of git's may sign in with one of these.
    let named = SIGN_IN.map(str::to_owned).to_vec();
    git.inherit = Inherit::Users { named, without: left_out };
    let mut set = |name: &str, value: &str| git.env.push((name.into(), value.into()));
    set("GIT_TERMINAL_PROMPT", "0");
    set("GIT_ASKPASS", "");
    set("SSH_ASKPASS_REQUIRE", "never");
    set("LC_ALL", "C");
    set("GIT_OPTIONAL_LOCKS", "0");
    if std::env::var_os("GIT_SSH_COMMAND").is_none() && std::env::var_os("GIT_SSH").is_none() {
        set("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
    }
    for option in OPTIONS {
        git = git.arg("-c").arg(option);
    }
    if arguments.first() != Some(&"init") {
        // It is called in the repository: a path that begins elsewhere would be looked for in there.
        git = git.arg("--git-dir=.git").arg("--work-tree=.");
    }
    git = arguments.iter().fold(git.arg("--literal-pathspecs"), Invocation::arg);
    git.dir = Some(repo.to_owned());
    let limits = SessionLimits {
        spool: Bytes(MOST_OUTPUT_BYTES as u64),
        grace: Duration::from_millis(500),
        complaints: MOST_OUTPUT_BYTES,
        ..SessionLimits::default()
    };
    let scratch = std::env::temp_dir();
    // What is beyond is read and forgotten, so that git is not stopped in the middle of its work.
    let bounds = Bounds { excess: Excess::Discard, ..Bounds::new(&scratch, time).limits(limits) };
    let finished =
        run_to_end_blocking(git, bounds).map_err(|error| SiteError::NoGit { source: error.into() })?;
    let FinishedProgram { end, stdout: out, stderr: complaint } = finished;
    match end {
        End::Exited(exit) => Ok(Said { yes: exit == Exit::Code(0), out, complaint }),
        End::Late | End::Oversize | End::Interrupted => Err(SiteError::Git {
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
