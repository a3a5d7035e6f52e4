//! Reports: a run as a document for people and for programs, made from its events alone.

mod case;
pub mod html;
pub mod json;
pub mod markdown;

pub use case::Case;
