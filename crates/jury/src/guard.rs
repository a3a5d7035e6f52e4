//! The guard: a process that waits for this one to end, then ends what its agents left and removes their folders. A
//! program that ends in order leaves nothing; one that is killed cannot tidy up after itself, and its agents would go
//! on for nobody.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// A guard on its post. It goes with this value.
#[derive(Debug)]
pub(crate) struct Guard(Child);

/// Posts a guard. Without one everything works but for the worst case.
pub(crate) fn post() -> Option<Guard> {
    let program = std::env::current_exe().ok()?;
    let mut command = Command::new(program);
    // A group of its own: what a terminal sends to this program is not meant for its guard.
    command.args(["guard", &std::process::id().to_string()]).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok().map(Guard)
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().ok();
    }
}

/// What the guard does: nothing until its stdin ends, which is when the program has.
pub(crate) fn stand(program: u32) {
    let mut nothing = [0; 1];
    while std::io::stdin().read(&mut nothing).is_ok_and(|length| length > 0) {}
    jury_agents::end_all_of(program);
    jury_agents::adapter::remove_all_of(program, &std::env::temp_dir());
}
