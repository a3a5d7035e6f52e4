//! What the output of a test run shows, and whether that is green. The words of runners are read elsewhere; this is the rule.
//!
//! A run is green when at least one summary could be read, at least one test passed, and nothing failed, broke off, crashed
//! or ran out of time. What a run record says about its tests makes nothing green.

/// One summary of a test runner, or one sign of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSummary {
    /// The runner whose words they are.
    pub runner: &'static str,
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed or could not be run, and whole suites of which that is said.
    pub failed: u64,
}

/// What was read in the output of a test run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestLog {
    /// The summaries, in the order of the output.
    pub summaries: Vec<TestSummary>,
    /// Lines that say that the run did not end well: a crash, a time-out, an exit code, a run that broke off.
    pub troubles: Vec<String>,
    /// The output says that part of it is left out.
    pub cut: bool,
}

/// How a test run stands, by its output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TestReading {
    /// There is no output.
    #[default]
    Absent,
    /// There is output, and no summary of a test runner in it.
    Unreadable,
    /// Part of the output is left out, and what is there is not red.
    Cut,
    /// The summaries count no test that passed, and none that failed.
    NoTests,
    /// So many tests passed, and nothing speaks against it.
    Green {
        /// How many tests passed, as far as the runner counts them.
        passed: u64,
    },
    /// A test failed, or the run did not end well.
    Red {
        /// What the output says, on one line.
        why: String,
    },
}

impl TestLog {
    /// How the run stands.
    pub fn reading(&self) -> TestReading {
        let sum =
            |count: fn(&TestSummary) -> u64| self.summaries.iter().map(count).fold(0, u64::saturating_add);
        let (passed, failed) = (sum(|own| own.passed), sum(|own| own.failed));
        if failed > 0 {
            let runner = self.summaries.iter().find(|own| own.failed > 0).map_or("", |own| own.runner);
            let tests =
                if failed == 1 { "1 test failed".to_owned() } else { format!("{failed} tests failed") };
            return TestReading::Red { why: format!("{tests} ({runner})") };
        }
        if let Some(trouble) = self.troubles.first() {
            return TestReading::Red { why: trouble.clone() };
        }
        if self.cut && !self.summaries.is_empty() {
            return TestReading::Cut;
        }
        match (self.summaries.is_empty(), passed) {
            (true, _) => TestReading::Unreadable,
            (false, 0) => TestReading::NoTests,
            (false, passed) => TestReading::Green { passed },
        }
    }
}

impl TestReading {
    /// What a judgement without a model lacks because of it; none for a run that is green, or red.
    pub fn lack(&self) -> Option<&'static str> {
        match self {
            Self::Absent => Some("there is no test output; give it with --tests or as test_output"),
            Self::Unreadable => {
                Some("the test output has no summary of a test runner that is known, so it is not green")
            }
            Self::Cut => {
                Some("part of the test output is left out, and nobody knows what it said; give all of it")
            }
            Self::NoTests => Some("no test ran, by the test output"),
            Self::Green { .. } | Self::Red { .. } => None,
        }
    }
}

/// What a judgement without a model rests on, beside the diff. Without all of it there is no pass: marks that nothing
/// objects to are worth nothing where nothing was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OfflineGrounds {
    /// It is known what was asked.
    pub prompt: bool,
    /// What the output of the tests shows.
    pub tests: TestReading,
    /// What of the change only an opinion can vouch for, a sentence each.
    pub unjudged: Vec<String>,
}

impl OfflineGrounds {
    /// What is missing, one line each, the gravest first.
    pub fn missing(&self) -> Vec<&str> {
        let prompt =
            (!self.prompt).then_some("there is no prompt to compare the diff with; give it with --prompt");
        let unjudged = self.unjudged.iter().map(String::as_str);
        self.tests.lack().into_iter().chain(prompt).chain(unjudged).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(counts: &[(u64, u64)], troubles: &[&str]) -> TestReading {
        let summaries = counts.iter().map(|(passed, failed)| TestSummary {
            runner: "x",
            passed: *passed,
            failed: *failed,
        });
        let troubles = troubles.iter().map(|line| (*line).to_owned()).collect();
        TestLog { summaries: summaries.collect(), troubles, cut: false }.reading()
    }

    #[test]
    fn only_tests_that_passed_and_nothing_else_are_green() {
        assert_eq!(log(&[(3, 0), (4, 0)], &[]), TestReading::Green { passed: 7 });
        assert_eq!(log(&[(3, 0), (0, 0)], &[]), TestReading::Green { passed: 3 });
        assert_eq!(log(&[], &[]), TestReading::Unreadable);
        assert_eq!(log(&[(0, 0)], &[]), TestReading::NoTests);
        assert_eq!(log(&[(9, 1)], &[]), TestReading::Red { why: "1 test failed (x)".to_owned() });
        assert_eq!(log(&[(9, 0)], &["Killed"]), TestReading::Red { why: "Killed".to_owned() });
        assert_eq!(log(&[], &["Killed"]), TestReading::Red { why: "Killed".to_owned() });
        let passed = TestSummary { runner: "x", passed: 3, failed: 0 };
        let cut = TestLog { summaries: vec![passed], troubles: Vec::new(), cut: true };
        assert_eq!(cut.reading(), TestReading::Cut);
        assert!(cut.reading().lack().is_some());
    }

    #[test]
    fn a_pass_without_a_model_needs_a_prompt_and_green_output() {
        let missing = |prompt, tests| OfflineGrounds { prompt, tests, unjudged: Vec::new() }.missing().len();
        assert_eq!(missing(true, TestReading::Green { passed: 1 }), 0);
        assert_eq!(missing(false, TestReading::Green { passed: 1 }), 1);
        assert_eq!(missing(false, TestReading::Absent), 2);
        for tests in [TestReading::Absent, TestReading::Unreadable, TestReading::NoTests] {
            assert_eq!(missing(true, tests), 1);
        }
        let unjudged = vec!["a test is another test".to_owned()];
        let grounds = OfflineGrounds { prompt: true, tests: TestReading::Green { passed: 1 }, unjudged };
        assert_eq!(grounds.missing(), ["a test is another test"]);
    }
}
