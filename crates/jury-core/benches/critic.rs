//! How many random runs of the critic a second of processor time holds, and how fast reports are read.
//!
//! `cargo bench -p jury-core --bench critic` prints the table.

use std::hint::black_box;

use jury_core::critic::format::{parse, write};
use jury_testkit::critic::{live, setup};
use rustix::time::{ClockId, clock_gettime};

const RUNS: u64 = 20_000;

fn main() {
    let (seconds, (events, text)) = timed(|| {
        let mut events = 0;
        let mut text = String::new();
        for seed in 0..RUNS {
            let life = live(setup(seed), seed);
            events += life.events().count();
            if text.len() < 4 << 20 {
                text.push_str(&write(life.critic.state()));
            }
        }
        (events, text)
    });
    print(&format!(
        "{:.0} runs/s, {:.0} events/s",
        count(usize::try_from(RUNS).unwrap_or(0)) / seconds,
        count(events) / seconds
    ));
    let (seconds, passes) = timed(|| black_box(parse(text.as_bytes())).passes.len());
    print(&format!("reports: {:.0} MB/s, {passes} passes", count(text.len()) / seconds / 1e6));
}

fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let before = now();
    let result = run();
    (now() - before, result)
}

#[expect(clippy::cast_precision_loss, reason = "seconds and counts for a table")]
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::cast_precision_loss, reason = "a count for a table")]
fn count(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(line: &str) {
    println!("{line}");
}
