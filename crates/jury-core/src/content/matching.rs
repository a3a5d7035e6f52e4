//! Whether two critics, or the same one in two rounds, speak of the same thing.
//!
//! To call an issue fixed that is still there is the costly mistake: the author is then told to keep what is broken. So a
//! modest likeness is enough for "still there".

use std::collections::BTreeSet;

use super::critique::ContentIssue;
use super::stem::stems;

/// From this share of common words on, two descriptions may mean the same thing.
pub const SAME: f64 = 0.30;

/// The share of the words of both that both have, without endings and stop words; 0 when there are none.
pub fn likeness(one: &str, two: &str) -> f64 {
    let one: BTreeSet<String> = stems(one).into_iter().collect();
    let two: BTreeSet<String> = stems(two).into_iter().collect();
    let both = one.intersection(&two).count();
    let all = one.len() + two.len() - both;
    if all == 0 { 0.0 } else { number(both) / number(all) }
}

fn number(of: usize) -> f64 {
    f64::from(u32::try_from(of).unwrap_or(u32::MAX))
}

/// Whether an issue of an earlier round is among those of this one. What was measured is told by its identity alone.
pub fn is_among(earlier: &ContentIssue, now: &[ContentIssue]) -> bool {
    let measured = earlier.rule.is_some();
    now.iter().any(|issue| {
        issue.id == earlier.id
            || (!measured
                && (likeness(&issue.description, &earlier.description) >= SAME
                    || matches!((&issue.quote, &earlier.quote), (Some(one), Some(two)) if one == two)))
    })
}
