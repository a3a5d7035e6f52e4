//! What WAI-ARIA 1.2 says about roles and attributes, as tables: which roles there are, what they support and need,
//! where their names come from, and which values an attribute takes. With the graphics and digital publishing
//! modules.

mod attributes;
mod roles;

pub use attributes::{AriaAttribute, Values, attribute, is_global};
pub use roles::{AriaRole, Naming, is_abstract, role};

/// Whether a space-separated list holds a word.
fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|entry| entry == word)
}
