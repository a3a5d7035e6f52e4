//! What holds whatever the numbers are.

use jiff::Timestamp;
use jiff::civil::date;
use jury_core::conformance::{
    AgentDay, BARS, CycleRuling, CycleTally, RatchetRule, RatchetStep, html, ratchet, rule,
};
use proptest::prelude::*;

fn tally() -> impl Strategy<Value = CycleTally> {
    (0_u32..25).prop_flat_map(|runs| {
        (0..=runs, 0..=runs).prop_map(move |(shipped, clean)| CycleTally { runs, shipped, clean })
    })
}

fn day() -> impl Strategy<Value = AgentDay> {
    (1_i8..=28, 0_u32..50, 0_u32..50).prop_map(|(day, runs, shipped)| AgentDay {
        date: date(2026, 11, day),
        runs,
        shipped,
    })
}

proptest! {
    #[test]
    fn an_agent_is_marked_only_for_two_whole_poor_cycles(
        cycles in prop::collection::vec(tally(), 0..8),
        second in 0_i64..2_000_000_000,
    ) {
        let now = Timestamp::from_second(second).unwrap();
        let whole: Vec<CycleTally> = cycles.iter().copied().filter(|tally| tally.is_whole()).collect();
        match rule(&cycles, BARS, now) {
            CycleRuling::Degrade { until } => {
                prop_assert!(until > now);
                prop_assert!(whole.len() >= 2 && whole.iter().take(2).all(|tally| !tally.meets(BARS)));
            }
            CycleRuling::Clear => prop_assert!(whole.first().is_some_and(|tally| tally.meets(BARS))),
            CycleRuling::Strike => prop_assert!(whole.first().is_some_and(|tally| !tally.meets(BARS))),
            CycleRuling::Nothing => prop_assert!(cycles.first().is_none_or(|tally| !tally.is_whole())),
        }
    }

    #[test]
    fn more_that_ship_never_make_it_worse(
        days in prop::collection::vec(day(), 0..40),
        window_days in 0_u32..20,
        threshold in 0.1_f64..1.0,
        improved in any::<prop::sample::Index>(),
    ) {
        let rule = RatchetRule { window_days, threshold };
        let today = date(2026, 11, 28);
        let before = ratchet(&days, rule, today);
        if window_days == 0 {
            prop_assert_eq!(before, RatchetStep::Hold);
        }
        if !days.is_empty() {
            let mut better = days.clone();
            let index = improved.index(better.len());
            better[index].shipped = better[index].runs;
            let rank = |step: RatchetStep| match step { RatchetStep::Demote => 0, RatchetStep::Hold => 1, RatchetStep::Promote => 2 };
            let was = days[index].shipped.min(days[index].runs);
            prop_assume!(better[index].shipped >= was);
            prop_assert!(rank(ratchet(&better, rule, today)) >= rank(before));
        }
    }

    #[test]
    fn any_text_can_be_checked(text in ".{0,200}", markup in "[<>/a-c!\"' =-]{0,80}") {
        drop(html::check(&text));
        drop(html::check(&markup));
    }

    #[test]
    fn what_is_nested_properly_is_well_formed_and_what_is_cut_is_not(
        names in prop::collection::vec("(div|section|main|b|i|article)", 1..12),
        text in "[a-z ]{0,20}",
    ) {
        let open = format!("<{}>", names.join("><"));
        let reversed: Vec<&str> = names.iter().rev().map(String::as_str).collect();
        let close = format!("</{}>", reversed.join("></"));
        let page = format!("{open}{text}{close}");
        prop_assert_eq!(html::check(&page), Ok(()));
        let last = names.first().map_or(0, |name| name.len() + 3);
        let cut = page.get(..page.len() - last).unwrap();
        prop_assert!(html::check(cut).is_err());
    }
}
