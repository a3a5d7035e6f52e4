//! The content pipeline: drafts, panels, reviews, decisions, revisions, and the way onto a site.
//!
//! `ContentState` in `jury-core` is the fold of a run's log and says which step comes next. A step reads the log, does one thing
//! and appends what came of it; [`run_content`] does one after the other, [`tools::call`] does a single one, in whichever
//! process. Nothing else is kept in between, so a run can be taken up after any step, whoever drove it before.

mod agent_line;
mod author;
mod begin;
mod brand;
mod cast;
mod critics;
mod effects;
mod idea;
mod measuring;
mod panel;
mod posts;
mod publish;
mod queue;
mod refusal;
mod run;
pub mod site;
mod step;
pub mod tools;
mod worker;

pub(crate) use begin::queued;
pub use begin::{ContentJob, PersonsDraft, begin_content, problem, run_content};
pub use cast::{ContentCast, NotPublished, PublishStep, PublishWith};
pub use idea::{IdeaError, idea_id, list_ideas, read_foundation};
pub use posts::{ApprovedPost, ApprovedPosts};
pub use refusal::NotResumed;
pub use run::{abandon_content, pause_content, resume_content};
pub(crate) use run::{carry_on, hand_over};
