//! Scores as agents write them.

use crate::protocol::tag::decimal;
use crate::score::{Scale, Score};
use crate::warning::WarningKind;

/// So many digits behind the point are read.
const DIGITS: usize = 4;

/// A usable score, and what had to be done to it. Nothing is ever rounded up.
pub(super) fn score(text: &str, scale: Scale) -> (Option<Score>, Option<WarningKind>) {
    let Some(number) = decimal(text.trim()) else {
        return (None, Some(WarningKind::ScoreUnusable));
    };
    if number < 0.0 {
        return (Some(Score(0.0)), Some(WarningKind::ScoreClamped));
    }
    if number > scale.0 {
        return (Some(Score(scale.0)), Some(WarningKind::ScoreClamped));
    }
    // More digits than a binary fraction holds would be rounded up: 7.9999999999999999999 is not 8.
    let (number, cut) = match text.trim().split_once('.') {
        Some((_, digits)) if digits.len() > DIGITS => {
            let end = text.trim().len() - (digits.len() - DIGITS);
            let (kept, cut) = text.trim().split_at(end);
            (decimal(kept).unwrap_or(number), cut.bytes().any(|digit| digit != b'0'))
        }
        _ => (number, false),
    };
    let tenths = number * 10.0;
    // 6.4 * 10 is 64.00000000000001 in binary: a hair does not make a second decimal.
    let nearest = tenths.round();
    let hair = f64::EPSILON * 4.0 * nearest.abs().max(1.0);
    if (tenths - nearest).abs() <= hair {
        // Taken as an absolute value because -0 is 0.
        let trouble = cut.then_some(WarningKind::ScorePrecision);
        return (Some(Score((nearest / 10.0).abs())), trouble);
    }
    (Some(Score(tenths.floor() / 10.0)), Some(WarningKind::ScorePrecision))
}

/// A number of things. Part of one is one.
pub(super) fn count(number: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is within the bounds of the type"
    )]
    let count = number.ceil().clamp(0.0, f64::from(u32::MAX)) as u32;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_clamped_cut_or_refused_and_never_raised() {
        let ten = Scale(10.0);
        assert_eq!(score("6.4", ten), (Some(Score(6.4)), None));
        assert_eq!(score(" 10 ", ten), (Some(Score(10.0)), None));
        assert_eq!(score("7.96", ten), (Some(Score(7.9)), Some(WarningKind::ScorePrecision)));
        assert_eq!(score("7.99999999", ten), (Some(Score(7.9)), Some(WarningKind::ScorePrecision)));
        assert_eq!(
            score("7.9999999999999999999999", ten),
            (Some(Score(7.9)), Some(WarningKind::ScorePrecision))
        );
        assert_eq!(score("8.0000000000000000000", ten), (Some(Score(8.0)), None));
        assert!(score("-0", ten).0.is_some_and(|score| score.0.is_sign_positive()));
        assert_eq!(score("42", ten), (Some(Score(10.0)), Some(WarningKind::ScoreClamped)));
        assert_eq!(score("-3", ten), (Some(Score(0.0)), Some(WarningKind::ScoreClamped)));
        assert_eq!(score("9/10", ten), (None, Some(WarningKind::ScoreUnusable)));
        assert_eq!(score("", ten), (None, Some(WarningKind::ScoreUnusable)));
    }
}
