//! Processes, as the system sees them.

use std::fs;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Lets this process open as many files as the system allows it.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).ok();
}

/// Microseconds on the clock that all processes of the machine share and nobody sets.
pub(crate) fn micros() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let whole = u64::try_from(now.tv_sec).unwrap_or_default() * 1_000_000;
    whole + u64::try_from(now.tv_nsec).unwrap_or_default() / 1000
}

/// How busy the machine is.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A figure of `/proc/<pid>/status` in megabytes.
pub(crate) fn megabytes(pid: u32, name: &str) -> f64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    let kilobytes: f64 = line
        .trim_start_matches(':')
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or_default();
    kilobytes / 1024.0
}

/// CPU time that a process has used, without its children.
pub(crate) fn cpu(pid: u32) -> Duration {
    ticks(pid, 11)
}

/// CPU time of the children that a process has waited for.
pub(crate) fn children_cpu(pid: u32) -> Duration {
    ticks(pid, 13)
}

/// Two neighbouring times of `/proc/<pid>/stat`, in user mode and in the system.
fn ticks(pid: u32, field: usize) -> Duration {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = text.rsplit(") ").next().unwrap_or_default();
    let ticks: u64 = after.split(' ').skip(field).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// How many files a process has open.
pub(crate) fn files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

/// The processes that carry this word among their arguments.
pub(crate) fn carrying(word: &str) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
        })
        .collect()
}
