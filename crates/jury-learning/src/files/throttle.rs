//! The throttle of the judge, shared by all processes: `.throttle.json` in the folder of judgements, under its lock.
//! No bead begins with a dot, so no judgement has its name.
//!
//! A file that cannot be read says nothing about what was spent. Beginning anew could spend a budget twice, so it is set
//! aside and replaced by one that is full: nothing is admitted for an hour, and with a budget, nothing for a day.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::{Admission, Allowance, Spent, Throttle};
use jury_store::StoreError;
use jury_store::file;

use super::judgement::{JudgementsRead, locked};
use super::quarantine::quarantine;

/// The largest file that is read: a day of a hundred thousand judgements an hour would be larger, and that many are none.
const LARGEST_FILE_BYTES: usize = 64 << 20;

/// Takes a place for a judgement of so many seats, or says when there will be one. What it is expected to cost follows
/// from those before it, under the same lock.
pub fn admit(
    folder: &Path,
    now: Timestamp,
    seats: usize,
    allowance: &Allowance,
) -> Result<JudgementsRead<Admission>, StoreError> {
    let _lock = locked(folder)?;
    let JudgementsRead { value: mut throttle, warnings } = read(folder, now, allowance)?;
    let admission = throttle.admit(now, throttle.expected(seats), allowance);
    if admission == Admission::Now {
        write(folder, &throttle)?;
    }
    Ok(JudgementsRead { value: admission, warnings })
}

/// Writes down what the judgement that was admitted at this moment did cost, if anybody says so.
pub fn settle(
    folder: &Path,
    at: Timestamp,
    dollars: Option<f64>,
    allowance: &Allowance,
) -> Result<JudgementsRead<()>, StoreError> {
    let _lock = locked(folder)?;
    let JudgementsRead { value: mut throttle, warnings } = read(folder, at, allowance)?;
    // What was broken has no place for it any more, and is full as it is.
    if warnings.is_empty() {
        throttle.settle(at, dollars);
        write(folder, &throttle)?;
    }
    Ok(JudgementsRead { value: (), warnings })
}

/// What was spent in the last day.
pub fn spent(
    folder: &Path,
    now: Timestamp,
    allowance: &Allowance,
) -> Result<JudgementsRead<Throttle>, StoreError> {
    let _lock = locked(folder)?;
    read(folder, now, allowance)
}

fn place(folder: &Path) -> PathBuf {
    folder.join(".throttle.json")
}

/// Whoever calls holds the lock. A full file takes the place of a broken one before anything else: the hour begins once,
/// whoever looked first.
fn read(
    folder: &Path,
    now: Timestamp,
    allowance: &Allowance,
) -> Result<JudgementsRead<Throttle>, StoreError> {
    let place = place(folder);
    let Some(body) = file::read_whole(&place)? else {
        return Ok(JudgementsRead { value: Throttle::default(), warnings: Vec::new() });
    };
    let wrong = if body.len() > LARGEST_FILE_BYTES {
        format!("it is larger than {LARGEST_FILE_BYTES} bytes")
    } else {
        match serde_json::from_slice::<Throttle>(&body).map_err(|error| error.to_string()).and_then(checked) {
            Ok(throttle) => return Ok(JudgementsRead { value: throttle, warnings: Vec::new() }),
            Err(why) => why,
        }
    };
    let mut warning = quarantine(folder, &place, &wrong)?;
    warning.push_str("; what was spent is not known, so nothing is admitted for an hour");
    if allowance.dollars_per_day.is_some() {
        warning.push_str(", and with the daily budget for a day");
    }
    let full = full(now, allowance);
    write(folder, &full)?;
    Ok(JudgementsRead { value: full, warnings: vec![warning] })
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
    throttle.spent.push_back(Spent { at: now, dollars, estimated: true });
    let free = Spent { at: now, dollars: 0.0, estimated: true };
    throttle.spent.extend((1..allowance.per_hour).map(|_| free));
    throttle
}

fn write(folder: &Path, throttle: &Throttle) -> Result<(), StoreError> {
    let body = serde_json::to_vec(throttle).map_err(|error| StoreError::Corrupt {
        path: place(folder),
        what: format!("it cannot be written: {error}"),
    })?;
    file::write_whole(&place(folder), &body)
}
