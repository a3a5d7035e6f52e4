//! Signs that a test run did not end well, whatever its summary says: crashes, time-outs, exit codes, builds that broke.

use crate::diff::without_secrets;

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
];

/// The whole line.
const WHOLE: &[&str] = &["Aborted", "Killed", "Terminated", "Segmentation fault", "FAILED", "FAILURES!!!"];

/// What a line says that has an exit code behind it.
const EXITS: &[&str] =
    &["exit status ", "exit code ", "exit code: ", "exited with code ", "exited with status "];

/// What is wrong by this line.
pub(super) fn of(line: &str) -> Option<String> {
    if is_of_a_test_that_passed(line) {
        return None;
    }
    let is_bad = WHOLE.contains(&line)
        || BEGINS.iter().any(|word| line.starts_with(word))
        || ANYWHERE.iter().any(|word| line.contains(word))
        || is_inner_make(line)
        || exits_badly(line);
    is_bad.then(|| {
        let shown: String = without_secrets(line).chars().take(120).collect();
        format!("the test output says: {}", shown.trim())
    })
}

/// Names of tests are full of crashes that did not happen.
fn is_of_a_test_that_passed(line: &str) -> bool {
    let begins = ["ok ", "✓", "✔", "√", "PASS ", "PASSED ", "--- PASS:", "=== RUN"];
    let ends = [" ok", " PASSED", " passed"];
    let within = [" PASSED ", "   Passed "];
    begins.iter().any(|mark| line.starts_with(mark))
        || ends.iter().any(|mark| line.ends_with(mark))
        || within.iter().any(|mark| line.contains(mark))
}

/// `make[1]: *** [test] Error 1`
fn is_inner_make(line: &str) -> bool {
    line.strip_prefix("make[")
        .and_then(|rest| rest.split_once(']'))
        .is_some_and(|(_, rest)| rest.starts_with(": ***"))
}

/// The line ends with an exit code that is not 0, and says little else: programs that are tested have exit codes as well.
fn exits_badly(line: &str) -> bool {
    let Some((before, code)) = EXITS.iter().find_map(|word| line.rsplit_once(word)) else { return false };
    let code = code.trim_end_matches(['.', ')']);
    let is_code =
        !code.is_empty() && code.chars().all(|c| c.is_ascii_digit()) && !code.trim_matches('0').is_empty();
    let own =
        ["", "Process completed with ", "Process finished with ", "script returned ", "Process ", "Command "];
    is_code && own.contains(&before)
}
