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

mod behind;
mod junit;
mod line;
mod red;
mod runner;
mod tap;
mod trouble;
mod unfinished;
mod vocabulary;

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use jury_core::judge::{TestLog, TestSummary};

pub use runner::RUNNERS;

/// The most troubles that are kept: the first one decides.
const MOST_TROUBLES: usize = 5;

/// Reads the output of a test run.
pub fn read(output: &[u8]) -> TestLog {
    let text = line::plain(&String::from_utf8_lossy(output));
    let raw: Vec<&str> = text.split(['\n', '\r']).collect();
    let lines: Vec<&str> = raw.iter().map(|line| line::unprefixed(line)).collect();
    let reports = junit::read(&text);
    let tap = tap::read(&lines);
    let reported = numbers(&text, &reports.spans);
    let mut log = TestLog::default();
    let behind = summaries(&lines, &reported, tap.last, &mut log);
    log.summaries.extend(reports.summary);
    log.summaries.extend(tap.summary);
    for at in behind.into_iter().flatten() {
        if log.troubles.len() >= MOST_TROUBLES {
            break;
        }
        let (Some(line), Some(raw)) = (lines.get(at), raw.get(at)) else { continue };
        let line = line.trim();
        if !line.is_empty() && behind::is_bad(line, line::is_error(raw)) {
            log.troubles.push(trouble::shown(line));
        }
    }
    log.troubles.extend(reports.trouble);
    log.cut = lines.iter().any(|line| red::is_left_out(line.trim()));
    log.troubles.extend(junit::others(&text));
    log.troubles.extend(tap.trouble);
    log.troubles.extend(unfinished::of(&lines));
    runner::only_skipped(&lines, &mut log.summaries);
    log
}

/// Reads the lines one by one, and gives back those that stand behind a summary and in no run.
fn summaries(
    lines: &[&str],
    reported: &[Range<usize>],
    tap: Option<usize>,
    log: &mut TestLog,
) -> Vec<Range<usize>> {
    let built = lines.iter().rposition(|line| line.trim().starts_with("BUILD SUCCESSFUL"));
    let echoed: BTreeSet<&str> = lines.iter().filter_map(|line| line::echoed(line.trim())).collect();
    let mut reported = reported.iter().peekable();
    let mut sessions = unfinished::Sessions::default();
    let mut behind = Vec::new();
    let mut from = None;
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        let rest = lines.get(at + 1..).unwrap_or_default();
        if log.troubles.len() < MOST_TROUBLES {
            let said = trouble::of(trimmed).or_else(|| trouble::of_go(trimmed, rest));
            let red = || red::is_red(trimmed).then(|| trouble::shown(trimmed));
            log.troubles.extend(said.or_else(|| trouble::of_status(trimmed, rest)).or_else(red));
        }
        // Within a report as XML stands what tests printed.
        while reported.peek().is_some_and(|report| report.end <= at) {
            reported.next();
        }
        if reported.peek().is_some_and(|report| report.contains(&at)) || tap == Some(at) {
            sessions.end("");
            from = Some(at + 1);
            continue;
        }
        let said = runner::summary(trimmed, rest, built.is_some_and(|built| built > at));
        if let Some(said) = said.filter(|_| !echoed.contains(trimmed)) {
            // A run that finds nothing to do may end badly for that.
            if from.is_some()
                && said.summary.runner == "no tests"
                && behind::exits_badly(&trimmed.to_lowercase())
            {
                log.troubles.push(trouble::shown(trimmed));
            }
            if said.ends {
                sessions.end(said.summary.runner);
            }
            let before = lines.get(..at).unwrap_or_default().iter().rev().map(|line| line.trim());
            if let Some(said) =
                before.take(3).find(|line| !line.is_empty()).filter(|line| behind::is_foreign(line))
            {
                log.troubles.push(trouble::shown(said));
            }
            log.summaries.push(said.summary);
            from = Some(at + 1);
        } else if unfinished::is_head(trimmed) {
            sessions.begin(trimmed);
            // What is printed from here on may be of a test.
            if let Some(from) = from.take().filter(|_| unfinished::is_session(trimmed)) {
                behind.push(from..at);
            }
        } else if trimmed == "PASS" {
            sessions.end("go test");
        }
    }
    behind.extend(from.map(|from| from..lines.len()));
    // A command alone is no output of anything.
    if lines.iter().any(|line| !line.trim().is_empty() && !unfinished::is_command(line.trim())) {
        log.troubles.extend(sessions.left());
    }
    behind
}

/// The lines of these parts of the text. Of a line that holds more than its part nothing else is read.
fn numbers(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut line = 0;
    let mut at = 0;
    let mut lines_up_to = |end: usize| {
        let part = text.as_bytes().get(at..end).unwrap_or_default();
        line += memchr::memchr2_iter(b'\n', b'\r', part).count();
        at = end;
        line
    };
    let mut numbers = Vec::with_capacity(spans.len());
    for span in spans {
        let first = lines_up_to(span.start);
        numbers.push(first..lines_up_to(span.end) + 1);
    }
    numbers
}

/// A summary that counts nothing yet.
fn nothing(runner: &'static str) -> TestSummary {
    TestSummary { runner, passed: 0, failed: 0 }
}
