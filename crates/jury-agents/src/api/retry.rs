//! When it helps to ask again, and after what time. Without chance in it: the same failures give the same
//! delays.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

/// How often and how patiently a call is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// The most attempts after the first.
    pub most: u32,
    /// The delay before the second attempt. It doubles from then on.
    pub first: Duration,
    /// The longest delay. A service that asks for a longer one is not asked again.
    pub longest: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { most: 4, first: Duration::from_millis(500), longest: Duration::from_mins(1) }
    }
}

impl Retries {
    /// A request is never tried again.
    pub const NONE: Self = Self { most: 0, first: Duration::ZERO, longest: Duration::ZERO };

    /// The delay after so many attempts; none when there is to be no other.
    pub(super) fn delay(&self, attempts: u32, asked_for: Option<Duration>) -> Option<Duration> {
        if attempts > self.most {
            return None;
        }
        if let Some(asked_for) = asked_for {
            return (asked_for <= self.longest).then_some(asked_for);
        }
        let doublings = attempts.saturating_sub(1).min(20);
        Some(self.first.saturating_mul(1 << doublings).min(self.longest))
    }
}

/// Whether a service that answered with this may answer otherwise next time.
pub fn helps(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..)
}

/// The time that a `retry-after` header asks for: seconds, or a date.
pub(super) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    // Services get the day of the week wrong at times; the rest is meant.
    let date = DateTimeParser::new().relaxed_weekday(true).parse_zoned(value).ok()?.timestamp();
    // A date that has passed is no reason to wait.
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest_and_end() {
        let retries = Retries { most: 4, first: Duration::from_secs(1), longest: Duration::from_secs(5) };
        let delays: Vec<_> = (1..=5).map(|attempts| retries.delay(attempts, None)).collect();
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(delays, [seconds(1), seconds(2), seconds(4), seconds(5), None]);
    }

    #[test]
    fn a_service_decides_how_long_to_wait_within_reason() {
        let retries = Retries { most: 4, first: Duration::from_secs(1), longest: Duration::from_secs(5) };
        let asked = |seconds| retries.delay(1, Some(Duration::from_secs(seconds)));
        assert_eq!(
            [asked(0), asked(5), asked(6)],
            [Some(Duration::ZERO), Some(Duration::from_secs(5)), None]
        );
        assert_eq!(Retries::NONE.delay(1, Some(Duration::ZERO)), None);
    }

    #[test]
    fn only_what_passes_is_tried_again() {
        let passing: Vec<u16> = (300..600).filter(|status| helps(*status)).collect();
        assert_eq!(passing.first_chunk(), Some(&[408, 409, 429, 500]));
        assert!(helps(529) && ![400, 401, 403, 404, 413, 422].into_iter().any(helps));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "1994-11-06T08:49:37Z".parse().unwrap();
        let asked = |value| retry_after(value, now);
        assert_eq!(asked("120"), Some(Duration::from_mins(2)));
        assert_eq!(asked(" 0.25 "), Some(Duration::from_millis(250)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:50:07 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(asked("Mon, 06 Nov 1994 08:49:07 GMT"), Some(Duration::ZERO));
        assert_eq!([asked("-1"), asked("NaN"), asked("1e300"), asked("soon"), asked("")], [None; 5]);
    }
}
