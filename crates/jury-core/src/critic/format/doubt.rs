//! Verdicts that are taken back in the same breath.

use crate::legible::has_words;

/// What makes a verdict of the word behind it depend on something else, or on nothing that is known.
const DOUBTS: &[&str] = &[
    "almost",
    "assuming",
    "conditional",
    "conditionally",
    "except",
    "if",
    "ish",
    "likely",
    "maybe",
    "mostly",
    "nearly",
    "once",
    "or",
    "partial",
    "partially",
    "pending",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
    "provided",
    "tentative",
    "tentatively",
    "unless",
    "until",
];

/// Whether a verdict is taken back by what stands behind it: a question mark, another verdict to choose from, or a word
/// that makes it depend on something.
pub(super) fn is_doubted(rest: &str) -> bool {
    let is_question = |c: char| matches!(c, '?' | '？' | '⁇' | '⁈' | '؟');
    let rest = rest.trim_start_matches(['*', '_', '`', ' ']);
    if rest.starts_with(is_question) || (rest.contains(is_question) && !has_words(rest)) {
        return true;
    }
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| DOUBTS.contains(&word.to_lowercase().as_str()))
}

/// Stands before a reason that would take its verdict back if it stood in brackets behind it.
const QUOTE: &str = "said: ";

/// A reason that stood on a line of its own, to stand in brackets behind its verdict without taking it back.
pub(super) fn quoted(detail: String) -> String {
    if needs_quote(&detail) { format!("{QUOTE}{detail}") } else { detail }
}

/// The reason that was [`quoted`].
pub(super) fn unquoted(detail: String) -> String {
    match detail.strip_prefix(QUOTE) {
        Some(inside) if needs_quote(inside) => inside.to_owned(),
        _ => detail,
    }
}

/// A reason that is quoted already is quoted once more, so that reading takes off what writing put on.
fn needs_quote(detail: &str) -> bool {
    is_doubted(detail.trim_start_matches(QUOTE))
}

#[cfg(test)]
mod tests {
    use super::{is_doubted, quoted, unquoted};

    #[test]
    fn a_quoted_reason_reads_back_and_takes_nothing_back() {
        for detail in
            ["if", "said: if", "said: said: or", "said: 5 of 5", "said: ", "5 of 5", "? said: if", ""]
        {
            let written = quoted(detail.to_owned());
            assert!(!is_doubted(&written), "{detail}");
            assert_eq!(unquoted(written), detail);
        }
    }

    #[test]
    fn a_verdict_with_a_doubt_behind_it_is_none() {
        for rest in [
            "?",
            " ?",
            "?!",
            "？",
            "(?)",
            "(maybe)",
            "if the date holds",
            ", probably",
            "-ish",
            "or FAIL",
            "once it is fixed",
        ] {
            assert!(is_doubted(rest.trim_start()), "{rest}");
        }
        for rest in [
            "",
            "(5 of 5)",
            "— all 5 steps have an owner",
            ". Is it dated? 3 of 3 are.",
            "(no doubt: 4 of 4)",
            "!",
        ] {
            assert!(!is_doubted(rest), "{rest}");
        }
    }
}
