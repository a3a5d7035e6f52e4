//! What can be recognised in a change without an opinion. Each detector is a function from the change to places; what it
//! looks for, how grave it is and in which languages is in [`DETECTORS`].

mod assertions;
mod churn;
mod comments;
mod deleted;
mod hard_coded;
mod scope;
mod secret;
mod skipped;
mod stub;
mod subject;
mod swallowed;
mod table;

use jury_core::finding::{Finding, FindingId, FindingState, Place};
use jury_core::rule::Rule;
use jury_core::severity::Severity;
use serde::{Deserialize, Serialize};

use super::kinds::{self, Look};
use super::model::Change;
use super::path::Language;
use super::tree::Allowance;
use super::{Diff, Side};
pub(super) use assertions::is_assertion;
pub(super) use secret::redact;
use subject::Subject;
pub(super) use subject::{of_file, quote};
pub use table::DETECTORS;

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
    /// Every test is found by its runner.
    TestsUncollected,
    /// Every assertion decides.
    AssertionsUnreached,
    /// Expected values change with what they are about.
    ExpectedEdited,
    /// No case of a test is dropped.
    CasesDropped,
    /// What is compared is what came out.
    SubjectLaundered,
    /// Recorded output is recorded for a reason.
    SnapshotRewritten,
    /// The product does not ask whether it is tested.
    TestAware,
    /// No function is gutted.
    Gutted,
    /// No test replaces what it tests.
    MockedSubject,
    /// No comparison and no clock is forged.
    Forged,
    /// The harness reports what happened.
    HarnessPatched,
    /// Every check can fail.
    CheckDisabled,
    /// Settings ask for no less.
    RunnerNarrowed,
    /// No warning is silenced wholesale.
    Suppressed,
    /// No test waits or tries again.
    WaitsAdded,
    /// No check of the product is removed.
    GuardRemoved,
    /// No file is left behind.
    UnaskedFile,
    /// The summary says what the change shows.
    FalseClaim,
    /// What was asked for is there.
    PromptMissed,
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

/// What a caller knows about a change beside its lines.
#[derive(Clone, Copy)]
pub struct Grounds<'a> {
    /// What the author was asked for; it may be empty.
    pub prompt: &'a str,
    /// What the author says was done; it may be empty.
    pub summary: &'a str,
    /// A version of a file, if the caller has it.
    pub whole: &'a dyn Fn(&str, Side) -> Option<Vec<u8>>,
    /// Tests that the change does not touch: paths and texts.
    pub tests: &'a [(String, String)],
}

impl std::fmt::Debug for Grounds<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grounds")
            .field("prompt", &self.prompt)
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

/// Runs all detectors. The prompt is what the author was asked for; it may be empty.
pub fn search(diff: &Diff, prompt: &str) -> Vec<DiffEvidence> {
    search_with(diff, prompt, &|_, _| None)
}

/// Runs all detectors, and reads whole files where the caller has them. A file that does not have the lines of the
/// change, or is too large, counts as one that the caller does not have.
pub fn search_with(
    diff: &Diff,
    prompt: &str,
    whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
) -> Vec<DiffEvidence> {
    search_on(diff, &Grounds { prompt, summary: "", whole, tests: &[] })
}

/// Runs all detectors with all that is known.
pub fn search_on(diff: &Diff, grounds: &Grounds<'_>) -> Vec<DiffEvidence> {
    let subject = Subject::new(diff, grounds.prompt, grounds.whole, &mut Allowance::default());
    let change = Change::new(diff, grounds.whole);
    let look = Look::new(change, grounds.prompt, grounds.summary, grounds.tests);
    let compared = kinds::look(&look);
    collect(&subject, compared, &|path| {
        look.change.files.iter().any(|file| (file.path == path || file.old_path == path) && file.is_whole())
    })
}

/// Runs the detectors of lines with the scanner alone, to compare.
pub fn search_scanned(diff: &Diff, prompt: &str) -> Vec<DiffEvidence> {
    collect(&Subject::new(diff, prompt, &|_, _| None, &mut Allowance::none()), Vec::new(), &|_| false)
}

/// What the lines show, and what the comparison of programs does. Of tests and assertions the comparison alone speaks where both
/// versions of a file are there.
fn collect(
    subject: &Subject<'_>,
    mut compared: Vec<DiffEvidence>,
    whole: &dyn Fn(&str) -> bool,
) -> Vec<DiffEvidence> {
    let mut found: Vec<DiffEvidence> = Vec::new();
    for info in &DETECTORS {
        let lines = match info.detector {
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
            Detector::TestsUncollected
            | Detector::AssertionsUnreached
            | Detector::ExpectedEdited
            | Detector::CasesDropped
            | Detector::SubjectLaundered
            | Detector::SnapshotRewritten
            | Detector::TestAware
            | Detector::Gutted
            | Detector::MockedSubject
            | Detector::Forged
            | Detector::HarnessPatched
            | Detector::CheckDisabled
            | Detector::RunnerNarrowed
            | Detector::Suppressed
            | Detector::WaitsAdded
            | Detector::GuardRemoved
            | Detector::UnaskedFile
            | Detector::FalseClaim
            | Detector::PromptMissed => Vec::new(),
        };
        let of_tests = matches!(
            info.detector,
            Detector::TestsDeleted | Detector::TestsSkipped | Detector::AssertionsWeakened
        );
        let is_pipeline = |path: &str| Language::of(path) == Language::Pipeline;
        let lines = lines.into_iter().filter(|place| {
            let compared = of_tests || info.detector == Detector::SwallowedError && is_pipeline(&place.path);
            !compared || !whole(&place.path)
        });
        let own = compared.extract_if(.., |place| place.detector == info.detector);
        let mut places: Vec<DiffEvidence> = lines.chain(own).collect();
        places.sort_by(|one, other| {
            (&one.path, one.line, one.removed, std::cmp::Reverse(one.severity)).cmp(&(
                &other.path,
                other.line,
                other.removed,
                std::cmp::Reverse(other.severity),
            ))
        });
        places.dedup_by(|one, other| {
            (&one.path, one.line, one.removed) == (&other.path, other.line, other.removed)
                && (one.line > 0 || one.text == other.text)
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
