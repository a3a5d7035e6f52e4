//! A judgement as it is written and as it counts: keys, their order, how numbers are written, and the verdict.

use insta::assert_snapshot;
use jury_core::judge::{
    Confidence, JudgeEvent, JudgeIssue, JudgeStamp, JudgeVerdict, Judgement, OpusJudgement, PanelRecord,
    RunJudged, Spread,
};
use jury_core::run::OutcomeWord;
use jury_core::severity::Severity;
use serde_json::json;

use super::stage::{answer, at, bead, marks, run};

fn judgement() -> Judgement {
    let mut given = answer(marks(0.9, 0.8, 1.0, 0.7));
    "Does what was asked.".clone_into(&mut given.summary);
    given.issues.push(JudgeIssue {
        severity: Severity::Minor,
        description: "One name is odd. It says too little.".to_owned(),
        dimension: None,
        evidence: None,
        seats: None,
    });
    given.confidence = Confidence::Medium;
    let judge = JudgeStamp { model: "opus".to_owned(), ..JudgeStamp::default() };
    given.judgement(bead("bd-one"), judge, at(0))
}

#[test]
fn a_judgement_has_the_native_shape() {
    assert_snapshot!(serde_json::to_string_pretty(&judgement()).unwrap());
}

#[test]
fn events_have_their_names_on_the_wire() {
    let event = JudgeEvent::Judged(RunJudged { judgement: judgement() });
    let value = serde_json::to_value(&event).unwrap();
    assert_eq!(value["event"], event.kind());
    assert_eq!(value["judgement"]["dimensions"]["scope_adherence"], 0.8);
    assert_eq!(serde_json::from_value::<JudgeEvent>(value).unwrap(), event);
    assert_eq!(event.terminal().map(OutcomeWord::exit_code), Some(0));
}

#[test]
fn the_verdict_that_counts() {
    use JudgeVerdict::{Fail, Partial, Pass};
    let (good, middling, bad) =
        (marks(0.9, 0.9, 0.9, 0.9), marks(0.9, 0.6, 0.9, 0.9), marks(0.1, 0.9, 0.9, 0.9));
    let panel = |majority| PanelRecord {
        seats: Vec::new(),
        spread: Spread { score: 0.0, dimensions: good, agreement: 1.0 },
        majority,
    };
    for (panel, said, marks, counts) in [
        // One judge: the stricter of what is said and what the marks make.
        (None, Pass, good, Pass),
        (None, Partial, good, Partial),
        (None, Fail, good, Fail),
        (None, Pass, middling, Partial),
        (None, Fail, middling, Fail),
        (None, Pass, bad, Fail),
        // A panel: most of its seats, whatever the medians make.
        (Some(panel(Some(Partial))), Partial, good, Partial),
        (Some(panel(Some(Fail))), Fail, good, Fail),
        (Some(panel(Some(Pass))), Pass, good, Pass),
        // No majority: a person, either way.
        (Some(panel(None)), Fail, good, Fail),
        (Some(panel(None)), Pass, middling, Pass),
        (Some(panel(None)), Partial, bad, Partial),
    ] {
        let shown = format!("{panel:?} {said} {marks:?}");
        let given = Judgement { verdict: said, score: 0.99, dimensions: marks, panel, ..judgement() };
        let counted = given.counted().unwrap();
        assert_eq!((counted.verdict, counted.score), (counts, marks.score()), "{shown}");
    }
    let none = Judgement { dimensions: marks(0.9, 7.0, 0.9, 0.9), ..judgement() };
    assert_eq!(none.counted(), None);
}

#[test]
fn a_judgement_in_the_older_shape() {
    assert_snapshot!(serde_json::to_string_pretty(&OpusJudgement::from_native(&judgement())).unwrap());
}

#[test]
fn the_heuristic_in_the_older_shape() {
    let run = run(
        &json!({"verification": {"lint": "fail", "tests": "pass", "ubs": "clean", "truthsayer": "skipped"}}),
    );
    assert_snapshot!(serde_json::to_string_pretty(&OpusJudgement::heuristic(&run, "opus", at(0))).unwrap());
}

#[test]
fn an_older_judge_is_not_better_than_its_ratings() {
    let read = |score: f64, ratings: [f64; 3], verdict: &str| {
        let [correctness, style, maintainability] = ratings;
        let said = json!({"quality_score": score, "correctness_rating": correctness, "style_rating": style,
            "maintainability_rating": maintainability, "confidence": "high", "verdict": verdict, "critique": "fine",
            "judge_model": "mock", "judged_at": "whenever"});
        let read = OpusJudgement::read(said.to_string().as_bytes(), &bead("bd-one"), at(0)).unwrap();
        assert_eq!(read.judged_at, jury_core::judge::written(at(0)), "a moment that is none is now");
        (read.quality_score, read.verdict.to_string(), read.warnings.len())
    };
    let is = |score: f64, verdict: &str, warnings: usize| (score, verdict.to_owned(), warnings);
    // All at the bottom, and praised.
    assert_eq!(read(1.0, [1.0, 1.0, 1.0], "pass"), is(0.2, "fail", 2));
    assert_eq!(read(0.2, [1.0, 1.0, 1.0], "pass"), is(0.2, "fail", 1));
    // Stricter than its ratings is stricter.
    assert_eq!(read(0.1, [5.0, 5.0, 5.0], "fail"), is(0.1, "fail", 1));
    // Either way to make a score of ratings is right, and so is what is nearly that.
    assert_eq!(read(0.82, [4.0, 4.0, 4.0], "pass"), is(0.82, "pass", 0));
    assert_eq!(read(0.7, [3.8, 3.8, 3.8], "pass"), is(0.7, "pass", 0));
    assert_eq!(read(0.0, [1.0, 1.0, 1.0], "fail"), is(0.0, "fail", 0));
}
