//! The table of checks: one file for each panelist.

mod a11y;
mod brand;
mod copy;
mod critic;

pub(super) use a11y::A11Y;
pub(super) use brand::BRAND;
pub(super) use copy::COPY;
pub(super) use critic::CRITIC;
