//! The guard: a process that waits for this one to end, then ends what its agents left and removes their folders. A
//! program that ends in order leaves nothing; one that is killed cannot tidy up after itself, and its agents would go
//! on for nobody.

use std::io::Read as _;

use jury_agents::{Invocation, Worker};

/// A guard on its post. It goes with this value: its stdin ends, and it is waited for.
#[derive(Debug)]
pub(crate) struct Reaper(#[expect(dead_code, reason = "it is there to be dropped")] Worker);

/// Posts a guard. Without one everything works but for the worst case.
pub(crate) fn post() -> Option<Reaper> {
    let program = std::env::current_exe().ok()?;
    let guard = Invocation::new(program).arg("guard").arg(std::process::id().to_string());
    Worker::start(&guard).ok().map(Reaper)
}

/// What the guard does: nothing until its stdin ends, which is when the program has.
pub(crate) fn stand(program: u32) {
    let mut nothing = [0; 1];
    while std::io::stdin().read(&mut nothing).is_ok_and(|length| length > 0) {}
    jury_agents::end_all_of(program);
    jury_agents::adapter::remove_all_of(program, &std::env::temp_dir());
}
