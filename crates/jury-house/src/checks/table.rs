//! The table of checks: one file for each panelist, and a second one for accessibility.

mod a11y;
mod a11y_layout;
mod brand;
mod copy;
mod critic;

pub(super) use a11y::A11Y;
pub(super) use a11y_layout::A11Y_LAYOUT;
pub(super) use brand::BRAND;
pub(super) use copy::COPY;
pub(super) use critic::CRITIC;
