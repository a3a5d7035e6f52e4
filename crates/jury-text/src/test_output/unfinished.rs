//! Test runs that began and did not end: what was started and is never heard of again.

use std::collections::BTreeMap;

use jury_core::line::counted;

use super::runner::{GoEvent, is_test_task};

/// What did not end, by these lines.
pub(super) fn of(lines: &[&str]) -> Option<String> {
    cargo(lines)
        .or_else(|| go(lines))
        .or_else(|| nextest(lines))
        .or_else(|| karma(lines))
        .or_else(|| gradle(lines))
        .or_else(|| started(lines))
        .or_else(|| of_all(lines))
}

/// How a run begins, in the words of runners. Some say it in several lines.
const HEADS: &[&str] = &[
    "RUN  v",
    "DEV  v",
    "RUNS ",
    "[==========] Running ",
    "[ RUN      ]",
    "T E S T S",
    "# Running:",
    "Running ExUnit ",
    "Running Suite: ",
    "Test project /",
    "Starting test execution",
    "bun test v",
    "JUnit version ",
    "Thanks for using JUnit",
    "◇ Test run started",
    "lein test ",
    "Randomness seeded to",
    "Creating test database",
    "TAP version ",
    "=== RUN ",
    "(Run Starting)",
    "Jasmine started",
];

/// Words in front of how many tests there are.
const VERBS: &[&str] =
    &["running", "starting", "collected", "found", "executing", "discovered", "collecting"];

/// What is counted behind them.
const UNITS: &[&str] = &[
    "test",
    "tests",
    "item",
    "items",
    "spec",
    "specs",
    "example",
    "examples",
    "scenario",
    "scenarios",
    "test(s)",
];

/// Programs that run tests, as they are called on a command line.
const PROGRAMS: &[&str] = &[
    "pytest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "karma",
    "jasmine",
    "rspec",
    "phpunit",
    "ctest",
    "bats",
    "prove",
    "ginkgo",
    "gotestsum",
    "busted",
];

/// The line begins a run. A line that only begins a single test does so as well: it has to end.
pub(super) fn is_head(line: &str) -> bool {
    let bare = line.trim_matches(['=', '-', ' ', '\t']);
    HEADS.iter().any(|head| line.starts_with(head))
        || bare == "test session starts"
        || line
            .strip_prefix("PHPUnit ")
            .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
        || is_test_class(line)
        || is_suite_of_xcode(line)
        || counts_what_comes(line)
        || is_command(line)
}

/// The line begins a whole session, not a test in it: what stands between a summary and it belongs to no test.
pub(super) fn is_session(line: &str) -> bool {
    is_head(line) && !["=== RUN ", "[ RUN      ]", "RUNS "].iter().any(|single| line.starts_with(single))
}

/// `collected 5 items`, `Starting 5 tests across 2 binaries`, `Running 5 tests using 2 workers`.
fn counts_what_comes(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let verb = words.next().unwrap_or_default();
    VERBS.iter().any(|own| verb.eq_ignore_ascii_case(own))
        && words.next().and_then(|number| number.parse::<u64>().ok()).is_some_and(|number| number > 0)
        && words.next().is_some_and(|unit| UNITS.contains(&unit.trim_end_matches(['.', ',', ':'])))
}

/// `Running com.example.PriceTest`
fn is_test_class(line: &str) -> bool {
    line.strip_prefix("Running ").is_some_and(|class| {
        class.contains('.')
            && class.contains(|c: char| c.is_ascii_uppercase())
            && class.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$'))
    })
}

/// `Test Suite 'All tests' started at …`
fn is_suite_of_xcode(line: &str) -> bool {
    line.starts_with("Test Suite '") && line.contains(" started at ")
}

/// `$ pytest tests`
pub(super) fn is_command(line: &str) -> bool {
    let Some(command) = line.strip_prefix("$ ").or_else(|| line.strip_prefix("+ ")) else { return false };
    let mut words = command.split_whitespace().filter(|word| !word.contains('='));
    let first = words.next().unwrap_or_default();
    let program = first.rsplit('/').next().unwrap_or(first);
    let asks =
        |word: &str| ["--version", "--help", "-V", "--collect-only", "install", "--list"].contains(&word);
    let rest: Vec<&str> = words.collect();
    if rest.iter().any(|word| asks(word)) {
        return false;
    }
    let is_test = |word: &&str| {
        matches!(*word, "test" | "check" | "nextest" | "verify")
            || PROGRAMS.contains(word)
            || word.starts_with("test:")
    };
    let tools = [
        "cargo", "go", "npm", "npx", "yarn", "pnpm", "mvn", "./mvnw", "gradle", "gradlew", "make", "dotnet",
        "deno", "bun", "mix", "swift", "flutter", "dart", "bazel", "rake", "bundle", "composer", "sbt",
        "python", "python3", "node", "zig", "just", "uv", "poetry",
    ];
    PROGRAMS.contains(&program)
        || (tools.contains(&program)
            && rest.iter().take(3).any(is_test)
            && !(program == "cargo" && rest.contains(&"check")))
}

/// Runners that say once that they begin, and once that they ended.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    open: BTreeMap<&'static str, u64>,
    /// A run began behind the last summary.
    head: Option<String>,
}

impl Sessions {
    /// A line that begins something.
    pub(super) fn begin(&mut self, line: &str) {
        let bare = line.trim_matches(['=', ' ']);
        let name = if bare == "test session starts" {
            Some("pytest")
        } else if line.starts_with("[==========] Running ") {
            Some("GoogleTest")
        } else if line.starts_with("RUN  v") {
            Some("Vitest")
        } else {
            None
        };
        if let Some(name) = name {
            *self.open.entry(name).or_default() += 1;
        }
        if self.head.is_none() {
            self.head = Some(line.chars().take(80).collect());
        }
    }

    /// The summary of this runner, or of one that found nothing to run.
    pub(super) fn end(&mut self, runner: &str) {
        self.head = None;
        for (name, open) in &mut self.open {
            // Vitest says two or three lines at its end.
            if *name == "Vitest" && runner == "Vitest" {
                *open = 0;
            } else if *name == runner || runner == "no tests" {
                *open = open.saturating_sub(1);
            }
        }
    }

    /// What began and did not end.
    pub(super) fn left(self) -> Option<String> {
        if let Some(head) = self.head {
            return Some(format!("a run of tests began and did not end: {head}"));
        }
        self.open
            .into_iter()
            .find(|(_, open)| *open > 0)
            .map(|(name, _)| format!("a run of {name} began and did not end"))
    }
}

/// `running 5 tests` without a `test result:`.
fn cargo(lines: &[&str]) -> Option<String> {
    let begun = lines.iter().filter(|line| is_beginning(line.trim())).count();
    let ended = lines.iter().filter(|line| line.trim().starts_with("test result: ")).count();
    (begun > ended).then(|| format!("{} of {begun} test programs did not end", begun - ended))
}

fn is_beginning(line: &str) -> bool {
    let number = line
        .strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or(rest.strip_suffix(" test")));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// `=== RUN   TestX` and `{"Action":"run","Test":"TestX"}` without how it went.
fn go(lines: &[&str]) -> Option<String> {
    let mut open: BTreeMap<String, i64> = BTreeMap::new();
    for line in lines.iter().map(|line| line.trim()) {
        if let Some(name) = line.strip_prefix("=== RUN ") {
            open.insert(name.trim().to_owned(), 1);
        } else if let Some(rest) = line.strip_prefix("--- ")
            && let Some((_, named)) = rest.split_once(": ")
        {
            open.remove(named.split(' ').next().unwrap_or(named));
        } else if line.starts_with('{')
            && let Some(event) = GoEvent::of(line)
            && let Some(test) = event.test
        {
            let step = match event.action.as_ref() {
                "run" => 1,
                "pass" | "fail" | "skip" => -1,
                _ => 0,
            };
            *open.entry(test.into_owned()).or_default() += step;
        }
    }
    open.into_iter()
        .find(|(_, open)| *open > 0)
        .map(|(name, _)| format!("the test {} did not end", name.chars().take(80).collect::<String>()))
}

/// `Summary […] 3/5 tests run:`
fn nextest(lines: &[&str]) -> Option<String> {
    lines.iter().find_map(|line| {
        let (counts, _) = line.split_once(" tests run: ")?;
        let (ran, all) = counts.rsplit(' ').next()?.split_once('/')?;
        let (ran, all) = (ran.parse::<u64>().ok()?, all.parse::<u64>().ok()?);
        fewer(ran, all)
    })
}

fn fewer(ran: u64, all: u64) -> Option<String> {
    (ran < all).then(|| format!("{ran} of {} ran", counted(all, "test", "tests")))
}

/// `Chrome: Executed 3 of 5 SUCCESS`: each browser counts up to its last line.
fn karma(lines: &[&str]) -> Option<String> {
    let mut last: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for line in lines {
        let Some((browser, counts)) = line.split_once("Executed ") else { continue };
        let mut words = counts.split_whitespace();
        let mut number =
            || words.next().and_then(|word| word.trim_matches(['(', ')', ',']).parse::<u64>().ok());
        let Some(ran) = number() else { continue };
        if words.next() != Some("of") {
            continue;
        }
        let Some(all) = words.next().and_then(|word| word.trim_matches(['(', ')', ',']).parse::<u64>().ok())
        else {
            continue;
        };
        let skipped = counts
            .split_once("(skipped ")
            .and_then(|(_, rest)| rest.split(')').next())
            .and_then(|number| number.parse::<u64>().ok())
            .unwrap_or(0);
        last.insert(browser.trim(), (ran.saturating_add(skipped), all));
    }
    last.into_values().find_map(|(ran, all)| fewer(ran, all))
}

/// A task that runs tests, with no end of the build behind it.
fn gradle(lines: &[&str]) -> Option<String> {
    let built = |line: &str| line.starts_with("BUILD SUCCESSFUL") || line.starts_with("BUILD FAILED");
    let ran = |line: &str| {
        line.strip_prefix("> Task :").is_some_and(|task| !task.contains(' ') && is_test_task(task))
    };
    let last = lines.iter().rev().map(|line| line.trim()).find(|line| built(line) || ran(line))?;
    ran(last).then(|| format!("the build did not end behind {}", last.chars().take(80).collect::<String>()))
}

/// `PriceTest > more() STARTED` without how it went.
fn started(lines: &[&str]) -> Option<String> {
    let mut open: BTreeMap<&str, bool> = BTreeMap::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| line.contains(" > ")) {
        if let Some(name) = line.strip_suffix(" STARTED") {
            open.insert(name, true);
        } else if let Some((name, _)) = line.rsplit_once(' ') {
            open.remove(name);
        }
    }
    open.into_keys()
        .next()
        .map(|name| format!("the test {} did not end", name.chars().take(80).collect::<String>()))
}

/// `Test Files  5 passed (6)` of Vitest, and `Tasks:  3 successful, 4 total` of turbo: less than all.
fn of_all(lines: &[&str]) -> Option<String> {
    lines.iter().map(|line| line.trim()).find_map(|line| {
        let numbers = |text: &str| {
            text.split(|c: char| !c.is_ascii_digit())
                .filter_map(|number| number.parse::<u64>().ok())
                .collect::<Vec<_>>()
        };
        let (counts, all) = if line.starts_with("Test Files  ") || line.starts_with("Tests  ") {
            line.strip_suffix(')')?.rsplit_once(" (")?
        } else {
            line.strip_prefix("Tasks:")?.strip_suffix(" total")?.rsplit_once(", ")?
        };
        let all: u64 = all.parse().ok()?;
        fewer(numbers(counts).into_iter().fold(0, u64::saturating_add), all)
    })
}
