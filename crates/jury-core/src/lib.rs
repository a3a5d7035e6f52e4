//! The domain of jury: what a run is, how a transcript is read, how a rule decides.
//!
//! Everything here is a function of its arguments. Bytes, times and ids arrive as values; there is no clock,
//! no file, no environment, no randomness and nothing asynchronous. Whatever has a side effect is described
//! (as an [`event::Event`] or an effect) and done by somebody else.
//!
//! - The words: [`mod@unit`], [`id`], [`role`], [`score`], [`severity`], [`finding`], [`rule`], [`ledger`], [`artifact`], [`outcome`],
//!   [`warning`], [`event`], [`evidence`], [`loss`], [`record`], [`settings`], [`run`], [`workflow`], [`decision`], [`process`].
//! - [`protocol`]: bytes of an agent's answer in, signals out.
//! - [`theater`]: signals and time in, events and effects out; the rule of the design jury.
//! - [`critic`]: any document against criteria, pass after pass; the rule of the critic.
//! - [`judge`]: finished agent runs and what they are worth; the rule of the judge.
//! - [`content`]: a piece written, reviewed by chosen advisors, revised, and published.
//! - [`enablement`] and [`skill`]: whether the panel sits, and what a skill says about it.
//! - [`toml_lines`]: the lines of what is wrong in a file that people write.
//! - [`mod@line`]: text for one line of a message, a list or a terminal.
//! - [`legacy`]: the page in an answer that nobody reviewed.
//! - [`random`]: numbers that look random and follow from a seed.
//! - [`conformance`]: whether an agent can play the jury, and what follows from it.

pub mod artifact;
pub mod avowal;
pub mod comparison;
pub mod conformance;
pub mod content;
pub mod critic;
pub mod decision;
pub mod disclaimer;
pub mod enablement;
mod encoded_markup;
pub mod event;
pub mod evidence;
pub mod example;
pub mod fence;
pub mod finding;
pub mod front_matter;
pub mod held_back;
pub mod id;
pub mod judge;
pub mod ledger;
pub mod legacy;
pub mod legible;
pub mod lenient_json;
pub mod line;
pub mod lint;
pub mod loss;
pub mod machine;
pub mod markup;
pub mod outcome;
pub mod page_body;
pub mod process;
pub mod protocol;
pub mod random;
pub mod record;
pub mod report;
pub mod request;
pub mod role;
pub mod rota;
pub mod rule;
pub mod run;
pub mod score;
pub mod seat;
pub mod settings;
pub mod severity;
pub mod skill;
pub mod theater;
pub mod toml_lines;
pub mod unit;
pub mod waiver;
pub mod warning;
pub mod workflow;
