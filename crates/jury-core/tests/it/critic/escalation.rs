//! Questions to a person.

use insta::assert_snapshot;
use jury_core::critic::{Answer, Critic, Docket, Input, Limits, Setup, Standing};
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
    assert_eq!(stage.docket().standing().exit_code(), 4);
    assert!(matches!(stage.events().last(), Some(jury_core::critic::CriticEvent::Escalated(_))));
    stage.answers(1, Answer::Option(2));
    stage.answers(2, Answer::Text("both, in turn".to_owned()));
    stage.fixes(&["ALPHA", "BETA"]);
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(stage.log(), @"");
}

#[test]
fn what_is_skipped_is_put_off_and_not_asked_again() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    stage.answers(1, Answer::Skip);
    stage.answers(2, Answer::Skip);
    stage.says(&escalates(&["ALPHA", "BETA"], 2).replace("Which way", "In which manner"));
    assert_snapshot!(stage.log(), @"");
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
    assert_snapshot!(stage.log(), @"");
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
    assert_snapshot!(stage.log(), @"");
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
    stage.handle(Input::Deadline);
    assert_eq!(stage.out.len(), before);
    assert_eq!(stage.critic.deadline(), None, "a person has all the time there is");
}

#[test]
fn clear_cases_are_decided_without_asking_and_only_those() {
    let one = Setup { auto: true, ..setup(TWO) };
    let mut stage = Stage::new(one.clone());
    stage.says(&escalates(&["ALPHA", "BETA"], 1));
    assert_snapshot!(stage.log(), @"");
    let mut unclear = Stage::new(one);
    unclear.says(&escalates(&["ALPHA", "BETA"], 2));
    assert_eq!(unclear.docket().open_questions().count(), 2);
    let skips = TWO.replace("severity = \"high\"", "severity = \"high\"\ndefault_answer = \"skip\"");
    let mut marked = Stage::new(Setup { auto: true, ..setup(&skips) });
    marked.says(&escalates(&["ALPHA", "BETA"], 2));
    let left: Vec<String> = marked.docket().open_questions().map(|own| own.criterion.to_string()).collect();
    assert_eq!(left, ["BETA"]);
}

#[test]
fn a_run_that_waits_is_taken_up_from_its_log_alone() {
    let mut stage = Stage::new(setup(FIVE));
    stage.says(&escalates(&["A1", "A2", "A3", "A4", "A5"], 2));
    let docket = Docket::of(&stage.events());
    let mut again = Critic::resume(docket, Limits::default()).expect("it waits");
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for number in 1..=5 {
        let input = Input::Answered { question: number, answer: Answer::Option(1), by: "kim".to_owned() };
        stage.critic.handle(input.clone(), Millis(9), &mut one);
        again.handle(input, Millis(9), &mut two);
    }
    assert_eq!(one, two);
    assert_eq!(again.docket().standing(), Standing::Running);
}

#[test]
fn somebody_can_stop_a_run_that_waits() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&escalates(&["ALPHA", "BETA"], 2));
    stage.handle(Input::Interrupt);
    assert_eq!(stage.docket().standing(), Standing::Interrupted);
}
