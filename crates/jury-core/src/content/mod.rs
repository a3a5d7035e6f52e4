//! The content pipeline: a piece is written from an idea's documents, reviewed by advisors who are chosen for it, revised
//! under a list of what must not get worse, and, when it is a website, built and served.
//!
//! [`ContentState`] is the fold of a run's events; [`ContentState::next`] says which [`Step`] comes next. A tool does one step: it reads
//! the log, does the work and appends what came of it. So every step may be done by another process.

pub mod advisor;
pub mod brand;
pub mod brief;
pub mod compare;
pub mod critique;
pub mod draft;
pub mod eval;
pub mod event;
pub mod idea;
pub mod machine;
pub mod matching;
pub mod page;
pub mod panel;
pub mod progress;
pub mod protected;
pub mod recipe;
pub mod recipes;
pub mod registry;
pub mod request;
pub mod rule;
pub mod select;
pub mod state;
mod status;
pub mod stem;
pub mod step;
pub mod submit;
pub mod summary;
pub mod view;
mod workflow;

pub use advisor::{Advisor, AdvisorId, AdvisorRole, HouseCritic};
pub use brand::SiteBrand;
pub use brief::Brief;
pub use compare::{BlockChange, ComparedBlock, compare};
pub use critique::{ContentIssue, Critique, IssueStatus};
pub use draft::{Draft, Writer};
pub use event::ContentEvent;
pub use idea::{DocRef, DocType, Foundation, IdeaId};
pub use page::Page;
pub use panel::{ContentSeat, How, PanelSelection};
pub use progress::PipelineProgress;
pub use recipe::{ContentType, Form, Recipe};
pub use registry::AdvisorRegistry;
pub use request::ContentRequest;
pub use rule::{EditorDecision, Ruling};
pub use select::SelectionError;
pub use state::ContentState;
pub use status::{ContentStatus, Quality};
pub use step::{Step, Tool};
pub use summary::{FixedItem, OpenIssue, RoundSummary, ShortSummary, WellScored};
pub use view::ContentView;
