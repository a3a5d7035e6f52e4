//! Agreement between raters: Cohen's κ for two, Krippendorff's α for any number with gaps. Pure arithmetic.

use jury_core::judge::number::{float, length};
use jury_core::random::Random;

use crate::interval::Estimate;

/// How far apart two categories are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The same or not.
    Nominal,
    /// By rank: how many values lie between them.
    Ordinal,
    /// By the square of the difference.
    Interval,
}

/// Cohen's κ with quadratic weights of two raters over `categories` ordered categories. None when neither rater ever
/// used a second category, for then there is nothing to agree on by chance or otherwise.
pub fn cohen_kappa(pairs: &[(usize, usize)], categories: usize) -> Option<f64> {
    if pairs.is_empty() || categories < 2 || pairs.iter().any(|(a, b)| *a >= categories || *b >= categories) {
        return None;
    }
    let (mut first, mut second) = (vec![0_u64; categories], vec![0_u64; categories]);
    let mut observed = 0.0;
    for (a, b) in pairs {
        first[*a] += 1;
        second[*b] += 1;
        observed += squared(*a, *b);
    }
    let mut expected = 0.0;
    for (a, in_first) in first.iter().enumerate() {
        for (b, in_second) in second.iter().enumerate() {
            expected += squared(a, b) * float(*in_first) * float(*in_second);
        }
    }
    let expected = expected / length(pairs.len());
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

fn squared(a: usize, b: usize) -> f64 {
    let apart = length(a.abs_diff(b));
    apart * apart
}

/// Krippendorff's α. Each unit holds the category that each rater gave it, or nothing; units with fewer than two values
/// say nothing. None when there are no two values to compare, or only one category was ever used.
pub fn krippendorff_alpha(units: &[Vec<Option<usize>>], categories: usize, metric: Metric) -> Option<f64> {
    let mut coincidences = vec![vec![0.0; categories]; categories];
    for unit in units {
        let values: Vec<usize> = unit.iter().flatten().copied().filter(|value| *value < categories).collect();
        if values.len() < 2 {
            continue;
        }
        let share = 1.0 / length(values.len() - 1);
        for (index, one) in values.iter().enumerate() {
            for (other, two) in values.iter().enumerate() {
                if index != other {
                    coincidences[*one][*two] += share;
                }
            }
        }
    }
    let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let all: f64 = totals.iter().sum();
    let apart = |one: usize, two: usize| match metric {
        Metric::Nominal => f64::from(u8::from(one != two)),
        Metric::Interval => squared(one, two),
        Metric::Ordinal => {
            let (low, high) = (one.min(two), one.max(two));
            let between: f64 = totals[low..=high].iter().sum();
            let rank = between - f64::midpoint(totals[low], totals[high]);
            if low == high { 0.0 } else { rank * rank }
        }
    };
    let (mut observed, mut expected) = (0.0, 0.0);
    for one in 0..categories {
        for two in 0..categories {
            observed += coincidences[one][two] * apart(one, two);
            expected += totals[one] * totals[two] * apart(one, two);
        }
    }
    (expected > 0.0).then(|| 1.0 - (all - 1.0) * observed / expected)
}

/// A statistic with its interval by resampling: the middle 95 percent of what it is in samples drawn from these. None
/// when it has no value here, or in most samples.
pub fn bootstrap<T: Clone>(
    items: &[T],
    resamples: usize,
    random: &mut Random,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<Estimate> {
    let value = statistic(items)?;
    let mut sample = items.to_vec();
    let mut values = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for place in &mut sample {
            place.clone_from(&items[random.below(items.len())]);
        }
        values.extend(statistic(&sample));
    }
    if values.is_empty() || values.len() * 2 < resamples {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let at = |part: usize| values[(values.len() - 1) * part / 1000];
    // A few items can have a value outside of what most samples give.
    Some(Estimate { value, low: at(25).min(value), high: at(975).max(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 5e-4), "{found:?} is not {expected}");
    }

    fn table(cells: &[&[usize]]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (a, row) in cells.iter().enumerate() {
            for (b, count) in row.iter().enumerate() {
                pairs.extend(std::iter::repeat_n((a, b), *count));
            }
        }
        pairs
    }

    /// Two readers, 50 proposals: 20 both yes, 15 both no, 5 and 10 apart. Chance agreement 0.5, observed 0.7, κ 0.4; and
    /// 45, 15, 25, 15 of 100: observed 0.60, chance 0.54, κ 0.1304. With two categories the weights change nothing.
    #[test]
    fn kappa_of_two_categories_is_as_published() {
        near(cohen_kappa(&table(&[&[20, 5], &[10, 15]]), 2), 0.4);
        near(cohen_kappa(&table(&[&[45, 15], &[25, 15]]), 2), 0.1304);
    }

    /// By hand: rows 10 2 1, 3 8 2, 0 4 10; rows sum to 13, 13, 14, columns to 13, 14, 13, in all 40. Observed: 11 pairs
    /// one apart and 1 pair two apart, 11 + 4 = 15. Expected, times 40: one apart 13·14 + 13·13 + 13·13 + 14·14 = 716,
    /// two apart 4·(13·13 + 14·13) = 1404, together 2120 ÷ 40 = 53. κ = 1 − 15 ÷ 53 = 0.7170.
    #[test]
    fn weighted_kappa_is_as_computed_by_hand() {
        near(cohen_kappa(&table(&[&[10, 2, 1], &[3, 8, 2], &[0, 4, 10]]), 3), 0.7170);
    }

    #[test]
    fn kappa_is_one_for_twins_below_zero_for_opposites_and_nothing_without_a_choice() {
        near(cohen_kappa(&[(0, 0), (1, 1), (2, 2)], 3), 1.0);
        near(cohen_kappa(&[(0, 2), (2, 0)], 3), -1.0);
        assert_eq!(cohen_kappa(&[(1, 1), (1, 1)], 3), None);
        assert_eq!(cohen_kappa(&[], 3), None);
        assert_eq!(cohen_kappa(&[(7, 0)], 3), None);
    }

    /// The data of Krippendorff (1980), as in the manual of R's `irr`: four raters, twelve units, gaps. Published:
    /// nominal 0.743, ordinal 0.815, interval 0.849.
    #[test]
    fn alpha_is_as_published() {
        let raters: [[u8; 12]; 4] = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 0],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let units: Vec<Vec<Option<usize>>> = (0..12)
            .map(|unit| raters.iter().map(|rater| usize::from(rater[unit]).checked_sub(1)).collect())
            .collect();
        near(krippendorff_alpha(&units, 5, Metric::Nominal), 0.743);
        near(krippendorff_alpha(&units, 5, Metric::Ordinal), 0.815);
        near(krippendorff_alpha(&units, 5, Metric::Interval), 0.849);
    }

    #[test]
    fn alpha_of_nothing_is_nothing() {
        assert_eq!(krippendorff_alpha(&[], 3, Metric::Ordinal), None);
        assert_eq!(krippendorff_alpha(&[vec![Some(1)], vec![None, Some(2)]], 3, Metric::Ordinal), None);
        assert_eq!(krippendorff_alpha(&[vec![Some(1), Some(1)]], 3, Metric::Ordinal), None);
    }

    #[test]
    fn a_bootstrap_follows_from_its_seed_and_holds_its_value() {
        let pairs = table(&[&[10, 2, 1], &[3, 8, 2], &[0, 4, 10]]);
        let run =
            |seed| bootstrap(&pairs, 500, &mut Random::new(seed), |pairs| cohen_kappa(pairs, 3)).unwrap();
        assert_eq!(run(1), run(1));
        let estimate = run(1);
        assert!(estimate.low < 0.7170 && 0.7170 < estimate.high, "{estimate:?}");
        assert!((0.4..0.7).contains(&estimate.low) && (0.75..0.95).contains(&estimate.high), "{estimate:?}");
    }
}
