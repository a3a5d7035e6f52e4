//! Numbers as the files have them: whole ones without a point, counts as floats, and nothing that is not finite.

use serde::{Serialize as _, Serializer};

/// A count, to be divided.
#[expect(clippy::cast_precision_loss, reason = "counts of records are far below 2^53")]
pub fn float(count: u64) -> f64 {
    count as f64
}

/// A length, to be divided.
pub fn length(count: usize) -> f64 {
    float(count as u64)
}

/// Kept within 0 and 1; what is no number is 0.
pub fn unit(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// A part of a whole; 0 of nothing.
pub fn rate(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { float(part) / float(whole) }
}

/// To this many decimals.
pub fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale
}

/// Writes a float as the scripts around the files expect it: `1`, not `1.0`.
pub fn plain<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    if whole {
        #[expect(clippy::cast_possible_truncation, reason = "whole and small, as was just checked")]
        let value = *value as i64;
        return value.serialize(serializer);
    }
    value.serialize(serializer)
}

/// The same for a number that may be missing: `null`.
pub fn plain_or_null<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => plain(value, serializer),
        None => serializer.serialize_none(),
    }
}
