//! The process group of an agent: what a signal to it reaches, and that nothing of it is left behind.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// A process group that is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    /// Nothing of the group is left, so its number may belong to somebody else by now.
    gone: bool,
}

impl Group {
    pub(crate) fn of(leader: u32) -> Option<Self> {
        let leader = i32::try_from(leader).ok().and_then(Pid::from_raw)?;
        Some(Self { leader, gone: false })
    }

    /// Asks the group to end.
    pub(crate) fn terminate(&mut self) {
        self.send(Signal::TERM);
    }

    /// Ends the group.
    pub(crate) fn kill(&mut self) {
        self.send(Signal::KILL);
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

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
