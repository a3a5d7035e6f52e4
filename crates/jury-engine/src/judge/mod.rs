//! The judge: what it gets to see ([`context`]), and a judge that is a program of the user's ([`command`]).

mod cast;
pub mod command;
pub mod context;
mod effects;
mod file;
mod git;
mod judgement_writer;
mod log;
mod names;
mod queue;
mod rules;
mod run;
mod shortened;

pub use cast::{Clock, JudgeCast, Juror};
pub use context::{CaseError, GatheredCase, Sources};
pub use run::{JudgeJob, JudgeTask, give_up_judge, resume_judge, run_judge, settle_judge};
