//! What of a change only an opinion can vouch for. It is no fault: a model may find it right. Without one the work does not
//! pass, because nobody looked at what decides whether it is right.

use super::Diff;
use super::{guards, named};

/// What nobody judged, a sentence each that says what to do.
pub fn unjudged(diff: &Diff, prompt: &str) -> Vec<String> {
    [named::unmet(diff, prompt), guards::unjudged_tests(diff, prompt)].into_iter().flatten().collect()
}
