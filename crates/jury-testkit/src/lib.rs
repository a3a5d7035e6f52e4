//! What the tests, benchmarks and fuzz targets of jury share. Not part of the product.
//!
//! - [`random`]: numbers that look random and are the same every time.
//! - [`critic`]: random runs of the critic.
//! - [`cut`]: ways to cut a transcript into pieces.
//! - [`oracle`]: what must hold for the parser, whatever the bytes and however they are cut.
//! - [`transcript`]: transcripts of any size, for benchmarks and memory tests.
//! - [`mutate`]: transcripts with something wrong in them.
//! - [`fixtures`]: whole answers of an agent, as a model would write them.
//! - [`model`]: a model's service that says what a script says.
//! - [`local`]: a real, small model on this machine.
//! - [`redis_server`]: a real Redis of a test's own.
//! - [`process`]: whether a process is still there.
//! - [`client`]: a client of the daemon that reads live streams and can misbehave.

pub mod client;
pub mod critic;
pub mod cut;
pub mod fixtures;
pub mod local;
pub mod model;
pub mod mutate;
pub mod oracle;
pub mod process;
pub mod random;
pub mod redis_server;
pub mod transcript;
