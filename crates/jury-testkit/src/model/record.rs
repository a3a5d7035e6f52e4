//! What the scripted model was asked, without the secrets.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde_json::Value;

use super::http::Request;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// `POST`, `GET`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The query, without secrets.
    pub query: String,
    /// The headers, names in lower case, secrets replaced by [`Recorded::SECRET`].
    pub headers: BTreeMap<String, String>,
    /// The body; a string when it is not JSON, null when there is none.
    pub body: Value,
    /// Whether it used up an answer of the script.
    pub scripted: bool,
    #[serde(skip)]
    credentials: Vec<u64>,
}

const SECRETS: [&str; 6] =
    ["authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie", "proxy-authorization"];

impl Recorded {
    /// What stands in place of a secret.
    pub const SECRET: &str = "(secret)";

    pub(super) fn of(request: &Request, scripted: bool) -> Self {
        let mut headers = request.headers.clone();
        let mut credentials = Vec::new();
        for name in SECRETS {
            if let Some(value) = headers.get_mut(name) {
                credentials.push(hash(value.strip_prefix("Bearer ").unwrap_or(value)));
                Self::SECRET.clone_into(value);
            }
        }
        let query: Vec<String> = request
            .query
            .split('&')
            .map(|pair| match pair.split_once('=') {
                Some(("key", value)) => {
                    credentials.push(hash(value));
                    format!("key={}", Self::SECRET)
                }
                _ => pair.to_owned(),
            })
            .collect();
        Self {
            method: request.method.clone(),
            path: request.path.clone(),
            query: query.join("&"),
            headers,
            body: body(&request.body),
            scripted,
            credentials,
        }
    }

    /// Whether the request carried this secret where secrets belong.
    pub fn has_credential(&self, secret: &str) -> bool {
        self.credentials.contains(&hash(secret))
    }
}

fn body(bytes: &[u8]) -> Value {
    if bytes.is_empty() {
        return Value::Null;
    }
    serde_json::from_slice(bytes)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()))
}

fn hash(secret: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    secret.hash(&mut hasher);
    hasher.finish()
}
