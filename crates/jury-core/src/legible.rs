//! Whether a text says anything to a person: one answer for every workflow and for HTTP.
//!
//! A text has words when a letter or a digit in it can be seen. White space, control characters, marks alone, and
//! characters that take no room or show nothing are no words, however many there are.

/// Whether there is a letter or a digit that can be seen.
pub fn has_words(text: &str) -> bool {
    text.chars().any(|character| character.is_alphanumeric() && !is_unseen(character))
}

/// What programs and forms put where a text should be.
const PLACEHOLDERS: &[&str] = &[
    "n/a",
    "na",
    "none",
    "null",
    "nil",
    "undefined",
    "nan",
    "todo",
    "tbd",
    "unknown",
    "empty",
    "prompt",
    "no prompt",
    "[object object]",
];

/// Whether a text asks for something: it has words, and is no placeholder, no comment and no form that nobody filled in.
pub fn asks(text: &str) -> bool {
    let mut rest = String::with_capacity(text.len());
    let mut left = text;
    while let Some((before, behind)) = left.split_once("<!--") {
        rest.push_str(before);
        left = behind.split_once("-->").map_or("", |(_, behind)| behind);
    }
    rest.push_str(left);
    let own =
        rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '(' | ')' | '"' | '\'' | '-'));
    let is_form = [("{{", "}}"), ("${", "}"), ("<", ">"), ("{", "}")].iter().any(|(open, close)| {
        let inside = own.strip_prefix(open).and_then(|inside| inside.strip_suffix(close));
        inside.is_some_and(|inside| inside.len() <= 40 && !inside.contains(['{', '<', '}', '>', ':', '"']))
    });
    let is_letter = own.is_ascii() && own.len() < 2;
    has_words(own) && !is_form && !is_letter && !PLACEHOLDERS.contains(&own.to_lowercase().as_str())
}

/// Whether nothing of it can be seen.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || character.is_control() || is_unseen(character))
}

/// Characters that take no room on a screen, or take room and show nothing. Some of them are letters to Unicode.
pub fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_asks_for_nothing() {
        for text in [
            "",
            "n/a",
            "N/A",
            "none",
            "null",
            "(none)",
            "undefined",
            "[object Object]",
            "TODO",
            "x",
            "1",
            "{{prompt}}",
            "${PROMPT}",
            "<prompt>",
            "<!-- describe the task here -->",
            "<!-- cut",
        ] {
            assert!(!asks(text), "{text:?}");
        }
        for text in [
            "Fix price.rs",
            "# Fix the rounding",
            "割引",
            "None of the tests pass",
            "{\"task\": \"fix it\"}",
            "<!-- from the tracker --> Round down",
            "修",
            "Handle null",
        ] {
            assert!(asks(text), "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_or_is_only_marks_has_no_words() {
        for text in [
            "",
            "  \n\t",
            "\u{200b}",
            "\u{200b}\u{2060}\u{feff} \u{ad}",
            "\u{3164}\u{115f}",
            "\u{ffa0}",
            "\u{2800}\u{2800}",
            "\u{a0}\u{2003}\u{3000}",
            "\u{0}\u{7}",
            "...",
            "---\n***",
            "\u{e0041}\u{e0042}",
            "?!",
        ] {
            assert!(!has_words(text), "{text:?}");
        }
        for text in ["a", "7", "\u{200b}a", "écrit", "修正", "исправь", "تصحيح", "해", "x\u{301}"]
        {
            assert!(has_words(text), "{text:?}");
        }
    }

    #[test]
    fn marks_can_be_seen_and_are_no_words() {
        assert!(is_blank(" \u{200b}\n\u{2800}"));
        assert!(!is_blank("-") && !has_words("-"));
    }
}
