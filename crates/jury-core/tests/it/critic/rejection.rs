//! Answers that are sent back.

use insta::assert_snapshot;
use jury_core::critic::format::{check_transcript, write, write_escalation};
use jury_core::critic::{Answer, CriticSetup};

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
    escalated 1:BETA(2) and 0 more
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

/// ALPHA passes, and this is said of BETA.
fn beta(said: &str) -> String {
    format!("=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n{said}\n{HARMLESS}")
}

#[test]
fn an_escalation_that_names_no_way_out_is_asked_with_ways_made_from_its_finding() {
    let mut stage = Stage::new(setup(TWO));
    let thin = beta(
        "[BETA] ? → 2 of 5 dates have two readings\n Verdict: ESCALATE (is `03/04` in March or in April?)",
    );
    stage.says(&thin);
    stage.says(&thin);
    let asked: Vec<_> = stage.state().open_questions().cloned().collect();
    assert_snapshot!(write_escalation(&asked[0]), @"
    === CRITIC ESCALATION (1) ===
    [BETA] is `03/04` in March or in April?

    Issue: 2 of 5 dates have two readings
    Why escalation: is `03/04` in March or in April?; it was asked twice for the ways out and gave none: these are made from what it found

    Options:
      1. Have it changed — the document is changed so that this is settled (is `03/04` in March or in April?)
         Pro: the next pass looks at it as it is then  Con: whoever changes the document chooses the way
      2. Have it marked as open — the document says at that place that this is not decided, and who decides it (is `03/04` in March or in April?)
         Pro: whoever reads the document sees it  Con: it is still to be decided
      3. Skip — keep current state, mark as [DEFERRED]
    ");
    assert_eq!(check_transcript(write(stage.state()).as_bytes()), Vec::new(), "what is printed holds");
    stage.answers(1, Answer::Option(2));
    let log = stage.log();
    assert!(
        log.contains("-> fix BETA by agent as decided: Have it marked as open: the document says"),
        "{log}"
    );
}

#[test]
fn nobody_but_a_person_chooses_a_way_that_was_made_from_a_finding() {
    for default in ["", "default_answer = 1\n", "default_answer = \"skip\"\n"] {
        let criteria = TWO.replace("id = \"BETA\"\n", &format!("id = \"BETA\"\n{default}"));
        assert!(default.is_empty() || criteria.contains(default), "{criteria}");
        let mut stage = Stage::new(CriticSetup { auto: true, ..setup(&criteria) });
        let thin = beta("[BETA] ? → 2 of 5 dates have two readings\n Verdict: ESCALATE");
        stage.says(&thin);
        stage.says(&thin);
        let asked = stage.state().open_questions().count();
        // To leave it needs no option: that default means the same whatever is asked.
        assert_eq!(asked, usize::from(!default.contains("skip")), "{default:?}\n{}", stage.log());
    }
}

#[test]
fn every_verdict_needs_a_figure_and_what_holds_the_gate_shut_holds_without_it() {
    const BLOCK: &str = "=== CRITIC ESCALATION (1) ===\n[BETA] Which?\n\nIssue: Dates are read in several ways.\nWhy escalation: Taste.\n\nOptions:\n  1. March — so be it\n     Pro: fast  Con: dear\n  2. April — so be it\n     Pro: slow  Con: cheap\n  3. Skip — keep current state, mark as [DEFERRED]\n";
    let judged = |said: &str, block: &str| {
        let mut stage = Stage::new(setup(TWO));
        let text = format!("{}{block}", beta(&format!("[BETA] ? → {said}")));
        stage.says(&text);
        let sent_back = stage.log().contains("rejected BETA no_figure");
        let told =
            check_transcript(text.as_bytes()).iter().any(|own| own.message.contains("without a figure"));
        assert_eq!(sent_back, told, "the machine and the check of transcripts agree: {said}");
        if sent_back {
            stage.says(&text);
        }
        let judged = &stage.state().passes[0].verdicts[1];
        (sent_back, judged.verdict.map(|verdict| verdict.to_string()), judged.gap.map(|gap| gap.to_string()))
    };
    let held = |verdict: &str| (true, Some(verdict.to_owned()), None);
    let nothing = (true, None, Some("no_figure".to_owned()));
    assert_eq!(judged("all dates are fine\n Verdict: PASS", ""), nothing);
    assert_eq!(judged("the dates wait\n Verdict: DEFER (they are set in spring)", ""), nothing);
    assert_eq!(judged("a date is wrong\n Verdict: FAIL (mend `03/04`)", ""), held("FAIL"));
    assert_eq!(judged("dates are unclear\n Verdict: ESCALATE", BLOCK), held("ESCALATE"));
    // With a figure, wherever it stands, nothing is sent back.
    let heard = |verdict: &str| (false, Some(verdict.to_owned()), None);
    assert_eq!(judged("5 of 5 dates are fine\n Verdict: PASS", ""), heard("PASS"));
    assert_eq!(judged("1 of 5 dates waits\n Verdict: DEFER (it is set in spring)", ""), heard("DEFER"));
    assert_eq!(judged("a date is wrong\n Verdict: FAIL (mend 1 of 5 dates: `03/04`)", ""), heard("FAIL"));
    let counted = BLOCK.replace("Dates are read", "2 of 5 dates are read");
    assert_eq!(judged("dates are unclear\n Verdict: ESCALATE", &counted), heard("ESCALATE"));
}
