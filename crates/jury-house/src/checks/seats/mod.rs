//! Checks of the measured seats, which only sit where somebody casts them.

pub(super) mod i18n;
pub(super) mod motion;
pub(super) mod perf;
