//! Panels: majority over all seats, spread as confidence, and a person where there is none.

use jury_core::judge::{Conclusion, Confidence, JudgeIssue, JudgeVerdict, convene};
use jury_core::severity::Severity;
use proptest::prelude::*;

use super::stage::{answer, at, bead, marks, seat};

fn pass() -> jury_core::judge::JudgeAnswer {
    answer(marks(0.9, 0.9, 0.8, 0.8))
}

fn partial() -> jury_core::judge::JudgeAnswer {
    answer(marks(0.6, 0.9, 0.8, 0.8))
}

fn fail() -> jury_core::judge::JudgeAnswer {
    answer(marks(0.2, 0.5, 0.5, 0.5))
}

fn said(seats: &[jury_core::judge::JudgeSeat]) -> Conclusion {
    convene(&bead("bd-one"), seats, at(0))
}

#[test]
fn one_seat_is_its_own_judgement() {
    let Conclusion::Agreed(judgement) = said(&[seat("m", 1, Ok(pass()))]) else { panic!("one seat agrees") };
    assert_eq!(judgement.verdict, JudgeVerdict::Pass);
    assert_eq!(judgement.confidence, Confidence::High);
    assert_eq!(judgement.panel, None);
    assert_eq!(judgement.dimensions, pass().dimensions);
}

#[test]
fn an_empty_seat_is_in_the_count() {
    // Two of three pass: more than half of all. Two of four: not.
    let three = [seat("a", 1, Ok(pass())), seat("b", 1, Ok(pass())), seat("c", 1, Err("timed out"))];
    let Conclusion::Agreed(judgement) = said(&three) else { panic!("two of three") };
    assert_eq!((judgement.verdict, judgement.confidence), (JudgeVerdict::Pass, Confidence::Medium));
    assert_eq!(judgement.warnings, ["c (1): did not judge: timed out"]);
    let four = [three[0].clone(), three[1].clone(), three[2].clone(), seat("d", 1, Ok(partial()))];
    let Conclusion::Disagreed(judgement, dispute) = said(&four) else { panic!("two of four") };
    assert_eq!(judgement.verdict, JudgeVerdict::Partial);
    assert_eq!(judgement.confidence, Confidence::Low);
    assert_eq!(
        dispute.issue,
        "2 of 4 say pass, 1 of 4 say partial, 1 did not judge; their scores lie 0.12 apart"
    );
    let labels: Vec<&str> = dispute.options.iter().map(|option| option.label.as_str()).collect();
    assert_eq!(labels, ["pass", "partial"]);
}

#[test]
fn half_of_the_seats_empty_is_no_judgement() {
    let seats = [seat("a", 1, Ok(pass())), seat("b", 1, Err("invalid answer"))];
    assert_eq!(
        said(&seats),
        Conclusion::Inconclusive { answered: 1, seats: 2, reasons: vec!["b: invalid answer".to_owned()] }
    );
    assert!(matches!(said(&[]), Conclusion::Inconclusive { answered: 0, seats: 0, .. }));
}

#[test]
fn the_list_does_not_decide() {
    let mut seats = vec![seat("a", 1, Ok(pass())), seat("b", 1, Ok(partial())), seat("c", 1, Ok(fail()))];
    for _ in 0..3 {
        let Conclusion::Disagreed(judgement, _) = said(&seats) else { panic!("three verdicts") };
        assert_eq!(judgement.verdict, JudgeVerdict::Partial);
        assert_eq!(judgement.judge.unwrap().model, "a+b+c");
        seats.rotate_left(1);
    }
}

#[test]
fn three_who_object_to_different_things_do_not_pass() {
    // The middle of every dimension is 0.9, and still nobody said pass.
    let seats = [
        seat("a", 1, Ok(answer(marks(0.6, 0.9, 0.9, 0.9)))),
        seat("b", 1, Ok(answer(marks(0.9, 0.6, 0.9, 0.9)))),
        seat("c", 1, Ok(answer(marks(0.9, 0.9, 0.6, 0.9)))),
    ];
    let Conclusion::Agreed(judgement) = said(&seats) else { panic!("all say partial") };
    assert_eq!(judgement.verdict, JudgeVerdict::Partial);
    assert_eq!(judgement.dimensions, marks(0.9, 0.9, 0.9, 0.9));
}

#[test]
fn an_issue_is_listed_once_with_its_seats() {
    let raise = |severity, text: &str| JudgeIssue {
        severity,
        description: text.to_owned(),
        dimension: None,
        evidence: None,
        seats: None,
    };
    let with = |issues: Vec<JudgeIssue>| jury_core::judge::JudgeAnswer { issues, ..partial() };
    let seats = [
        seat(
            "a",
            1,
            Ok(with(vec![raise(Severity::Serious, "Only here."), raise(Severity::Minor, "No test for 3.")])),
        ),
        seat(
            "b",
            1,
            Ok(with(vec![
                raise(Severity::Serious, "no test for 4"),
                raise(Severity::Minor, "No test for 5"),
            ])),
        ),
    ];
    let Conclusion::Agreed(judgement) = said(&seats) else { panic!("both say partial") };
    let listed: Vec<(Option<u32>, Severity, &str)> = judgement
        .issues
        .iter()
        .map(|issue| (issue.seats, issue.severity, issue.description.as_str()))
        .collect();
    assert_eq!(
        listed,
        [(Some(2), Severity::Serious, "No test for 3."), (Some(1), Severity::Serious, "Only here.")]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pass_needs_more_than_half_of_all_seats_and_the_order_changes_nothing(
        given in proptest::collection::vec(proptest::option::of([0.0..=1.0_f64, 0.0..=1.0, 0.0..=1.0, 0.0..=1.0]), 1..8),
        turn in 0_usize..8,
    ) {
        let mut seats: Vec<_> = given.iter().map(|given| match given {
            Some([c, s, q, k]) => seat("m", 1, Ok(answer(marks(*c, *s, *q, *k)))),
            None => seat("m", 1, Err("absent")),
        }).collect();
        let first = said(&seats);
        let length = seats.len();
        seats.rotate_left(turn % length);
        let second = said(&seats);
        let gist = |conclusion: &Conclusion| match conclusion {
            Conclusion::Agreed(judgement) | Conclusion::Disagreed(judgement, _) => {
                Some((judgement.verdict, judgement.dimensions, judgement.score, judgement.confidence, judgement.summary.clone()))
            }
            Conclusion::Inconclusive { .. } => None,
        };
        prop_assert_eq!(gist(&first), gist(&second));
        let passes = given.iter().flatten().filter(|m| m.iter().all(|mark| *mark >= 0.7)).count();
        if let Some((verdict, dimensions, ..)) = gist(&first) {
            prop_assert_eq!(verdict == JudgeVerdict::Pass, passes * 2 > length);
            // What the panel passes, its marks pass as well.
            prop_assert!(verdict != JudgeVerdict::Pass || dimensions.verdict() == JudgeVerdict::Pass);
        } else {
            prop_assert!(given.iter().flatten().count() * 2 <= length);
        }
    }
}
