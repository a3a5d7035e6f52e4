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
        Self(format!("{}-{count}-{}", std::process::id(), since_the_epoch()))
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
        marks(environment).any(|mark| mark == self.0.as_bytes())
    }
}

/// The marks in an environment.
fn marks(environment: &[u8]) -> impl Iterator<Item = &[u8]> {
    environment
        .split(|&byte| byte == 0)
        .filter_map(|variable| variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"="))
        .flat_map(|marks| marks.split(|&byte| byte == b':'))
}

/// Kills whoever belongs to a session that this program began before now. For one that looks after a program
/// which died and could not do it itself.
pub fn end_all_of(program: u32) {
    let now = since_the_epoch();
    let theirs = |environment: &[u8]| {
        marks(environment).filter_map(|mark| std::str::from_utf8(mark).ok()).any(|mark| {
            let mut parts = mark.split('-');
            // A number can be given to another program; what that one begins, it begins later.
            parts.next().and_then(|pid| pid.parse().ok()) == Some(program)
                && parts.nth(1).and_then(|began| began.parse().ok()).is_some_and(|began: u128| began <= now)
        })
    };
    for _ in 0..SWEEPS {
        if !sweep(&theirs) {
            break;
        }
    }
}

fn since_the_epoch() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

/// The processes of a session. They are killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    mark: Mark,
    /// Nothing of the group is left, so its number may belong to somebody else by now.
    gone: bool,
    /// Those who left were looked for after the group was gone, and nobody was there.
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
            if !sweep(&|environment| self.mark.is_in(environment)) {
                // Looking through all processes is dear: once is enough if nobody is left to start others.
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
}

/// Kills those whose environment tells that they are meant. Whether there were any. Where there is no `/proc`
/// there are none.
fn sweep(meant: &dyn Fn(&[u8]) -> bool) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return false;
    };
    let is_meant = |pid: Pid| {
        std::fs::read(format!("/proc/{}/environ", pid.as_raw_pid()))
            .is_ok_and(|environment| meant(&environment))
    };
    let mut found = false;
    for process in processes.flatten() {
        if let Some(pid) = number(&process.file_name())
            && pid != rustix::process::getpid()
            && is_meant(pid)
            // From here on it is this process or none: a number can be given to another one, this cannot.
            && let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && is_meant(pid)
        {
            found |= pidfd_send_signal(&handle, Signal::KILL).is_ok();
        }
    }
    found
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
