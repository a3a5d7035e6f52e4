//! What other pages come to: quantiles of every score over a fixed set of generated pages, so that a score can be read
//! beside those of its kind. The pages are not here, only the figures; `examples/reference.rs` makes them.

mod table;

pub(crate) use table::PAGES;

/// The share of reference pages, in per cent, that a score leaves behind; half of those that have the same score count.
/// None for what the reference has no figures about.
pub(crate) fn percentile(key: &str, score: f64) -> Option<u8> {
    let (_, quantiles) = table::QUANTILES.iter().find(|(known, _)| *known == key)?;
    // Scores are compared as they are shown.
    let score = crate::score::floor_tenth(score);
    let below = quantiles.iter().filter(|quantile| f64::from(**quantile) < score - 0.05).count();
    let same = quantiles.iter().filter(|quantile| (f64::from(**quantile) - score).abs() <= 0.05).count();
    let rank = (2 * below + same) * 100 / (2 * quantiles.len().max(1));
    u8::try_from(rank).ok()
}

/// The key of a panelist.
pub(crate) fn seat(role: &str) -> String {
    format!("seat {role}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_a_better_score_never_stands_lower() {
        for (key, quantiles) in table::QUANTILES {
            assert_eq!(quantiles.len(), 21, "{key}");
            assert!(quantiles.is_sorted(), "{key}");
            let ranks: Vec<Option<u8>> =
                (0..=100).map(|tenth| percentile(key, f64::from(tenth) / 10.0)).collect();
            assert!(ranks.is_sorted(), "{key}: {ranks:?}");
            assert!(ranks.iter().all(|rank| rank.is_some_and(|rank| rank <= 100)), "{key}");
        }
        assert_eq!(percentile("no/such-check", 5.0), None);
    }

    #[test]
    fn every_key_is_a_check_or_a_panelist() {
        for (key, _) in table::QUANTILES {
            let seat = crate::finding::Panelist::ALL.iter().any(|panelist| seat(panelist.role()) == *key);
            assert!(seat || crate::checks::all().any(|check| check.id == *key), "{key}");
        }
    }
}
