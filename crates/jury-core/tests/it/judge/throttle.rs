//! The throttle: judgements in an hour, dollars in a day.

use jury_core::judge::{Admission, Allowance, DAY, HOUR, Throttle, ThrottleBound};
use proptest::prelude::*;

use super::stage::at;

#[test]
fn twenty_an_hour_and_the_next_one_waits_for_the_first_to_leave() {
    let mut throttle = Throttle::default();
    let allowance = Allowance::default();
    for second in 0..20 {
        assert_eq!(throttle.admit(at(second), 0.1, &allowance), Admission::Now);
    }
    assert_eq!(
        throttle.admit(at(100), 0.1, &allowance),
        Admission::NotBefore { at: at(3600), bound: ThrottleBound::PerHour }
    );
    assert_eq!(throttle.admit(at(3600), 0.1, &allowance), Admission::Now);
    assert!(matches!(throttle.admit(at(3600), 0.1, &allowance), Admission::NotBefore { .. }));
    let none = Allowance { per_hour: 0, dollars_per_day: None };
    assert_eq!(throttle.admit(at(9999), 0.1, &none), Admission::Never(ThrottleBound::PerHour));
}

#[test]
fn a_budget_is_for_any_day() {
    let mut throttle = Throttle::default();
    let allowance = Allowance { per_hour: 100, dollars_per_day: Some(1.0) };
    assert_eq!(throttle.admit(at(0), 0.6, &allowance), Admission::Now);
    assert_eq!(
        throttle.admit(at(10), 0.6, &allowance),
        Admission::NotBefore { at: at(86_400), bound: ThrottleBound::Budget }
    );
    throttle.settle(at(0), Some(0.2));
    assert_eq!(throttle.admit(at(10), 0.6, &allowance), Admission::Now);
    assert_eq!(throttle.admit(at(20), 1.5, &allowance), Admission::Never(ThrottleBound::Budget));
    assert_eq!(throttle.admit(at(20), f64::NAN, &allowance), Admission::Never(ThrottleBound::Budget));
    let no_number = Allowance { per_hour: 100, dollars_per_day: Some(f64::NAN) };
    assert_eq!(throttle.admit(at(20), 0.0, &no_number), Admission::Never(ThrottleBound::Budget));
    let nothing = Allowance { per_hour: 100, dollars_per_day: Some(0.0) };
    assert_eq!(Throttle::default().admit(at(20), 0.0, &nothing), Admission::Never(ThrottleBound::Budget));
}

#[test]
fn a_price_that_nobody_says_is_not_nothing() {
    let mut throttle = Throttle::default();
    let allowance = Allowance { per_hour: 100, dollars_per_day: Some(1.0) };
    let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} is not {other}");
    close(throttle.expected(1), 0.15);
    close(throttle.expected(4), 0.6);
    // Two at once, before anybody knows what one costs.
    for _ in 0..2 {
        assert_eq!(throttle.admit(at(0), throttle.expected(1), &allowance), Admission::Now);
    }
    close(throttle.spent.iter().map(|spent| spent.dollars).sum(), 0.3);
    // Each is settled once, though they began in the same moment.
    throttle.settle(at(0), Some(0.4));
    throttle.settle(at(0), Some(0.2));
    close(throttle.spent.iter().map(|spent| spent.dollars).sum(), 0.6);
    close(throttle.expected(1), 0.3);
    assert_eq!(throttle.admit(at(5), throttle.expected(1), &allowance), Admission::Now);
    // Nobody says what it cost: as much as the dearest.
    throttle.settle(at(5), None);
    close(throttle.spent.iter().map(|spent| spent.dollars).sum(), 1.0);
    assert!(matches!(throttle.admit(at(6), throttle.expected(1), &allowance), Admission::NotBefore { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_hour_has_more_than_its_share_and_no_day_more_than_its_budget(
        steps in proptest::collection::vec((0_i64..2000, 0_u8..10), 1..120),
    ) {
        let allowance = Allowance { per_hour: 5, dollars_per_day: Some(4.0) };
        let (mut throttle, mut now, mut admitted) = (Throttle::default(), 0, Vec::new());
        for (step, tenths) in steps {
            now += step;
            let cost = f64::from(tenths) / 10.0;
            match throttle.admit(at(now), cost, &allowance) {
                Admission::Now => admitted.push((at(now), cost)),
                Admission::NotBefore { at: later, .. } => {
                    prop_assert!(later > at(now));
                    // Whoever waits until then gets in.
                    prop_assert_eq!(throttle.clone().admit(later, cost, &allowance), Admission::Now);
                }
                Admission::Never(_) => prop_assert!(cost > 4.0),
            }
            let since = |window| admitted.iter().filter(move |(then, _)| at(now).duration_since(*then) < window);
            prop_assert!(since(HOUR).count() <= 5);
            prop_assert!(since(DAY).map(|(_, cost)| cost).sum::<f64>() <= 4.0 + 1e-9);
        }
    }
}
