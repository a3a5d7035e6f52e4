//! What people and other programs get to see of a run.

mod case;
pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
mod progress;
pub(crate) mod sarif;

pub(crate) use case::{Case, CaseFinding};
pub(crate) use progress::Progress;
