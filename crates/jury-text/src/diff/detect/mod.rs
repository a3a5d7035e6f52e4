//! What can be recognised in a change without an opinion. Each detector is a function from the change to places; what it
//! looks for, how grave it is and in which languages is in [`DETECTORS`].

mod assertions;
mod churn;
mod comments;
mod deleted;
mod hard_coded;
mod scope;
mod secret;
pub(in crate::diff) mod settings;
mod skipped;
mod stub;
mod subject;
mod swallowed;

use jury_core::finding::{Finding, FindingId, FindingState, Place};
use jury_core::rule::{RepairKind, Rule, RuleSubject};
use jury_core::severity::Severity;
use serde::{Deserialize, Serialize};

use super::tree::Allowance;
use super::{Diff, Side};
pub(super) use assertions::is_assertion;
pub(super) use secret::redact;
pub(super) use skipped::is_mark as is_skip_mark;
use subject::Subject;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detector {
    /// Tests that are gone.
    TestsDeleted,
    /// Tests that no longer run.
    TestsSkipped,
    /// Tests that check less.
    AssertionsWeakened,
    /// Answers made for the inputs of the tests.
    HardCoded,
    /// Functions that do nothing yet.
    Stub,
    /// Notes to do something later.
    TodoAdded,
    /// Code that was put into comments.
    CommentedOut,
    /// Errors that nobody hears of.
    SwallowedError,
    /// Files that the prompt does not speak of.
    OutsidePrompt,
    /// Files that a program wrote.
    GeneratedChurn,
    /// Keys and passwords in the change.
    Secret,
    /// Settings of what checks the change.
    TestSettings,
}

/// A detector in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DiffRule {
    /// The detector that applies it.
    #[serde(skip)]
    pub detector: Detector,
    /// The rule. Its id is the name in judgements and reports, its severity the gravest that it says.
    #[serde(flatten)]
    pub rule: Rule,
    /// The languages that it reads.
    pub languages: &'static str,
}

/// A rule for diffs. What it lets pass is part of what it measures.
const fn rule(
    id: &'static str,
    title: &'static str,
    measures: &'static str,
    (least, severity): (Severity, Severity),
) -> Rule {
    Rule {
        id,
        subject: RuleSubject::Diff,
        severity,
        least: Some(least),
        title,
        measures,
        exempt: "",
        sources: &[],
        repair: RepairKind::None,
    }
}

const CODE: &str = "Rust, Python, JavaScript, TypeScript, Go, Java";

/// All detectors, in the order in which they are reported.
pub const DETECTORS: [DiffRule; 12] = [
    DiffRule {
        detector: Detector::TestsDeleted,
        rule: rule(
            "tests-deleted",
            "No test is removed",
            "A test is removed, and neither its name, nor most of its lines, nor the values it compares with come \
                     back in tests of the change. Minor if what it tested is removed as well.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::TestsSkipped,
        rule: rule(
            "tests-skipped",
            "No test is switched off",
            "A test is marked to be skipped, ignored, expected to fail, or to run alone. Minor if the mark has \
                     a condition.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::AssertionsWeakened,
        rule: rule(
            "assertions-weakened",
            "No assertion is weakened",
            "A test that is kept has fewer assertions, compares less strictly, tolerates more, or asserts what is \
                     always true.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::HardCoded,
        rule: rule(
            "hard-coded",
            "No expected value is written into the code",
            "Code outside of tests answers an input that a test uses with the value that the test expects, or asks \
                     whether it is being tested.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::Stub,
        rule: rule(
            "stub",
            "Nothing is left unwritten",
            "New code outside of tests that only says it is not done, or a new function without a body. Abstract \
                     methods, protocols and overloads pass.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::TodoAdded,
        rule: rule(
            "todo-added",
            "No new note of unfinished work",
            "A new comment puts something off. One that only moved passes.",
            (Severity::Minor, Severity::Minor),
        ),
        languages: "all with comments that are known",
    },
    DiffRule {
        detector: Detector::CommentedOut,
        rule: rule(
            "commented-out",
            "No code is commented out",
            "New comments that are code: a line that was code before, or two and more lines in a row.",
            (Severity::Minor, Severity::Minor),
        ),
        languages: CODE,
    },
    DiffRule {
        detector: Detector::SwallowedError,
        rule: rule(
            "swallowed-error",
            "No error is dropped",
            "A new handler of any error that does nothing, or a check of a pipeline that cannot fail. Minor for one \
                     kind of error, a reason in a comment, a result that is dropped, or in tests.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "Rust, Python, JavaScript, TypeScript, Go, Java, shell, pipelines in YAML",
    },
    DiffRule {
        detector: Detector::OutsidePrompt,
        rule: rule(
            "outside-prompt",
            "Only what was asked for is changed",
            "The prompt names files or folders, and a changed file of the product shares neither folder nor word \
                     with the prompt. Serious if the prompt says that the file stays as it is.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::GeneratedChurn,
        rule: rule(
            "generated-churn",
            "No generated file is changed",
            "A file that a program writes has changed: builds, vendored code, snapshots, and lock files whose \
                     manifest has not changed.",
            (Severity::Minor, Severity::Minor),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::Secret,
        rule: rule(
            "secret",
            "No key or password is written down",
            "A new line holds a key of a known shape, or a random text under the name of a secret. Placeholders \
                     pass; minor in tests and examples. The value is never repeated.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::TestSettings,
        rule: rule(
            "test-settings",
            "The settings of the checks stay as they are",
            "The prompt does not ask for it, and a line is changed or removed in the settings of a test runner, of \
                     coverage, of a linter or of a pipeline, or one is added that leaves something out; or a test gets a \
                     name under which no runner looks for it.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: "all",
    },
];

impl Detector {
    /// The rule of the detector.
    pub fn info(self) -> &'static DiffRule {
        &DETECTORS[self as usize]
    }

    /// Its name in judgements and reports.
    pub fn as_str(self) -> &'static str {
        self.info().rule.id
    }

    /// The detector of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        DETECTORS.iter().find(|info| info.rule.id == name).map(|info| info.detector)
    }
}

/// A place that a detector objects to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffEvidence {
    /// The detector that objects.
    pub detector: Detector,
    /// How much it matters here.
    #[serde(with = "jury_core::severity::two")]
    pub severity: Severity,
    /// The path of the file.
    pub path: String,
    /// The line, from 1: of the old file if `removed`, else of the new one. Zero for the file as a whole.
    pub line: u64,
    /// The line is one that was removed.
    pub removed: bool,
    /// The line as far as it fits, without values that must not be repeated.
    pub quote: String,
    /// What is wrong, on one line.
    pub text: String,
}

impl DiffEvidence {
    /// The same as a finding.
    pub fn finding(&self) -> Finding {
        let rule = self.detector.as_str();
        Finding {
            id: FindingId::of(rule, &format!("{} {} {}", self.path, self.text, self.quote)),
            rule: Some(rule.to_owned()),
            severity: self.severity,
            place: Place {
                file: Some(self.path.clone()),
                // A removed line is a line of the old file, which nobody has any more.
                line: u32::try_from(self.line).ok().filter(|line| *line > 0 && !self.removed),
                quote: Some(self.quote.clone()).filter(|quote| !quote.is_empty()),
                ..Place::default()
            },
            text: self.text.clone(),
            suggestion: None,
            figures: Vec::new(),
            state: FindingState::Open,
        }
    }
}

/// The most places of one detector in one file; one more says how many there are.
const MOST_PLACES: usize = 50;

/// Runs all detectors. The prompt is what the author was asked for; it may be empty.
pub fn search(diff: &Diff, prompt: &str) -> Vec<DiffEvidence> {
    search_with(diff, prompt, &|_, _| None)
}

/// Runs all detectors, and parses whole files where the caller has them. A file that does not have the lines of the
/// change, or is too large, counts as one that the caller does not have.
pub fn search_with(
    diff: &Diff,
    prompt: &str,
    whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
) -> Vec<DiffEvidence> {
    look(&Subject::new(diff, prompt, whole, &mut Allowance::default()))
}

/// Runs all detectors with the scanner alone, to compare.
pub fn search_scanned(diff: &Diff, prompt: &str) -> Vec<DiffEvidence> {
    look(&Subject::new(diff, prompt, &|_, _| None, &mut Allowance::none()))
}

fn look(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found: Vec<DiffEvidence> = Vec::new();
    for info in &DETECTORS {
        let mut places = match info.detector {
            Detector::TestsDeleted => deleted::tests(subject),
            Detector::TestsSkipped => skipped::tests(subject),
            Detector::AssertionsWeakened => assertions::weakened(subject),
            Detector::HardCoded => hard_coded::answers(subject),
            Detector::Stub => stub::bodies(subject),
            Detector::TodoAdded => comments::todo(subject),
            Detector::CommentedOut => comments::code(subject),
            Detector::SwallowedError => swallowed::errors(subject),
            Detector::OutsidePrompt => scope::outside(subject),
            Detector::GeneratedChurn => churn::files(subject),
            Detector::Secret => secret::values(subject),
            Detector::TestSettings => settings::changed(subject),
        };
        places.sort_by(|one, other| {
            (&one.path, one.line, one.removed).cmp(&(&other.path, other.line, other.removed))
        });
        places.dedup_by(|one, other| {
            (&one.path, one.line, one.removed) == (&other.path, other.line, other.removed)
        });
        found.extend(bounded(places));
    }
    found
}

/// No more places of a file than anybody reads.
fn bounded(places: Vec<DiffEvidence>) -> Vec<DiffEvidence> {
    let mut kept: Vec<DiffEvidence> = Vec::new();
    let mut of_file = 0_usize;
    for place in places {
        let same = kept.last().is_some_and(|last| last.path == place.path);
        of_file = if same { of_file + 1 } else { 1 };
        if of_file <= MOST_PLACES {
            kept.push(place);
        } else if let Some(last) = kept.last_mut() {
            let more = of_file - MOST_PLACES;
            last.text = format!("{}; {more} more in this file", info_text(&last.text));
        }
    }
    kept
}

fn info_text(text: &str) -> &str {
    text.split("; ").next().unwrap_or(text)
}
