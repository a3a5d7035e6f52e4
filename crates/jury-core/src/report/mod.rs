//! Reports: a run as a document for people and for programs, made from its events alone.

mod case;
mod gate;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod page;
mod review;
pub mod sarif;
mod verdict;

pub use case::{ReportCase, measured_line};
pub use gate::{AppliedWaiver, LET_THROUGH};
pub use review::{PartResult, Report, ReportPart, ReportQuestion, VERSION, Weight, weight};
pub use verdict::{GivenPage, RoundHolds, RuleStanding, RunEnding, VerdictFacts};
