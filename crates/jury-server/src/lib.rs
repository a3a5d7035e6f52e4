//! Speaks HTTP: the API that the page and other tools build on, the live streams, the page, the metrics.
//!
//! [`Server::new`] takes a store, a docket and the rules of the door; [`Server::serve`] answers on a listener
//! until it is told to stop. Nothing is decided here: requests become calls of the docket and the store, and
//! answers are what the log says.
//!
//! A live stream is a cursor on the log. One task, the [`feed`], reads what is new and keeps the last of it
//! ready to be sent; a viewer that falls behind that reads the log itself. So a slow viewer costs a cursor and
//! one piece of output, and no run waits for anybody.

mod answer;
mod body;
mod connection;
mod contract;
mod error;
mod feed;
mod gate;
mod guard;
mod intake;
pub mod journal;
mod library;
pub mod metrics;
mod page;
mod rest;
mod router;
mod routes;
mod server;
mod site;
mod stream;
mod surroundings;

pub use contract::openapi;
pub use guard::{Door, Token, TokenError};
pub use intake::{CriticStart, Intake, JudgeStart};
pub use library::{ContentWish, Fulfilled, KnownAdvisors, KnownRecipe, Library, LibraryError};
pub use page::report_bundle;
pub use server::{Limits, Server, Shutdown};
pub use surroundings::{AgentKind, Ask, KnownAgent, KnownSkill, Setting, Surroundings};
