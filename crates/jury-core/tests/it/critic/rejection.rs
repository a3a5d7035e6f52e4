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
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn what_comes_back_without_it_has_no_verdict() {
    let mut stage = Stage::new(setup(TWO));
    let bare =
        format!("=== CRITIC 1 ===\n[ALPHA] ?\n Verdict: PASS\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}");
    stage.says(&bare);
    stage.says(&bare);
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn a_second_answer_counts_only_where_the_first_was_sent_back() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ?\n Verdict: PASS\n[BETA] ? → 1 of 3\n Verdict: FAIL (mend it)\n{HARMLESS}"
    ));
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn a_fail_or_an_escalation_holds_without_its_evidence() {
    let mut stage = Stage::new(setup(TWO));
    let thin = format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → odd\n Verdict: FAIL\n[BETA] ? → two ways\n Verdict: ESCALATE\n{HARMLESS}"
    );
    stage.says(&thin);
    stage.says(&thin);
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn a_missing_scenario_and_one_that_is_not_decided_are_sent_back() {
    let mut stage = Stage::new(setup(TWO));
    let items = "=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n[BETA] ? → 3 of 3\n Verdict: PASS\n";
    stage.says(items);
    stage.says(&format!(
        "{items}[ADVERSARIAL] Failure scenario: rain\n → Realistic? {{Y → FAIL + fix / N → rationale}}"
    ));
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn of_two_verdicts_the_stricter_one_counts_and_strangers_do_not() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 3\n Verdict: FAIL (mend it)\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n[GAMMA] ? → 3\n Verdict: FAIL (x)\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    ));
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn a_new_concern_takes_one_more_look() {
    let mut stage = Stage::new(setup(TWO));
    let concerned = format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n Concern: the word `soon` is vague\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    );
    stage.says(&concerned);
    stage.says(&concerned.replace("is vague", "says little"));
    assert_snapshot!(stage.log(), @"");
}
