//! The processes of an agent: what a signal to it reaches, and that nothing of it is left behind.
//!
//! An agent leads a process group of its own, and a signal goes to all of it. A child can leave that group (a
//! daemon calls `setsid`), but it cannot easily lose the environment it inherited: every session puts a mark
//! there, and at the end whoever still carries the mark is killed.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal, test_kill_process_group,
};

/// The variable that carries the marks of all sessions that a process belongs to, outermost first.
pub(crate) const MARK: &str = "JURY_SESSION";

/// The variable that names those who answer for a process, outermost first. Unlike a mark it can be known after
/// the one who answered has died, so that nothing outlives a program that was killed.
const OWNER: &str = "JURY_OWNER";

/// How often those who left are looked for: one that starts others while it is looked for is seen again.
const SWEEPS: usize = 5;

/// What tells the processes of one session from all others.
#[derive(Debug, Clone)]
pub(crate) struct Mark(String);

impl Mark {
    /// A mark that no other session has, on this machine and since it started.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Self(format!("{}-{count}-{since}", std::process::id()))
    }

    /// The value of [`MARK`] in a session inside those that `outer` names.
    pub(crate) fn inside(&self, outer: Option<OsString>) -> OsString {
        let mut marks = outer.filter(|outer| !outer.is_empty()).map_or_else(OsString::new, |mut outer| {
            outer.push(":");
            outer
        });
        marks.push(&self.0);
        marks
    }

    /// Whether a process with this environment belongs to the session.
    fn is_in(&self, environment: &[u8]) -> bool {
        values(environment, MARK).any(|mark| mark == self.0.as_bytes())
    }
}

/// The processes of a session. They are killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    mark: Mark,
    /// Nothing of the group is left, so its number may belong to somebody else by now.
    gone: bool,
    /// Nobody who left it is left either: they were looked for after the last one who could start others was
    /// gone.
    swept: bool,
}

impl Group {
    pub(crate) fn of(leader: u32, mark: Mark) -> Option<Self> {
        let leader = i32::try_from(leader).ok().and_then(Pid::from_raw)?;
        Some(Self { leader, mark, gone: false, swept: false })
    }

    /// Asks the group to end.
    pub(crate) fn terminate(&mut self) {
        self.send(Signal::TERM);
    }

    /// Ends the group, and whoever left it.
    pub(crate) fn kill(&mut self) {
        if self.swept {
            return;
        }
        self.send(Signal::KILL);
        for _ in 0..SWEEPS {
            if !self.sweep() {
                // Looking through all processes is dear, and once is enough if nobody was there to start others.
                self.swept = self.gone;
                break;
            }
        }
    }

    fn send(&mut self, signal: Signal) {
        if !self.gone && kill_process_group(self.leader, signal).is_err() {
            self.gone = true;
        }
    }

    /// Whether nothing of the group is left.
    pub(crate) fn is_gone(&mut self) -> bool {
        self.gone = self.gone || test_kill_process_group(self.leader).is_err();
        self.gone
    }

    /// Kills those that carry the mark. Whether there were any.
    fn sweep(&self) -> bool {
        end_those(|environment| self.mark.is_in(environment)) > 0
    }
}

/// The variable that says who answers for an agent, inside those who answer for us.
pub fn answered_for_by(owner: &str) -> (OsString, OsString) {
    let outer = std::env::var_os(OWNER).filter(|outer| !outer.is_empty());
    let mut owners = outer.map_or_else(OsString::new, |mut outer| {
        outer.push(":");
        outer
    });
    owners.push(owner);
    (OWNER.into(), owners)
}

/// Ends the processes that one of these answered for, and says how many there were. For owners that have died:
/// the agents of a living one are its own affair.
pub fn end_left_behind(owners: &[String]) -> usize {
    if owners.is_empty() {
        return 0;
    }
    let left = |environment: &[u8]| {
        values(environment, OWNER).any(|owner| owners.iter().any(|dead| dead.as_bytes() == owner))
    };
    let mut ended = 0;
    for _ in 0..SWEEPS {
        match end_those(left) {
            0 => break,
            some => ended += some,
        }
    }
    ended
}

/// Kills the processes with an environment like this. How many there were. Where there is no `/proc` there are
/// none.
fn end_those(is_one: impl Fn(&[u8]) -> bool) -> usize {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let is_one = |pid: Pid| {
        std::fs::read(format!("/proc/{}/environ", pid.as_raw_pid()))
            .is_ok_and(|environment| is_one(&environment))
    };
    let mut found = 0;
    for process in processes.flatten() {
        if let Some(pid) = number(&process.file_name())
            && pid != rustix::process::getpid()
            && is_one(pid)
            // From here on it is this process or none: a number can be given to another one, this cannot.
            && let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && is_one(pid)
        {
            found += usize::from(pidfd_send_signal(&handle, Signal::KILL).is_ok());
        }
    }
    found
}

/// The values of a variable in an environment, which it has with colons between them.
fn values<'a>(environment: &'a [u8], name: &str) -> impl Iterator<Item = &'a [u8]> {
    environment
        .split(|&byte| byte == 0)
        .filter_map(move |variable| variable.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
        .flat_map(|marks| marks.split(|&byte| byte == b':'))
}

fn number(name: &OsStr) -> Option<Pid> {
    std::str::from_utf8(name.as_bytes()).ok()?.parse().ok().and_then(Pid::from_raw)
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_is_found_among_those_of_outer_sessions_and_never_by_half() {
        let (outer, inner) = (Mark("1-0-5".to_owned()), Mark("1-0-55".to_owned()));
        let both = inner.inside(Some(outer.inside(None)));
        assert_eq!(both, "1-0-5:1-0-55");
        let environment = b"PATH=/bin\0JURY_SESSION=1-0-5:1-0-55\0HOME=/";
        assert!(outer.is_in(environment) && inner.is_in(environment));
        assert!(!outer.is_in(b"JURY_SESSION=1-0-55\0"));
        assert!(!outer.is_in(b"MY_JURY_SESSION=1-0-5\0OTHER=1-0-5\0"));
    }
}
