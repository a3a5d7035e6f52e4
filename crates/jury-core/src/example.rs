//! The sentences that stand in the prompt where a panelist's own belong. An agent that hands them back has shown
//! that it can copy, and reviewed nothing.

use crate::role::Role;

/// In place of what a panelist saw in a round that does not ship.
pub const SAW: &str = "Your sentence here: what you saw, and its value.";

/// In place of what a panelist saw in a round that ships.
pub const BETTER: &str = "Your sentence here: what is better now, and its value.";

/// In place of a demand; the role of the panelist follows in parentheses.
pub const MUST_FIX: &str = "What to change, where, to which value";

/// In place of the designer's notes on a first draft.
pub const INTENT: &str = "The intent of this draft, in one sentence.";

/// In place of the designer's notes on a later draft.
pub const CHANGED: &str = "What changed.";

/// In place of the reason for a decision.
pub const REASON: &str = "Why.";

/// In place of a summary.
pub const SUMMARY: &str = "What changed across rounds, and why.";

/// In place of a page.
pub const PAGE: &str = "the whole page";

/// Whether a sentence is one of the example's, however it is spaced, capitalised and marked. It is asked about every sentence
/// of an answer, so it stops at the first word that differs.
pub fn is_example(sentence: &str) -> bool {
    [SAW, BETTER, INTENT, CHANGED, REASON, SUMMARY, PAGE].into_iter().any(|example| {
        let rest = behind(sentence, example);
        rest.is_some_and(|mut rest| rest.next().is_none())
    }) || behind(sentence, MUST_FIX).is_some_and(|mut rest| {
        rest.next().is_none_or(|word| word.parse::<Role>().is_ok()) && rest.next().is_none()
    })
}

/// The words of a sentence behind those of an example, if it begins with them.
fn behind<'a>(sentence: &'a str, example: &str) -> Option<impl Iterator<Item = &'a str>> {
    let mut rest = words(sentence);
    words(example).all(|word| rest.next().is_some_and(|said| said.eq_ignore_ascii_case(word))).then_some(rest)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|ch: char| !ch.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentences_of_the_example_are_known_in_any_dress() {
        for sentence in [
            SAW,
            "your sentence here:  what is better now, and its value",
            "What to change, where, to which value (critic).",
            "What to change, where, to which value.",
            "**Why**",
            "The whole page",
        ] {
            assert!(is_example(sentence), "{sentence}");
        }
        for sentence in
            ["", "Why is the button grey?", "What to change: the contrast of the button to 4.5:1."]
        {
            assert!(!is_example(sentence), "{sentence}");
        }
    }
}
