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

use jury_core::judge::{
    Answer, CheckState, Confidence, Coverage, Dimension, Dimensions, Evidence as Place, Issue, MOST_ISSUES,
    RunOutcome, RunRecord,
};
use jury_core::severity::Severity;

use crate::diff::{Detector, Evidence};

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
pub fn dimension(detector: Detector) -> Dimension {
    match detector {
        Detector::TestsDeleted
        | Detector::TestsSkipped
        | Detector::AssertionsWeakened
        | Detector::HardCoded => Dimension::Correctness,
        Detector::Stub | Detector::TodoAdded => Dimension::Completeness,
        Detector::CommentedOut | Detector::SwallowedError | Detector::Secret => Dimension::CodeQuality,
        Detector::OutsidePrompt | Detector::GeneratedChurn => Dimension::ScopeAdherence,
    }
}

/// What was measured, as issues of a judgement, the gravest first.
pub fn issues(facts: &[Evidence]) -> Vec<Issue> {
    let mut sorted: Vec<&Evidence> = facts.iter().collect();
    sorted.sort_by_key(|fact| std::cmp::Reverse(fact.severity));
    sorted
        .into_iter()
        .take(MOST_ISSUES)
        .map(|fact| Issue {
            severity: fact.severity,
            description: format!("{}: {}", fact.detector.as_str(), fact.text),
            dimension: Some(dimension(fact.detector)),
            evidence: Some(Place {
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
pub fn unseen(seen: &Coverage) -> Option<Issue> {
    let description = if seen.cut {
        "the diff is larger than what is read: what nobody has seen cannot pass".to_owned()
    } else if seen.share < SEEN {
        format!(
            "{} of {} lines of the change were seen: what nobody has seen cannot pass",
            seen.lines,
            seen.lines.saturating_add(seen.left_out)
        )
    } else {
        return None;
    };
    Some(Issue {
        severity: Severity::Serious,
        description,
        dimension: Some(Dimension::Completeness),
        evidence: None,
        seats: None,
    })
}

/// The judgement of a run whose diff was searched; `searched` says how much of it. An error says why there is none.
pub fn judge(run: &RunRecord, facts: &[Evidence], searched: Option<&Coverage>) -> Result<Answer, String> {
    let outcome = RunOutcome::of(run);
    if !outcome.is_judgeable() {
        return Err(format!("a run that ended as {outcome} has nothing to judge"));
    }
    let Some(searched) = searched else {
        return Err("there is no diff, and without one there is nothing to measure".to_owned());
    };
    if searched.cut {
        return Err("the diff is larger than what is read, and nobody can vouch for the rest".to_owned());
    }
    if searched.lines == 0 {
        return Err("no line of the diff could be searched: it is binary or empty".to_owned());
    }
    let mut sheet = Sheet::new(run);
    sheet.checks(run, outcome);
    sheet.facts(facts);
    if let Some(unseen) = unseen(searched) {
        sheet.cap(Dimension::Completeness, FIRST);
        sheet.found.push(unseen);
    }
    let Sheet { marks, mut found } = sheet;
    found.extend(issues(facts));
    found.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    found.truncate(MOST_ISSUES);
    let dimensions = Dimensions::from_fn(|dimension| (marks.of(dimension) * 1e4).round() / 1e4);
    // Nobody who only counts is ever sure.
    let confidence = searched.confidence().min(Confidence::Medium);
    Ok(Answer {
        summary: summary(run, facts, &dimensions, searched),
        dimensions,
        issues: found,
        confidence,
        warnings: Vec::new(),
    })
}

struct Sheet {
    marks: Dimensions,
    found: Vec<Issue>,
}

impl Sheet {
    fn new(run: &RunRecord) -> Self {
        let correctness = match run.verification.tests {
            CheckState::Pass => TESTED,
            CheckState::Skipped | CheckState::Unknown => UNTESTED,
            CheckState::Fail => FAILING,
        };
        let marks =
            Dimensions { correctness, scope_adherence: CLEAN, code_quality: CLEAN, completeness: CLEAN };
        Self { marks, found: Vec::new() }
    }

    fn mark(&mut self, dimension: Dimension) -> &mut f64 {
        match dimension {
            Dimension::Correctness => &mut self.marks.correctness,
            Dimension::ScopeAdherence => &mut self.marks.scope_adherence,
            Dimension::CodeQuality => &mut self.marks.code_quality,
            Dimension::Completeness => &mut self.marks.completeness,
        }
    }

    fn cap(&mut self, dimension: Dimension, most: f64) {
        let mark = self.mark(dimension);
        *mark = mark.min(most);
    }

    fn lower(&mut self, dimension: Dimension, by: f64) {
        let mark = self.mark(dimension);
        *mark = (*mark - by).max(LEAST.min(*mark));
    }

    fn note(&mut self, severity: Severity, dimension: Dimension, text: &str) {
        self.found.push(Issue {
            severity,
            description: text.to_owned(),
            dimension: Some(dimension),
            evidence: None,
            seats: None,
        });
    }

    fn checks(&mut self, run: &RunRecord, outcome: RunOutcome) {
        let checks = &run.verification;
        match checks.tests {
            CheckState::Fail => self.note(Severity::Serious, Dimension::Correctness, "the tests fail"),
            CheckState::Skipped | CheckState::Unknown => {
                self.note(Severity::Minor, Dimension::Correctness, "nobody knows whether the tests pass");
            }
            CheckState::Pass => {}
        }
        if outcome == RunOutcome::AgentFailure {
            self.cap(Dimension::Correctness, UNFINISHED);
            self.cap(Dimension::Completeness, UNFINISHED);
            self.note(Severity::Serious, Dimension::Completeness, "the agent did not end well");
        }
        if checks.lint == CheckState::Fail {
            self.lower(Dimension::CodeQuality, 0.2);
            self.note(Severity::Minor, Dimension::CodeQuality, "the linter objects");
        }
        if checks.ubs == CheckState::Fail {
            self.cap(Dimension::CodeQuality, FIRST);
            self.lower(Dimension::Correctness, 0.1);
            self.note(Severity::Serious, Dimension::CodeQuality, "the bug scanner objects");
        }
        if checks.truthsayer == CheckState::Fail {
            self.lower(Dimension::Completeness, 0.2);
            self.note(Severity::Minor, Dimension::Completeness, "the checker of claims objects");
        }
    }

    fn facts(&mut self, facts: &[Evidence]) {
        for own in Dimension::ALL.iter().copied() {
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

fn summary(run: &RunRecord, facts: &[Evidence], marks: &Dimensions, searched: &Coverage) -> String {
    let major = facts.iter().filter(|fact| fact.severity == Severity::Serious).count();
    let checks = &run.verification;
    let mut names: Vec<&str> = facts.iter().map(|fact| fact.detector.as_str()).collect();
    names.dedup();
    let found = if facts.is_empty() {
        "nothing was found".to_owned()
    } else {
        format!("found: {}", names.join(", "))
    };
    format!(
        "Measured, not an opinion: tests {}, lint {}; in {} lines of the diff {found} ({major} major, {} minor). The marks make {}. \
         Whether the code does what was asked was not looked at.",
        checks.tests,
        checks.lint,
        searched.lines,
        facts.len() - major,
        marks.verdict(),
    )
}
