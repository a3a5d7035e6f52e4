//! Drives runs: takes a machine of `jury-core`, an agent of `jury-agents` and the log of `jury-store`, and
//! lets time pass.
//!
//! [`run`] drives one run, a [`Scheduler`] as many as there are places for. The agent's bytes come out of its spool, go through the parser into the
//! machine, and what the machine decides goes through a bounded mailbox into the log. A slow log makes the
//! parser wait, never the agent. Events are published after they are appended, so nobody ever sees one that
//! a crash could take back.
//!
//! An agent that is marked as degraded is not started as a panel, whoever asks; [`load_skill`] reads the skill that
//! a run is to use.
//!
//! Nothing is decided here: the machine says what happened, and this crate does it.

mod agent;
mod ask;
mod cast;
mod compare;
pub mod content;
mod critic;
mod degraded_mark;
mod drive;
mod error;
mod job;
pub mod judge;
mod log;
mod note;
mod scheduler;
mod skill;
mod split_prompt;
mod stop;
mod theater;
mod trace;

pub use agent::Agent;
pub use ask::{AskLimits, AskResult, NoAnswer, ask};
pub use cast::{Casting, GatheredTask, TheaterCast};
pub use compare::compare;
pub use critic::{AskWith, CriticCast, CriticJob, resume_critic, run_critic};
pub use error::EngineError;
pub use job::{Panel, TheaterJob};
pub use log::Observer;
pub use scheduler::{Driving, Interrupting, Scheduled, Scheduler, SchedulerError, Ticket};
pub use skill::{ListedSkill, LoadSkillError, SKILLS, list_skills, load_skill};
pub use split_prompt::SplitPrompt;
pub use stop::stop;
pub use theater::measuring::{FileLookup, MeasurePage, Measuring};
pub use theater::run;
