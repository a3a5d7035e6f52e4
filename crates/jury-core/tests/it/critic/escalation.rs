//! Questions to a person.

use insta::assert_snapshot;
use jury_core::critic::{
    Answer, Basis, CheckResult, CriterionVerdict, Critic, CriticInput, CriticLimits, CriticSetup,
    CriticState, CriticStatus, Deferral, Gap, Trigger,
};
use jury_core::decision::NOBODY;
use jury_core::run::OutcomeWord as _;
use jury_core::unit::Millis;

use super::stage::{HARMLESS, Stage, TWO, setup};

fn question(criterion: &str, options: usize) -> String {
    let options: Vec<String> = (1..=options)
        .map(|number| format!("  {number}. Way {number} — do it so\n     Pro: fast  Con: dear\n"))
        .collect();
    format!(
        "=== CRITIC ESCALATION (1) ===\n[{criterion}] Which way for {criterion}?\n\nIssue: Two ways.\nWhy escalation: Taste.\n\nOptions:\n{}  9. Skip — keep current state, mark as [DEFERRED]\n",
        options.concat()
    )
}

fn escalates(names: &[&str], options: usize) -> String {
    let items: Vec<String> =
        names.iter().map(|name| format!("[{name}] ? → 2 of 3 ways\n Verdict: ESCALATE\n")).collect();
    let questions: Vec<String> = names.iter().map(|name| question(name, options)).collect();
    format!("=== CRITIC 1 ===\n{}{HARMLESS}{}", items.concat(), questions.concat())
}

#[test]
fn a_person_decides_and_the_decision_is_carried_out() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    assert_eq!(stage.state().status().exit_code(), 4);
    assert!(matches!(stage.events().last(), Some(jury_core::critic::CriticEvent::Escalated(_))));
    stage.answers(1, Answer::Option(2));
    stage.answers(2, Answer::Text("both, in turn".to_owned()));
    stage.fixes(&["ALPHA", "BETA"]);
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @r#"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA ESCALATE by opinion [escalated: Which way for ALPHA?]
    verdict BETA ESCALATE by opinion [escalated: Which way for BETA?]
    adversarial realistic false
    pass_ended 1 escalate 2, 2 open, 2 new
    escalated 1:ALPHA(2) 2:BETA(2) and 0 more
    answered 1 Option(2) by kim
    answered 2 Text("both, in turn") by kim
    -> fix ALPHA by agent as decided: Way 2: do it so, BETA by agent as decided: both, in turn
    fixed ALPHA BETA
    pass_started 2
    -> ask 2/1
    verdict ALPHA PASS by opinion
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/2/2, 0 open, 0 new
    converged 2 passes 2 fixes 2 escalations
    "#);
}

#[test]
fn what_is_skipped_is_put_off_and_not_asked_again() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    stage.answers(1, Answer::Skip);
    stage.answers(2, Answer::Skip);
    stage.says(&escalates(&["ALPHA", "BETA"], 2).replace("Which way", "In which manner"));
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA ESCALATE by opinion [escalated: Which way for ALPHA?]
    verdict BETA ESCALATE by opinion [escalated: Which way for BETA?]
    adversarial realistic false
    pass_ended 1 escalate 2, 2 open, 2 new
    escalated 1:ALPHA(2) 2:BETA(2) and 0 more
    answered 1 Skip by kim
    answered 2 Skip by kim
    pass_started 2
    -> ask 2/1
    verdict ALPHA DEFER by person, not ESCALATE [deferred: Which way for ALPHA?]
    verdict BETA DEFER by person, not ESCALATE [deferred: Which way for BETA?]
    adversarial realistic false
    pass_ended 2 converged 2/0/2, 0 open, 0 new
    converged 2 passes 0 fixes 2 escalations
    ");
}

#[test]
fn what_was_decided_and_comes_back_is_a_defect() {
    let mut stage = Stage::new(setup(TWO));
    let again =
        escalates(&["ALPHA"], 2).replace(HARMLESS, &format!("[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"));
    stage.says(&again);
    stage.answers(1, Answer::Option(1));
    stage.fixes(&["ALPHA"]);
    stage.says(&again);
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA ESCALATE by opinion [escalated: Which way for ALPHA?]
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 escalate 1, 1 open, 1 new
    escalated 1:ALPHA(2) and 0 more
    answered 1 Option(1) by kim
    -> fix ALPHA by agent as decided: Way 1: do it so
    fixed ALPHA
    pass_started 2
    -> ask 2/1
    verdict ALPHA FAIL by person, not ESCALATE [open: Which way for ALPHA? It was decided: Way 1: do it so]
    verdict BETA PASS by opinion
    adversarial realistic false
    -> fix ALPHA by agent
    ");
}

const FIVE: &str = r#"
name = "five"
cap = 4
[[criterion]]
id = "A1"
question = "?"
severity = "low"
[[criterion]]
id = "A2"
question = "?"
severity = "high"
[[criterion]]
id = "A3"
question = "?"
severity = "high"
weight = 3
[[criterion]]
id = "A4"
question = "?"
[[criterion]]
id = "A5"
question = "?"
"#;

#[test]
fn at_most_three_are_asked_at_once_what_matters_most_first() {
    let mut stage = Stage::new(setup(FIVE));
    stage.says(&escalates(&["A1", "A2", "A3", "A4", "A5"], 2));
    for number in [2, 1, 7, 3, 3, 4, 5] {
        stage.answers(number, Answer::Option(1));
    }
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict A1 ESCALATE by opinion [escalated: Which way for A1?]
    verdict A2 ESCALATE by opinion [escalated: Which way for A2?]
    verdict A3 ESCALATE by opinion [escalated: Which way for A3?]
    verdict A4 ESCALATE by opinion [escalated: Which way for A4?]
    verdict A5 ESCALATE by opinion [escalated: Which way for A5?]
    adversarial realistic false
    pass_ended 1 escalate 5, 5 open, 5 new
    escalated 1:A3(2) 2:A2(2) 3:A4(2) and 2 more
    answered 2 Option(1) by kim
    answered 1 Option(1) by kim
    answered 3 Option(1) by kim
    escalated 4:A5(2) 5:A1(2) and 0 more
    answered 4 Option(1) by kim
    answered 5 Option(1) by kim
    -> fix A3 by agent as decided: Way 1: do it so, A2 by agent as decided: Way 1: do it so, A4 by agent as decided: Way 1: do it so, A5 by agent as decided: Way 1: do it so, A1 by agent as decided: Way 1: do it so
    ");
}

#[test]
fn an_answer_that_is_none_changes_nothing() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    let before = stage.out.len();
    for answer in [Answer::Option(0), Answer::Option(3), Answer::Text("  ".to_owned())] {
        stage.answers(1, answer);
    }
    stage.answers(9, Answer::Skip);
    stage.handle(CriticInput::Deadline);
    assert_eq!(stage.out.len(), before);
    assert_eq!(stage.critic.deadline(), None, "a person has all the time there is");
}

/// A defect with one remedy is no question. It goes back for a second way, and without one it is a FAIL with that remedy.
#[test]
fn one_way_out_is_a_defect_with_its_fix_after_it_was_sent_back() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 1));
    assert!(stage.log().contains("rejected ALPHA one_way"), "{}", stage.log());
    let second = escalates(&["ALPHA", "BETA"], 2);
    let (alpha, beta) = (question("ALPHA", 1), question("ALPHA", 2));
    // ALPHA has one way still, and BETA has found another.
    stage.says(&second.replace(&beta, &alpha));
    let verdicts = &stage.state().passes[0].verdicts;
    assert_eq!(verdicts[0].verdict, Some(CriterionVerdict::Fail));
    assert_eq!(verdicts[0].overruled, Some(CriterionVerdict::Escalate));
    assert_eq!((verdicts[0].fix.as_str(), verdicts[0].gap), ("Way 1; do it so", None));
    assert_eq!(verdicts[1].verdict, Some(CriterionVerdict::Escalate));
    assert_eq!(stage.state().open_questions().count(), 1, "{}", stage.log());
}

#[test]
fn who_is_asked_for_a_second_way_may_say_fail_and_not_pass() {
    for (said, verdict) in [("FAIL (do it so)", CriterionVerdict::Fail), ("PASS", CriterionVerdict::Fail)] {
        let mut stage = Stage::new(setup(TWO));
        stage.says(&escalates(&["ALPHA", "BETA"], 1));
        stage.says(&format!(
            "=== CRITIC 1 ===\n[ALPHA] ? → 2 of 3 ways\n Verdict: {said}\n[BETA] ? → 2 of 3\n Verdict: FAIL (do it)\n{HARMLESS}"
        ));
        assert_eq!(stage.state().passes[0].verdicts[0].verdict, Some(verdict), "{}", stage.log());
    }
}

#[test]
fn a_trigger_is_kept_and_a_word_that_is_none_is_sent_back() {
    let with = |trigger: &str| {
        escalates(&["ALPHA", "BETA"], 2)
            .replace("Why escalation: Taste.\n", &format!("Why escalation: Taste.\n{trigger}"))
    };
    for (trigger, kept) in [
        ("", None),
        ("Trigger: several-ways\n", Some(Trigger::SeveralWays)),
        ("Trigger: `Missing Information`.\n", Some(Trigger::MissingInformation)),
    ] {
        let mut stage = Stage::new(setup(TWO));
        stage.says(&with(trigger));
        let asked = stage.state().open_questions().next().unwrap();
        assert_eq!(asked.trigger, kept, "{}", stage.log());
    }
    let mut stage = Stage::new(setup(TWO));
    stage.says(&with("Trigger: style\n"));
    assert!(stage.log().contains("rejected ALPHA unknown_trigger"), "{}", stage.log());
    stage.says(&with("Trigger: style\n"));
    assert_eq!(stage.state().open_questions().count(), 2, "it holds the gate shut all the same");
}

#[test]
fn clear_cases_are_decided_without_asking_and_only_those() {
    let one = CriticSetup { auto: true, ..setup(TWO) };
    let mut stage = Stage::new(one);
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    assert_eq!(stage.state().open_questions().count(), 2, "two ways are not clear");
    let skips = TWO.replace("severity = \"high\"", "severity = \"high\"\ndefault_answer = \"skip\"");
    let mut marked = Stage::new(CriticSetup { auto: true, ..setup(&skips) });
    marked.says(&escalates(&["ALPHA", "BETA"], 2));
    let left: Vec<String> = marked.state().open_questions().map(|own| own.criterion.to_string()).collect();
    assert_eq!(left, ["BETA"]);
}

#[test]
fn a_run_that_waits_is_taken_up_from_its_log_alone() {
    let mut stage = Stage::new(setup(FIVE));
    stage.says(&escalates(&["A1", "A2", "A3", "A4", "A5"], 2));
    let state = CriticState::of(&stage.events());
    let mut again = Critic::resume(state, CriticLimits::default()).expect("it waits");
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for number in 1..=5 {
        let input =
            CriticInput::Answered { question: number, answer: Answer::Option(1), by: "kim".to_owned() };
        stage.critic.handle(input.clone(), Millis(9), &mut one);
        again.handle(input, Millis(9), &mut two);
    }
    assert_eq!(one, two);
    assert_eq!(again.state().status(), CriticStatus::Running);
}

#[test]
fn somebody_can_stop_a_run_that_waits() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    stage.handle(CriticInput::Interrupt);
    assert_eq!(stage.state().status(), CriticStatus::Interrupted);
}

/// One criterion that is checked and takes an opinion.
const CHECKED: &str = r#"
name = "checked"
cap = 3
[[criterion]]
id = "ALPHA"
question = "Is alpha right?"
needs = "opinion"
check = ["make", "test"]
"#;

fn verdicts(stage: &Stage) -> Vec<(Option<CriterionVerdict>, Basis)> {
    let last = stage.state().last_pass().expect("a pass");
    last.verdicts.iter().map(|judged| (judged.verdict, judged.basis)).collect()
}

#[test]
fn whoever_skipped_another_question_has_not_put_off_what_fails_now() {
    let mut stage = Stage::new(setup(CHECKED));
    stage.checks("ALPHA", 0, "ok");
    stage.says(&escalates(&["ALPHA"], 2));
    stage.answers(1, Answer::Skip);
    stage.checks("ALPHA", 1, "broken");
    stage.says(&escalates(&["ALPHA"], 2));
    assert_eq!(verdicts(&stage), [(Some(CriterionVerdict::Fail), Basis::Measured)]);
}

#[test]
fn whoever_skips_a_question_that_shows_a_failure_has_put_it_off() {
    let mut stage = Stage::new(setup(CHECKED));
    stage.checks("ALPHA", 1, "broken");
    stage.says(&escalates(&["ALPHA"], 2));
    stage.answers(1, Answer::Skip);
    stage.checks("ALPHA", 1, "broken");
    stage.says(&escalates(&["ALPHA"], 2));
    assert_eq!(verdicts(&stage), [(Some(CriterionVerdict::Defer), Basis::Person)]);
    assert_eq!(stage.state().status(), CriticStatus::Converged);
}

#[test]
fn that_nobody_answered_in_time_is_no_decision_of_a_person() {
    let mut stage = Stage::new(setup(CHECKED));
    for _ in 0..3 {
        stage.checks("ALPHA", 1, "broken");
        stage.says(&escalates(&["ALPHA"], 2));
        let open = stage.state().open_questions().next().map(|question| question.number);
        let Some(question) = open else { break };
        stage.handle(CriticInput::Answered { question, answer: Answer::Skip, by: NOBODY.to_owned() });
    }
    assert!(stage.state().deferrals.iter().all(|deferral| !deferral.by_person));
    assert_ne!(stage.state().status(), CriticStatus::Converged);
}

#[test]
fn a_failure_that_was_put_off_does_not_stand_for_a_check_that_did_not_run() {
    let mut stage = Stage::new(setup(CHECKED));
    let fails = format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 2 wrong\n Verdict: FAIL (mend the `wheel of it`)\n{HARMLESS}"
    );
    let carried = {
        stage.checks("ALPHA", 0, "ok");
        stage.says(&fails);
        let noted = &stage.state().last_pass().expect("a pass").verdicts[0].findings[0];
        Deferral {
            criterion: "ALPHA".parse().expect("a criterion"),
            finding: noted.finding.clone(),
            also: Vec::new(),
            reason: "later".to_owned(),
            author: "kim".to_owned(),
            by_person: true,
            until: jiff::Timestamp::MAX,
            release: None,
        }
    };
    let mut stage = Stage::new(CriticSetup { deferrals: vec![carried], ..setup(CHECKED) });
    let gone = || CriticInput::Checked {
        criterion: "ALPHA".parse().expect("a criterion"),
        result: CheckResult::NotRun("no such program".to_owned()),
    };
    stage.handle(gone());
    stage.handle(gone());
    stage.says(&fails);
    let judged = &stage.state().last_pass().expect("a pass").verdicts[0];
    assert_eq!((judged.verdict, judged.gap), (None, Some(Gap::CheckAbsent)));
    assert_eq!(stage.state().status(), CriticStatus::Inconclusive);
}
