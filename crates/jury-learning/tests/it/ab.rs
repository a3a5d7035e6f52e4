//! Tests of templates: what is promoted, and how often luck is.

use insta::assert_snapshot;
use jury_core::judge::RunOutcome;
use jury_core::random::Random;
use jury_learning::TemplateTally;
use jury_learning::ab::{AbTest, AbTests, Arm, Look, look, old_rule};
use jury_learning::interval::Z_95;

use crate::stage::line;

fn tally(passes: i64, fails: i64) -> TemplateTally {
    let mut tally = TemplateTally::default();
    for number in 0..passes + fails {
        let outcome = if number < passes { RunOutcome::FullPass } else { RunOutcome::AgentFailure };
        tally.add(&line("t", number, outcome));
    }
    tally
}

fn test() -> AbTest {
    AbTest::new("docs", "docs-v1", 10, "2026-02-20T10:00:00Z".to_owned())
}

#[test]
fn looks_have_their_lines() {
    let mut test = test();
    (test.original_runs, test.variant_runs) = (10, 5);
    let said = |test: &AbTest, original: &TemplateTally, variant: &TemplateTally| {
        look(test, original, variant, false).line(test)
    };
    assert_eq!(said(&test, &tally(5, 5), &tally(3, 2)), "docs vs docs-v1: not ready, 10 and 5 of 10 runs");
    assert_snapshot!("undecided", said(&test, &tally(5, 5), &tally(6, 4)));
    assert_snapshot!("promoted", said(&test, &tally(1, 9), &tally(9, 1)));
    assert!(said(&test, &tally(9, 1), &tally(1, 9)).starts_with("Discarded docs-v1: it is worse"));
    test.looks = 3;
    assert!(said(&test, &tally(40, 40), &tally(44, 36)).contains("often enough and is not better"));
}

#[test]
fn a_look_that_was_spent_is_not_taken_again() {
    let mut test = test();
    test.looks = 1;
    assert_eq!(look(&test, &tally(1, 14), &tally(15, 0), false), Look::NotReady { runs: 20 });
}

#[test]
fn turns_are_taken_by_arms_and_by_tests() {
    let mut tests = AbTests::default();
    tests.tests.push(test());
    tests.tests.push(AbTest::new("docs", "docs-v2", 10, String::new()));
    let mut served = Vec::new();
    for _ in 0..8 {
        let test = tests.turn("docs").unwrap();
        let arm = test.pick();
        served.push((test.variant.clone(), arm));
        test.record(arm);
    }
    for variant in ["docs-v1", "docs-v2"] {
        for arm in [Arm::Original, Arm::Variant] {
            assert_eq!(served.iter().filter(|(v, a)| v == variant && *a == arm).count(), 2);
        }
    }
    assert!(tests.turn("other").is_none());
}

#[test]
fn the_older_rule_is_there_for_those_who_ask() {
    assert!(old_rule(0.5, 0.6));
    assert!(!old_rule(0.5, 0.55));
}

/// How often a variant is promoted, by playing tests whose arms pass with these probabilities.
fn promoted(original: f64, variant: f64, games: u64) -> (f64, f64) {
    let mut random = Random::new(7);
    let (mut ours, mut older) = (0.0, 0.0);
    for _ in 0..games {
        let mut test = test();
        let (mut a, mut b) = (TemplateTally::default(), TemplateTally::default());
        for number in 0..80 {
            let mut play = |tally: &mut TemplateTally, rate: f64| {
                let won = random.unit() < rate;
                let outcome = if won { RunOutcome::FullPass } else { RunOutcome::AgentFailure };
                tally.counts.add(Some(outcome), false);
            };
            play(&mut a, original);
            play(&mut b, variant);
            if number == 9 {
                older += f64::from(u8::from(old_rule(a.counts.score(), b.counts.score())));
            }
            match look(&test, &a, &b, false) {
                Look::Promote { .. } => {
                    ours += 1.0;
                    break;
                }
                Look::Discard { .. } => break,
                Look::Undecided { .. } => test.looks += 1,
                Look::NotReady { .. } => {}
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand games")]
    let games = games as f64;
    (ours / games, older / games)
}

#[test]
fn luck_is_seldom_promoted_and_a_better_variant_often() {
    for rate in [0.3, 0.5, 0.8] {
        let (ours, older) = promoted(rate, rate, 2000);
        assert!(ours < 0.03, "{ours} of the games between equals of {rate}");
        assert!(older > 0.3, "{older} by the older rule");
    }
    let (better, _) = promoted(0.4, 0.8, 500);
    assert!(better > 0.95, "{better}");
    let (worse, _) = promoted(0.8, 0.6, 500);
    assert!(worse < 0.005, "{worse}");
}

#[test]
fn intervals_hold_what_they_promise() {
    // How often the interval of a template that passes with this probability holds its true score.
    let mut random = Random::new(11);
    for (pass, partial, n) in [(0.5, 0.3, 10), (0.8, 0.1, 20), (0.3, 0.3, 50), (0.95, 0.05, 20)] {
        let truth = pass + 0.4 * partial;
        let mut held = 0;
        for _ in 0..2000 {
            let mut tally = TemplateTally::default();
            for _ in 0..n {
                let drawn = random.unit();
                let outcome = if drawn < pass {
                    RunOutcome::FullPass
                } else if drawn < pass + partial {
                    RunOutcome::PartialPass
                } else {
                    RunOutcome::AgentFailure
                };
                tally.counts.add(Some(outcome), false);
            }
            let estimate = tally.mechanical(Z_95);
            held += i32::from(estimate.low <= truth && truth <= estimate.high);
        }
        assert!(held >= 1870, "{held} of 2000 for {pass}, {partial}, {n}");
    }
}
