//! The content pipeline: a piece is written from an idea's documents, reviewed by advisors who are chosen for it, revised
//! under a list of what must not get worse, and, when it is a website, built and served.

pub mod advisor;
pub mod brand;
pub mod critique;
pub mod draft;
pub mod idea;
pub mod page;
pub mod recipe;
pub mod recipes;
pub mod registry;

pub use advisor::{Advisor, AdvisorId, AdvisorRole, HouseCritic};
pub use brand::Brand;
pub use critique::{Critique, Issue, Severity, Status};
pub use draft::{Draft, Writer};
pub use idea::{DocRef, DocType, Foundation, IdeaId};
pub use page::Page;
pub use recipe::{ContentType, Form, Recipe};
pub use registry::Registry;
