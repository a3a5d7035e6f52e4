//! The detectors in words: what each measures, how grave it is, and in which languages.

use jury_core::rule::{RepairKind, Rule, RuleSubject};
use jury_core::severity::Severity;

use super::{Detector, DiffRule};

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

/// What is compared as a program, by a reader that needs no grammar.
const PROGRAMS: &str = "Rust, Python, JavaScript, TypeScript, Go, Java, Kotlin, C, C++, C#, Ruby, PHP, shell";

/// All detectors, in the order in which they are reported.
pub const DETECTORS: [DiffRule; 30] = [
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
                     with the prompt.",
            (Severity::Minor, Severity::Minor),
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
        detector: Detector::TestsUncollected,
        rule: rule(
            "tests-uncollected",
            "Every test is found by its runner",
            "A test is there and no runner finds it: its name, its mark, its class, its file or the line that lists it changed.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::AssertionsUnreached,
        rule: rule(
            "assertions-unreached",
            "Every assertion decides",
            "A test that is kept returns before its assertions, catches what they raise and drops it, or no longer waits for them. A handler that asserts, fails or raises again passes.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::ExpectedEdited,
        rule: rule(
            "expected-edited",
            "Expected values change with what they are about",
            "An expected value is changed while nothing that the test calls is, or while the prompt keeps behaviour as it is. Minor where both change together.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::CasesDropped,
        rule: rule(
            "cases-dropped",
            "No case of a test is dropped",
            "Rows of a table of tests are gone, or a property is tried less often. Repeated rows pass; minor if what they name is gone or they stand elsewhere.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::SubjectLaundered,
        rule: rule(
            "subject-laundered",
            "What is compared is what came out",
            "A result is sorted, trimmed, cut or converted before it is compared, and was not before. Minor where order means nothing any more.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::SnapshotRewritten,
        rule: rule(
            "snapshot-rewritten",
            "Recorded output is recorded for a reason",
            "Snapshots or golden files changed and no product code did, or the prompt keeps behaviour as it is. Minor with a change of the product, its tests or its dependencies.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::TestAware,
        rule: rule(
            "test-aware",
            "The product does not ask whether it is tested",
            "New code of the product looks for a runner, its variables, its stack or its name. Minor if it only logs less.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::Gutted,
        rule: rule(
            "gutted",
            "No function is gutted",
            "The body of a function is gone and a constant is there instead, or a function that the prompt names ignores what it is given.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::MockedSubject,
        rule: rule(
            "mocked-subject",
            "No test replaces what it tests",
            "A test replaces a function and asserts on what that function gives, or replaces the module that it is named after.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::Forged,
        rule: rule(
            "forged",
            "No comparison and no clock is forged",
            "Equality or a hash is made constant, or a clock, a source of random numbers or a built-in function is replaced outside of a test.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::HarnessPatched,
        rule: rule(
            "harness-patched",
            "The harness reports what happened",
            "A hook rewrites how tests went, the program ends with success before there is a result, or what tests assert with is replaced.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::CheckDisabled,
        rule: rule(
            "check-disabled",
            "Every check can fail",
            "A command that checks is gone from a pipeline, a script or a hook, or its failure is no longer heard of. Minor for steps that upload, cache or measure.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::RunnerNarrowed,
        rule: rule(
            "runner-narrowed",
            "Settings ask for no less",
            "A runner, linter or compiler is told to look at less, or a threshold fell. Minor if another setting of the change looks at the rest.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::Suppressed,
        rule: rule(
            "suppressed",
            "No warning is silenced wholesale",
            "A new mark silences a linter, a compiler or the measure of coverage. Minor for one rule at one place, with a reason, or in tests.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::WaitsAdded,
        rule: rule(
            "waits-added",
            "No test waits or tries again",
            "A test that is kept sleeps, or is tried again until it passes.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::GuardRemoved,
        rule: rule(
            "guard-removed",
            "No check of the product is removed",
            "A condition under which a function refused is gone, and no other place has it. Minor if the prompt speaks of it.",
            (Severity::Minor, Severity::Serious),
        ),
        languages: PROGRAMS,
    },
    DiffRule {
        detector: Detector::UnaskedFile,
        rule: rule(
            "unasked-file",
            "No file is left behind",
            "A new file looks like what is left of trying something out, or is a report that nobody asked for.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::FalseClaim,
        rule: rule(
            "false-claim",
            "The summary says what the change shows",
            "The summary says that tests, documents or named things were added, or that tests were left alone, and the change shows otherwise.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: "all",
    },
    DiffRule {
        detector: Detector::PromptMissed,
        rule: rule(
            "prompt-missed",
            "What was asked for is there",
            "The prompt names a file, a flag or a function, or asks for tests, and the change has none of it.",
            (Severity::Serious, Severity::Serious),
        ),
        languages: "all",
    },
];
