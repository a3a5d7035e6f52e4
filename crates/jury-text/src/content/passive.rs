//! Telling the passive voice: a form of "to be", and a participle soon after it.

use super::prose::Word;

/// Participles that do not end in "ed".
const IRREGULAR: &[&str] = &[
    "beaten",
    "begun",
    "bitten",
    "blown",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "burnt",
    "caught",
    "chosen",
    "cut",
    "dealt",
    "done",
    "drawn",
    "driven",
    "eaten",
    "fed",
    "felt",
    "forgiven",
    "forgotten",
    "fought",
    "found",
    "frozen",
    "given",
    "grown",
    "heard",
    "held",
    "hidden",
    "hit",
    "hurt",
    "kept",
    "known",
    "laid",
    "led",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "proven",
    "put",
    "read",
    "ridden",
    "said",
    "seen",
    "sent",
    "set",
    "shaken",
    "shot",
    "shown",
    "shut",
    "sold",
    "spent",
    "split",
    "spoken",
    "spread",
    "stolen",
    "struck",
    "sung",
    "sworn",
    "taken",
    "taught",
    "thought",
    "thrown",
    "told",
    "torn",
    "understood",
    "woken",
    "won",
    "worn",
    "written",
];

/// What ends in "ed" and is a quality, not something done by somebody.
const QUALITIES: &[&str] = &[
    "bored",
    "complicated",
    "concerned",
    "confused",
    "dedicated",
    "delighted",
    "detailed",
    "embed",
    "excited",
    "experienced",
    "feed",
    "fixed",
    "hundred",
    "indeed",
    "interested",
    "limited",
    "married",
    "need",
    "organised",
    "organized",
    "outdated",
    "pleased",
    "related",
    "relaxed",
    "relieved",
    "satisfied",
    "scared",
    "seed",
    "speed",
    "stressed",
    "supposed",
    "surprised",
    "tired",
    "used",
    "worried",
];

/// Whether a sentence has a verb in the passive.
pub(crate) fn is_passive(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        is_form_of_be(&word.lower)
            && words
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(3)
                .find(|word| !is_between(&word.lower))
                .is_some_and(|word| is_participle(&word.lower))
    })
}

fn is_form_of_be(word: &str) -> bool {
    matches!(
        word,
        "am" | "is"
            | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "isn't"
            | "aren't"
            | "wasn't"
            | "weren't"
            | "gets"
            | "got"
    )
}

/// What may stand between them.
fn is_between(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly")
        || matches!(
            word,
            "not"
                | "also"
                | "never"
                | "always"
                | "already"
                | "just"
                | "still"
                | "often"
                | "only"
                | "all"
                | "both"
                | "even"
                | "now"
                | "then"
                | "being"
                | "been"
        )
}

fn is_participle(word: &str) -> bool {
    if QUALITIES.binary_search(&word).is_ok() {
        return false;
    }
    IRREGULAR.binary_search(&word).is_ok() || word.len() > 4 && word.ends_with("ed")
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(QUALITIES.windows(2).all(|pair| pair[0] < pair[1]));
        let unsorted: Vec<_> = IRREGULAR.windows(2).filter(|pair| pair[0] >= pair[1]).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
    }

    #[test]
    fn the_passive_is_told_from_qualities() {
        for text in [
            "Invoices are sent by the system.",
            "The report was quickly written.",
            "It has not been paid.",
            "Every claim is always being checked.",
        ] {
            assert!(is_passive(&prose::words(text)), "{text}");
        }
        for text in [
            "We send invoices.",
            "You are tired of forms.",
            "It is a finished plan.",
            "She is worried and he needed rest.",
            "There is speed, and there are seeds.",
        ] {
            assert!(!is_passive(&prose::words(text)), "{text}");
        }
    }
}
