//! Keys and passwords: known shapes, and random texts under the name of a secret. A value that is found is never repeated,
//! neither here nor in what others quote.

use super::super::Change;
use super::super::path::{Kind, is_example};
use super::subject::{Subject, quote};
use super::{Detector, Evidence, Severity};

/// The beginning of a key, the least length with it, and what it is.
const SHAPES: &[(&str, usize, &str)] = &[
    ("AKIA", 20, "an access key of AWS"),
    ("ASIA", 20, "an access key of AWS"),
    ("ghp_", 40, "a token of GitHub"),
    ("gho_", 40, "a token of GitHub"),
    ("ghs_", 40, "a token of GitHub"),
    ("github_pat_", 40, "a token of GitHub"),
    ("glpat-", 20, "a token of GitLab"),
    ("sk-ant-", 30, "a key of Anthropic"),
    ("sk-proj-", 30, "a key of OpenAI"),
    ("sk-", 40, "a key of OpenAI"),
    ("sk_live_", 24, "a key of Stripe"),
    ("rk_live_", 24, "a key of Stripe"),
    ("xoxb-", 24, "a token of Slack"),
    ("xoxp-", 24, "a token of Slack"),
    ("AIza", 39, "a key of Google"),
    ("npm_", 40, "a token of npm"),
    ("SG.", 50, "a key of SendGrid"),
    ("pypi-AgEI", 50, "a token of PyPI"),
    ("eyJ", 60, "a signed token"),
];

const KEY: &str = "a private key";

/// What a secret is called.
const NAMES: &[&str] = &[
    "secret",
    "token",
    "passwd",
    "password",
    "api_key",
    "apikey",
    "api-key",
    "private_key",
    "access_key",
    "auth_key",
    "credential",
    "privatekey",
    "accesskey",
    "signing_key",
];

/// What stands where a secret belongs.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "dummy",
    "fake",
    "test",
    "xxxx",
    "changeme",
    "change-me",
    "your",
    "placeholder",
    "redacted",
    "sample",
    "notreal",
    "not-real",
    "invalid",
    "abcdef",
    "0123456789",
    "secret",
    "password",
    "token",
];

pub(super) fn values(subject: &Subject<'_>) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in subject.diff.files.iter().filter(|file| file.kind() != Kind::Lock) {
        let path = file.path();
        let severity = if is_example(path) { Severity::Minor } else { Severity::Major };
        let lines =
            file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.change == Change::Added);
        let mut lines = lines.peekable();
        while let Some(line) = lines.next() {
            let Some(secret) = secrets(&line.text).into_iter().next() else { continue };
            if secret.guessed && is_example(path) {
                continue;
            }
            // Its first line alone is how programs recognise a key.
            if secret.what == KEY && !has_key(&line.text, lines.peek().map_or("", |next| &next.text)) {
                continue;
            }
            found.push(Evidence {
                detector: Detector::Secret,
                severity,
                path: path.to_owned(),
                line: line.new,
                removed: false,
                quote: quote(&line.text),
                text: format!("{} is in the change; take it out and have it replaced", secret.what),
            });
        }
    }
    found
}

struct Secret<'a> {
    value: &'a str,
    what: &'static str,
    /// By its name and its randomness, not by its shape.
    guessed: bool,
}

/// There is a key behind its first line, on the same line or on the next.
fn has_key(line: &str, next: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '=');
    let behind = line.rsplit("KEY-----").next().filter(|_| line.contains("KEY-----")).unwrap_or_default();
    let long = |text: &str, least: usize| text.split(|c: char| !part(c)).any(|piece| piece.len() >= least);
    long(behind, 16) || long(next, 20)
}

/// The line with its secrets taken out.
pub(in super::super) fn redact(text: &str) -> String {
    let mut safe = text.to_owned();
    for secret in secrets(text) {
        safe = safe.replace(secret.value, "[secret]");
    }
    safe
}

fn secrets(text: &str) -> Vec<Secret<'_>> {
    let mut found = Vec::new();
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        found.push(Secret { value: text, what: KEY, guessed: false });
        return found;
    }
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '=' | '~');
    let tokens = || text.split(move |c: char| !part(c)).filter(|token| token.len() >= 16);
    for token in tokens() {
        // A name and an equals sign may stand before the value.
        let value =
            token.trim_start_matches('=').rsplit('=').find(|piece| piece.len() >= 16).unwrap_or(token);
        let shape =
            SHAPES.iter().find(|(prefix, least, _)| value.starts_with(prefix) && value.len() >= *least);
        if let Some((prefix, _, what)) = shape
            && !is_placeholder(value.strip_prefix(prefix).unwrap_or(value))
            && (*prefix != "eyJ" || value.matches('.').count() == 2)
            && entropy(value) > 3.0
        {
            found.push(Secret { value, what, guessed: false });
        }
    }
    let password =
        text.split_once("://").and_then(|(_, rest)| rest.split_once('@')).and_then(|(login, _)| {
            let (_, password) = login.split_once(':')?;
            let plain = !login.contains([' ', '/', '"', '$', '{', '<', '\'']);
            (plain && password.len() >= 8 && !is_placeholder(password) && entropy(password) > 2.5)
                .then_some(password)
        });
    if let Some(value) = password {
        found.push(Secret { value, what: "a password in an address", guessed: true });
    }
    if found.is_empty()
        && let Some((name, rest)) = text.split_once(['=', ':'])
        && names_secret(name)
    {
        let quoted = rest.split(['"', '\'', '`']).nth(1);
        let value = quoted.unwrap_or_else(|| rest.trim().trim_end_matches([';', ',']));
        let plain = value.len() >= 16 && value.len() <= 200 && value.chars().all(part);
        let mixed = value.bytes().any(|byte| byte.is_ascii_digit())
            && value.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_name = value
            .split(['.', '_', '-', '/'])
            .all(|word| word.len() < 12 && !word.bytes().any(|byte| byte.is_ascii_digit()));
        if plain && mixed && !is_name && !is_placeholder(value) && entropy(value) >= 3.4 {
            found.push(Secret { value, what: "what looks like a secret by its name", guessed: true });
        }
    }
    found
}

fn names_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    NAMES.iter().any(|word| lower.contains(word))
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Bits for each character.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let all = u32::try_from(text.len()).map_or(f64::from(u32::MAX), f64::from);
    let share = |count: &u32| f64::from(*count) / all;
    counts.iter().filter(|count| **count > 0).map(share).map(|share| -share * share.log2()).sum()
}
