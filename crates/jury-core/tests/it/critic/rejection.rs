//! Answers that are sent back.

use insta::assert_snapshot;

use super::stage::{HARMLESS, Stage, TWO, setup};

#[test]
fn a_bare_pass_and_one_without_a_figure_are_sent_back_once() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ?\n Verdict: PASS\n[BETA] ? → none found, all compliant\n Verdict: PASS\n{HARMLESS}"
    ));
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    rejected ALPHA bare_verdict
    rejected BETA no_figure
    -> ask 1/2 ALPHA BETA
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 converged 1/0/0, 0 open, 0 new
    converged 1 passes 0 fixes 0 escalations
    ");
}

#[test]
fn what_comes_back_without_it_has_no_verdict() {
    let mut stage = Stage::new(setup(TWO));
    let bare =
        format!("=== CRITIC 1 ===\n[ALPHA] ?\n Verdict: PASS\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}");
    stage.says(&bare);
    stage.says(&bare);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    rejected ALPHA bare_verdict
    -> ask 1/2 ALPHA
    verdict ALPHA none (bare_verdict) by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 not converged 1 bare_verdict, 1 open, 0 new
    inconclusive bare_verdict: no verdict on ALPHA: the critic said PASS and not why, twice; try another agent
    ");
}

#[test]
fn a_second_answer_counts_only_where_the_first_was_sent_back() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ?\n Verdict: PASS\n[BETA] ? → 1 of 3\n Verdict: FAIL (mend it)\n{HARMLESS}"
    ));
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    rejected ALPHA bare_verdict
    -> ask 1/2 ALPHA
    verdict ALPHA PASS by opinion
    verdict BETA FAIL by opinion [open: mend it]
    adversarial realistic false
    -> fix BETA by agent
    ");
}

#[test]
fn a_fail_or_an_escalation_holds_without_its_evidence() {
    let mut stage = Stage::new(setup(TWO));
    let thin = format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → odd\n Verdict: FAIL\n[BETA] ? → two ways\n Verdict: ESCALATE\n{HARMLESS}"
    );
    stage.says(&thin);
    stage.says(&thin);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    rejected ALPHA no_fix
    rejected BETA no_question
    -> ask 1/2 ALPHA BETA
    verdict ALPHA FAIL by opinion [open: odd]
    verdict BETA ESCALATE by opinion [escalated: Is beta right?]
    adversarial realistic false
    pass_ended 1 escalate 1, 2 open, 2 new
    escalated 1:BETA(0) and 0 more
    ");
}

#[test]
fn a_missing_scenario_and_one_that_is_not_decided_are_sent_back() {
    let mut stage = Stage::new(setup(TWO));
    let items = "=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n[BETA] ? → 3 of 3\n Verdict: PASS\n";
    stage.says(items);
    stage.says(&format!(
        "{items}[ADVERSARIAL] Failure scenario: rain\n → Realistic? {{Y → FAIL + fix / N → rationale}}"
    ));
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    rejected ADVERSARIAL no_scenario
    -> ask 1/2 ADVERSARIAL
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial none (no_scenario)
    pass_ended 1 not converged 1 no_scenario, 1 open, 0 new
    inconclusive no_scenario: no verdict on ADVERSARIAL: the critic described no failure that is decided, twice; try another agent
    ");
}

#[test]
fn of_two_verdicts_the_stricter_one_counts_and_strangers_do_not() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 3\n Verdict: FAIL (mend it)\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n[GAMMA] ? → 3\n Verdict: FAIL (x)\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    ));
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA FAIL by opinion [open: mend it]
    verdict BETA PASS by opinion
    adversarial realistic false
    -> fix ALPHA by agent
    ");
}

#[test]
fn a_new_concern_takes_one_more_look() {
    let mut stage = Stage::new(setup(TWO));
    let concerned = format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n Concern: the word `soon` is vague\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    );
    stage.says(&concerned);
    stage.says(&concerned.replace("is vague", "says little"));
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA PASS by opinion [open: the word `soon` is vague]
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 continue 0, 0 open, 1 new
    pass_started 2
    -> ask 2/1
    verdict ALPHA PASS by opinion [open: the word `soon` says little]
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/0/0, 0 open, 0 new
    converged 2 passes 0 fixes 0 escalations
    ");
}

#[test]
fn a_failure_that_is_sent_back_for_its_fix_cannot_be_taken_back() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 3 wrong\n Verdict: FAIL\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    ));
    stage.passes(&["ALPHA", "BETA"]);
    let judged = &stage.state().last_pass().expect("a pass").verdicts[0];
    assert_eq!(judged.verdict, Some(jury_core::critic::CriterionVerdict::Fail));
}
