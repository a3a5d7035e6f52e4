//! What lies beside a page: the only files it gets, apart from what it carries in itself.
//!
//! They are handed in as bytes. The eye opens nothing, so that a page cannot make it read anything.

use std::collections::BTreeMap;

/// Files beside a page, by their address relative to it (`style.css`, `img/logo.png`), without query and fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside(BTreeMap<String, Vec<u8>>);

impl Beside {
    /// Nothing lies beside the page.
    pub const fn nothing() -> Self {
        Self(BTreeMap::new())
    }

    /// Puts a file beside the page.
    pub fn insert(&mut self, address: impl Into<String>, bytes: Vec<u8>) {
        self.0.insert(address.into(), bytes);
    }

    /// The bytes of a file.
    pub fn get(&self, address: &str) -> Option<&[u8]> {
        self.0.get(address).map(Vec::as_slice)
    }

    /// Whether nothing lies beside the page.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every file with its address, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(address, bytes)| (address.as_str(), bytes.as_slice()))
    }
}
