//! Speaks HTTP: the API that the page and other tools build on, the live streams, the page, the metrics.
//!
//! [`Server::new`] takes a store, a scheduler and the access rules; [`Server::serve`] answers on a listener
//! until it is told to stop. Nothing is decided here: requests become calls of the scheduler and the store, and
//! answers are what the log says.
//!
//! A live stream is a cursor on the log. One task, the [`feed`], reads what is new and keeps the last of it
//! ready to be sent; a viewer that falls behind that reads the log itself. So a slow viewer costs a cursor and
//! one piece of output, and no run waits for anybody.

mod access;
mod answer;
mod body;
mod connection;
mod context;
mod contract;
mod error;
mod feed;
mod intake;
pub mod journal;
mod library;
mod login;
pub mod metrics;
mod page;
mod router;
mod routes;
mod server;
mod site;
mod stream;
mod unread_body;

pub use access::{AccessRules, AccessToken, TokenError};
pub use context::{AgentKind, KnownAgent, KnownSkill, Lookup, ServerContext, Setting};
pub use contract::openapi;
pub use intake::{CriticStart, Intake, JudgeStart};
pub use library::{
    ContentStartRequest, KnownAdvisors, KnownRecipe, Library, LibraryError, ResolvedContentRequest,
};
pub use page::report_bundle;
pub use server::{Server, ServerLimits, Shutdown};
