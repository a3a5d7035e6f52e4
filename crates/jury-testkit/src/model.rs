//! A model's service that says what a script says: a real HTTP server on a real loopback socket.
//!
//! It speaks the four formats that agent programs and API clients speak (Anthropic Messages, `OpenAI` chat
//! completions, `OpenAI` Responses, Gemini), streamed and whole, and misbehaves on request: statuses, streams
//! that break, stall or end early. It knows nothing about models.
//!
//! It runs on plain threads, needs no async runtime and can be used from any test. The binary
//! `scripted-model` is the same server for shells.
//!
//! ```
//! use jury_testkit::model::{ScriptedAnswer, Script, ModelServer};
//!
//! let server = ModelServer::start(Script::new([ScriptedAnswer::status(529), ScriptedAnswer::text("hello").chunk(1)]))?;
//! println!("{}/v1/messages", server.url());
//! assert!(server.requests().is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

mod http;
mod record;
mod script;
mod server;
#[cfg(test)]
mod tests;
mod wire;

pub use record::Recorded;
pub use script::{Break, BreakKind, Script, ScriptedAnswer, ScriptedUsage, ToolCall};
pub use server::ModelServer;
