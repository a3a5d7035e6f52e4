//! Answers that end in an error of whoever should have given them.

use crate::critic::counted::has_figure;

/// How an error begins that a service or a program writes itself.
const BEGINS: &[&str] = &[
    "error:",
    "error]",
    "error ",
    "error\"",
    "api error",
    "fatal:",
    "fatal error",
    "exception:",
    "http error",
    "type\":\"error",
    "type\": \"error",
    "traceback (most recent",
    "panic:",
    "an error occurred",
    "an unexpected error",
    "upstream connect error",
    "stream error",
    "context deadline exceeded",
    "net/http:",
    "segmentation fault",
    "econnreset",
    "econnrefused",
    "econnaborted",
    "etimedout",
    "enotfound",
    "^c",
];

/// What is the whole line when a program was stopped.
const WHOLE: &[&str] = &["killed", "aborted", "terminated", "bus error", "hangup", "broken pipe"];

/// What broke, beside the number of a status.
const BREAKS: &[&str] = &[
    "rate limit",
    "rate-limit",
    "rate_limit",
    "too many requests",
    "overloaded",
    "quota",
    "timed out",
    "timeout",
    "cut off",
    "cut short",
    "truncated",
    "max tokens",
    "max_tokens",
    "token limit",
    "out of tokens",
    "usage limit",
    "hit your limit",
    "connection reset",
    "connection closed",
    "connection lost",
    "internal server error",
    "service unavailable",
    "bad gateway",
    "aborted",
    "interrupted",
    "broke off",
];

/// What breaks off when an answer does: the words that such a sentence speaks of.
const SUBJECTS: &[&str] = &[
    "answer",
    "response",
    "output",
    "reply",
    "message",
    "generation",
    "request",
    "stream",
    "connection",
    "session",
    "usage",
    "quota",
    "you've",
    "i",
];

/// How somebody begins who takes back what stands above.
const TAKES_BACK: &[&str] =
    &["correction", "erratum", "on second thought", "i take that back", "i take it back"];

/// Whether a line, the last one of an answer, is what a service or a program says when it broke off, or takes back what
/// stands above it.
pub(super) fn is_error(line: &str) -> bool {
    let lower = line.to_lowercase().replace('’', "'");
    let begun = lower.trim_start_matches(['[', '{', '"', '*', '`', '(', '!', ' ', '…', '.']);
    // A line of a report may tell of errors. It has an arrow, a label or a bracket in front.
    if begun.starts_with(['→', '-', '>']) || lower.contains('→') || lower.starts_with("result") {
        return false;
    }
    let bare = begun.trim_end_matches(|c: char| !c.is_alphanumeric()).trim_end_matches(" (core dumped");
    let breaks = BREAKS.iter().any(|words| lower.contains(words));
    let has_status = begun
        .split(|c: char| !c.is_ascii_alphanumeric())
        .take(3)
        .any(|word| matches!(word, "408" | "429" | "500" | "502" | "503" | "504" | "529"));
    // `[truncated]`, `[max_tokens reached]`: a mark, which has no sentence in it.
    let is_mark = lower.starts_with(['[', '(', '…', '<']) && begun.split_whitespace().count() <= 4;
    // A sentence with a figure tells what was found in the document.
    let speaks_of_itself = || {
        let mut words =
            begun.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
        words.by_ref().take(4).any(|word| SUBJECTS.contains(&word)) && !has_figure(line)
    };
    BEGINS.iter().any(|start| begun.starts_with(start))
        || TAKES_BACK.iter().any(|start| begun.starts_with(start))
        || WHOLE.contains(&bare)
        || is_named(line)
        || breaks && (has_status || is_mark || speaks_of_itself())
}

/// `ConnectionError: …`, `openai.APIConnectionError: …`: the name of an error, as programs print it.
fn is_named(line: &str) -> bool {
    let Some((name, _)) = line.trim_start().split_once(':') else { return false };
    let ends =
        ["Error", "Exception", "Timeout"].iter().any(|end| name.ends_with(end) && name.len() > end.len());
    ends && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
}

#[cfg(test)]
mod tests {
    use super::is_error;

    #[test]
    fn an_error_of_a_service_is_told_from_a_report() {
        for line in [
            "Error: 429 rate limit, the answer was cut off.",
            "{\"error\": \"overloaded\"}",
            "{\"type\":\"error\",\"error\":{}}",
            "[error] connection reset",
            "API Error: 500 Internal Server Error",
            "HTTP 503 Service Unavailable",
            "429 Too Many Requests",
            "fatal: the stream was closed",
            "upstream connect error or disconnect/reset before headers",
            "stream error: connection reset by peer",
            "[max_tokens reached]",
            "…[truncated]",
            "Response was cut off.",
            "Traceback (most recent call last):",
            "ConnectionError: the peer is gone",
            "openai.APIConnectionError: Connection error.",
            "context deadline exceeded",
            "Killed",
            "Segmentation fault (core dumped)",
            "Request timed out.",
            "Claude AI usage limit reached|1731000000",
            "You’ve hit your usage limit.",
            "ECONNRESET",
            "I ran out of tokens before the end.",
            "Correction: COMPLETENESS is FAIL.",
            "On second thought, it fails.",
        ] {
            assert!(is_error(line), "{line}");
        }
        for line in [
            "→ Realistic? N → 0 of 90 requests timed out with 503",
            "=== Result: CONTINUE (1 fixed) ===",
            "Errors: 0 of 5 steps have one",
            "The report ends here.",
            "500 of 500 rows were read",
            "The rows that time out are covered by step 3.",
            "The request of 2 of 2 clients timed out, as step 3 expects",
            "Done.",
            "Tokens used: 1,234",
            "Total cost: $0.02",
            "session: 12ab ended, 2 tools denied",
            "Both error paths were read.",
            "CRITIC CONVERGED after 1 pass, 0 fixes, 0 escalations.",
            "Note: two steps can be interrupted, and both say how they go on.",
            "(the truncated table is listed above)",
        ] {
            assert!(!is_error(line), "{line}");
        }
    }
}
