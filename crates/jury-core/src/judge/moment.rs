//! Moments as people and scripts write them: `2026-02-20T10:00:00Z`, and what comes close to it.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// The moment in a text. Records are written by scripts of all kinds (`2025-01-010T00:00:00Z` was seen), so that fields
/// are read as numbers when the text is not quite a timestamp. A text that is none is no moment, and no error.
pub fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 64 {
        return None;
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    let mut fields = text.split(|c: char| !c.is_ascii_digit()).filter(|field| !field.is_empty());
    let mut next = || fields.next().and_then(|field| field.parse::<i16>().ok());
    let (year, month, day) = (next()?, next()?, next()?);
    let (hour, minute, second) = (next().unwrap_or(0), next().unwrap_or(0), next().unwrap_or(0));
    let small = |number: i16| i8::try_from(number).ok();
    let civil =
        DateTime::new(year, small(month)?, small(day)?, small(hour)?, small(minute)?, small(second)?, 0);
    civil.ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// A moment as the files have it: whole seconds, UTC.
pub fn written(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_timestamps_are_read_or_left_and_never_stop_anything() {
        let read = |text: &str| moment(text).map(written);
        assert_eq!(read("2026-02-20T10:11:12Z").as_deref(), Some("2026-02-20T10:11:12Z"));
        assert_eq!(read("2026-02-20T10:11:12.345+01:00").as_deref(), Some("2026-02-20T09:11:12Z"));
        assert_eq!(read("2025-01-010T00:00:00Z").as_deref(), Some("2025-01-10T00:00:00Z"));
        assert_eq!(read("2025-03-01").as_deref(), Some("2025-03-01T00:00:00Z"));
        for none in ["", "yesterday", "2025-13-01T00:00:00Z", "2025-02-31", "99999999999-1-1", "0"] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
