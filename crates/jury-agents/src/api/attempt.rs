//! One request, up to the head of its answer.

use std::error::Error as _;
use std::pin::Pin;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Response, Url};

use super::address::private_name;
use super::format;
use super::retry::retry_after;

/// What a request led to.
pub(super) enum Outcome {
    /// An answer, which streams.
    Stream(Response),
    /// An answer that says no.
    Refused { status: u16, retry_after: Option<Duration>, message: String },
    /// An answer that sends us elsewhere.
    Redirect { status: u16, to: String },
    /// The name leads to a private address.
    Private { host: String },
    /// The connection broke before an answer.
    Broken { detail: String },
}

/// A request under way. Dropping it ends it.
pub(super) type Attempt = Pin<Box<dyn Future<Output = Outcome> + Send + Sync>>;

/// The most bytes of an error that are read.
const ERROR_BODY: usize = 64 * 1024;

pub(super) fn attempt(http: &reqwest::Client, url: &Url, headers: &HeaderMap, body: &[u8]) -> Attempt {
    let request = http.post(url.clone()).headers(headers.clone()).body(body.to_vec());
    Box::pin(async move {
        match request.send().await {
            Ok(response) => look_at(response).await,
            Err(error) => match private_name(&error) {
                Some(name) => Outcome::Private { host: name.0.clone() },
                None => Outcome::Broken { detail: describe(error) },
            },
        }
    })
}

async fn look_at(mut response: Response) -> Outcome {
    let status = response.status().as_u16();
    let header = |response: &Response, name| {
        let value = response.headers().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    if response.status().is_redirection() {
        let to = header(&response, LOCATION).and_then(|to| response.url().join(&to).ok());
        let host = to.as_ref().and_then(Url::host_str).unwrap_or("somewhere");
        return Outcome::Redirect { status, to: host.to_owned() };
    }
    let kind = header(&response, CONTENT_TYPE).unwrap_or_default();
    if response.status().is_success() && kind.starts_with("text/event-stream") {
        return Outcome::Stream(response);
    }
    if response.status().is_success() {
        let detail = format!("it answers with '{}' and not with a stream of events", kind.escape_default());
        return Outcome::Refused { status, retry_after: None, message: detail };
    }
    let asked = header(&response, RETRY_AFTER).and_then(|value| retry_after(&value, Timestamp::now()));
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > ERROR_BODY {
            break;
        }
    }
    Outcome::Refused { status, retry_after: asked, message: format::error_message(&body) }
}

/// An error with its cause, without the address.
pub(super) fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause = error.source();
    let mut deepest = None;
    while let Some(found) = cause {
        deepest = Some(found.to_string());
        cause = found.source();
    }
    match deepest {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
