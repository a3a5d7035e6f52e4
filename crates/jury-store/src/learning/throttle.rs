//! The throttle of the judge, shared by all processes: `throttle.json` in the folder of judgements, under its lock.
//!
//! A file that cannot be read says nothing about what was spent. Beginning anew could spend a budget twice, so it is set
//! aside and replaced by one that is full: nothing is admitted for an hour, and with a budget, nothing for a day.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::{Admission, Allowance, Spent, Throttle};

use super::aside::set_aside;
use super::judgement::{Found, locked};
use crate::error::StoreError;
use crate::file;

/// The largest file that is read: a day of a hundred thousand judgements an hour would be larger, and that many are none.
const LARGEST: usize = 64 << 20;

/// Takes a place for a judgement that is expected to cost this much, or says when there will be one.
pub fn admit(
    folder: &Path,
    now: Timestamp,
    expected: f64,
    allowance: &Allowance,
) -> Result<Found<Admission>, StoreError> {
    let _lock = locked(folder)?;
    let Found { value: mut throttle, warnings } = read(folder, now, allowance)?;
    let admission = throttle.admit(now, expected, allowance);
    // A full file that replaces a broken one is written even when nobody is admitted: the hour begins once.
    if admission == Admission::Now || !warnings.is_empty() {
        write(folder, &throttle)?;
    }
    Ok(Found { value: admission, warnings })
}

/// Writes down what the judgement that was admitted at this moment did cost.
pub fn settle(
    folder: &Path,
    at: Timestamp,
    dollars: f64,
    allowance: &Allowance,
) -> Result<Found<()>, StoreError> {
    let _lock = locked(folder)?;
    let Found { value: mut throttle, warnings } = read(folder, at, allowance)?;
    throttle.settle(at, dollars);
    write(folder, &throttle)?;
    Ok(Found { value: (), warnings })
}

/// What was spent in the last day.
pub fn spent(folder: &Path, now: Timestamp, allowance: &Allowance) -> Result<Found<Throttle>, StoreError> {
    let _lock = locked(folder)?;
    read(folder, now, allowance)
}

fn place(folder: &Path) -> PathBuf {
    folder.join("throttle.json")
}

fn read(folder: &Path, now: Timestamp, allowance: &Allowance) -> Result<Found<Throttle>, StoreError> {
    let place = place(folder);
    let Some(body) = file::read_whole(&place)? else {
        return Ok(Found { value: Throttle::default(), warnings: Vec::new() });
    };
    let wrong = if body.len() > LARGEST {
        format!("it is larger than {LARGEST} bytes")
    } else {
        match serde_json::from_slice::<Throttle>(&body).map_err(|error| error.to_string()).and_then(checked) {
            Ok(throttle) => return Ok(Found { value: throttle, warnings: Vec::new() }),
            Err(why) => why,
        }
    };
    let mut warning = set_aside(folder, &place, &wrong)?;
    warning.push_str("; what was spent is not known, so nothing is admitted for an hour");
    if allowance.dollars_per_day.is_some() {
        warning.push_str(", and with the daily budget for a day");
    }
    Ok(Found { value: full(now, allowance), warnings: vec![warning] })
}

/// Amounts that nobody can spend are damage as well.
fn checked(throttle: Throttle) -> Result<Throttle, String> {
    let sane = |spent: &Spent| spent.dollars.is_finite() && spent.dollars >= 0.0;
    if throttle.spent.iter().all(sane) { Ok(throttle) } else { Err("it has amounts below 0".to_owned()) }
}

/// As if everything that is allowed had been spent just now.
fn full(now: Timestamp, allowance: &Allowance) -> Throttle {
    let dollars = allowance.dollars_per_day.unwrap_or(0.0);
    let mut throttle = Throttle::default();
    throttle.spent.push_back(Spent { at: now, dollars });
    throttle.spent.extend((1..allowance.per_hour).map(|_| Spent { at: now, dollars: 0.0 }));
    throttle
}

fn write(folder: &Path, throttle: &Throttle) -> Result<(), StoreError> {
    let body = serde_json::to_vec(throttle).map_err(|error| StoreError::Corrupt {
        path: place(folder),
        what: format!("it cannot be written: {error}"),
    })?;
    file::write_whole(&place(folder), &body)
}
