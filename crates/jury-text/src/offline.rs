//! The judge without a model: marks from the mechanical checks of a run and from what was measured in its diff.
//!
//! It has no opinion. It cannot see whether code is right; it can see that tests fail, are gone or check less, that
//! something is not done, that an error is swallowed. So it begins with what a change deserves in which nothing is found,
//! and every fact lowers one mark by a fixed amount:
//!
//! | what | mark | by |
//! |---|---|---|
//! | tests pass; not run; fail | correctness | begins at 0.8; at 0.65; at most 0.3 |
//! | the agent did not end well | correctness, completeness | at most 0.5 |
//! | lint fails | code quality | −0.2 |
//! | the bug scanner objects | code quality, correctness | at most 0.6; −0.1 |
//! | the checker of claims objects | completeness | −0.2 |
//! | first major fact of a dimension | that dimension | at most 0.6; hard-coded answers: at most 0.3 |
//! | each further one | that dimension | −0.15, down to 0.1 |
//! | each minor fact | its dimension | −0.05, all together at most −0.1 |
//! | less than half of the lines were searched | completeness | at most 0.6 |
//!
//! The other marks begin at 0.85. Minor facts alone never cost a pass, and a major one always does. Without a diff, or
//! without a line of it that can be read, there is nothing to measure, and then there is no judgement.
//!
//! Whether the tests pass is read from their output. What the record says of them counts where the output does not tell,
//! and a record that says they fail is believed. Marks that would be a pass are one only with everything that they rest on:
//! the whole diff, what was asked, and test output that is green. Otherwise there is no judgement.

use jury_core::judge::{
    CheckState, Confidence, Dimensions, IssueEvidence, JudgeAnswer, JudgeDimension, JudgeIssue, JudgeVerdict,
    MOST_ISSUES, OfflineGrounds, RunOutcome, RunRecord, TestReading, WorkCoverage,
};
use jury_core::line::counted;
use jury_core::severity::Severity;

use crate::diff::{Detector, DiffEvidence};

/// What the judge is called in records.
pub const NAME: &str = "heuristic";

/// Correctness when the tests pass and nothing is found, and when nobody ran them.
const TESTED: f64 = 0.8;
const UNTESTED: f64 = 0.65;
/// Correctness when they fail, at most.
const FAILING: f64 = 0.3;
/// The other marks when nothing is found.
const CLEAN: f64 = 0.85;
/// What the first major fact of a dimension leaves of it, at most.
const FIRST: f64 = 0.6;
/// What answers made for the tests leave of correctness.
const MADE_UP: f64 = 0.3;
/// What each further one costs, and what is left at the least.
const FURTHER: f64 = 0.15;
const LEAST: f64 = 0.1;
/// What a minor fact costs, and all of them together.
const MINOR: f64 = 0.05;
const MINORS: f64 = 0.1;
/// What an agent that did not end well deserves at most.
const UNFINISHED: f64 = 0.5;
/// The share of a change that must have been seen for a pass.
const SEEN: f64 = 0.5;

/// The dimension that a detector speaks about.
pub fn dimension(detector: Detector) -> JudgeDimension {
    match detector {
        Detector::TestsDeleted
        | Detector::TestsSkipped
        | Detector::AssertionsWeakened
        | Detector::HardCoded
        | Detector::TestSettings => JudgeDimension::Correctness,
        Detector::Stub | Detector::TodoAdded => JudgeDimension::Completeness,
        Detector::CommentedOut | Detector::SwallowedError | Detector::Secret => JudgeDimension::CodeQuality,
        Detector::OutsidePrompt | Detector::GeneratedChurn => JudgeDimension::ScopeAdherence,
    }
}

/// What was measured, as issues of a judgement, the gravest first.
pub fn issues(facts: &[DiffEvidence]) -> Vec<JudgeIssue> {
    let mut sorted: Vec<&DiffEvidence> = facts.iter().collect();
    sorted.sort_by_key(|fact| std::cmp::Reverse(fact.severity));
    sorted
        .into_iter()
        .take(MOST_ISSUES)
        .map(|fact| JudgeIssue {
            severity: fact.severity,
            description: format!("{}: {}", fact.detector.as_str(), fact.text),
            dimension: Some(dimension(fact.detector)),
            evidence: Some(IssueEvidence {
                file: Some(fact.path.clone()),
                line: u32::try_from(fact.line).ok().filter(|line| *line > 0),
                quote: Some(fact.quote.clone()).filter(|quote| !quote.is_empty()),
            }),
            seats: None,
        })
        .collect()
}

/// What stands among the issues of a change of which too little was seen, by whoever judges: it is cut, or less than half
/// of its lines were there to be looked at. As a major issue it keeps completeness from passing.
pub fn unseen(seen: &WorkCoverage) -> Option<JudgeIssue> {
    let description = if seen.cut {
        "the diff is not whole: what was not seen cannot pass".to_owned()
    } else if seen.share < SEEN {
        format!(
            "{} of {} of the change were seen: what was not seen cannot pass",
            seen.lines,
            counted(seen.lines.saturating_add(seen.left_out), "line", "lines")
        )
    } else {
        return None;
    };
    Some(JudgeIssue {
        severity: Severity::Serious,
        description,
        dimension: Some(JudgeDimension::Completeness),
        evidence: None,
        seats: None,
    })
}

/// What stands among the issues of every judge where the output of the tests is red.
pub fn failing(tests: &TestReading) -> Option<JudgeIssue> {
    let TestReading::Red { why } = tests else { return None };
    Some(JudgeIssue {
        severity: Severity::Serious,
        description: format!("the tests are not green: {why}"),
        dimension: Some(JudgeDimension::Correctness),
        evidence: None,
        seats: None,
    })
}

/// The judgement of a run whose diff was searched; `searched` says how much of it. An error says why there is none: there
/// is nothing to measure, or nothing speaks against the work and what a pass rests on is missing.
pub fn judge(
    run: &RunRecord,
    facts: &[DiffEvidence],
    searched: Option<&WorkCoverage>,
    grounds: &OfflineGrounds,
) -> Result<JudgeAnswer, String> {
    let (answer, if_tested) = marks(run, facts, searched, &grounds.tests)?;
    let mut missing: Vec<String> = grounds.missing().into_iter().map(ToOwned::to_owned).collect();
    missing.extend(run.doubts.iter().cloned());
    if let Some(seen) = searched.filter(|seen| seen.left_out > 0) {
        let lines = counted(seen.left_out, "line", "lines");
        missing.push(format!("{lines} of the diff: too large to be searched"));
    }
    // What was found holds without the rest. What was not found says nothing then.
    if if_tested == JudgeVerdict::Pass && !missing.is_empty() {
        return Err(missing.join("; "));
    }
    Ok(answer)
}

/// What is measured, whatever it rests on. For those who want marks and no verdict.
pub fn measured(
    run: &RunRecord,
    facts: &[DiffEvidence],
    searched: Option<&WorkCoverage>,
    tests: &TestReading,
) -> Result<JudgeAnswer, String> {
    marks(run, facts, searched, tests).map(|(answer, _)| answer)
}

/// The answer, and what the verdict would be if the tests were known to pass.
fn marks(
    run: &RunRecord,
    facts: &[DiffEvidence],
    searched: Option<&WorkCoverage>,
    tests: &TestReading,
) -> Result<(JudgeAnswer, JudgeVerdict), String> {
    let outcome = RunOutcome::of(run);
    if !outcome.is_judgeable() {
        return Err(format!("a run that ended as {outcome} has nothing to judge"));
    }
    let Some(searched) = searched else {
        return Err("there is no diff, and without one there is nothing to measure".to_owned());
    };
    if searched.cut {
        return Err("the diff is not whole, and what was not seen cannot pass".to_owned());
    }
    if searched.lines == 0 {
        return Err("no line of the diff could be searched: it is binary or empty".to_owned());
    }
    let tested = Tested::of(run, tests);
    let Sheet { marks, mut found } = Sheet::filled(run, outcome, tested, facts, searched);
    let if_tested = match tested {
        Tested::Unknown => Sheet::filled(run, outcome, Tested::Passing, facts, searched).marks,
        Tested::Passing | Tested::Failing => marks,
    };
    found.extend(failing(tests));
    found.extend(issues(facts));
    found.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    found.truncate(MOST_ISSUES);
    let dimensions = Dimensions::from_fn(|dimension| (marks.of(dimension) * 1e4).round() / 1e4);
    // A count is never sure.
    let confidence = searched.confidence().min(Confidence::Medium);
    let answer = JudgeAnswer {
        summary: summary(run, facts, &dimensions, searched, tested),
        dimensions,
        issues: found,
        confidence,
        warnings: Vec::new(),
    };
    Ok((answer, if_tested.verdict()))
}

/// Whether the tests pass, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tested {
    Passing,
    Unknown,
    Failing,
}

impl Tested {
    /// The stricter of the output and the record, where the output tells; otherwise the record.
    fn of(run: &RunRecord, output: &TestReading) -> Self {
        match (output, run.verification.tests) {
            (TestReading::Red { .. }, _) | (_, CheckState::Fail) => Self::Failing,
            (TestReading::Green { .. }, CheckState::Pass | CheckState::Skipped | CheckState::Unknown) => {
                Self::Passing
            }
            (TestReading::NoTests, _) => Self::Unknown,
            (TestReading::Absent | TestReading::Unreadable | TestReading::Cut, CheckState::Pass) => {
                Self::Passing
            }
            (
                TestReading::Absent | TestReading::Unreadable | TestReading::Cut,
                CheckState::Skipped | CheckState::Unknown,
            ) => Self::Unknown,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Passing => "pass",
            Self::Unknown => "unknown",
            Self::Failing => "fail",
        }
    }
}

struct Sheet {
    marks: Dimensions,
    found: Vec<JudgeIssue>,
}

impl Sheet {
    fn filled(
        run: &RunRecord,
        outcome: RunOutcome,
        tested: Tested,
        facts: &[DiffEvidence],
        searched: &WorkCoverage,
    ) -> Self {
        let correctness = match tested {
            Tested::Passing => TESTED,
            Tested::Unknown => UNTESTED,
            Tested::Failing => FAILING,
        };
        let marks =
            Dimensions { correctness, scope_adherence: CLEAN, code_quality: CLEAN, completeness: CLEAN };
        let mut sheet = Self { marks, found: Vec::new() };
        sheet.checks(run, outcome, tested);
        sheet.facts(facts);
        if let Some(unseen) = unseen(searched) {
            sheet.cap(JudgeDimension::Completeness, FIRST);
            sheet.found.push(unseen);
        }
        sheet
    }

    fn mark(&mut self, dimension: JudgeDimension) -> &mut f64 {
        match dimension {
            JudgeDimension::Correctness => &mut self.marks.correctness,
            JudgeDimension::ScopeAdherence => &mut self.marks.scope_adherence,
            JudgeDimension::CodeQuality => &mut self.marks.code_quality,
            JudgeDimension::Completeness => &mut self.marks.completeness,
        }
    }

    fn cap(&mut self, dimension: JudgeDimension, most: f64) {
        let mark = self.mark(dimension);
        *mark = mark.min(most);
    }

    fn lower(&mut self, dimension: JudgeDimension, by: f64) {
        let mark = self.mark(dimension);
        *mark = (*mark - by).max(LEAST.min(*mark));
    }

    fn note(&mut self, severity: Severity, dimension: JudgeDimension, text: &str) {
        self.found.push(JudgeIssue {
            severity,
            description: text.to_owned(),
            dimension: Some(dimension),
            evidence: None,
            seats: None,
        });
    }

    fn checks(&mut self, run: &RunRecord, outcome: RunOutcome, tested: Tested) {
        let checks = &run.verification;
        if checks.tests == CheckState::Fail {
            self.note(Severity::Serious, JudgeDimension::Correctness, "the tests fail");
        } else if tested == Tested::Unknown {
            self.note(Severity::Minor, JudgeDimension::Correctness, "it is not known whether the tests pass");
        }
        if outcome == RunOutcome::AgentFailure {
            self.cap(JudgeDimension::Correctness, UNFINISHED);
            self.cap(JudgeDimension::Completeness, UNFINISHED);
            self.note(Severity::Serious, JudgeDimension::Completeness, "the agent did not end well");
        }
        if checks.lint == CheckState::Fail {
            self.lower(JudgeDimension::CodeQuality, 0.2);
            self.note(Severity::Minor, JudgeDimension::CodeQuality, "the linter objects");
        }
        if checks.ubs == CheckState::Fail {
            self.cap(JudgeDimension::CodeQuality, FIRST);
            self.lower(JudgeDimension::Correctness, 0.1);
            self.note(Severity::Serious, JudgeDimension::CodeQuality, "the bug scanner objects");
        }
        if checks.truthsayer == CheckState::Fail {
            self.lower(JudgeDimension::Completeness, 0.2);
            self.note(Severity::Minor, JudgeDimension::Completeness, "the checker of claims objects");
        }
    }

    fn facts(&mut self, facts: &[DiffEvidence]) {
        for own in JudgeDimension::ALL.iter().copied() {
            let mine = || facts.iter().filter(move |fact| dimension(fact.detector) == own);
            let major = mine().filter(|fact| fact.severity == Severity::Serious).count();
            let minor = mine().count() - major;
            if minor > 0 {
                self.lower(own, (MINOR * count(minor)).min(MINORS));
            }
            if major > 0 {
                let made_up = mine()
                    .any(|fact| fact.detector == Detector::HardCoded && fact.severity == Severity::Serious);
                self.cap(own, if made_up { MADE_UP } else { FIRST });
                self.lower(own, FURTHER * count(major - 1));
            }
        }
    }
}

/// A count to multiply with: beyond this many nothing changes any more.
fn count(count: usize) -> f64 {
    f64::from(u16::try_from(count).unwrap_or(u16::MAX))
}

fn summary(
    run: &RunRecord,
    facts: &[DiffEvidence],
    marks: &Dimensions,
    searched: &WorkCoverage,
    tested: Tested,
) -> String {
    let major = facts.iter().filter(|fact| fact.severity == Severity::Serious).count();
    let mut names: Vec<&str> = facts.iter().map(|fact| fact.detector.as_str()).collect();
    names.dedup();
    let found = if facts.is_empty() {
        "nothing was found".to_owned()
    } else {
        format!("found: {}", names.join(", "))
    };
    format!(
        "Measured without a model; correctness was not judged. Tests {}, lint {}; in {} of the diff {found} \
         ({major} major, {} minor). The marks make {}.",
        tested.as_str(),
        run.verification.lint,
        counted(searched.lines, "line", "lines"),
        facts.len() - major,
        marks.verdict(),
    )
}
