//! Days, and what they allow.

use jiff::civil::{Date, date};
use jury_core::conformance::{
    AgentDay, RATCHET, RatchetEvidence, RatchetRule, RatchetStep, evidence, evidence_of_fleet, ratchet,
};

const TODAY: Date = date(2026, 11, 15);

/// So many days in a row up to today, each with these numbers.
fn days(count: i32, runs: u32, shipped: u32) -> Vec<AgentDay> {
    let earlier = |back: i32| TODAY.checked_sub(jiff::Span::new().days(back)).unwrap();
    (0..count).map(|back| AgentDay { date: earlier(back), runs, shipped }).collect()
}

#[test]
fn fourteen_days_at_ninety_percent_promote() {
    assert_eq!(ratchet(&days(14, 10, 9), RATCHET, TODAY), RatchetStep::Promote);
    assert_eq!(ratchet(&days(13, 10, 10), RATCHET, TODAY), RatchetStep::Hold, "a day is missing");
    assert_eq!(ratchet(&days(14, 10, 8), RATCHET, TODAY), RatchetStep::Hold);
}

#[test]
fn a_window_of_no_days_or_without_runs_never_moves() {
    let none = RatchetRule { window_days: 0, ..RATCHET };
    assert_eq!(ratchet(&days(14, 10, 10), none, TODAY), RatchetStep::Hold);
    assert_eq!(ratchet(&days(14, 10, 0), none, TODAY), RatchetStep::Hold);
    assert_eq!(ratchet(&[], RATCHET, TODAY), RatchetStep::Hold);
    assert_eq!(ratchet(&days(14, 0, 0), RATCHET, TODAY), RatchetStep::Hold);
}

#[test]
fn the_evidence_says_what_it_rests_on() {
    let mut some = days(3, 10, 9);
    some.extend(days(1, 10, 8));
    some.push(AgentDay { date: date(2020, 1, 1), runs: 10, shipped: 10 });
    let found = evidence(&some, RATCHET, TODAY);
    assert_eq!(found, RatchetEvidence { step: RatchetStep::Hold, days: 3, runs: 40, shipped: 35 });
    assert_eq!(
        evidence(&[], RATCHET, TODAY),
        RatchetEvidence { step: RatchetStep::Hold, days: 0, runs: 0, shipped: 0 }
    );
}

#[test]
fn below_half_of_the_threshold_demotes() {
    assert_eq!(ratchet(&days(14, 100, 44), RATCHET, TODAY), RatchetStep::Demote);
    assert_eq!(ratchet(&days(14, 100, 45), RATCHET, TODAY), RatchetStep::Hold);
    assert_eq!(
        ratchet(&days(1, 10, 0), RATCHET, TODAY),
        RatchetStep::Demote,
        "one terrible day with nothing beside it"
    );
}

#[test]
fn every_day_must_reach_the_threshold_and_none_outweighs_another() {
    let mut mixed = days(14, 1000, 1000);
    mixed[3] = AgentDay { runs: 10, shipped: 8, ..mixed[3] };
    assert_eq!(ratchet(&mixed, RATCHET, TODAY), RatchetStep::Hold);
    mixed[3].shipped = 9;
    assert_eq!(ratchet(&mixed, RATCHET, TODAY), RatchetStep::Promote);
    let mut hidden = days(14, 1000, 1000);
    hidden[5] = AgentDay { runs: 10, shipped: 0, ..hidden[5] };
    assert_eq!(ratchet(&hidden, RATCHET, TODAY), RatchetStep::Hold, "a lost day is not outweighed");
}

#[test]
fn what_is_outside_the_window_does_not_count() {
    let mut old = days(20, 10, 9);
    for day in old.iter_mut().skip(14) {
        day.shipped = 0;
    }
    old.push(AgentDay { date: date(2030, 1, 1), runs: 1000, shipped: 0 });
    assert_eq!(ratchet(&old, RATCHET, TODAY), RatchetStep::Promote);
}

#[test]
fn a_fleet_goes_on_when_nine_of_ten_agents_may() {
    let good = || days(14, 10, 10);
    let poor = || days(14, 10, 6);
    let step = |agents: &[Vec<AgentDay>]| evidence_of_fleet(agents, RATCHET, TODAY).step;
    let nine: Vec<_> = (0..9).map(|_| good()).collect();
    assert_eq!(step(&nine), RatchetStep::Promote);
    assert_eq!(step(&[nine.clone(), vec![poor()]].concat()), RatchetStep::Promote);
    assert_eq!(step(&[nine, vec![poor(), poor()]].concat()), RatchetStep::Hold);
    // Many runs of one agent do not make up for another one.
    assert_eq!(step(&[days(14, 10_000, 10_000), poor()]), RatchetStep::Hold);
    assert_eq!(step(&[days(14, 10, 0), days(14, 10, 1)]), RatchetStep::Demote);
    assert_eq!(step(&[]), RatchetStep::Hold);
}
