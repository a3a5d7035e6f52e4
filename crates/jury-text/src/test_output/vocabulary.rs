//! The words of summaries. A runner counts, and says nothing else: a line with any other word is a sentence about a run, not
//! the summary of one.

/// What stands in the summaries of runners, beside numbers.
const WORDS: &[&str] = &[
    // What went well, and what did not.
    "ok",
    "pass",
    "passed",
    "passes",
    "passing",
    "success",
    "successes",
    "successful",
    "successfully",
    "succeeded",
    "fail",
    "failed",
    "failing",
    "fails",
    "failure",
    "failures",
    "error",
    "errors",
    "errored",
    "broken",
    "crashed",
    "timed",
    "timeout",
    "timeouts",
    "exec",
    "interrupted",
    "killed",
    "undefined",
    "unexpected",
    "xpass",
    "xpassed",
    // What was left out.
    "skip",
    "skipped",
    "skips",
    "ignored",
    "pending",
    "pendings",
    "todo",
    "xfail",
    "xfailed",
    "omissions",
    "excluded",
    "disabled",
    "deselected",
    "incomplete",
    "inconclusive",
    "risky",
    "canceled",
    "cancelled",
    "filtered",
    "invalid",
    "notrun",
    "blacklisted",
    "selected",
    // What is counted.
    "test",
    "tests",
    "testcase",
    "testcases",
    "total",
    "totals",
    "run",
    "runs",
    "ran",
    "example",
    "examples",
    "spec",
    "specs",
    "scenario",
    "scenarios",
    "step",
    "steps",
    "feature",
    "features",
    "doctest",
    "doctests",
    "property",
    "properties",
    "case",
    "cases",
    "suite",
    "suites",
    "file",
    "files",
    "container",
    "containers",
    "group",
    "groups",
    "assertion",
    "assertions",
    "expectation",
    "expectations",
    "snapshot",
    "snapshots",
    "subtest",
    "subtests",
    "warning",
    "warnings",
    "warn",
    "deprecation",
    "deprecations",
    "deprecated",
    "notice",
    "notices",
    "notifications",
    "flaky",
    "slow",
    "leaky",
    "retry",
    "retries",
    "retried",
    "rerun",
    "reruns",
    "measured",
    "benchmarks",
    // How long it took.
    "in",
    "time",
    "duration",
    "elapsed",
    "took",
    "finished",
    "after",
    "second",
    "seconds",
    "sec",
    "secs",
    "s",
    "ms",
    "us",
    "µs",
    "μs",
    "ns",
    "m",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hours",
    "wallclock",
    "usr",
    "sys",
    "cusr",
    "csys",
    "cpu",
    // What it is called, and what holds it together.
    "result",
    "results",
    "summary",
    "status",
    "final",
    "unit",
    "integration",
    "functional",
    "acceptance",
    "regression",
    "smoke",
    "phpunit",
    "all",
    "and",
    "of",
    "out",
    "with",
    "from",
    "across",
    "containing",
    "completed",
    "executed",
    "done",
    "found",
    "locally",
    "outside",
    "occurred",
];

/// Behind these a runner says how long it took and where, in words of its own.
const TAILS: &[&str] = &[", Time elapsed: ", ", Duration: ", ", duration: "];

/// The line is made of counts and the words of summaries, and of `more` words that one runner has.
pub(super) fn is_of_counts(line: &str, more: &[&str]) -> bool {
    // The sign in front of what node says counts as a letter.
    let line = line.trim_start_matches('ℹ');
    let line = TAILS
        .iter()
        .find_map(|tail| line.split_once(tail))
        .filter(|(_, time)| time.starts_with(|c: char| c.is_ascii_digit() || c == '<'))
        .map_or(line, |(counts, _)| counts);
    // A runner neither quotes nor underlines itself.
    if line.contains(['"', '\'', '`', '*', '?']) {
        return false;
    }
    // There are no -3 tests.
    if line.trim_start().strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        return false;
    }
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '.').map(|word| word.trim_matches('.'));
    let mut before = "";
    let mut is = true;
    while let Some(word) = words.next().filter(|_| is) {
        if word.is_empty() {
            continue;
        }
        is = if word.eq_ignore_ascii_case("expected") {
            // Failures that are expected are counted; a run that is expected was not made.
            before == "as" || words.next().is_some_and(|next| matches!(next, "failure" | "failures" | "fail"))
        } else {
            is_known(word, more) || word == "as"
        };
        before = word;
    }
    is
}

/// A word of summaries, or a number with or without its unit: `12`, `0.12s`, `3ms`.
fn is_known(word: &str, more: &[&str]) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if unit.is_empty() {
        return true;
    }
    if unit.len() < word.len() {
        return matches!(unit, "s" | "ms" | "us" | "µs" | "μs" | "ns" | "m" | "h" | "sec" | "secs" | "min")
            || unit.chars().any(|c| c.is_ascii_digit());
    }
    let lower = word.to_lowercase();
    WORDS.contains(&lower.as_str()) || more.contains(&lower.as_str())
}
