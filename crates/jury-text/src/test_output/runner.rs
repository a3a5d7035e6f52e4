//! Test runners: by which words the summary of each is known, and what is counted in it.

use std::borrow::Cow;

use jury_core::judge::TestSummary;
use serde::Deserialize;

use super::line::Tally;
use super::nothing;
use super::vocabulary::is_of_counts;

/// What of a summary is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// What is called passed and failed.
    Said,
    /// What is called failed; the rest of all tests passed.
    OfTotal,
    /// What is called failed and nothing else: suites and files are no tests.
    Failures,
    /// No test.
    None,
}

/// How the summary of a runner is read.
#[derive(Debug, Clone, Copy)]
pub struct TestRunner {
    /// The name in messages.
    pub name: &'static str,
    is: fn(&str) -> bool,
    counts: Counts,
}

const fn row(name: &'static str, is: fn(&str) -> bool, counts: Counts) -> TestRunner {
    TestRunner { name, is, counts }
}

/// The runners whose summaries are known, the most particular first. Those of several lines are in [`several_lines`].
pub const RUNNERS: &[TestRunner] = &[
    row("no tests", says_none, Counts::None),
    row("cargo test", |line| line.starts_with("test result: "), Counts::Said),
    row("cargo nextest", |line| line.contains(" tests run: ") || line.contains(" test run: "), Counts::Said),
    row("Maven or JUnit", |line| line.contains("Tests run:") && line.contains("Failures:"), Counts::OfTotal),
    row(
        "JUnit console",
        |line| {
            line.starts_with('[') && has_any(line, &["tests successful", "tests failed", "containers failed"])
        },
        Counts::Said,
    ),
    row("JUnit or PHPUnit", |line| line.starts_with("OK (") && line.contains(" test"), Counts::OfTotal),
    row("PHPUnit", |line| line.starts_with("Tests:") && line.contains("Assertions:"), Counts::OfTotal),
    row("Jest", |line| line.starts_with("Tests:"), Counts::Said),
    row("Jest", |line| line.starts_with("Test Suites:"), Counts::Failures),
    row("Vitest", |line| line.starts_with("Tests  ") && line.ends_with(')'), Counts::Said),
    row("Vitest", |line| line.starts_with("Test Files  ") || line.starts_with("Errors  "), Counts::Failures),
    row("gotestsum", |line| line.starts_with("DONE ") && line.contains(" test"), Counts::OfTotal),
    row("Gradle", |line| has_any(line, &["tests completed", "test completed"]), Counts::OfTotal),
    row("RSpec", |line| counts_first(line, &["example", "examples"]), Counts::OfTotal),
    row(
        "minitest",
        |line| counts_first(line, &["run", "runs", "test", "tests"]) && line.contains(" assertion"),
        Counts::OfTotal,
    ),
    row(
        "bats, ExUnit or Jasmine",
        |line| counts_first(line, UNITS) && line.contains(" failure"),
        Counts::OfTotal,
    ),
    row(
        "dotnet test",
        |line| line.starts_with("Total tests: ") || line.starts_with("Test summary: "),
        Counts::Said,
    ),
    row("dotnet test", |line| line.contains("Failed:") && line.contains("Passed:"), Counts::Said),
    row("Deno", |line| line.starts_with("ok | ") || line.starts_with("FAILED | "), Counts::Said),
    row("Mocha", |line| is_only(line, &["passing", "failing", "pending"]), Counts::Said),
    row("Bun", |line| is_only(line, &["pass", "fail"]), Counts::Said),
    row(
        "Playwright",
        |line| {
            is_only(line, &["passed", "failed", "flaky", "interrupted", "broken", "crashed"])
                || line.ends_with(" did not run")
        },
        Counts::Said,
    ),
    row("Cucumber", |line| counts_first(line, &["scenario", "scenarios"]), Counts::Said),
    row("node --test", is_of_node, Counts::Said),
    row("automake", |line| line.starts_with("# ") && is_label(line.trim_start_matches("# ")), Counts::Said),
    row("Catch2 or doctest", |line| line.contains("test cases:") && line.contains(" | "), Counts::Said),
    row(
        "Catch2",
        |line| line.starts_with("All tests passed (") && line.contains("test case"),
        Counts::OfTotal,
    ),
    row("XCTest", |line| line.starts_with("Executed ") && line.contains(", with "), Counts::OfTotal),
    row("Karma", |line| line.contains("Executed ") && has_any(line, &["SUCCESS", "FAILED"]), Counts::Said),
    row("Bazel", |line| line.starts_with("Executed ") && line.contains("out of"), Counts::Said),
    row("Zig", |line| line.starts_with("All ") && line.contains(" tests passed"), Counts::Said),
    row("testthat", |line| line.starts_with("[ FAIL "), Counts::Said),
    row("busted", |line| line.contains(" successes / ") || line.contains(" success / "), Counts::Said),
    row("Alcotest", |line| line.ends_with(" tests run.") || line.ends_with(" test run."), Counts::OfTotal),
    row(
        "AVA",
        |line| counts_first(line, &["test", "tests"]) && ends_any(line, &["passed", "failed"]),
        Counts::Said,
    ),
    row("counts", is_label, Counts::Said),
    row("counts", says_both, Counts::Said),
];

/// What tests are called in front of their failures.
const UNITS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "doctest",
    "doctests",
    "property",
    "properties",
    "feature",
    "features",
];

/// What runners say that found nothing to run.
const NOTHING: &[&str] = &[
    "no tests ran",
    "no tests found",
    "no test files",
    "no tests executed",
    "no tests to run",
    "no tests were found",
    "no test is available",
    "no specs found",
    "0 tests found",
    "result: notests",
    "tests  no tests",
];

fn says_none(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    // A package without tests among others is said in the same words, and is no less than none.
    has_any(&line, NOTHING)
}

/// What a line says, and whether it ends a run. Lines about a single test do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) summary: TestSummary,
    pub(super) ends: bool,
}

/// The summary that begins on this line; `rest` is what follows it, and `built` whether a build ends well in there.
pub(super) fn summary(line: &str, rest: &[&str], built: bool) -> Option<Said> {
    if let Some(summary) = go(line).or_else(|| each(line)) {
        return Some(Said { ends: line.starts_with("ok") || line.starts_with("FAIL"), summary });
    }
    if let Some(summary) = several_lines(line, rest, built) {
        let ends = !line.starts_with("> Task :");
        return Some(Said { summary, ends });
    }
    one_line(line).map(|summary| Said { summary, ends: true })
}

fn one_line(line: &str) -> Option<TestSummary> {
    let runner = RUNNERS.iter().find(|runner| (runner.is)(line))?;
    let tally = Tally::of(line);
    let failed = tally.failed.unwrap_or(0);
    // A browser stands in front of what Karma says of it.
    let own =
        if runner.name == "Karma" { line.find("Executed ").and_then(|at| line.get(at..)) } else { None };
    if runner.counts != Counts::None && !is_of_counts(own.unwrap_or(line), words_of(line)) {
        // A sentence shows nothing that passed. What it says of failures is believed.
        return (failed > 0).then_some(TestSummary { runner: runner.name, passed: 0, failed });
    }
    let passed = match runner.counts {
        Counts::Said => tally.passed.unwrap_or(0),
        Counts::OfTotal => tally.passed_of_total(),
        Counts::Failures | Counts::None => 0,
    };
    Some(TestSummary {
        runner: runner.name,
        passed,
        failed: if runner.counts == Counts::None { 0 } else { failed },
    })
}

/// Words that one runner counts with and others do not.
fn words_of(line: &str) -> &'static [&'static str] {
    if line.starts_with("OK (") { &["checks"] } else { &[] }
}

/// Summaries that take more than the counts of one line.
fn several_lines(line: &str, rest: &[&str], built: bool) -> Option<TestSummary> {
    let next = |begins: &[&str]| {
        let mut said = rest.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).take(4);
        said.find(|line| begins.iter().any(|word| line.starts_with(word)))
    };
    let ran = |name, passed: u64, failed: u64| Some(TestSummary { runner: name, passed, failed });
    let tally = Tally::of(line);
    if let Some(counts) = pytest(line) {
        return ran("pytest", counts.passed.unwrap_or(0), counts.failed.unwrap_or(0));
    }
    let counts = is_of_counts(line, &[]);
    if counts && line.starts_with("Ran ") && line.contains(" test") && line.contains(" in ") {
        let total = tally.total.unwrap_or(0);
        return Some(match next(&["OK", "FAILED", "NO TESTS RAN"]) {
            Some(said) if said.starts_with("OK") && is_of_counts(said, &[]) => {
                let passed = total.saturating_sub(Tally::of(said).skipped);
                TestSummary { runner: "unittest", passed, failed: 0 }
            }
            Some(said) if said.starts_with("FAILED") => {
                let failed = Tally::of(said).failed.unwrap_or(1).max(1);
                TestSummary { runner: "unittest", passed: total.saturating_sub(failed), failed }
            }
            // Without its last word it did not end, unless nothing ran.
            Some(_) | None => TestSummary { runner: "unittest", passed: 0, failed: u64::from(total > 0) },
        });
    }
    if counts && line.starts_with("Ran ") && line.contains(" containing ") {
        let failed = next(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
            .map_or(1, |said| Tally::of(said).failed.unwrap_or(1));
        return ran("clojure.test", tally.total.unwrap_or(0).saturating_sub(failed), failed);
    }
    if counts && line.starts_with("Files=") && line.contains("Tests=") {
        let passed = tally.total.unwrap_or(0);
        return Some(match next(&["Result: "]) {
            Some("Result: PASS") => TestSummary { runner: "prove", passed, failed: 0 },
            Some("Result: NOTESTS") => nothing("prove"),
            Some(_) | None => TestSummary { runner: "prove", passed: 0, failed: 1 },
        });
    }
    if counts && line.contains("tests passed, ") && line.contains(" failed out of ") {
        let failed = tally.failed.unwrap_or(1);
        let total = line.rsplit(' ').next().and_then(|last| last.parse::<u64>().ok()).unwrap_or(0);
        return ran("ctest", total.saturating_sub(failed), failed);
    }
    if let Some(task) = line.strip_prefix("> Task :") {
        return gradle(task, built);
    }
    if let Some(number) = line.strip_prefix("Running ").and_then(|rest| rest.strip_suffix("..."))
        && number.ends_with(" test cases") | number.ends_with(" test case")
        && next(&["*** No errors detected"]).is_some()
    {
        return ran("Boost.Test", number.split(' ').next()?.parse().ok()?, 0);
    }
    google(line)
        .or_else(|| dart(line))
        .or_else(|| swift(line))
        .or_else(|| cypress(line))
        .or_else(|| julia(line, rest))
}

/// `✔ Test run with 3 tests in 2 suites passed after 0.1 seconds.`
fn swift(line: &str) -> Option<TestSummary> {
    let (_, rest) = line.split_once(" Test run with ")?;
    let number: u64 = rest.split(' ').next()?.parse().ok()?;
    let (passed, failed) = match line.chars().next()? {
        '✔' if rest.contains(" passed after ") => (number, 0),
        '✔' => return None,
        _ => (0, 1),
    };
    Some(TestSummary { runner: "Swift Testing", passed, failed })
}

/// `✔  All specs passed!  00:03  3  3  -  -  -`: the time, the tests, and those that passed.
fn cypress(line: &str) -> Option<TestSummary> {
    let (_, counts) = line.split_once(" All specs passed!")?;
    let mut counts = counts.split_whitespace();
    let is_time = counts.next()?.contains([':', 's']);
    let passed = counts.nth(1).filter(|_| is_time)?.parse().ok()?;
    Some(TestSummary { runner: "Cypress", passed, failed: 0 })
}

/// `Test Summary: | Pass  Fail  Total` and the first line below it.
fn julia(line: &str, rest: &[&str]) -> Option<TestSummary> {
    let names = line.strip_prefix("Test Summary:")?.trim_start().strip_prefix('|')?;
    let (_, counts) = rest.first()?.split_once('|')?;
    let mut summary = nothing("Julia");
    for (name, count) in names.split_whitespace().zip(counts.split_whitespace()) {
        match name {
            "Pass" => summary.passed = count.parse().ok()?,
            "Fail" | "Error" => summary.failed = summary.failed.saturating_add(count.parse().ok()?),
            _ => {}
        }
    }
    Some(summary)
}

/// Where every test that is named was skipped, the package that is well has run none.
pub(super) fn only_skipped(lines: &[&str], summaries: &mut [TestSummary]) {
    let says = |mark: &str| lines.iter().any(|line| line.trim_start().starts_with(mark));
    if says("--- SKIP:") && !says("--- PASS:") {
        for summary in summaries.iter_mut().filter(|summary| summary.runner == "go test") {
            summary.passed = 0;
        }
    }
}

/// `== 3 passed, 1 failed in 0.12s ==`, with or without its frame.
fn pytest(line: &str) -> Option<Tally> {
    let line = line.trim_matches(['=', ' ', '!']);
    let (counts, time) = line.split_once(" in ")?;
    let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && time.contains('s');
    let words = [
        "passed",
        "failed",
        "error",
        "errors",
        "skipped",
        "xfailed",
        "xpassed",
        "warning",
        "warnings",
        "deselected",
        "rerun",
        "reruns",
    ];
    let are_counts = counts.split(", ").all(|part| {
        let mut part = part.split(' ');
        let number = part.next().is_some_and(|first| first.parse::<u64>().is_ok());
        // Plug-ins count other things, such as subtests.
        number && part.next_back().is_some_and(|last| words.contains(&last))
    });
    (is_time && are_counts && is_of_counts(line, &[])).then(|| Tally::of(counts))
}

/// A line of `go test -json`.
#[derive(Debug, Deserialize)]
pub(super) struct GoEvent<'a> {
    #[serde(rename = "Action", borrow)]
    pub(super) action: Cow<'a, str>,
    #[serde(rename = "Test", borrow, default)]
    pub(super) test: Option<Cow<'a, str>>,
}

impl<'a> GoEvent<'a> {
    pub(super) fn of(line: &'a str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

/// Lines of `go test`, with and without `-v` and `-json`.
fn go(line: &str) -> Option<TestSummary> {
    let name = "go test";
    let (passed, failed) = (
        TestSummary { runner: name, passed: 1, failed: 0 },
        TestSummary { runner: name, passed: 0, failed: 1 },
    );
    if line.starts_with('{') {
        let event = GoEvent::of(line)?;
        return match (event.action.as_ref(), event.test) {
            ("fail" | "build-fail", _) => Some(failed),
            ("pass", Some(_)) => Some(passed),
            _ => None,
        };
    }
    let mut words = line.split_whitespace();
    let (first, second, third) = (words.next()?, words.next(), words.next());
    let is_time = |word: &str| {
        let bare = word.strip_suffix('s').unwrap_or_default();
        word == "(cached)" || (!bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    match (first, second) {
        ("FAIL", None) | ("---", Some("FAIL:")) => Some(failed),
        ("---", Some("PASS:")) => Some(passed),
        ("ok", Some(_)) if third.is_some_and(is_time) && line.contains("[no tests to run]") => {
            Some(nothing(name))
        }
        ("ok", Some(_)) if third.is_some_and(is_time) && is_go_tail(words.next()) => Some(passed),
        ("FAIL", Some(package)) if third.is_some_and(is_time) || package.contains(['/', '.']) => Some(failed),
        _ => None,
    }
}

/// What may stand behind the time of a package: nothing, or its coverage.
fn is_go_tail(word: Option<&str>) -> bool {
    word.is_none_or(|word| word == "coverage:" || word.starts_with(['[', '(']))
}

/// The task at this path runs tests.
pub(super) fn is_test_task(path: &str) -> bool {
    let name = path.rsplit(':').next().unwrap_or(path);
    name == "test" || name.ends_with("Test") || name.ends_with("Tests")
}

/// A task that runs tests and is not told apart further. It counts nothing, so the end of the build must be there.
fn gradle(task: &str, built: bool) -> Option<TestSummary> {
    let (path, state) = task.split_once(' ').unwrap_or((task, ""));
    match state {
        _ if !is_test_task(path) => None,
        "" if built => Some(TestSummary { runner: "Gradle", passed: 1, failed: 0 }),
        "FAILED" => Some(TestSummary { runner: "Gradle", passed: 0, failed: 1 }),
        _ => Some(nothing("Gradle")),
    }
}

/// Lines about a single test or target that end with how it went: Gradle, and Bazel.
fn each(line: &str) -> Option<TestSummary> {
    let gradle = |word: &str| line.contains(" > ") && line.ends_with(word);
    let bazel = |word: &str| line.starts_with("//") && line.contains(word);
    if gradle(" PASSED") || bazel(" PASSED in ") {
        return Some(TestSummary { runner: "Gradle or Bazel", passed: 1, failed: 0 });
    }
    let bad = gradle(" FAILED")
        || [" FAILED", " TIMEOUT", " NO STATUS", " INCOMPLETE", " REMOTE FAILURE"]
            .iter()
            .any(|word| bazel(word));
    bad.then_some(TestSummary { runner: "Gradle or Bazel", passed: 0, failed: 1 })
}

/// `[  PASSED  ] 3 tests.`
fn google(line: &str) -> Option<TestSummary> {
    let counted = |rest: &str| Tally::of(rest).total;
    if let Some(rest) = line.strip_prefix("[  PASSED  ]") {
        let passed = counted(rest).filter(|_| is_of_counts(rest, &[]))?;
        return Some(TestSummary { runner: "GoogleTest", passed, failed: 0 });
    }
    let rest = line.strip_prefix("[  FAILED  ]")?;
    Some(TestSummary { runner: "GoogleTest", passed: 0, failed: counted(rest).unwrap_or(1).max(1) })
}

/// `00:03 +12 -1: Some tests failed.`
fn dart(line: &str) -> Option<TestSummary> {
    let (counts, said) = line.split_once(": ")?;
    let count = |mark: char| {
        counts
            .split(' ')
            .find_map(|word| word.strip_prefix(mark))
            .and_then(|number| number.parse::<u64>().ok())
    };
    match said {
        "All tests passed!" => Some(TestSummary { runner: "dart test", passed: count('+')?, failed: 0 }),
        "Some tests failed." => Some(TestSummary {
            runner: "dart test",
            passed: count('+').unwrap_or(0),
            failed: count('-').unwrap_or(1),
        }),
        _ => None,
    }
}

/// `ℹ pass 3` and `# pass 3`.
fn is_of_node(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) else { return false };
    let mut words = rest.split_whitespace();
    let known = ["tests", "pass", "fail", "cancelled"];
    words.next().is_some_and(|word| known.contains(&word))
        && words.next().is_some_and(|number| number.parse::<u64>().is_ok())
        && words.next().is_none()
}

/// `Passed: 12` and nothing else.
fn is_label(line: &str) -> bool {
    let Some((label, number)) = line.split_once(':') else { return false };
    let tally = Tally::of(line);
    label.len() <= 40
        && number.trim().parse::<u64>().is_ok()
        && (tally.passed.is_some() || tally.failed.is_some())
}

/// `12 passed, 0 failed`, in either order.
fn says_both(line: &str) -> bool {
    let tally = Tally::of(line);
    line.len() <= 200 && tally.passed.is_some() && tally.failed.is_some()
}

/// The line begins with a number of these.
fn counts_first(line: &str, words: &[&str]) -> bool {
    let mut parts = line.split_whitespace();
    let number = parts.next().is_some_and(|first| first.parse::<u64>().is_ok());
    number && parts.next().is_some_and(|word| words.contains(&word.trim_end_matches([',', ':', '.'])))
}

/// The line is a number of these, with nothing behind it but a time in brackets.
fn is_only(line: &str, words: &[&str]) -> bool {
    let bare = line.split_once(" (").map_or(line, |(bare, _)| bare);
    counts_first(bare, words) && bare.split_whitespace().count() == 2
}

fn has_any(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.contains(word))
}

fn ends_any(line: &str, words: &[&str]) -> bool {
    words.iter().any(|word| line.ends_with(word))
}
