//! Keys and passwords: known shapes, and random texts under the name of a secret. A value that is found is never repeated,
//! neither here nor in what others quote.

use super::super::LineChange;
use super::super::path::{FileKind, is_example};
use super::subject::{Subject, quote};
use super::{Detector, DiffEvidence};
use jury_core::severity::Severity;

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

pub(super) fn values(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in subject.diff.files.iter().filter(|file| file.kind() != FileKind::Lock) {
        let path = file.path();
        let severity = if is_example(path) { Severity::Minor } else { Severity::Serious };
        let lines =
            file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.change == LineChange::Added);
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
            found.push(DiffEvidence {
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

/// The line with its secrets taken out. What is hidden need not be certain: a placeholder in the shape of a key is hidden
/// and not held against anybody.
pub(in super::super) fn redact(text: &str) -> String {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        return "[secret]".to_owned();
    }
    let mut hidden: Vec<&str> = shaped(text).map(|(value, _)| value).collect();
    hidden.extend(password(text));
    hidden.extend(named(text).filter(Named::may_be_secret).map(|own| own.value));
    // A value may be a part of another.
    hidden.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let mut safe = text.to_owned();
    for value in hidden {
        safe = safe.replace(value, "[secret]");
    }
    safe
}

fn secrets(text: &str) -> Vec<Secret<'_>> {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY") {
        return vec![Secret { value: text, what: KEY, guessed: false }];
    }
    let mut found: Vec<Secret<'_>> = shaped(text)
        .filter(|(value, shape)| !is_filler(value.strip_prefix(shape.0).unwrap_or(value)))
        .map(|(value, shape)| Secret { value, what: shape.2, guessed: false })
        .collect();
    if let Some(value) = password(text).filter(|value| !is_placeholder(value) && entropy(value) > 2.5) {
        found.push(Secret { value, what: "a password in an address", guessed: true });
    }
    for own in named(text).filter(Named::is_secret) {
        if !found.iter().any(|known| known.value.contains(own.value)) {
            let what = "what looks like a secret by its name";
            found.push(Secret { value: own.value, what, guessed: true });
        }
    }
    found
}

/// What a key is written with.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '=' | '~')
}

/// What has the shape of a key.
fn shaped(text: &str) -> impl Iterator<Item = (&str, &'static (&'static str, usize, &'static str))> {
    text.split(|c: char| !is_part(c)).filter(|token| token.len() >= 16).filter_map(|token| {
        // A name and an equals sign may stand before the value.
        let value =
            token.trim_start_matches('=').rsplit('=').find(|piece| piece.len() >= 16).unwrap_or(token);
        let shape =
            SHAPES.iter().find(|(prefix, least, _)| value.starts_with(prefix) && value.len() >= *least)?;
        let whole = (shape.0 != "eyJ" || value.matches('.').count() == 2) && entropy(value) > 3.0;
        whole.then_some((value, shape))
    })
}

/// The password in an address.
fn password(text: &str) -> Option<&str> {
    let (login, _) = text.split_once("://")?.1.split_once('@')?;
    let (_, password) = login.split_once(':')?;
    let plain = !login.contains([' ', '/', '"', '$', '{', '<', '\'']);
    (plain && password.len() >= 8).then_some(password)
}

/// A value under the name of a secret.
struct Named<'a> {
    value: &'a str,
    quoted: bool,
}

/// Every value of the line whose name is one of a secret. A name goes back to where an argument or an entry begins, so that
/// types may stand between it and its value.
fn named(text: &str) -> impl Iterator<Item = Named<'_>> {
    text.char_indices().filter(|(_, c)| matches!(c, '=' | ':')).filter_map(|(at, _)| {
        let (before, behind) = text.split_at_checked(at)?;
        let name = before.rsplit([',', ';', '(', ')', '{', '[', '?']).next().unwrap_or(before);
        if !names_secret(name) {
            return None;
        }
        let rest = behind.trim_start_matches([':', '=', '>', ' ', '\t', '&']);
        let open = rest.find(['"', '\'', '`']).filter(|open| {
            // A type, or the mark of a literal, and nothing that ends an argument.
            rest.get(..*open).is_some_and(|head| !head.contains([',', ';', ')', '}']))
        });
        let value = match open {
            Some(open) => {
                let mark = rest.get(open..)?.chars().next()?;
                rest.get(open + 1..)?.split(mark).next()?
            }
            None => rest.split([' ', '\t', ',', ';', ')', '}', ']']).next()?,
        };
        (!value.is_empty()).then_some(Named { value, quoted: open.is_some() })
    })
}

impl Named<'_> {
    /// Random enough to be held against whoever wrote it.
    fn is_secret(&self) -> bool {
        let value = self.value;
        let has = |class: fn(&u8) -> bool| value.bytes().any(|byte| class(&byte));
        let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        let dense = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        // A short one has to look more like one than a long one.
        let least =
            if self.quoted && dense && value.chars().all(|c| c.is_ascii_alphanumeric()) { 12 } else { 16 };
        (least..=200).contains(&value.len())
            && value.chars().all(is_part)
            && mixed
            && !is_name(value)
            && !is_placeholder(value)
            && entropy(value) >= 3.4
    }

    /// Enough like a secret not to be shown.
    fn may_be_secret(&self) -> bool {
        let value = self.value;
        let mixed = value.bytes().any(|byte| byte.is_ascii_digit())
            && value.bytes().any(|byte| byte.is_ascii_alphabetic());
        let code =
            value.contains(['$', '{', '<', '(', ' ', '[']) || value.contains("::") || value.contains("://");
        let least = if self.quoted { 8 } else { 16 };
        (least..=400).contains(&value.len()) && mixed && !code && (self.quoted || has_long_word(value))
    }
}

/// One word of it is longer than those of names, and has a digit.
fn has_long_word(value: &str) -> bool {
    let mut words = value.split(['.', '_', '-', '/']);
    words.any(|word| word.len() >= 12 && word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Words with separators between them, as names of things are.
fn is_name(value: &str) -> bool {
    value
        .split(['.', '_', '-', '/'])
        .all(|word| word.len() < 12 && !word.bytes().any(|byte| byte.is_ascii_digit()))
}

fn names_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    NAMES.iter().any(|word| lower.contains(word))
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// What stands in place of a key in its shape: a placeholder as a word of its own, or as a good part of it. Somewhere within
/// a long key such a word means nothing.
fn is_filler(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let words = || PLACEHOLDERS.iter().filter(|word| lower.contains(**word));
    let alone = lower.split(['-', '_', '.', '/']).any(|piece| PLACEHOLDERS.contains(&piece));
    alone || words().map(|word| word.len() * lower.matches(*word).count()).sum::<usize>() * 3 >= lower.len()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_line_is_looked_at() {
        let key = ["sk-live", "-9fQ2mX7bT4vR8kLz1"].concat();
        for (line, value) in [
            ("x = connect(password=\"Vb7qLz0Pw2Xk\")".to_owned(), "Vb7qLz0Pw2Xk"),
            (format!("y = g(api_key=\"{key}\")"), key.as_str()),
            (format!("let token: &str = \"{key}\";"), key.as_str()),
            (format!("{{\"user\": \"kim\", \"api_key\": \"{key}\"}}"), key.as_str()),
        ] {
            assert_eq!(secrets(&line).iter().map(|own| own.value).collect::<Vec<_>>(), [value], "{line}");
            assert!(!redact(&line).contains(value), "{}", redact(&line));
        }
    }

    #[test]
    fn a_word_within_a_key_makes_no_placeholder() {
        for middle in ["abcdef", "test", "token"] {
            let key = format!("{}9Qz7LmX2vB4kR8{middle}wT1nY6pS3dF5gH0jCuE", ["gh", "p_"].concat());
            let line = format!("t = \"{key}\"");
            assert_eq!(secrets(&line).len(), 1, "{line}");
            assert!(!redact(&line).contains(&key));
        }
        // Hidden, and not held against anybody.
        let sample = format!("t = \"{}abcdefghijklmnopqrstuvwxyz0123456789\"", ["gh", "p_"].concat());
        assert!(secrets(&sample).is_empty());
        assert_eq!(redact(&sample), "t = \"[secret]\"");
    }

    #[test]
    fn code_is_no_secret() {
        for line in [
            "let token = lexer.next_token();",
            "password: Option<String>,",
            "const TOKEN_URL: &str = \"https://example.org/v2/token\";",
            "max_tokens = settings.limits.max_tokens_2",
            "if token == Token::Semicolon { next() }",
        ] {
            assert!(secrets(line).is_empty(), "{line}");
            assert_eq!(redact(line), line);
        }
    }
}
