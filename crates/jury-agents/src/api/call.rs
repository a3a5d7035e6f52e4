//! What a session asks with, what that may cost, and what to make of its troubles.

use std::time::Duration;

use jury_core::event::Usage;
use reqwest::Url;
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use super::budget::Budget;
use super::client::Timeouts;
use super::format::Tokens;
use super::retry::Retries;
use super::secret::Secret;
use super::vendor::{FormatName, Price};

/// The most of a service's complaint that is repeated.
const LONGEST_DETAIL: usize = 300;

/// Everything a session needs to ask, as often as it takes.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) http: reqwest::Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) key: Option<Secret>,
    pub(super) body: Vec<u8>,
    /// The same request without a temperature, for a model that refuses one; none when it has none.
    pub(super) without_temperature: Option<Vec<u8>>,
    pub(super) format: FormatName,
    pub(super) max_tokens: u32,
    pub(super) price: Option<Price>,
    pub(super) budget: Option<Budget>,
    pub(super) timeouts: Timeouts,
    pub(super) retries: Retries,
    pub(super) max_bytes: usize,
}

impl Call {
    /// A token has three bytes or more in what models are asked here.
    pub(super) fn input_estimate(&self) -> Tokens {
        let input = u64::try_from(self.body.len().div_ceil(3)).unwrap_or(u64::MAX);
        Tokens { input, ..Tokens::default() }
    }

    pub(super) fn usage(&self, tokens: Tokens) -> Usage {
        let cost_usd = self.price.as_ref().map(|price| tokens.cost(price));
        Usage { input_tokens: tokens.read(), output_tokens: tokens.output, cost_usd }
    }

    /// What a service said, fit to be shown: one line, not too long, without the key.
    pub(super) fn presentable(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text));
        let words = text.split(|character: char| character.is_whitespace() || character.is_control());
        let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut characters = line.chars();
        let mut start: String = characters.by_ref().take(LONGEST_DETAIL).collect();
        if characters.next().is_some() {
            start.push('…');
        }
        start
    }
}

/// Why an attempt came to nothing.
pub(super) struct Trouble {
    pub(super) status: Option<u16>,
    pub(super) detail: String,
    pub(super) helps: bool,
    /// How long the service asks us to wait.
    pub(super) after: Option<Duration>,
}

impl Trouble {
    pub(super) fn broken(detail: impl Into<String>) -> Self {
        Self { status: None, detail: detail.into(), helps: true, after: None }
    }

    pub(super) fn last(detail: impl Into<String>) -> Self {
        Self { helps: false, ..Self::broken(detail) }
    }
}

/// Nothing came in time: there is no time left at all, or the service was silent for too long.
pub(super) fn late(deadline: Instant, total: Duration, silence: Duration) -> Trouble {
    if Instant::now() >= deadline {
        Trouble::last(format!("the call took longer than {:.1} s", total.as_secs_f64()))
    } else {
        Trouble::broken(format!("nothing came for {:.1} s", silence.as_secs_f64()))
    }
}
