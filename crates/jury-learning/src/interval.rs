//! Intervals: how far a number that was estimated from few runs can be trusted.
//!
//! A mean of values between two bounds gets Wilson's interval. Wilson's is made for coins; values that vary less than a
//! coin with the same mean are worth more coins (`n · coin variance ÷ variance`). The variance is estimated with three
//! coins added, so that a few equal values are not taken for certainty. For coins the result is Wilson's own.
//!
//! A weighted sum of estimates gets its interval by the recovery of variances (MOVER): the distances to the bounds add up
//! as squares.

use jury_core::judge::number::{float, plain, rounded, unit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// 95 percent, both sides.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// How many coins are added to what was seen of a variance. With fewer, intervals near 0 and 1 promise too much.
const COINS_ADDED: f64 = 3.0;

/// A number between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Estimate {
    /// The estimated value itself.
    #[serde(serialize_with = "plain")]
    pub value: f64,
    /// The lower bound of the interval.
    #[serde(serialize_with = "plain")]
    pub low: f64,
    /// The upper bound of the interval.
    #[serde(serialize_with = "plain")]
    pub high: f64,
}

impl Estimate {
    /// An estimate that is known for certain.
    pub fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// Moved and stretched: `shift + factor · self`. A negative factor turns the bounds around.
    #[must_use]
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        let at = |value: f64| shift + factor * value;
        let (one, two) = (at(self.low), at(self.high));
        Self { value: at(self.value), low: one.min(two), high: one.max(two) }
    }

    /// The sum of two that do not depend on each other.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let value = self.value + other.value;
        let below = (self.value - self.low).hypot(other.value - other.low);
        let above = (self.high - self.value).hypot(other.high - other.value);
        Self { value, low: value - below, high: value + above }
    }

    /// The difference of two that do not depend on each other.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.plus(other.scaled(-1.0, 0.0))
    }

    /// Kept within 0 and 1.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self { value: unit(self.value), low: unit(self.low), high: unit(self.high) }
    }

    /// To this many decimals, the bounds outwards.
    #[must_use]
    pub fn rounded(self, decimals: i32) -> Self {
        let scale = 10_f64.powi(decimals);
        let nudge = 1e-9;
        Self {
            value: rounded(self.value, decimals),
            low: (self.low * scale + nudge).floor() / scale,
            high: (self.high * scale - nudge).ceil() / scale + 0.0, // never minus nothing
        }
    }
}

/// The sums from which a mean and its interval follow. Adding is all it takes: nothing is kept of the values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    /// The number of values so far.
    pub count: u64,
    /// The sum of the values.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Moments {
    /// Takes one more value in.
    pub fn add(&mut self, value: f64) {
        self.add_times(value, 1);
    }

    /// One value, so many times.
    pub fn add_times(&mut self, value: f64, times: u64) {
        self.count += times;
        self.sum += value * float(times);
        self.squares += value * value * float(times);
    }

    /// The values of both.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean; none of nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / float(self.count))
    }

    /// The mean of values that lie between 0 and 1, with its interval.
    pub fn estimate(&self, z: f64) -> Option<Estimate> {
        let mean = unit(self.mean()?);
        let n = float(self.count);
        let coin = mean * (1.0 - mean);
        let deviation = (self.squares - n * mean * mean).max(0.0);
        let variance = (deviation + COINS_ADDED * coin) / (n + COINS_ADDED);
        // At 0 and at 1 there is no variance to compare, and a value is a coin.
        let coins = if coin > 1e-12 && variance > 0.0 { (n * coin / variance).max(n) } else { n };
        Some(wilson(mean, coins, z))
    }
}

/// How many parts one has where sums are whole numbers.
pub(super) const MILLIONTHS: f64 = 1e6;

/// The sums of marks between 0 and 1, in whole millionths: the same in whichever order they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Marks {
    /// The number of marks so far.
    pub count: u64,
    sum: u64,
    squares: u64,
}

impl Marks {
    /// One more mark; kept within 0 and 1.
    pub fn add(&mut self, mark: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and a million"
        )]
        let mark = (unit(mark) * MILLIONTHS).round() as u64;
        self.count += 1;
        self.sum = self.sum.saturating_add(mark);
        self.squares = self.squares.saturating_add(mark * mark);
    }

    /// The marks of both.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The mean with its interval; none of nothing.
    pub fn estimate(&self, z: f64) -> Option<Estimate> {
        let (sum, squares) = (float(self.sum) / MILLIONTHS, float(self.squares) / (MILLIONTHS * MILLIONTHS));
        Moments { count: self.count, sum, squares }.estimate(z)
    }
}

/// Wilson's interval of a rate.
pub fn wilson(rate: f64, n: f64, z: f64) -> Estimate {
    if n <= 0.0 {
        return Estimate { value: unit(rate), low: 0.0, high: 1.0 };
    }
    let z2 = z * z;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    // The point lies within by construction; rounding must not put it outside.
    Estimate { value: rate, low: unit(centre - half).min(rate), high: unit(centre + half).max(rate) }
}

/// The point of the normal distribution above which this part of it lies: 0.025 gives 1.96. By Acklam's rational
/// approximation, off by less than 2·10⁻⁹ of the value.
pub fn upper_quantile(tail: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416];
    let polynomial = |terms: &[f64], x: f64| terms.iter().fold(0.0, |sum, term| sum * x + term);
    let tail = tail.clamp(1e-300, 1.0 - 1e-16);
    if tail < 0.024_25 {
        let q = (-2.0 * tail.ln()).sqrt();
        -polynomial(&C, q) / (polynomial(&D, q) * q + 1.0)
    } else if tail > 1.0 - 0.024_25 {
        -upper_quantile(1.0 - tail)
    } else {
        let q = 0.5 - tail;
        let r = q * q;
        polynomial(&A, r) * q / (polynomial(&B, r) * r + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, two: f64, by: f64) {
        assert!((one - two).abs() < by, "{one} is not {two}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        near(upper_quantile(0.025), Z_95, 1e-8);
        near(upper_quantile(0.05), 1.644_853_627, 1e-8);
        near(upper_quantile(0.005), 2.575_829_304, 1e-8);
        near(upper_quantile(0.5), 0.0, 1e-12);
        near(upper_quantile(0.975), -Z_95, 1e-8);
        near(upper_quantile(0.001), 3.090_232_306, 1e-8);
    }

    /// 15 of 148: Newcombe 1998, table I, method 3, gives 0.0624 to 0.1605; 81 of 263 gives 0.2553 to 0.3662; 0 of 20
    /// gives 0 to 0.1611.
    #[test]
    fn wilson_is_as_published() {
        for (hits, n, low, high) in
            [(15.0, 148.0, 0.0624, 0.1605), (81.0, 263.0, 0.2553, 0.3662), (0.0, 20.0, 0.0, 0.1611)]
        {
            let estimate = wilson(hits / n, n, Z_95);
            near(estimate.low, low, 5e-5);
            near(estimate.high, high, 5e-5);
        }
    }

    #[test]
    fn coins_get_wilsons_own_interval_and_steadier_values_a_narrower_one() {
        let mut coins = Moments::default();
        let mut steady = Moments::default();
        for turn in 0..10 {
            coins.add(f64::from(turn % 2));
            steady.add(0.45 + 0.1 * f64::from(turn % 2));
        }
        let coin = coins.estimate(Z_95).unwrap();
        let wilson = wilson(0.5, 10.0, Z_95);
        near(coin.low, wilson.low, 1e-12);
        near(coin.high, wilson.high, 1e-12);
        let steady = steady.estimate(Z_95).unwrap();
        assert!(steady.high - steady.low < 0.6 * (coin.high - coin.low));
        assert!(Moments::default().estimate(Z_95).is_none());
    }
}
