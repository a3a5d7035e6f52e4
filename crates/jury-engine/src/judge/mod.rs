//! The judge: what it gets to see ([`context`]), a judge that is a program of the user's ([`command`]).

pub mod command;
pub mod context;

pub use context::{Case, CaseError, Sources};
