//! The judge without a model: what it makes of every fact, row by row.

use jury_core::judge::{
    Confidence, JudgeAnswer, JudgeDimension, JudgeVerdict, OfflineGrounds, RecordReading, RunRecord,
    TestReading, WorkCoverage,
};
use jury_core::severity::Severity;
use jury_text::diff::{Detector, DiffEvidence};
use jury_text::offline::{self, dimension, issues};
use serde_json::json;

use Detector::{
    AssertionsWeakened, CommentedOut, GeneratedChurn, HardCoded, OutsidePrompt, Secret, Stub, SwallowedError,
    TestsDeleted, TestsSkipped, TodoAdded,
};
use JudgeVerdict::{Fail, Partial, Pass};

fn run(status: &str, exit: i64, checks: [&str; 4]) -> RunRecord {
    let [tests, lint, ubs, truthsayer] = checks;
    let record = json!({"bead": "bd-1", "status": status, "exit_code": exit,
        "verification": {"tests": tests, "lint": lint, "ubs": ubs, "truthsayer": truthsayer}});
    match RunRecord::of(&record).expect("a record") {
        RecordReading::Finished(run) => *run,
        RecordReading::Running => unreachable!("it has ended"),
    }
}

fn fact(detector: Detector, severity: Severity) -> DiffEvidence {
    DiffEvidence {
        detector,
        severity,
        path: "src/a.rs".to_owned(),
        line: 7,
        removed: false,
        quote: "x".to_owned(),
        text: "it is so".to_owned(),
    }
}

/// The judgement of a run with a prompt, whose tests have printed what the record says of them.
fn judge(
    run: &RunRecord,
    facts: &[DiffEvidence],
    seen: Option<&WorkCoverage>,
) -> Result<JudgeAnswer, String> {
    offline::measured(run, facts, seen, &TestReading::Absent)
}

const MAJOR: Severity = Severity::Serious;
const MINOR: Severity = Severity::Minor;
const GREEN: [&str; 4] = ["pass", "pass", "clean", "pass"];

/// The checks, the facts, the four marks (correctness, scope, quality, completeness) and the verdict.
type Row = ([&'static str; 4], &'static [(Detector, Severity)], [f64; 4], JudgeVerdict);

#[test]
fn every_row_of_the_rule() {
    let rows: &[Row] = &[
        (GREEN, &[], [0.8, 0.85, 0.85, 0.85], Pass),
        // The mechanical checks.
        (["skipped", "pass", "clean", "pass"], &[], [0.65, 0.85, 0.85, 0.85], Partial),
        (["odd", "pass", "clean", "pass"], &[], [0.65, 0.85, 0.85, 0.85], Partial),
        (["fail", "pass", "clean", "pass"], &[], [0.3, 0.85, 0.85, 0.85], Fail),
        (["pass", "fail", "clean", "pass"], &[], [0.8, 0.85, 0.65, 0.85], Partial),
        (["pass", "skipped", "clean", "pass"], &[], [0.8, 0.85, 0.85, 0.85], Pass),
        (["pass", "pass", "issues", "pass"], &[], [0.7, 0.85, 0.6, 0.85], Partial),
        (["pass", "pass", "skipped", "pass"], &[], [0.8, 0.85, 0.85, 0.85], Pass),
        (["pass", "pass", "clean", "fail"], &[], [0.8, 0.85, 0.85, 0.65], Partial),
        (["pass", "fail", "issues", "fail"], &[], [0.7, 0.85, 0.6, 0.65], Partial),
        (["fail", "fail", "issues", "fail"], &[], [0.2, 0.85, 0.6, 0.65], Fail),
        (["skipped", "skipped", "skipped", "skipped"], &[], [0.65, 0.85, 0.85, 0.85], Partial),
        // One major fact each.
        (GREEN, &[(TestsDeleted, MAJOR)], [0.6, 0.85, 0.85, 0.85], Partial),
        (GREEN, &[(TestsSkipped, MAJOR)], [0.6, 0.85, 0.85, 0.85], Partial),
        (GREEN, &[(AssertionsWeakened, MAJOR)], [0.6, 0.85, 0.85, 0.85], Partial),
        (GREEN, &[(HardCoded, MAJOR)], [0.3, 0.85, 0.85, 0.85], Fail),
        (GREEN, &[(Stub, MAJOR)], [0.8, 0.85, 0.85, 0.6], Partial),
        (GREEN, &[(TodoAdded, MAJOR)], [0.8, 0.85, 0.85, 0.6], Partial),
        (GREEN, &[(CommentedOut, MAJOR)], [0.8, 0.85, 0.6, 0.85], Partial),
        (GREEN, &[(SwallowedError, MAJOR)], [0.8, 0.85, 0.6, 0.85], Partial),
        (GREEN, &[(Secret, MAJOR)], [0.8, 0.85, 0.6, 0.85], Partial),
        (GREEN, &[(OutsidePrompt, MAJOR)], [0.8, 0.6, 0.85, 0.85], Partial),
        (GREEN, &[(GeneratedChurn, MAJOR)], [0.8, 0.6, 0.85, 0.85], Partial),
        // One minor fact each never costs a pass.
        (GREEN, &[(TestsDeleted, MINOR)], [0.75, 0.85, 0.85, 0.85], Pass),
        (GREEN, &[(TestsSkipped, MINOR)], [0.75, 0.85, 0.85, 0.85], Pass),
        (GREEN, &[(AssertionsWeakened, MINOR)], [0.75, 0.85, 0.85, 0.85], Pass),
        (GREEN, &[(HardCoded, MINOR)], [0.75, 0.85, 0.85, 0.85], Pass),
        (GREEN, &[(Stub, MINOR)], [0.8, 0.85, 0.85, 0.8], Pass),
        (GREEN, &[(TodoAdded, MINOR)], [0.8, 0.85, 0.85, 0.8], Pass),
        (GREEN, &[(CommentedOut, MINOR)], [0.8, 0.85, 0.8, 0.85], Pass),
        (GREEN, &[(SwallowedError, MINOR)], [0.8, 0.85, 0.8, 0.85], Pass),
        (GREEN, &[(Secret, MINOR)], [0.8, 0.85, 0.8, 0.85], Pass),
        (GREEN, &[(OutsidePrompt, MINOR)], [0.8, 0.8, 0.85, 0.85], Pass),
        (GREEN, &[(GeneratedChurn, MINOR)], [0.8, 0.8, 0.85, 0.85], Pass),
        // Several.
        (GREEN, &[(TodoAdded, MINOR); 2], [0.8, 0.85, 0.85, 0.75], Pass),
        (GREEN, &[(TodoAdded, MINOR); 30], [0.8, 0.85, 0.85, 0.75], Pass),
        (GREEN, &[(TestsSkipped, MINOR); 30], [0.7, 0.85, 0.85, 0.85], Pass),
        (GREEN, &[(TestsDeleted, MAJOR); 2], [0.45, 0.85, 0.85, 0.85], Partial),
        (GREEN, &[(TestsDeleted, MAJOR); 3], [0.3, 0.85, 0.85, 0.85], Fail),
        (GREEN, &[(TestsDeleted, MAJOR); 50], [0.1, 0.85, 0.85, 0.85], Fail),
        (GREEN, &[(Stub, MAJOR), (Secret, MAJOR)], [0.8, 0.85, 0.6, 0.6], Partial),
        (GREEN, &[(Stub, MAJOR), (TodoAdded, MINOR)], [0.8, 0.85, 0.85, 0.6], Partial),
        (GREEN, &[(HardCoded, MAJOR), (TestsDeleted, MAJOR)], [0.15, 0.85, 0.85, 0.85], Fail),
        // Both kinds together.
        (["fail", "pass", "clean", "pass"], &[(TestsDeleted, MAJOR)], [0.3, 0.85, 0.85, 0.85], Fail),
        (["skipped", "pass", "clean", "pass"], &[(TestsSkipped, MAJOR)], [0.6, 0.85, 0.85, 0.85], Partial),
        (["pass", "fail", "clean", "pass"], &[(Secret, MAJOR)], [0.8, 0.85, 0.6, 0.85], Partial),
        (["pass", "pass", "issues", "pass"], &[(SwallowedError, MAJOR); 2], [0.7, 0.85, 0.45, 0.85], Partial),
        (["pass", "pass", "clean", "fail"], &[(Stub, MAJOR)], [0.8, 0.85, 0.85, 0.6], Partial),
    ];
    assert!(rows.len() >= 40);
    let seen = WorkCoverage { prompt: true, ..WorkCoverage::of(100, 0, false) };
    for (checks, facts, marks, verdict) in rows {
        let facts: Vec<DiffEvidence> =
            facts.iter().map(|(detector, severity)| fact(*detector, *severity)).collect();
        let answer = judge(&run("done", 0, *checks), &facts, Some(&seen)).expect("a judgement");
        let given =
            JudgeDimension::ALL.iter().map(|dimension| answer.dimensions.of(*dimension)).collect::<Vec<_>>();
        assert_eq!(given, marks, "{checks:?} {facts:?}");
        assert_eq!(answer.dimensions.verdict(), *verdict, "{checks:?} {facts:?}");
        let major = facts.iter().any(|fact| fact.severity == MAJOR);
        assert!(!major || answer.dimensions.verdict() != Pass, "a major fact passed: {facts:?}");
        assert!(
            answer.summary.starts_with("Measured without a model; correctness was not judged."),
            "{}",
            answer.summary
        );
        assert_eq!(answer.confidence, Confidence::Medium);
    }
}

#[test]
fn an_agent_that_failed_does_not_pass() {
    let seen = WorkCoverage { prompt: true, ..WorkCoverage::of(10, 0, false) };
    for (status, exit) in [("failed", 0), ("done", 1)] {
        let answer = judge(&run(status, exit, GREEN), &[], Some(&seen)).expect("a judgement");
        assert_eq!((answer.dimensions.correctness, answer.dimensions.completeness), (0.5, 0.5));
        assert_eq!(answer.dimensions.verdict(), Partial);
    }
}

#[test]
fn without_something_to_measure_there_is_no_judgement() {
    let seen = WorkCoverage { prompt: true, ..WorkCoverage::of(10, 0, false) };
    let why = |run: &RunRecord, seen: Option<&WorkCoverage>| judge(run, &[], seen).expect_err("no judgement");
    assert!(why(&run("done", 0, GREEN), None).contains("no diff"));
    assert!(why(&run("timeout", 0, GREEN), Some(&seen)).contains("timeout"));
    let cut = WorkCoverage { cut: true, ..seen };
    assert!(why(&run("done", 0, GREEN), Some(&cut)).contains("not whole"));
    let mut infra = run("failed", 1, GREEN);
    infra.failure_reason = "infra-disk".to_owned();
    assert!(why(&infra, Some(&seen)).contains("infra_failure"));
}

#[test]
fn confidence_follows_what_was_read() {
    let sure =
        |seen: WorkCoverage| judge(&run("done", 0, GREEN), &[], Some(&seen)).expect("a judgement").confidence;
    assert_eq!(sure(WorkCoverage { prompt: true, ..WorkCoverage::of(100, 0, false) }), Confidence::Medium);
    assert_eq!(sure(WorkCoverage { prompt: true, ..WorkCoverage::of(10, 90, false) }), Confidence::Low);
}

#[test]
fn facts_become_issues_with_their_place() {
    let mut whole = fact(OutsidePrompt, MINOR);
    whole.line = 0;
    whole.quote = String::new();
    let found = issues(&[whole, fact(Stub, MAJOR)]);
    assert_eq!((found[0].severity, found[0].description.as_str()), (Severity::Serious, "stub: it is so"));
    assert_eq!(found[0].dimension, Some(dimension(Stub)));
    let place = found[0].evidence.as_ref().expect("a place");
    assert_eq!(
        (place.file.as_deref(), place.line, place.quote.as_deref()),
        (Some("src/a.rs"), Some(7), Some("x"))
    );
    let file = found[1].evidence.as_ref().expect("a place");
    assert_eq!((file.line, file.quote.as_deref()), (None, None));
    let many = vec![fact(Stub, MAJOR); 500];
    assert_eq!(issues(&many).len(), 100);
}

#[test]
fn what_was_hardly_searched_does_not_pass_and_nothing_is_no_judgement() {
    let run = run("done", 0, GREEN);
    let half = judge(&run, &[], Some(&WorkCoverage::of(50, 50, false))).expect("a judgement");
    assert_eq!(half.dimensions.verdict(), Pass);
    let less = judge(&run, &[], Some(&WorkCoverage::of(49, 51, false))).expect("a judgement");
    assert_eq!((less.dimensions.completeness, less.dimensions.verdict()), (0.6, Partial));
    assert!(less.issues.iter().any(|issue| issue.severity == Severity::Serious), "{:?}", less.issues);
    assert!(judge(&run, &[], Some(&WorkCoverage::of(0, 0, false))).is_err());
    assert!(judge(&run, &[], Some(&WorkCoverage::of(100, 0, true))).is_err());
}

#[test]
fn a_pass_rests_on_a_prompt_green_output_and_all_of_the_diff() {
    let whole = WorkCoverage { prompt: true, tests: true, ..WorkCoverage::of(10, 0, false) };
    let green = || TestReading::Green { passed: 3 };
    let red = || TestReading::Red { why: "1 test failed (pytest)".to_owned() };
    let verdict = |checks, facts: &[DiffEvidence], seen: &WorkCoverage, prompt, tests| {
        let grounds = OfflineGrounds { prompt, tests, unjudged: Vec::new() };
        offline::judge(&run("done", 0, checks), facts, Some(seen), &grounds)
            .map(|answer| answer.dimensions.verdict())
    };
    let lacks = |checks, prompt, tests, word: &str| {
        let why = verdict(checks, &[], &whole, prompt, tests).expect_err("no judgement");
        assert!(why.contains(word), "{why}");
    };
    let unknown = ["skipped", "pass", "clean", "pass"];
    assert_eq!(verdict(GREEN, &[], &whole, true, green()), Ok(Pass));
    // The record does not have to say what the output shows, and cannot say more.
    assert_eq!(verdict(unknown, &[], &whole, true, green()), Ok(Pass));
    for checks in [GREEN, unknown] {
        lacks(checks, true, TestReading::Absent, "no test output");
        lacks(checks, true, TestReading::Unreadable, "no summary");
        lacks(checks, true, TestReading::NoTests, "no test ran");
        lacks(checks, false, green(), "no prompt");
    }
    // What is red is red, whatever the record says; a record that says so is believed.
    assert_eq!(verdict(GREEN, &[], &whole, true, red()), Ok(Fail));
    assert_eq!(verdict(GREEN, &[], &whole, false, red()), Ok(Fail));
    assert_eq!(verdict(["fail", "pass", "clean", "pass"], &[], &whole, true, green()), Ok(Fail));
    // What was found holds without the rest.
    let stub = [fact(Stub, MAJOR)];
    assert_eq!(verdict(GREEN, &stub, &whole, false, TestReading::Absent), Ok(Partial));
    assert_eq!(verdict(GREEN, &[fact(TodoAdded, MINOR)], &whole, true, green()), Ok(Pass));
    let most = WorkCoverage { prompt: true, ..WorkCoverage::of(90, 10, false) };
    assert!(verdict(GREEN, &[], &most, true, green()).expect_err("no judgement").contains("10 lines"));
}
