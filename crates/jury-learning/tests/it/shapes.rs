//! The files, as scripts around them read them: keys, their order, and how numbers are written.

use insta::assert_snapshot;
use jury_core::judge::{Confidence, JudgeIssue, JudgeStamp, Judgement, OpusJudgement, RunOutcome};
use jury_core::severity::Severity;
use jury_learning::{
    Book, Feedback, FeedbackLine, JudgingResult, NotFeedback, PatternRegistry, RecordPart, Shown, Sightings,
    scores,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::stage::{answer, at, bead, line, marks, run};

fn text(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

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
fn feedback_without_and_with_a_judgement() {
    let run = run(&json!({"attempt": 2, "duration_seconds": 600}));
    let plain = Feedback::collect(&run, &JudgingResult::Not, None, at(0));
    assert_snapshot!("feedback_plain", text(&plain));
    let judged = Feedback::collect(&run, &JudgingResult::Native(&judgement()), None, at(0));
    assert_snapshot!("feedback_judged", text(&judged));
}

#[test]
fn collecting_again_never_loses_a_judgement() {
    let run = run(&json!({}));
    let first = Feedback::collect(&run, &JudgingResult::Native(&judgement()), None, at(0));
    let read = FeedbackLine::read(text(&first).as_bytes()).unwrap();
    assert_eq!(read, FeedbackLine::from(&first));
    let again = Feedback::collect(&run, &JudgingResult::Not, Some(&read), at(900));
    assert_eq!(again, first);
}

#[test]
fn collecting_again_keeps_what_others_wrote_word_for_word() {
    let run = run(&json!({}));
    let mut value = serde_json::to_value(Feedback::collect(&run, &JudgingResult::Not, None, at(0))).unwrap();
    // A judge of somebody's without findings and with a key of its own; and keys that nobody here knows.
    value["opus_quality_score"] = json!(0.5);
    value["opus_judge"] =
        json!({"judge_model": "theirs", "verdict": "meh", "judged_at": "2026-02-20T10:00:00Z", "seed": 7});
    value["judgment"] = json!({"verdict": "perhaps", "notes": ["one"]});
    value["reviewer"] = json!({"name": "ada"});
    let read = FeedbackLine::of(&value).unwrap();
    assert_eq!(read.judgment, None);
    let again = Feedback::collect(&run, &JudgingResult::Not, Some(&read), at(900));
    assert_eq!(serde_json::to_value(&again).unwrap(), value);
    assert_eq!(FeedbackLine::from(&again), read);
    // A new judgement takes the place of theirs, and of nothing else.
    let judged = Feedback::collect(&run, &JudgingResult::Native(&judgement()), Some(&read), at(900));
    let judged = serde_json::to_value(&judged).unwrap();
    assert_eq!(
        (&judged["opus_judge"]["judge_model"], &judged["reviewer"]),
        (&json!("opus"), &value["reviewer"])
    );
    assert_eq!(judged["judgment"]["verdict"], "pass");
}

#[test]
fn a_run_without_a_moment_keeps_that_of_its_first_collecting() {
    let undated = run(&json!({"finished_at": null}));
    let first = Feedback::collect(&undated, &JudgingResult::Not, None, at(0));
    let before = FeedbackLine::from(&first);
    assert_eq!(Feedback::collect(&undated, &JudgingResult::Not, Some(&before), at(900)), first);
    let other = run(&json!({"finished_at": null, "attempt": 2}));
    let again = Feedback::collect(&other, &JudgingResult::Not, Some(&before), at(900));
    assert_eq!(again.timestamp, jury_core::judge::written(at(900)));
}

#[test]
fn a_judge_script_is_merged_when_it_speaks_the_older_shape_and_refused_when_not() {
    let good = json!({"quality_score": 0.82, "style_rating": 4, "maintainability_rating": 4, "correctness_rating": 5,
        "confidence": "high", "verdict": "pass", "critique": "fine", "judge_model": "mock", "findings": []});
    let read = |value: &Value| OpusJudgement::read(value.to_string().as_bytes(), &bead("bd-one"), at(0));
    let opus = read(&good).unwrap();
    let feedback = Feedback::collect(&run(&json!({})), &JudgingResult::Opus(&opus), None, at(0));
    assert_eq!(feedback.opus_quality_score, Some(0.82));
    assert_eq!(feedback.opus_judge.as_ref().and_then(RecordPart::ours).unwrap().judge_model, "mock");
    for (key, value, message) in [
        (
            "quality_score",
            json!("excellent"),
            "the text \"excellent\" for quality_score, expected a number from 0 to 1",
        ),
        ("style_rating", json!(99), "99 for style_rating, expected a number from 1 to 5"),
        ("verdict", json!("LGTM"), "the text \"LGTM\" for verdict, expected pass, partial or fail"),
        ("confidence", json!(7), "7 for confidence, expected high, medium or low"),
        ("bead", json!("bd-two"), "the text \"bd-two\" for bead, expected the bead of the run"),
        (
            "findings",
            json!([1]),
            "an array of 1 for findings, expected an array of {severity: major or minor, title, details}",
        ),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert_eq!(read(&bad).unwrap_err().to_string(), format!("the judge script printed {message}"));
    }
}

#[test]
fn partial_and_broken_feedback_stops_nothing() {
    assert_eq!(FeedbackLine::read(b"{\"infra-tmux\":{\"count\":1}}"), Err(NotFeedback::NoBead));
    assert!(matches!(FeedbackLine::read(b"{\"bead\":"), Err(NotFeedback::NotJson(_))));
    let odd = FeedbackLine::of(&json!({"bead": "b", "timestamp": 7, "outcome": "new", "signals": "none",
        "failure_patterns": "x", "opus_quality_score": 1e9, "judgment": {"score": 3}}))
    .unwrap();
    assert_eq!((odd.template.as_str(), odd.agent.as_str(), odd.outcome), ("custom", "unknown", None));
    assert_eq!((odd.opus_quality_score, odd.judgment), (None, None));
}

#[test]
fn a_score_that_does_not_follow_from_its_marks_is_not_believed() {
    let line = FeedbackLine::of(&json!({"bead": "b", "opus_quality_score": 1, "judgment": {"verdict": "pass", "score": 1,
        "dimensions": {"correctness": 0.1, "scope_adherence": 0.1, "code_quality": 0.1, "completeness": 0.1}, "issues": []}}))
    .unwrap();
    assert_eq!(line.opus_quality_score, Some(0.1));
}

#[test]
fn the_files_of_scores() {
    let mut book = Book::default();
    for number in 0..5 {
        book.add(&line("bug-fix", number, RunOutcome::FullPass));
    }
    let mut judged = line("docs", 7, RunOutcome::PartialPass);
    judged.opus_quality_score = Some(0.9);
    judged.failure_patterns.push("scope-creep".to_owned());
    book.add(&judged);
    let (templates, agents) = scores(&book, at(0));
    assert_snapshot!("template_scores", text(&templates));
    assert_snapshot!("agent_scores", text(&agents));
    let (templates, agents) = scores(&Book::default(), at(0));
    assert_eq!((templates.templates.len(), agents.agents.len()), (0, 0));
}

#[test]
fn the_file_of_patterns() {
    let mut registry: PatternRegistry = serde_json::from_value(json!({
        "odd-one": {"count": 3, "first_seen": "2025-01-010T00:00:00Z", "last_seen": "", "last_beads": ["x"], "owner": "eve"}
    }))
    .unwrap();
    let one = |name: &str| vec![name.to_owned()];
    let seen = one("infra-tmux");
    let shown = |seconds| Shown { at: Some(at(seconds)), patterns: &seen };
    let none = std::collections::BTreeSet::new();
    assert_eq!(registry.change(&bead("bd-two"), None, shown(60)), none);
    assert_eq!(registry.change(&bead("bd-one"), None, shown(0)), none);
    assert_eq!(registry.change(&bead("bd-one"), Some(shown(0)), shown(0)), none);
    assert!(registry.mitigate("infra-tmux", "restart it", at(120)));
    assert!(!registry.mitigate("unknown", "nothing", at(120)));
    assert_snapshot!(text(&registry));
    let mut sightings = Sightings::default();
    sightings.see("infra-tmux", "bd-one", Some(at(0)));
    let made = sightings.registry(&registry);
    assert_eq!(made.0["infra-tmux"].count, 1);
    assert_eq!(made.0["infra-tmux"].mitigation.as_deref(), Some("restart it"));
    assert_eq!(made.0["odd-one"].rest["owner"], "eve");
}
