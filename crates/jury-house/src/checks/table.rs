//! The table of checks: one file for each panelist, and a second one for accessibility.

mod a11y;
mod a11y_layout;
mod a11y_meaning;
mod brand;
mod copy;
mod critic;
mod i18n;
mod motion;
mod perf;

pub(super) use a11y::A11Y;
pub(super) use a11y_layout::A11Y_LAYOUT;
pub(super) use a11y_meaning::A11Y_MEANING;
pub(super) use brand::BRAND;
pub(super) use copy::COPY;
pub(super) use critic::CRITIC;
pub(super) use i18n::I18N;
pub(super) use motion::MOTION;
pub(super) use perf::PERF;

use crate::checks::{About, Check};
use crate::finding::{Outcome, Panelist, Severity};
use crate::page::Page;

/// A row of the table. Who reports it is the first word of its id.
const fn check(
    id: &'static str,
    dimension: &'static str,
    severity: Severity,
    run: fn(&Page<'_>) -> Outcome,
    about: About,
) -> Check {
    let panelist = match id.as_bytes() {
        [b'a', ..] => Panelist::A11y,
        [b'b', ..] => Panelist::Brand,
        [b'c', b'o', ..] => Panelist::Copy,
        [b'i', ..] => Panelist::I18n,
        [b'm', ..] => Panelist::Motion,
        [b'p', ..] => Panelist::Perf,
        _ => Panelist::Critic,
    };
    Check { id, panelist, dimension, severity, run, about }
}

#[cfg(test)]
mod tests {
    #[test]
    fn who_reports_a_check_is_the_first_word_of_its_id() {
        for check in crate::checks::all().chain(crate::checks::of_seats()) {
            assert_eq!(check.id.split('/').next(), Some(check.panelist.role()), "{}", check.id);
        }
    }
}
