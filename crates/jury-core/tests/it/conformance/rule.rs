//! Two cycles in a row.

use jiff::{SignedDuration, Timestamp};
use jury_core::conformance::{BARS, CycleRuling, CycleTally, rule, why_degraded};

const GOOD: CycleTally = CycleTally { runs: 10, shipped: 9, clean: 10 };
const POOR: CycleTally = CycleTally { runs: 10, shipped: 8, clean: 10 };
const UNCLEAN: CycleTally = CycleTally { runs: 10, shipped: 9, clean: 9 };
const TRY: CycleTally = CycleTally { runs: 3, shipped: 0, clean: 0 };
const EMPTY: CycleTally = CycleTally { runs: 0, shipped: 0, clean: 0 };

fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap()
}

fn tomorrow() -> CycleRuling {
    CycleRuling::Degrade { until: now() + SignedDuration::from_hours(24) }
}

#[test]
fn two_poor_cycles_in_a_row_mark_for_a_day() {
    assert_eq!(rule(&[POOR], BARS, now()), CycleRuling::Strike);
    assert_eq!(rule(&[POOR, GOOD, POOR], BARS, now()), CycleRuling::Strike);
    assert_eq!(rule(&[POOR, POOR], BARS, now()), tomorrow());
    assert_eq!(rule(&[UNCLEAN, POOR, GOOD], BARS, now()), tomorrow());
}

#[test]
fn the_next_clean_cycle_clears() {
    assert_eq!(rule(&[GOOD, POOR, POOR], BARS, now()), CycleRuling::Clear);
}

#[test]
fn a_try_neither_marks_nor_clears() {
    assert_eq!(rule(&[], BARS, now()), CycleRuling::Nothing);
    assert_eq!(rule(&[EMPTY, POOR, POOR], BARS, now()), CycleRuling::Nothing);
    assert_eq!(rule(&[TRY, POOR, POOR], BARS, now()), CycleRuling::Nothing);
    assert_eq!(rule(&[POOR, TRY, POOR], BARS, now()), tomorrow(), "tries between two cycles are passed over");
    assert!(!EMPTY.meets(BARS));
}

#[test]
fn the_bars_are_nine_of_ten_and_nineteen_of_twenty() {
    assert!(GOOD.meets(BARS));
    assert!(!POOR.meets(BARS));
    assert!(!UNCLEAN.meets(BARS));
    assert!(CycleTally { runs: 20, shipped: 18, clean: 19 }.meets(BARS));
    assert_eq!(
        why_degraded(POOR, BARS),
        "two cycles in a row below the bars: 8 of 10 shipped (bar 90 %), 10 of 10 read cleanly (bar 95 %)"
    );
}
