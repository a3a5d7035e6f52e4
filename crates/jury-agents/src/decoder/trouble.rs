//! What went wrong, in a few words. Programs say it in prose, as a rule.

use super::json::Json;

/// Something that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Trouble {
    /// The status of the model's service, where it is known.
    pub(super) status: Option<u16>,
    /// What went wrong, for a person.
    pub(super) detail: String,
}

impl Trouble {
    /// Trouble that is only described. Its status is the one that the description mentions.
    pub(super) fn described(text: &str) -> Self {
        Self { status: mentioned_status(text), detail: brief(text) }
    }

    /// Trouble as two values of a line tell it.
    pub(super) fn told(status: Option<Json<'_>>, detail: Option<Json<'_>>) -> Self {
        let described = Self::described(&detail.and_then(Json::str).unwrap_or_default());
        Self { status: status.and_then(Json::status).or(described.status), detail: described.detail }
    }

    /// The same with what to do about it, as far as its status tells.
    pub(super) fn with_remedy(self) -> Self {
        let remedy = match self.status {
            Some(401 | 403) => "check its key or log in with it",
            Some(429) => "wait, or raise the quota of its service",
            Some(500..=599) => "the service has trouble; try again later",
            Some(_) | None => "run the program by itself to see more",
        };
        Self { detail: format!("the agent says: {}; {remedy}", self.detail), ..self }
    }

    /// This trouble, and where it says nothing, that one.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            status: self.status.or(other.status),
            detail: if self.detail.is_empty() { other.detail } else { self.detail },
        }
    }
}

/// How much of a description is kept.
const BRIEF: usize = 300;

/// How secrets begin that services repeat in their complaints.
const SECRETS: [&str; 5] = ["sk-", "sk_", "AIza", "ghp_", "eyJ"];

/// The description on one line, shortened, without what looks like a secret.
pub(super) fn brief(text: &str) -> String {
    let mut brief = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if brief.len() + word.len() > BRIEF {
            brief.push('…');
            break;
        }
        if !brief.is_empty() {
            brief.push(' ');
        }
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if bare.len() > 8 && SECRETS.iter().any(|secret| bare.starts_with(secret)) {
            brief.push('…');
        } else {
            brief.push_str(word);
        }
    }
    brief
}

/// The first number in a description that is the status of a failure and stands alone.
fn mentioned_status(text: &str) -> Option<u16> {
    let start = text.char_indices().nth(BRIEF).map_or(text.len(), |(at, _)| at);
    let text = text.get(..start).unwrap_or(text);
    let mut tokens = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
    tokens.find_map(|token| {
        let token = token.trim_end_matches('.');
        (token.len() == 3).then_some(token)?.parse().ok().filter(|status| (400..600).contains(status))
    })
}

/// How Qwen Code and Gemini CLI begin an error that they print as a part of the answer.
const ERROR_TEXT: &str = "[API Error";

/// Splits a text into what belongs to the answer and the error that a program put at its end. What holds markup
/// is no such error: an artifact may well speak of one.
pub(super) fn split_error(text: &str) -> (&str, Option<&str>) {
    if text.trim_start().starts_with(ERROR_TEXT) {
        return ("", Some(text));
    }
    if !text.trim_end().ends_with(']') {
        return (text, None);
    }
    match text.rfind(ERROR_TEXT).and_then(|at| text.split_at_checked(at)) {
        Some((answer, error)) if !error.contains('<') => (answer, Some(error)),
        _ => (text, None),
    }
}
