//! Checks, repairs and drafts of what needs no style engine: documents, diffs, copy, front matter and sites.
//!
//! Everything here is a function of the text it is given. There is no clock, no network, no file and no
//! randomness. What is seen of a page when it is laid out belongs to `jury-house`.

pub mod brand;
pub mod claim;
pub mod content;
pub mod diff;
pub mod document;
pub mod loss;
mod markdown;
pub mod offline;
pub mod site;
pub mod test_output;

pub mod code_comments;
pub mod colour;
pub mod css;
pub mod css_colour;
pub mod html_tags;
pub mod language;
