//! Pieces of content without a model: what a person wrote is read, a first draft is put together from documents, and what
//! is safe to correct is corrected.

pub mod read;
pub mod repair;
pub mod template;
