//! Answers that end in an error of whoever should have given them.

/// Whether a line is what a service or a program says when it broke off.
pub(super) fn is_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    let begun = lower.trim_start_matches(['[', '{', '"', '*', '`', '(', '!', ' ']);
    let begins = [
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
    ]
    .iter()
    .any(|start| begun.starts_with(start));
    let breaks = [
        "rate limit",
        "rate-limit",
        "rate_limit",
        "too many requests",
        "overloaded",
        "quota",
        "timed out",
        "timeout",
        "cut off",
        "truncated",
        "max tokens",
        "max_tokens",
        "token limit",
        "connection reset",
        "connection closed",
        "internal server error",
        "service unavailable",
        "bad gateway",
        "aborted",
        "interrupted",
    ]
    .iter()
    .any(|words| lower.contains(words));
    let has_status = begun
        .split(|c: char| !c.is_ascii_alphanumeric())
        .take(3)
        .any(|word| matches!(word, "408" | "429" | "500" | "502" | "503" | "504" | "529"));
    // A line of a report may tell of errors. It has an arrow, a label or a bracket in front.
    let is_report = begun.starts_with(['→', '-', '>']) || lower.contains('→') || lower.starts_with("result");
    !is_report && (begins || has_status && breaks)
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
        ] {
            assert!(is_error(line), "{line}");
        }
        for line in [
            "→ Realistic? N → 0 of 90 requests timed out with 503",
            "=== Result: CONTINUE (1 fixed) ===",
            "Errors: 0 of 5 steps have one",
            "The report ends here.",
            "500 of 500 rows were read",
        ] {
            assert!(!is_error(line), "{line}");
        }
    }
}
