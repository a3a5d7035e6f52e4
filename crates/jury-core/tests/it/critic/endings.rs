//! How loops go on and end.

use insta::assert_snapshot;
use jury_core::critic::{
    Critic, CriticEffect, CriticInput, CriticLimits, CriticOutput, CriticSetup, CriticState, CriticStatus,
    Fixer,
};
use jury_core::outcome::FailedCause;
use jury_core::run::OutcomeWord as _;
use jury_core::unit::Millis;
use jury_core::workflow::WorkflowState as _;

use super::stage::{HARMLESS, Stage, TWO, setup};

fn fails(stage: &mut Stage, what: &str) {
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 3 is wrong\n Verdict: FAIL ({what})\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    ));
}

#[test]
fn a_first_pass_without_a_defect_is_enough() {
    let mut stage = Stage::new(setup(TWO));
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 converged 1/0/0, 0 open, 0 new
    converged 1 passes 0 fixes 0 escalations
    ");
    assert_eq!(stage.state().status().exit_code(), 0);
}

#[test]
fn a_defect_is_fixed_and_looked_at_again() {
    let mut stage = Stage::new(setup(TWO));
    fails(&mut stage, "mend `one`");
    stage.fixes(&["ALPHA"]);
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA FAIL by opinion [open: mend `one`]
    verdict BETA PASS by opinion
    adversarial realistic false
    -> fix ALPHA by agent
    fixed ALPHA
    pass_ended 1 continue 1, 1 open, 1 new
    pass_started 2
    -> ask 2/1
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/1/0, 0 open, 0 new
    converged 2 passes 1 fixes 0 escalations
    ");
}

#[test]
fn a_realistic_scenario_is_a_defect() {
    let mut stage = Stage::new(setup(TWO));
    stage.says("=== CRITIC 1 ===\n[ALPHA] ? → 3 of 3\n Verdict: PASS\n[BETA] ? → 3 of 3\n Verdict: PASS\n[ADVERSARIAL] Failure scenario: the disk fills up\n → Realistic? Y → 2 of 3 disks are small");
    stage.fixes(&["ADVERSARIAL"]);
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic true
    -> fix ADVERSARIAL by agent
    fixed ADVERSARIAL
    pass_ended 1 continue 1, 1 open, 1 new
    pass_started 2
    -> ask 2/1
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/1/0, 0 open, 0 new
    converged 2 passes 1 fixes 0 escalations
    ");
}

#[test]
fn the_cap_ends_it_with_what_is_left() {
    let mut stage = Stage::new(setup(TWO));
    for number in 0..3 {
        fails(&mut stage, &format!("mend `part {}`", ["one", "two", "three"][number]));
        stage.fixes(&["ALPHA"]);
    }
    fails(&mut stage, "mend `part four`");
    assert_snapshot!(stage.end(), @"safety_cap ALPHA left after 4 passes; review it by hand");
    assert_eq!(stage.state().status().exit_code(), 1);
    let text = jury_core::critic::format::write(stage.state());
    assert_eq!(text.lines().last(), Some("⚠ Critic safety cap (4 passes). Review recommended."), "{text}");
    assert_eq!(text.matches("safety cap").count(), 1, "once, at the end: {text}");
}

#[test]
fn without_anybody_to_fix_it_there_is_no_second_pass() {
    let mut stage = Stage::new(CriticSetup { fixer: Fixer::Nobody, ..setup(TWO) });
    fails(&mut stage, "mend it");
    assert_snapshot!(stage.end(), @"stopped unfixable: ALPHA left: nobody is to change the document; fix it by hand and run again");
    assert_eq!((stage.state().status(), stage.state().passes.len()), (CriticStatus::Stopped, 1));
}

#[test]
fn a_fix_that_fails_is_tried_again_and_then_left() {
    let mut stage = Stage::new(setup(TWO));
    fails(&mut stage, "mend it");
    stage.handle(CriticInput::FixFailed("no space".to_owned()));
    stage.handle(CriticInput::FixFailed("no space".to_owned()));
    assert_snapshot!(stage.end(), @"stopped fix_failed: ALPHA left: no space; fix it by hand and run again");
}

#[test]
fn changes_in_a_circle_are_named_and_end_the_loop() {
    let mut same = Stage::new(setup(TWO));
    fails(&mut same, "mend it");
    same.fixes_to("v0", &["ALPHA"]);
    assert_snapshot!(same.end(), @"stopped churn document_unchanged: the fix left the document as it was: look at what the fix is told and whether it can write");

    let mut back = Stage::new(setup(TWO));
    fails(&mut back, "mend `one`");
    back.fixes_to("v1", &["ALPHA"]);
    fails(&mut back, "mend `two`");
    back.fixes_to("v0", &["ALPHA"]);
    assert_snapshot!(back.end(), @"stopped churn document_seen_before: the fix brought an earlier document back: two fixes undo each other: settle by hand which of them is right");

    let mut place = Stage::new(setup(TWO));
    fails(&mut place, "mend `one`");
    place.fixes_to("# A\nlong\n", &["ALPHA"]);
    fails(&mut place, "mend `two`");
    place.fixes_to("# A\nshort\n", &["ALPHA"]);
    fails(&mut place, "mend `three`");
    place.fixes_to("# A\nlong\n# B\nnew\n", &["ALPHA"]);
    assert_snapshot!(place.end(), @"stopped churn place_back_and_forth: 'A' has again the words that an earlier fix had changed: two criteria pull at one place: rephrase one of them, or decide by hand");
}

#[test]
fn a_finding_that_comes_back_once_too_often_ends_the_loop() {
    let six = TWO.replace("cap = 4", "cap = 9");
    let mut stage = Stage::new(setup(&six));
    fails(&mut stage, "mend `one`");
    stage.fixes(&["ALPHA"]);
    fails(&mut stage, "mend `two`");
    stage.fixes(&["ALPHA"]);
    fails(&mut stage, "mend `one`");
    stage.fixes(&["ALPHA"]);
    fails(&mut stage, "mend `two`");
    assert_snapshot!(stage.end(), @"stopped churn finding_oscillates: 'mend `one`' was fixed, came back and was fixed again: fix it by hand, or split the criterion that keeps coming back");
    assert_eq!(stage.state().passes.len(), 4);
}

#[test]
fn without_a_critic_there_is_no_verdict() {
    let mut stage = Stage::new(CriticSetup { agent: None, ..setup(TWO) });
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    verdict ALPHA none (no_model) by opinion
    verdict BETA none (no_model) by opinion
    adversarial none (no_model)
    pass_ended 1 not converged 3 no_model, 3 open, 0 new
    inconclusive no_model: no verdict on ADVERSARIAL, ALPHA, BETA: it takes a critic and there is none: name an agent
    ");
    assert_eq!(stage.state().status().exit_code(), 3);
    // And nothing follows.
    let before = stage.out.len();
    stage.passes(&["ALPHA", "BETA"]);
    assert_eq!(stage.out.len(), before);
}

#[test]
fn a_critic_that_fails_is_asked_again_and_then_absent() {
    let mut stage = Stage::new(setup(TWO));
    stage.handle(CriticInput::CriticFailed { cause: FailedCause::AgentError, detail: "401".to_owned() });
    stage.says("I am sorry, I cannot do that.");
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    absent 1 agent_error retried true
    -> ask 1/2
    absent 2 agent_error retried false
    verdict ALPHA none (critic_absent) by opinion
    verdict BETA none (critic_absent) by opinion
    adversarial none (critic_absent)
    pass_ended 1 not converged 3 critic_absent, 3 open, 0 new
    inconclusive critic_absent: no verdict on ADVERSARIAL, ALPHA, BETA: the critic failed more often than it may: look at its messages, and run again
    ");
}

#[test]
fn time_runs_out() {
    let mut stage = Stage::new(setup(TWO));
    let deadline = stage.critic.deadline().unwrap();
    assert_eq!(deadline, CriticLimits::default().step);
    stage.now = deadline;
    stage.handle(CriticInput::Deadline);
    stage.now = CriticLimits::default().total;
    stage.handle(CriticInput::Deadline);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    -> stop
    absent 1 silent retried true
    -> ask 1/2
    inconclusive timed_out: the run took longer than 1800000 ms: give it more time, or a smaller document
    -> stop
    ");
    assert_eq!(stage.critic.deadline(), None);
}

#[test]
fn somebody_stops_it() {
    let mut stage = Stage::new(setup(TWO));
    stage.now = Millis(7);
    stage.handle(CriticInput::Interrupt);
    stage.handle(CriticInput::Interrupt);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    interrupted None
    -> stop
    ");
    assert_eq!(stage.state().status().exit_code(), 130);
    let mut broken = Stage::new(setup(TWO));
    broken.handle(CriticInput::Broken("the log is gone".to_owned()));
    assert_eq!(broken.state().status(), CriticStatus::Failed);
}

#[test]
fn a_pass_that_was_cut_off_is_made_again_but_not_for_ever() {
    let stage = Stage::new(setup(TWO));
    let mut log = stage.events();
    for _ in 0..2 {
        let state = CriticState::of(&log);
        assert_eq!(state.cut_off(None), None, "it can go on");
        let mut again = Critic::resume(state, CriticLimits::default()).expect("it has begun");
        let mut out = Vec::new();
        again.handle(CriticInput::Start, Millis(9), &mut out);
        log.extend(out.into_iter().filter_map(|output| match output {
            CriticOutput::Event(event) => Some(event),
            CriticOutput::Effect(_) => None,
        }));
        assert_eq!(again.state().passes.len(), 1, "the same pass");
    }
    let mut state = CriticState::of(&log);
    state.apply(&state.cut_off(None).expect("it takes the program with it every time"));
    assert_eq!(state.status(), CriticStatus::Interrupted);
    assert!(Critic::resume(state, CriticLimits::default()).is_none(), "it has ended");
}

#[test]
fn a_pass_that_was_paid_is_not_made_again() {
    let mut stage = Stage::new(setup(TWO));
    fails(&mut stage, "it is wrong");
    // The document is being changed when the program is killed.
    let mut again =
        Critic::resume(CriticState::of(&stage.events()), CriticLimits::default()).expect("it has begun");
    let mut out = Vec::new();
    again.handle(CriticInput::Start, Millis(9), &mut out);
    assert!(matches!(out.as_slice(), [CriticOutput::Effect(CriticEffect::Fix(_))]), "{out:?}");
}

const MEASURED: &str = r#"
name = "measured"
cap = 3
[adversarial]
check = ["make", "break"]
[[criterion]]
id = "LINKS"
question = "Do all links lead somewhere?"
measure = "dead-link"
fix = ["mend", "{file}"]
[[criterion]]
id = "TESTS"
question = "Do the tests pass, with enough of the code covered?"
needs = "opinion"
shell = "make test"
figures = { covered = "covered {}%" }
pass_when = { exit = 0, covered = { min = 80 } }
"#;

#[test]
fn what_is_measured_beats_what_is_said() {
    let mut stage = Stage::new(setup(MEASURED));
    stage.measures("LINKS", 1, 9);
    stage.checks("TESTS", 0, "covered 79.5%\n");
    stage.checks("ADVERSARIAL", 0, "");
    // Whatever the critic thinks of it.
    stage.says(
        "=== CRITIC 1 ===\n[LINKS] ? → 9 of 9\n Verdict: PASS\n[TESTS] ? → 100 of 100 pass\n Verdict: PASS\n",
    );
    stage.fixes(&["LINKS", "TESTS"]);
    // In the next pass the critic sees a dead link that is not there.
    stage.measures("LINKS", 0, 9);
    stage.checks("TESTS", 0, "covered 80%\n");
    stage.checks("ADVERSARIAL", 0, "");
    stage.says("=== CRITIC 2 ===\n[LINKS] ? → 1 of 9\n Verdict: FAIL (the link `x.md` is dead)\n[TESTS] ? → 100 of 100 pass\n Verdict: PASS\n");
    assert_snapshot!(stage.log(), @"
    run_started cap 3
    pass_started 1
    -> check ADVERSARIAL: make break
    -> measure LINKS: dead-link
    -> check TESTS: make test
    evidence LINKS Some(false) dead-link: 1 of 9 links affected
    evidence TESTS Some(false) make test: exit 0, covered 79.5, wanted at least 80
    evidence ADVERSARIAL Some(true) make break: exit 0
    -> ask 1/1
    verdict LINKS FAIL by measured, not PASS [open: line 1: place a]
    verdict TESTS FAIL by measured, not PASS [open: make test: exit 0, covered 79.5, wanted at least 80]
    adversarial realistic false
    -> fix LINKS by mend {file}, TESTS by agent
    fixed LINKS TESTS
    pass_ended 1 continue 2, 2 open, 2 new
    pass_started 2
    -> check ADVERSARIAL: make break
    -> measure LINKS: dead-link
    -> check TESTS: make test
    evidence LINKS Some(true) dead-link: 0 of 9 links affected
    evidence TESTS Some(true) make test: exit 0, covered 80, wanted at least 80
    evidence ADVERSARIAL Some(true) make break: exit 0
    -> ask 2/1
    verdict LINKS PASS by measured, not FAIL [refuted: the link `x.md` is dead]
    verdict TESTS PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/2/0, 0 open, 0 new
    converged 2 passes 2 fixes 0 escalations
    ");
}

#[test]
fn a_check_that_does_not_run_or_says_nothing_is_no_pass() {
    let mut stage = Stage::new(setup(MEASURED));
    stage.measures("LINKS", 0, 9);
    for _ in 0..2 {
        let result = jury_core::critic::CheckResult::NotRun("no such file".to_owned());
        stage.handle(CriticInput::Checked { criterion: "ADVERSARIAL".parse().unwrap(), result });
    }
    stage.checks("TESTS", 0, "no figure here\n");
    stage.says("=== CRITIC 1 ===\n[TESTS] ? → 100 of 100 pass\n Verdict: PASS\n");
    assert_snapshot!(stage.log(), @"
    run_started cap 3
    pass_started 1
    -> check ADVERSARIAL: make break
    -> measure LINKS: dead-link
    -> check TESTS: make test
    evidence LINKS Some(true) dead-link: 0 of 9 links affected
    -> check ADVERSARIAL: make break
    evidence ADVERSARIAL None make break could not be run: no such file
    evidence TESTS None make test: exit 0, covered was not printed
    -> ask 1/1
    verdict LINKS PASS by measured
    verdict TESTS none (check_absent) by opinion
    adversarial none (check_absent)
    pass_ended 1 not converged 2 check_absent, 2 open, 0 new
    inconclusive check_absent: make break could not be run: no such file; no verdict on ADVERSARIAL, TESTS
    ");
}

#[test]
fn evidence_of_another_pass_does_not_count() {
    let mut stage = Stage::new(setup(MEASURED));
    stage.measures("LINKS", 0, 9);
    stage.checks("TESTS", 1, "covered 90%\n");
    stage.checks("ADVERSARIAL", 0, "");
    stage.passes(&["LINKS", "TESTS"]);
    stage.fixes(&["TESTS"]);
    // The second pass measures everything again; until then there is no verdict, and late answers change nothing.
    stage.passes(&["LINKS", "TESTS"]);
    assert_eq!(stage.state().last_pass().unwrap().evidence, []);
    stage.measures("LINKS", 0, 9);
    stage.checks("TESTS", 0, "covered 90%\n");
    stage.checks("ADVERSARIAL", 0, "");
    stage.passes(&["LINKS", "TESTS"]);
    assert_eq!(stage.state().status(), CriticStatus::Converged);
}
