//! A client of one vendor: key, model, limits, and the connection that calls share.

use std::path::PathBuf;
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Url, redirect};

use super::address::Allowed;
use super::budget::Budget;
use super::call::Call;
use super::error::ApiError;
use super::format::{self, ModelPrompt, Shape};
use super::retry::Retries;
use super::secret::Secret;
use super::session::{ApiSession, Mode};
use super::vendor::{FormatName, Structure, Vendor};

/// How a client behaves.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model; the vendor's default when absent.
    pub model: Option<String>,
    /// The address of the service; the vendor's when absent.
    pub base_url: Option<String>,
    /// The file that holds the key; when absent it comes from the vendor's variable.
    pub key_file: Option<PathBuf>,
    /// Hosts that may be private, beside those of the vendor.
    pub allow_hosts: Vec<String>,
    /// How long things may take.
    pub timeouts: Timeouts,
    /// How often a call is tried again.
    pub retries: Retries,
    /// The most bytes of an answer.
    pub max_bytes: usize,
    /// What calls may cost together.
    pub budget: Option<Budget>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model: None,
            base_url: None,
            key_file: None,
            allow_hosts: Vec::new(),
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            max_bytes: 64 << 20,
            budget: None,
        }
    }
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connect: Duration,
    /// Between two signs of life until the answer begins. A local model reads a long prompt for minutes, and
    /// some think for minutes.
    pub first: Duration,
    /// Between two pieces of the answer.
    pub idle: Duration,
    /// A whole call, with everything that is tried again.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first: Duration::from_mins(5),
            idle: Duration::from_mins(2),
            total: Duration::from_mins(30),
        }
    }
}

/// A client of one vendor.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    key: Option<Secret>,
    vendor: Vendor,
    model: String,
    settings: Settings,
}

impl Client {
    /// A client with the key that the settings or the vendor's variable give.
    pub fn new(vendor: Vendor, settings: Settings) -> Result<Self, ApiError> {
        let key = match (&settings.key_file, &vendor.key_variable) {
            (Some(path), _) => Some(Secret::from_file(path)?),
            (None, Some(variable)) => Some(Secret::from_env(variable).ok_or_else(|| ApiError::NoKey {
                vendor: vendor.name.clone(),
                variable: variable.clone(),
            })?),
            (None, None) => None,
        };
        Self::with_key(vendor, settings, key)
    }

    /// A client with this key.
    pub fn with_key(vendor: Vendor, settings: Settings, key: Option<Secret>) -> Result<Self, ApiError> {
        let allowed = Allowed::new(vendor.allow_hosts.iter().chain(&settings.allow_hosts));
        let base = settings.base_url.as_ref().unwrap_or(&vendor.base_url).trim_end_matches('/');
        let url = allowed.check(&format!("{base}{}", format::path(vendor.format)))?;
        let headers = headers(&vendor, key.as_ref())?;
        install_provider();
        let http = reqwest::Client::builder()
            .user_agent(concat!("jury/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            // A proxy resolves names by itself, so that nobody could check where they lead.
            .no_proxy()
            .dns_resolver(allowed)
            .connect_timeout(settings.timeouts.connect)
            .build()
            .map_err(|error| ApiError::Setup { problem: error.to_string() })?;
        let model = settings.model.clone().unwrap_or_else(|| vendor.default_model.clone());
        Ok(Self { http, url, headers, key, vendor, model, settings })
    }

    /// The same client, which tries again like this. For whoever tries again by themselves.
    #[must_use]
    pub fn with_retries(mut self, retries: Retries) -> Self {
        self.settings.retries = retries;
        self
    }

    /// The vendor it speaks to.
    pub fn vendor(&self) -> &Vendor {
        &self.vendor
    }

    /// The model it asks.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Asks, and streams the answer. Nothing is sent before the first piece is asked for.
    pub fn session(&self, prompt: &ModelPrompt) -> Result<ApiSession, ApiError> {
        self.start(prompt, None, Mode::Stream)
    }

    pub(super) fn start(
        &self,
        prompt: &ModelPrompt,
        shape: Option<&Shape>,
        mode: Mode,
    ) -> Result<ApiSession, ApiError> {
        let price = self.vendor.price(&self.model).cloned();
        let budget = self.settings.budget.clone();
        if price.is_none() && budget.as_ref().is_some_and(Budget::is_in_money) {
            return Err(ApiError::NoPrice { vendor: self.vendor.name.clone(), model: self.model.clone() });
        }
        let body = |prompt: &ModelPrompt| {
            format::body(&self.vendor, &self.model, prompt, shape).to_string().into_bytes()
        };
        let without_temperature = prompt.temperature.map(|_| body(&prompt.clone().temperature(None)));
        let body = body(prompt);
        let call = Call {
            http: self.http.clone(),
            url: self.url.clone(),
            headers: self.headers.clone(),
            key: self.key.clone(),
            body,
            without_temperature,
            format: self.vendor.format,
            max_tokens: prompt.max_tokens,
            price,
            budget,
            timeouts: self.settings.timeouts,
            retries: self.settings.retries,
            max_bytes: self.settings.max_bytes,
        };
        Ok(ApiSession::new(call, mode))
    }

    pub(super) fn structure(&self) -> Structure {
        self.vendor.structure
    }
}

fn headers(vendor: &Vendor, key: Option<&Secret>) -> Result<HeaderMap, ApiError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if vendor.format == FormatName::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    if let Some(key) = key {
        let (name, value) = match vendor.format {
            FormatName::Anthropic => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
            FormatName::Openai => (reqwest::header::AUTHORIZATION, format!("Bearer {}", key.expose())),
        };
        let mut value =
            HeaderValue::from_str(&value).map_err(|_| ApiError::BadKey { vendor: vendor.name.clone() })?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// Chooses the cryptography of TLS, once for the process. Whoever chose before us is right too. For those who
/// speak HTTPS without a [`Client`].
pub fn install_provider() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        rustls::crypto::ring::default_provider().install_default().ok();
    });
}
