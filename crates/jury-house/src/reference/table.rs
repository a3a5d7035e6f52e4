//! Made by `cargo run -p jury-house --example reference`; not edited by hand.

/// How many pages the figures are of.
pub(crate) const PAGES: usize = 0;

/// For each check and panelist the scores at 0, 5, 10 ... 100 % of the pages that had something to measure.
pub(super) const QUANTILES: &[(&str, [f32; 21])] = &[];
