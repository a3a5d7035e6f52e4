//! Scores, trends, selection, refinement and guardrails.

use jury_core::judge::{JudgeDimension, RunOutcome};
use jury_learning::ab::{AbStatus, AbTest, AbTests};
use jury_learning::calibration::Influence;
use jury_learning::guardrail::{self, Purpose};
use jury_learning::interval::Estimate;
use jury_learning::message;
use jury_learning::refine::{LogEntry, Refined, RefinementLog, RefinementTrigger, candidates};
use jury_learning::{
    Book, FeedbackLine, PatternEntry, PatternRegistry, Shown, TemplateScore, TemplateScores, Trend,
    regressions, scores, select,
};
use serde_json::json;

use crate::stage::{at, bead, line};

use RunOutcome::{AgentFailure, FullPass, InfraFailure, PartialPass, Timeout};

const WITHHELD: Influence = Influence::Withheld { kappa: None, runs: 0 };

fn book(lines: &[FeedbackLine]) -> Book {
    let mut book = Book::default();
    for line in lines {
        book.add(line);
    }
    book
}

fn runs(template: &str, from: i64, outcomes: &[(RunOutcome, i64)]) -> Vec<FeedbackLine> {
    let mut lines = Vec::new();
    let mut number = from;
    for (outcome, count) in outcomes {
        for _ in 0..*count {
            lines.push(line(template, number, *outcome));
            number += 1;
        }
    }
    lines
}

fn scored(lines: &[FeedbackLine]) -> TemplateScores {
    scores(&book(lines), at(0)).0
}

fn only(lines: &[FeedbackLine]) -> TemplateScore {
    scored(lines).templates.remove(0)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn mechanical_scores_are_those_of_the_formula() {
    // 5·1 + 3·0.4 − 1·0.3 of 10 = 0.59
    near(
        only(&runs("t", 0, &[(FullPass, 5), (PartialPass, 3), (AgentFailure, 1), (Timeout, 1)])).score,
        0.59,
    );
    let mut retried = runs("t", 0, &[(FullPass, 10)]);
    retried.iter_mut().take(5).for_each(|line| line.retried = true);
    near(only(&retried).score, 0.9);
    let mut late = runs("t", 0, &[(Timeout, 10)]);
    for line in &mut late {
        line.retried = true;
    }
    assert_eq!(serde_json::to_value(only(&late)).unwrap()["score"], json!(0));
    let infra = only(&runs("t", 0, &[(FullPass, 5), (InfraFailure, 5)]));
    assert_eq!((infra.total_runs, infra.scoreable_runs), (10, 5));
    near(infra.score, 1.0);
    near(only(&runs("t", 0, &[(InfraFailure, 3)])).score, 0.0);
}

#[test]
fn blended_is_six_parts_mechanical_and_four_parts_judged() {
    let mut lines = runs("t", 0, &[(FullPass, 5), (PartialPass, 5)]);
    near(only(&lines).score, 0.7);
    lines[0].opus_quality_score = Some(0.5);
    lines[1].opus_quality_score = Some(0.3);
    let score = only(&lines);
    near(score.score, 0.6 * 0.7 + 0.4 * 0.4);
    near(score.effective(false).value, 0.7);
    assert_eq!(score.judged_runs, 2);
    // What took too long was not judged, whatever a record says.
    lines.push(FeedbackLine { opus_quality_score: Some(1.0), ..line("t", 99, Timeout) });
    assert_eq!(only(&lines).judged_runs, 2);
}

#[test]
fn a_trend_goes_by_time_and_not_by_name() {
    let trend = |first, then| only(&runs("t", 0, &[(first, 10), (then, 10)])).trend;
    assert_eq!(trend(AgentFailure, FullPass), Trend::Improving);
    assert_eq!(trend(FullPass, AgentFailure), Trend::Declining);
    assert_eq!(trend(FullPass, FullPass), Trend::Stable);
    assert_eq!(only(&runs("t", 0, &[(FullPass, 9)])).trend, Trend::InsufficientData);
    // Names that sort the other way round.
    let mut lines = runs("t", 0, &[(AgentFailure, 10), (FullPass, 10)]);
    for (index, line) in lines.iter_mut().enumerate() {
        line.bead = format!("bd-{:02}", 99 - index);
    }
    assert_eq!(only(&lines).trend, Trend::Improving);
    // With one time for all, the names decide.
    for line in &mut lines {
        line.at = Some(at(0));
    }
    assert_eq!(only(&lines).trend, Trend::Declining);
}

#[test]
fn a_fall_is_told_from_ten_runs_on() {
    let before = scored(&runs("t", 0, &[(FullPass, 10)]));
    let after = scored(&runs("t", 0, &[(FullPass, 8), (AgentFailure, 2)]));
    assert_eq!(regressions(&before, &after).len(), 1);
    assert!(regressions(&before, &before).is_empty());
    let small = scored(&runs("t", 0, &[(FullPass, 1), (AgentFailure, 5)]));
    assert!(regressions(&before, &small).is_empty());
}

#[test]
fn selection_says_why() {
    let none = select("Fix the crash", None, &mut AbTests::default(), &WITHHELD);
    assert_eq!((none.template.as_str(), none.confidence.as_str()), ("custom", "none"));
    assert_eq!(none.warnings, ["No template-scores.json found — using defaults"]);
    let mut lines = runs("bug-fix", 0, &[(FullPass, 4), (AgentFailure, 4)]);
    lines.extend(runs("bug-fix-careful", 100, &[(FullPass, 8)]));
    lines.extend(runs("bug-fix-v1", 200, &[(FullPass, 20)]));
    let scores = scored(&lines);
    let chosen = select("Fix the crash", Some(&scores), &mut AbTests::default(), &WITHHELD);
    assert_eq!(chosen.template, "bug-fix-careful");
    assert_eq!((chosen.agent.as_str(), chosen.confidence.as_str(), chosen.variant), ("ada", "medium", None));
    assert_eq!(
        chosen.reasons,
        [
            "the task is bug-fix: fix",
            "bug-fix-careful has a mechanical score of 1 (0.57 to 1) over 8 runs",
            "bug-fix has 0.5 (0.13 to 0.79) over 8",
            "ada passes 1 of its 8 runs with it",
        ]
    );
    let unknown = select("Write a tutorial", Some(&scores), &mut AbTests::default(), &WITHHELD);
    assert_eq!((unknown.template.as_str(), unknown.confidence.as_str()), ("docs", "none"));
    let few = scored(&runs("docs", 0, &[(FullPass, 3)]));
    let few = select("Write a tutorial", Some(&few), &mut AbTests::default(), &WITHHELD);
    assert_eq!(few.warnings, ["Low confidence: docs has 3 runs, and 5 make it medium"]);
}

#[test]
fn scores_of_the_scripts_before_us_are_understood() {
    let old: TemplateScores = serde_json::from_value(json!({"templates": [{"template": "docs", "total_runs": 12,
        "scoreable_runs": 12, "score": 0.8, "full_pass_rate": 0.8, "confidence": "medium", "trend": "stable",
        "agents": [{"agent": "eve", "total_runs": 2, "full_pass_rate": 1}, {"agent": "ada", "total_runs": 3, "full_pass_rate": 0.5}]}]}))
    .unwrap();
    let chosen = select("Write a tutorial", Some(&old), &mut AbTests::default(), &WITHHELD);
    assert_eq!(serde_json::to_value(&chosen).unwrap()["score"], json!(0.8));
    assert_eq!(chosen.agent, "ada");
    assert!(chosen.warnings.is_empty());
}

#[test]
fn judgements_have_a_say_only_where_they_have_earned_it() {
    let judged = |template: &str, from, score| {
        let mut lines = runs(template, from, &[(PartialPass, 2), (FullPass, 18)]);
        for line in &mut lines {
            line.opus_quality_score = Some(score);
        }
        lines
    };
    let mut lines = judged("docs", 0, 0.2);
    lines.extend(judged("docs-long", 100, 0.9));
    // The plain one is a little better by the checks.
    lines.extend(runs("docs", 200, &[(FullPass, 1)]));
    let scores = scored(&lines);
    let chosen =
        |influence| select("Write a tutorial", Some(&scores), &mut AbTests::default(), influence).template;
    assert_eq!(chosen(&WITHHELD), "docs");
    assert_eq!(chosen(&Influence::Earned { kappa: 0.7 }), "docs-long");
    assert_eq!(chosen(&Influence::Forced), "docs-long");
    let asked = candidates(&scores, &Influence::Forced);
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (asked[0].template.as_str(), asked[0].triggers.as_slice()),
        ("docs", &[RefinementTrigger::LowJudgement][..])
    );
    assert!(candidates(&scores, &WITHHELD).is_empty());
}

#[test]
fn the_arm_whose_turn_it_is_runs_and_only_then_is_it_the_variant() {
    let scores = scored(&runs("docs", 0, &[(FullPass, 5)]));
    let mut tests = AbTests::default();
    tests.tests.push(AbTest::new("docs", "docs-v1", 10, String::new()));
    let first = select("Write a tutorial", Some(&scores), &mut tests, &WITHHELD);
    assert_eq!((first.template.as_str(), first.variant), ("docs", None));
    tests.tests[0].record(jury_learning::ab::Arm::Original);
    let second = select("Write a tutorial", Some(&scores), &mut tests, &WITHHELD);
    assert_eq!((second.template.as_str(), second.variant.as_deref()), ("docs-v1", Some("docs-v1")));
}

#[test]
fn a_template_is_refined_for_its_own_runs_only() {
    let mut lines = runs("docs", 0, &[(FullPass, 19), (PartialPass, 1)]);
    // Seven failures of the machine, and a bad neighbour.
    lines.iter_mut().take(7).for_each(|line| line.failure_patterns.push("infra-tmux".to_owned()));
    let mut bad = runs("bug-fix", 100, &[(AgentFailure, 9), (FullPass, 3)]);
    bad.iter_mut().take(6).for_each(|line| line.failure_patterns.push("scope-creep".to_owned()));
    lines.extend(bad);
    lines.extend(runs("script", 300, &[(AgentFailure, 9)]));
    lines.extend(runs("bug-fix-v2", 400, &[(AgentFailure, 20)]));
    let found = candidates(&scored(&lines), &WITHHELD);
    assert_eq!(found.len(), 1, "{found:?}");
    let found = &found[0];
    assert_eq!(found.template, "bug-fix");
    assert_eq!(found.triggers, [RefinementTrigger::LowPassRate, RefinementTrigger::HighPatternCount]);
    assert_eq!(found.applied(), ["scope-creep"]);
    assert_eq!(
        found.next_variant(["bug-fix-v2", "bug-fix-v4.md", "bug-fix-extra-v9", "docs-v7"].into_iter()),
        "bug-fix-v5"
    );
    let text = found.variant_text("Do it.\n", &[JudgeDimension::Correctness]);
    assert!(text.starts_with("Do it.\n\n## Refinement Notes (auto-generated)\n"), "{text}");
    assert!(
        text.contains("scope") && text.contains("\n- Reviewers found mistakes in earlier runs."),
        "{text}"
    );
    assert_eq!(text.matches("\n## ").count(), 1);
}

#[test]
fn the_lines_that_scripts_look_for_have_their_words() {
    let found = candidates(&scored(&runs("docs", 0, &[(AgentFailure, 8), (FullPass, 4)])), &WITHHELD);
    assert_eq!(
        message::would_refine(&found[0], true),
        "[dry-run] Would refine docs (low_pass_rate): 33.3% of 12 runs pass"
    );
    assert_eq!(message::missing_bead("runs/x.json"), "Error: missing bead in run record: runs/x.json");
    assert_eq!(message::processed(3, 1, 0), "3 processed, 1 still running, 0 with errors");
    assert!(message::template_not_found("docs", "docs.md").contains("not found"));
    assert!(message::NO_SCORES.starts_with("No template-scores"));
    let mut lines = runs("docs", 0, &[(FullPass, 20)]);
    // All of those before the mitigation, and three of the ten since.
    for (index, line) in lines.iter_mut().enumerate() {
        if index < 13 {
            line.failure_patterns.push("scope-creep".to_owned());
        }
    }
    let mut registry = PatternRegistry::default();
    let patterns = ["scope-creep".to_owned()];
    let unsure = registry.change(&bead("bd-0"), None, Shown { at: Some(at(0)), patterns: &patterns });
    assert!(unsure.is_empty());
    let said = |registry: &PatternRegistry| {
        let entry = &registry.0["scope-creep"];
        let mut since = message::Since::new("scope-creep", entry);
        for line in &lines {
            since.see(line);
        }
        message::effectiveness("scope-creep", entry, &since)
    };
    assert_eq!(said(&registry), "scope-creep: no mitigation recorded");
    registry.mitigate("scope-creep", "say what the scope is", at(600));
    assert_eq!(said(&registry), "scope-creep: 30% of 10 runs since the mitigation (say what the scope is)");
    assert!(
        message::pattern_line("infra-disk", &PatternEntry::default())
            .contains("excluded from template scoring")
    );
}

#[test]
fn guardrails_answer_in_one_line() {
    assert_eq!(guardrail::sample_size(4, Purpose::Scoring).line, "insufficient: 4 of 5 runs for scoring");
    assert_eq!(
        guardrail::sample_size(10, Purpose::Refinement).line,
        "sufficient: 10 of 10 runs for refinement"
    );
    let mut tests = AbTests::default();
    for number in 1..=4 {
        tests.tests.push(AbTest::new(
            "docs",
            &format!("docs-v{number}"),
            10,
            format!("2026-01-0{}", 5 - number),
        ));
    }
    assert!(!guardrail::variant_limit(&tests, "docs").ok);
    assert_eq!(guardrail::enforce_variant_limit(&mut tests, "docs", "now"), ["docs-v4"]);
    assert_eq!(tests.tests[3].status, AbStatus::Completed);
    assert_eq!(guardrail::variant_limit(&tests, "docs").line, "ok: docs has 3 of 3 active variants");
    let worse = Estimate { value: 0.4, low: 0.2, high: 0.6 };
    assert!(guardrail::rollback("docs", worse, 9, 0.8).ok);
    assert!(guardrail::rollback("docs", worse, 12, 0.5).ok);
    assert_eq!(
        guardrail::rollback("docs", worse, 12, 0.8).line,
        "rollback: docs scores 0.4 since its promotion and scored 0.8 before"
    );
    assert!(guardrail::promotion("docs", "docs-v1", (0.4, 0.6), true).line.contains("gated"));
    assert!(
        guardrail::promotion("it's", "docs-v1", (0.4, 0.6), false)
            .line
            .contains("allowed: docs-v1 (0.6) over its")
    );
    let mut log = RefinementLog::default();
    for number in 0..5 {
        log.entries.push(LogEntry::Refined(Refined {
            template: "docs".to_owned(),
            variant: format!("docs-v{number}"),
            trigger: "low_pass_rate".to_owned(),
            timestamp: String::new(),
            full_pass_rate: 0.3,
            total_runs: 12,
            patterns_applied: Vec::new(),
        }));
    }
    assert!(guardrail::refinement_loop(&log, "docs").line.starts_with("loop breaker: docs"));
    assert!(guardrail::refinement_loop(&log, "other").line.starts_with("ok: no loop"));
    let hashes = ["a", "b", "a", "", "a"];
    assert_eq!(guardrail::duplicates(hashes.into_iter()), [("a", 3)]);
    assert_eq!(guardrail::unique(hashes.into_iter()), 2);
}

#[test]
fn a_loop_is_seen_in_a_log_with_less_in_it() {
    let entry = json!({"template": "docs", "trigger": "low_pass_rate", "full_pass_rate": 0.3});
    let log: RefinementLog = serde_json::from_value(json!({"entries": vec![entry; 5]})).unwrap();
    assert!(!guardrail::refinement_loop(&log, "docs").ok);
}

#[test]
fn a_log_of_others_is_kept() {
    let file = json!({"schema_version": "1.0.0", "entries": [
        {"type": "ab_test_result", "original": "a", "variant": "b", "decision": "promoted", "original_score": 0.4}]});
    let log: RefinementLog = serde_json::from_value(file.clone()).unwrap();
    assert_eq!(serde_json::to_value(&log).unwrap(), file);
}
