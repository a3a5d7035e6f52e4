//! Coverage: how much of the work a judge was shown. A judge that saw half of a change cannot be sure of all of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::judgement::Confidence;
use super::number::{plain, rate, rounded};

/// From this part on a judge may be sure.
pub const SURE_FROM_SHARE: f64 = 0.8;
/// Below this part a judge has seen too little to be anything but unsure.
pub const UNSURE_BELOW_SHARE: f64 = 0.5;

/// How much of the work was shown. What programs wrote (lock files, vendored and generated code) does not count.
#[expect(clippy::struct_excessive_bools, reason = "the shape of the file")]
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = Coverage)]
pub struct WorkCoverage {
    /// The part of the changed lines that was shown, between 0 and 1.
    #[serde(serialize_with = "plain")]
    pub share: f64,
    /// Lines of the diff that were shown.
    pub lines: u64,
    /// Lines of the diff that were left out.
    pub left_out: u64,
    /// The diff went on behind what was read of it: nobody knows how far.
    pub cut: bool,
    /// What was asked was shown.
    pub prompt: bool,
    /// The output of the tests was shown.
    pub tests: bool,
    /// The output of the linter was shown.
    pub lint: bool,
}

impl WorkCoverage {
    /// Of so many lines that are shown and so many that are not.
    pub fn of(lines: u64, left_out: u64, cut: bool) -> Self {
        let share = rounded(rate(lines, lines.saturating_add(left_out)), 4);
        Self { share, lines, left_out, cut, ..Self::default() }
    }

    /// The most confidence that a judgement of this can have.
    pub fn confidence(&self) -> Confidence {
        if self.cut || self.share < UNSURE_BELOW_SHARE {
            Confidence::Low
        } else if self.share < SURE_FROM_SHARE || !self.prompt {
            Confidence::Medium
        } else {
            Confidence::High
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sure_of_what_they_have_not_seen() {
        let sure = |lines, left_out, cut, prompt| {
            WorkCoverage { prompt, ..WorkCoverage::of(lines, left_out, cut) }.confidence()
        };
        assert_eq!(sure(100, 0, false, true), Confidence::High);
        assert_eq!(sure(80, 20, false, true), Confidence::High);
        assert_eq!(sure(79, 21, false, true), Confidence::Medium);
        assert_eq!(sure(100, 0, false, false), Confidence::Medium);
        assert_eq!(sure(49, 51, false, true), Confidence::Low);
        assert_eq!(sure(100, 0, true, true), Confidence::Low);
        assert_eq!(sure(0, 0, false, true), Confidence::Low);
    }
}
