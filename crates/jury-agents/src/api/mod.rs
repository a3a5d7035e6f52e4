//! Models over HTTP: a prompt in, a stream of text and notes out.
//!
//! Two wire formats ([`mod@format`]) speak to every service there is data for ([`Vendor`]). A [`Client`] belongs
//! to one vendor; [`Client::session`] streams an answer as an [`ApiSession`], [`Client::ask`] asks for a value
//! of a type. Calls are tried again when that can help, charged to a [`Budget`], and reach no address that
//! nobody allowed.
//!
//! ```no_run
//! # async fn example() -> Result<(), jury_agents::api::ApiError> {
//! use jury_agents::api::{ApiPiece, Client, ModelPrompt, Settings, Vendor};
//!
//! let vendor = Vendor::find("anthropic")?;
//! let client = Client::new(vendor, Settings::default())?;
//! let mut session = client.session(&ModelPrompt::new("Say hello."))?;
//! let mut answer = String::new();
//! loop {
//!     match session.next().await? {
//!         ApiPiece::Text(text) => answer.push_str(text),
//!         ApiPiece::Note(_) => {}
//!         ApiPiece::End(_) => break,
//!     }
//! }
//! # Ok(())
//! # }
//! ```

pub(crate) mod address;
mod ask;
mod attempt;
mod budget;
mod call;
mod client;
mod error;
pub mod format;
mod retry;
mod schema;
mod secret;
mod session;
pub mod sse;
mod vendor;

pub use ask::{ModelAnswer, ModelQuestion, Refused};
pub use budget::Budget;
pub use client::{Client, Settings, Timeouts, install_provider};
pub use error::ApiError;
pub use format::{Message, ModelPrompt, Speaker, Stop};
pub use retry::{Retries, helps};
pub use secret::Secret;
pub use session::{ApiPiece, ApiSession};
pub use vendor::{Constraint, FormatName, Price, Structure, Vendor};
