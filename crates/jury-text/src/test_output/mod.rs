//! The output of a test run, read in the words of the usual runners: how many tests passed and failed, and whether the run
//! crashed, timed out or broke off. What follows from that is decided by [`jury_core::judge::TestLog::reading`].
//!
//! ```
//! use jury_core::judge::TestReading;
//! use jury_text::test_output::read;
//!
//! let output = b"running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored\n";
//! assert_eq!(read(output).reading(), TestReading::Green { passed: 2 });
//! assert_eq!(read(b"looks good to me\n").reading(), TestReading::Unreadable);
//! ```

mod line;
mod runner;
mod tap;
mod trouble;
mod unfinished;

#[cfg(test)]
mod tests;

use jury_core::judge::{TestLog, TestSummary};

pub use runner::RUNNERS;

/// The most troubles that are kept: the first one decides.
const MOST_TROUBLES: usize = 5;

/// Reads the output of a test run.
pub fn read(output: &[u8]) -> TestLog {
    let text = line::plain(&String::from_utf8_lossy(output));
    let lines: Vec<&str> = text.split(['\n', '\r']).map(line::unprefixed).collect();
    let mut log = TestLog::default();
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let rest = lines.get(at + 1..).unwrap_or_default();
        log.summaries.extend(runner::summary(trimmed, rest));
        if log.troubles.len() < MOST_TROUBLES {
            log.troubles.extend(trouble::of(trimmed));
        }
    }
    let (summary, trouble) = tap::read(&lines);
    log.summaries.extend(summary);
    log.troubles.extend(trouble);
    log.troubles.extend(unfinished::of(&lines));
    log
}

/// A summary that counts nothing yet.
fn nothing(runner: &'static str) -> TestSummary {
    TestSummary { runner, passed: 0, failed: 0 }
}
