//! The judge: what it gets to see ([`context`]), and a judge that is a program of the user's ([`command`]).

mod bench;
pub mod command;
pub mod context;
mod effects;
mod file;
mod git;
mod keep;
mod names;
mod queue;
mod rules;
mod run;

pub use bench::{Bench, Clock, Juror};
pub use context::{Case, CaseError, Sources};
pub use run::{JudgeJob, JudgeTask, give_up_judge, resume_judge, run_judge, settle_judge};
