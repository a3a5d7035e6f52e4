//! Signs that a test run did not end well, whatever its summary says: crashes, time-outs, exit codes, builds that broke.

use crate::diff::without_secrets;

use super::behind::{MARKS, exits_badly};

/// Anywhere in a line.
const ANYWHERE: &[&str] = &[
    // Crashes.
    "Segmentation fault",
    "(core dumped)",
    "(signal: ",
    "didn't exit successfully",
    "Bus error (",
    "Illegal instruction",
    "double free or corruption",
    "stack smashing detected",
    "Fatal Python error",
    "INTERNALERROR>",
    "JavaScript heap out of memory",
    "ERROR: AddressSanitizer",
    "WARNING: ThreadSanitizer",
    "ERROR: LeakSanitizer",
    "fatal error: all goroutines are asleep",
    "fatal runtime error:",
    "has overflowed its stack",
    "Test host process crashed",
    "test run was aborted",
    "The forked VM terminated without",
    "***Exception",
    "node down: Not properly terminated",
    "Restarting after unexpected exit, crash",
    "received a shutdown signal",
    "was preempted",
    "WARNING: DATA RACE",
    // Time-outs.
    "+++ Timeout +++",
    "panic: test timed out",
    "***Timeout",
    "Exceeded timeout of",
    "Test timed out in",
    "timeout: sending signal",
    "has exceeded the maximum execution time",
    // What could not be run.
    "Test suite failed to run",
    "error: could not compile",
    "error: test failed",
    "[build failed]",
    "[setup failed]",
    "BUILD FAILURE",
    "COMPILATION ERROR",
    "Errors while running CTest",
    "FAIL Required test coverage",
    "errors during collection",
    "error during collection",
    "test result: FAILED",
    "Command failed with exit code",
    "ERR_PNPM_",
    "ELIFECYCLE",
    "** TEST FAILED **",
    "** BUILD FAILED **",
    "): error TS",
    "***Failed",
    "doctest failed",
    "An error occurred while loading",
    "(Not Run)",
    // Only some of the tests were let run.
    "| FOCUSED",
    "Programmatic Focus",
    "fit() or fdescribe() was found",
    // A browser that went away.
    ": Disconnected",
    "because no message in",
    // The output itself says that there was no run.
    "no tests were run",
    "tests were not run",
    "not run the tests",
    "not run any tests",
];

/// At the beginning of a line.
const BEGINS: &[&str] = &[
    "BUILD FAILED",
    "Bail out!",
    "npm ERR!",
    "npm error",
    "make: ***",
    "gmake: ***",
    "ninja: build stopped",
    "error[E",
    "##[error]",
    "ERROR collecting",
    "TIMEOUT [",
    "SIGSEGV [",
    "SIGABRT [",
    "SIGKILL [",
    "SIGNAL [",
    "ABORT [",
    "Test Run Failed",
    "Test Run Aborted",
    "FAILURES!",
    "ERRORS!",
    "Jest: \"",
    "Killed:",
    "error: Recipe `",
    "rake aborted!",
    "SystemCheckError:",
    "FAILURE: Build failed",
    "Execution failed for task",
    "signal: ",
    "!!!!",
    "NMAKE : fatal error",
    "Unhandled ",
    "Uncaught ",
    "** (EXIT from",
    "** (Mix)",
    "terminate called ",
    "TEST RUN INCOMPLETE",
    "TEST RUN FAILED",
];

/// The whole line.
const WHOLE: &[&str] =
    &["Aborted", "Killed", "Terminated", "Segmentation fault", "FAILED", "FAILURES!!!", "^C", "Hangup"];

/// What stands in front of an exit code that is the run's own: programs that are tested have exit codes as well.
const OWN: &[&str] = &[
    "exit",
    "process completed ",
    "process finished ",
    "process exited ",
    "script returned ",
    "command ",
    "the command ",
    "error: process ",
    "##[error]",
    "error: command ",
    "error command ",
];

/// What is wrong by this line.
pub(super) fn of(line: &str) -> Option<String> {
    if is_of_a_test_that_passed(line) {
        return None;
    }
    says(line).then(|| shown(line))
}

/// What is wrong by this line, which stands where it can only be about the run itself.
pub(super) fn shown(line: &str) -> String {
    let shown: String = without_secrets(line).chars().take(120).collect();
    format!("the test output says: {}", shown.trim())
}

fn says(line: &str) -> bool {
    WHOLE.contains(&line)
        || BEGINS.iter().any(|word| line.starts_with(word))
        || ANYWHERE.iter().any(|word| line.contains(word))
        || is_make(line)
        || is_npm(line)
        || counts_bad(line)
        || misses_coverage(line)
        || exits(line)
        || progresses_badly(line)
        || fails_elsewhere(line)
        || is_bad_report(line)
}

/// `tests/test_a.py ..F.  [100%]`, and `collected 40 items / 1 error`: what pytest says on its way.
fn progresses_badly(line: &str) -> bool {
    if let Some(counts) = line.strip_prefix("collected ") {
        return counts.contains(" / ") && counts.contains(" error");
    }
    let Some((dots, share)) = line.strip_suffix("%]").and_then(|line| line.rsplit_once('[')) else {
        return false;
    };
    let dots = dots.split_whitespace().next_back().unwrap_or_default();
    share.trim().parse::<u64>().is_ok()
        && dots.chars().all(|c| matches!(c, '.' | 'F' | 'E' | 's' | 'x' | 'X' | 'R'))
        && dots.contains(['F', 'E'])
}

/// `Fehler!  : Fehler: 1, erfolgreich: 9, …`: dotnet counts what failed first, in every language. `Failed: api#test`: turbo names
/// the tasks that failed. `✖ more are cheaper (0.5ms)`: node names a test that failed.
fn fails_elsewhere(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("Failed:") {
        return rest.contains('#');
    }
    if line.starts_with(['✖', '✘']) && line.ends_with("s)") {
        let time = line.rsplit_once(" (").map_or("", |(_, time)| time);
        return time.trim_end_matches(['m', 's', ')']).parse::<f64>().is_ok();
    }
    let Some((word, counts)) = line.split_once('!') else { return false };
    if word.contains(' ') && word.trim_end().contains(' ') || counts.split(", ").count() < 4 {
        return false;
    }
    let counts = counts.trim_start().trim_start_matches(['-', ':']);
    let first = counts.split(',').next().and_then(|count| count.rsplit_once(':'));
    first.is_some_and(|(_, number)| number.trim().parse::<u64>().is_ok_and(|number| number > 0))
}

/// A report as JSON counts failures: of Jest, or of Mocha.
fn is_bad_report(line: &str) -> bool {
    if !line.starts_with('{') {
        return false;
    }
    let counts = |key: &str| {
        let behind = line.split_once(key).map_or("", |(_, rest)| rest).trim_start_matches([':', ' ']);
        let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().is_ok_and(|number| number > 0)
    };
    ["\"numFailedTests\"", "\"numFailedTestSuites\"", "\"numRuntimeErrorTestSuites\""]
        .iter()
        .any(|key| counts(key))
        || line.contains("\"passes\"") && counts("\"failures\"")
}

/// `+ echo $?` and a status below it that is not 0.
pub(super) fn of_status(line: &str, rest: &[&str]) -> Option<String> {
    let command = line.trim_start_matches(['$', '+', '>', ' ']);
    let status: u64 = rest.first().filter(|_| command == "echo $?")?.trim().parse().ok()?;
    (status > 0).then(|| format!("the test output says: the status was {status}"))
}

/// Names of tests are full of crashes that did not happen.
pub(super) fn is_of_a_test_that_passed(line: &str) -> bool {
    let never = ["error:", "Error:", "ERROR:", "fatal:", "PASS |"];
    if never.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let begins = ["ok ", "✓", "✔", "√", "PASS ", "PASSED ", "--- PASS:", "=== RUN"];
    let ends = [" ok", " PASSED", " passed"];
    let within = [" PASSED ", "   Passed "];
    begins.iter().any(|mark| line.starts_with(mark))
        || ends.iter().any(|mark| line.ends_with(mark))
        || within.iter().any(|mark| line.contains(mark))
}

/// `make[1]: *** [test] Error 1`, by any make.
fn is_make(line: &str) -> bool {
    let Some((program, _)) = line.split_once(": *** ") else { return false };
    let name = program.split('[').next().unwrap_or(program);
    name.ends_with("make") && !name.contains(' ')
}

/// `npm ERR! …`, `lerna ERR! …`
fn is_npm(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(program, rest)| {
        rest.starts_with("ERR! ") && program.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    })
}

/// `1 uncaught exception`, `✖ 1 of 3 failed`, `✖ Timed out while running tests`.
fn counts_bad(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| MARKS.contains(&c) || c == ' ' || c == '⎯');
    let lower: String = bare.chars().take(60).collect::<String>().to_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.next().unwrap_or_default();
    let number =
        first.split('/').next().and_then(|number| number.parse::<u64>().ok()).filter(|number| *number > 0);
    let rest: Vec<&str> = words.take(3).collect();
    let is_marked = line.starts_with(MARKS);
    match (number, rest.as_slice()) {
        (Some(_), ["uncaught" | "unhandled", ..] | ["of", _, "failed"]) => true,
        (Some(_), ["failed", ..]) => first.contains('/'),
        _ if lower.starts_with("timed out") => is_marked,
        _ => bare.len() < line.len() && (lower.starts_with("unhandled ") || lower.starts_with("uncaught ")),
    }
}

/// Less is covered than is asked for, with a figure. Runners of Python say so before their summary.
fn misses_coverage(line: &str) -> bool {
    if !line.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let lower = line.to_lowercase();
    let misses = [
        "not met",
        "not reached",
        "not meet",
        "below",
        "less than",
        "lower than",
        "failure",
        "failed",
        "insufficient",
        "too low",
        "but expected minimum",
        "under the",
        "violated",
    ];
    (lower.contains("coverage") || lower.contains("covered"))
        && !lower.contains("no file")
        && misses.iter().any(|word| lower.contains(word))
}

fn exits(line: &str) -> bool {
    let lower = line.to_lowercase();
    OWN.iter().any(|own| lower.starts_with(own)) && exits_badly(&lower)
}

/// A program of Go that dumps its stacks, or a package that does not build: its name as a heading, and what is wrong with it.
pub(super) fn of_go(line: &str, rest: &[&str]) -> Option<String> {
    if line.starts_with("panic: ") {
        let dumps = rest.iter().take(3).any(|line| line.starts_with("goroutine ") && line.contains(" ["));
        return dumps.then(|| shown(line));
    }
    if let Some(package) = line.strip_prefix("# ") {
        let next = rest.first()?.trim();
        let names = package.split_whitespace().count();
        let place =
            next.split_once(".go:").is_some_and(|(_, place)| place.starts_with(|c: char| c.is_ascii_digit()));
        return ((1..=2).contains(&names) && (place || next.starts_with("vet: "))).then(|| shown(next));
    }
    None
}
