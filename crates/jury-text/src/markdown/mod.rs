//! Markdown that is kept as it was written: which line is a heading, an entry of a list, a row of a table, code.
//!
//! People write pages, foundation documents and a DESIGN.md for each other, and what they wrote goes into a draft word for
//! word, so these readers take lines and leave the inside of a line alone. What is shown as a browser shows it is read with
//! `pulldown-cmark` instead: documents in [`crate::document`], drafts in [`crate::content`], posts in [`crate::site`].

pub(crate) mod blocks;
pub(crate) mod line;
