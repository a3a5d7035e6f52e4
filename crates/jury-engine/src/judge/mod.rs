//! The judge: what it gets to see ([`context`]), and a judge that is a program of the user's ([`command`]).

pub mod command;
pub mod context;
mod file;
mod git;
mod names;

pub use context::{Case, CaseError, Sources};
