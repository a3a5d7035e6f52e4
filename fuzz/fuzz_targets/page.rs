//! Any bytes in the place of a page are measured, twice with the same result, or refused.
#![no_main]

use jury_house::{Beside, report};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    // The second half stands for a DESIGN.md now and then: it is any text, too.
    let design = text.split_once("\n---\n").map(|(_, design)| design.to_owned());
    let seen = report(&text, design.as_deref(), &Beside::nothing()).ok();
    assert_eq!(
        seen,
        report(&text, design.as_deref(), &Beside::nothing()).ok(),
        "the same bytes, another answer"
    );
    for seat in seen.iter().flat_map(|report| &report.seats) {
        if let Some(score) = seat.score {
            assert!(0.0 <= score.low && score.low <= score.high && score.high <= 10.0, "{score:?}");
        }
    }
});
