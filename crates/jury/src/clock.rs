//! The clock of the commands that keep files for other programs: `JURY_NOW` where it is set, else the system's.
//!
//! A command reads it once, so that everything it writes has one time.

use jiff::Timestamp;

use crate::refusal::Refusal;

/// Which moment it is. `JURY_NOW` has to be a timestamp (RFC 3339); an empty one counts as unset.
pub(crate) fn now() -> Result<Timestamp, Refusal> {
    match std::env::var_os("JURY_NOW").filter(|text| !text.is_empty()) {
        None => Ok(Timestamp::now()),
        Some(text) => text.to_str().and_then(|text| text.trim().parse().ok()).ok_or_else(|| {
            let text: String = text.to_string_lossy().chars().take(80).collect();
            Refusal::usage(format!("JURY_NOW: {text:?} is no moment; write it like 2026-02-20T10:00:00Z"))
        }),
    }
}
