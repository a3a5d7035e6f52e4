//! How fast feedback is scored, and how much memory it takes however much there is.
//!
//! `cargo bench -p jury-learning --bench tally` prints the table.

use std::hint::black_box;

use jiff::Timestamp;
use jury_learning::{Book, FeedbackLine, scores};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    for records in [10_000, 1_000_000] {
        let mut seconds = 0.0;
        let memory = allocation_counter::measure(|| {
            let before = now();
            black_box(score(records));
            seconds = now() - before;
        });
        print(&format!(
            "{records:>9} records from JSON: {:>8.1} ms, {:>9.0} records/s, at most {:.1} KB at once",
            seconds * 1e3,
            count(records) / seconds,
            count(memory.bytes_max) / 1e3
        ));
    }
}

/// Scores so many records, each read from its text, none kept.
fn score(records: u64) -> usize {
    let mut book = Book::default();
    for number in 0..records {
        let text = record(number);
        if let Ok(line) = FeedbackLine::read(text.as_bytes()) {
            book.add(&line);
        }
    }
    let (templates, agents) = scores(&book, Timestamp::UNIX_EPOCH);
    templates.templates.len() + agents.agents.len()
}

fn record(number: u64) -> String {
    let outcome = ["full_pass", "partial_pass", "agent_failure", "timeout", "full_pass"][pick(number, 5)];
    let template = ["bug-fix", "feature", "docs", "script", "refactor", "code-review"][pick(number / 7, 6)];
    let score = if number.is_multiple_of(4) { "0.82" } else { "null" };
    let (day, hour, minute) = (number / 1440 % 28 + 1, number / 60 % 24, number % 60);
    format!(
        r#"{{"schema_version":"1.0.0","bead":"bd-{number}","timestamp":"2026-02-{day:02}T{hour:02}:{minute:02}:00Z","template":"{template}","agent":"agent-{}","model":"m","outcome":"{outcome}","signals":{{"exit_clean":true,"tests_pass":true,"lint_pass":true,"ubs_clean":true,"truthsayer_clean":true,"duration_ratio":0.5,"retried":false}},"failure_patterns":["scope-creep"],"opus_quality_score":{score},"opus_judge":null,"prompt_hash":"h","judgment":null}}"#,
        number % 5
    )
}

fn pick(number: u64, of: usize) -> usize {
    usize::try_from(number).unwrap_or(0) % of
}

#[expect(clippy::cast_precision_loss, reason = "seconds for a table")]
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::cast_precision_loss, reason = "a count for a table")]
fn count(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(line: &str) {
    println!("{line}");
}
