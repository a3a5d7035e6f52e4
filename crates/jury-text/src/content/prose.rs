//! Words and sentences of a piece of copy. Markup is gone by the time a text gets here.

use std::ops::Range;

use jury_core::content::stem::{is_stop_word, stem};

/// The longest word that is looked at as one. Nobody writes longer ones, and a megabyte without a space is no word.
const LONGEST_WORD: usize = 48;

/// What ends in a full stop and does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "approx", "apr", "aug", "ave", "capt", "cf", "co", "col", "corp", "dec", "dept", "dr", "eg", "est",
    "excl", "feb", "fig", "gen", "gov", "hon", "ie", "inc", "incl", "jan", "jr", "jul", "jun", "lt", "ltd",
    "max", "min", "mr", "mrs", "ms", "mt", "no", "nov", "oct", "p", "pp", "prof", "rep", "rev", "sen", "sep",
    "sept", "sr", "st", "vol", "vs",
];

/// A word where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case, with a straight apostrophe.
    pub(crate) lower: String,
    /// The word without its ending.
    pub(crate) stem: String,
    /// It says nothing about what the text is about.
    pub(crate) stop: bool,
    /// It hangs on the word before by a hyphen.
    pub(crate) joined: bool,
    /// Where it stands in its block.
    pub(crate) range: Range<usize>,
}

/// The words of a text.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((start, first)) = characters.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        let mut last = first;
        while let Some((at, next)) = characters.peek().copied() {
            let after = text.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
            let inner = match next {
                '\'' | '’' => after.is_some_and(char::is_alphanumeric),
                '.' | ',' => last.is_ascii_digit() && after.is_some_and(|after| after.is_ascii_digit()),
                _ => next.is_alphanumeric(),
            };
            if !inner || end - start > LONGEST_WORD {
                break;
            }
            end = at + next.len_utf8();
            last = next;
            characters.next();
        }
        let joined = words.last().is_some_and(|before| {
            matches!(text.get(before.range.end..start), Some("-" | "\u{2010}" | "\u{2011}"))
        });
        words.push(word(text.get(start..end).unwrap_or_default(), joined, start..end));
    }
    words
}

fn word(text: &str, joined: bool, range: Range<usize>) -> Word {
    let lower = text.to_lowercase().replace('’', "'");
    let plain = lower.split('\'').next().unwrap_or_default();
    // "don't" and "we're" are the little words they are made of.
    let stop =
        is_stop_word(plain) || matches!(lower.as_str(), "won't" | "isn't" | "can't" | "couldn't" | "let's");
    Word { stem: stem(plain), stop, joined, range, lower }
}

/// The stems of a text that say what it is about, in order.
pub(crate) fn topics(text: &str) -> Vec<String> {
    words(text).into_iter().filter(|word| !word.stop).map(|word| word.stem).collect()
}

/// How many words a text has as people count: what hangs together by a hyphen is one.
pub(crate) fn count(words: &[Word]) -> usize {
    words.iter().filter(|word| !word.joined).count()
}

/// The sentences of a text, without the space around them. The end of the text ends the last one.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, mark)) = characters.next() {
        if !matches!(mark, '.' | '!' | '?' | '…' | '。' | '！' | '？') {
            continue;
        }
        let mut end = at + mark.len_utf8();
        while let Some((at, next)) = characters.peek().copied() {
            if !matches!(next, '.' | '!' | '?' | '…' | '"' | '\'' | '”' | '’' | ')' | ']' | '*' | '_') {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        let rest = text.get(end..).unwrap_or_default();
        let wide = matches!(mark, '。' | '！' | '？');
        if !wide && !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let goes_on = || rest.trim_start().starts_with(char::is_lowercase);
        let before = || last_word(text.get(start..at).unwrap_or_default());
        if matches!(mark, '.' | '…') && (goes_on() || mark == '.' && abbreviates(before(), rest)) {
            continue;
        }
        push(&mut found, text, start..end);
        start = end;
    }
    push(&mut found, text, start..text.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let Some(slice) = text.get(range.clone()) else { return };
    let trimmed = slice.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        let start = range.start + (slice.len() - slice.trim_start().len());
        found.push(start..start + trimmed.len());
    }
}

fn last_word(text: &str) -> &str {
    // Words of a sentence are short; what is longer is no abbreviation.
    let from =
        text.char_indices().rev().take(12).find(|(_, c)| c.is_whitespace() || matches!(c, '(' | '"' | '“'));
    match from {
        Some((at, c)) => text.get(at + c.len_utf8()..).unwrap_or_default(),
        None if text.chars().count() <= 12 => text,
        None => "",
    }
}

fn abbreviates(word: &str, rest: &str) -> bool {
    let plain: String = word.chars().filter(|c| *c != '.').collect::<String>().to_lowercase();
    if plain == "no" {
        // "No. 5" is a number, "No." an answer.
        return rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    }
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    let dotted = word.contains('.')
        && plain.chars().count() <= 3
        && !matches!(plain.as_str(), "am" | "pm" | "us" | "uk");
    initial || dotted || ABBREVIATIONS.binary_search(&plain.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().filter_map(|range| text.get(range)).collect()
    }

    #[test]
    fn abbreviations_are_sorted() {
        assert!(ABBREVIATIONS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        assert_eq!(split("One. Two! Three? Four"), ["One.", "Two!", "Three?", "Four"]);
        assert_eq!(
            split("Ask Dr. Who, e.g. at 3.5 p.m. on Monday. Then go."),
            ["Ask Dr. Who, e.g. at 3.5 p.m. on Monday.", "Then go."]
        );
        assert_eq!(
            split("He said “Stop.” She did (at 5 p.m.). No. 5 is alive. No. It is."),
            ["He said “Stop.”", "She did (at 5 p.m.).", "No. 5 is alive.", "No.", "It is."]
        );
        assert_eq!(split("Wait… for it… Now."), ["Wait… for it…", "Now."]);
        assert_eq!(
            split("See example.com for J. R. Smith Ltd. accounts"),
            ["See example.com for J. R. Smith Ltd. accounts"]
        );
        assert_eq!(split(" \n . ! "), [""; 0]);
    }

    #[test]
    fn words_are_what_people_count() {
        let found = words("Don’t pay $1,299.50 for best-in-class tools, they're naïve");
        let lower: Vec<&str> = found.iter().map(|word| word.lower.as_str()).collect();
        assert_eq!(
            lower,
            ["don't", "pay", "1,299.50", "for", "best", "in", "class", "tools", "they're", "naïve"]
        );
        assert_eq!(count(&found), 8);
        assert!(found[0].stop && found[8].stop && !found[1].stop);
        assert!(words(&"y".repeat(1 << 20)).len() > 1, "no word is a megabyte long");
    }
}
