//! What a page is measured against and with: everything about it that its own text does not say.

use jury_eye::Beside;
use jury_text::brand::Brand;

/// The brand a page should follow and the files beside it. The same for every version of the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) brand: Option<&'a Brand>,
    pub(crate) beside: &'a Beside,
}

#[cfg(test)]
impl Subject<'static> {
    /// A page by itself.
    pub(crate) const ALONE: Self = Self { brand: None, beside: &Beside::nothing() };
}
