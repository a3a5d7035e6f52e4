//! Fetches one address: for looking at what was published. No redirects, no cookies, a bound on time and bytes, and no
//! private address that nobody named.

use std::time::Duration;

use jury_core::line;
use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderValue};
use reqwest::redirect;
use thiserror::Error;

use crate::api::address::{Allowed, private_name};
use crate::api::{ApiError, Secret, install_provider};

/// What a fetch may take, and where it may go.
#[derive(Debug, Clone)]
pub struct FetchLimits {
    /// The most bytes of a body.
    pub bytes: usize,
    /// The longest time for all of it.
    pub time: Duration,
    /// Hosts that may be private, or spoken to without encryption.
    pub allow_hosts: Vec<String>,
    /// What opens the door there.
    pub token: Option<Secret>,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { bytes: 4 << 20, time: Duration::from_secs(15), allow_hosts: Vec::new(), token: None }
    }
}

/// The answer of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The HTTP status of the answer.
    pub status: u16,
    /// What it says it is.
    pub content_type: Option<String>,
    /// The bytes of the body.
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Debug, Error)]
pub enum FetchError {
    /// The address cannot be used.
    #[error(transparent)]
    Address(#[from] ApiError),
    /// Nobody answers there, or not to the end.
    #[error("{0}")]
    Broken(String),
    /// There is more than may be read.
    #[error("more than {0} bytes")]
    TooLarge(usize),
}

/// Fetches an address with GET.
pub async fn fetch(url: &str, limits: &FetchLimits) -> Result<Fetched, FetchError> {
    let allowed = Allowed::new(&limits.allow_hosts);
    let url = allowed.check(url)?;
    install_provider();
    let http = reqwest::Client::builder()
        .user_agent(concat!("jury/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .no_proxy()
        .dns_resolver(allowed)
        .timeout(limits.time)
        .build()
        .map_err(|error| broken(&error))?;
    let mut request = http.get(url).header(ACCEPT_ENCODING, "identity");
    if let Some(token) = &limits.token {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose())).map_err(|_| {
            FetchError::Broken("the token has characters that a header cannot carry".to_owned())
        })?;
        value.set_sensitive(true);
        request = request.header(AUTHORIZATION, value);
    }
    let mut response = request.send().await.map_err(|error| broken(&error))?;
    let content_type = response
        .headers()
        .get(reqwest::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| broken(&error))? {
        if body.len() + piece.len() > limits.bytes {
            return Err(FetchError::TooLarge(limits.bytes));
        }
        body.extend_from_slice(&piece);
    }
    Ok(Fetched { status, content_type, body })
}

fn broken(error: &reqwest::Error) -> FetchError {
    if let Some(private) = private_name(error) {
        return FetchError::Broken(private.to_string());
    }
    // The innermost cause says why; what is around it only says where.
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = if error.is_timeout() { "no answer in time".to_owned() } else { cause.to_string() };
    FetchError::Broken(line::cut(&text, 200))
}
