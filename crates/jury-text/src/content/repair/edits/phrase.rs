//! A worn phrase gives way to a plain one, as far as the sentence around it stays whole.

use std::ops::Range;

use super::words;
use crate::content::phrases::phrases;

/// What can stand in the place of a phrase; empty when it can be left out.
pub(super) fn instead(phrase: &str) -> Option<&'static str> {
    phrases().iter().find(|listed| listed.words == phrase).and_then(|listed| listed.instead)
}

/// Where the phrase stands, and what to put there.
pub(super) fn places(text: &str, phrase: &str, instead: &str) -> Vec<(Range<usize>, String)> {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    let all = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(here) = all.get(at..at + wanted.len()) {
        let fits = here.iter().zip(&wanted).all(|((_, word), wanted)| lower(word) == *wanted)
            && here.windows(2).all(|pair| is_joint(text, pair));
        let (Some((first, _)), Some((last, _)), true) = (here.first(), here.last(), fits) else {
            at += 1;
            continue;
        };
        let before = at.checked_sub(1).and_then(|index| all.get(index));
        let after = all.get(at + wanted.len());
        at += wanted.len();
        let range = first.start..last.end;
        let next = after.map(|(_, word)| *word).unwrap_or_default();
        let follower = if instead.is_empty() { next } else { instead };
        if is_hyphenated(text, &range) || breaks_article(before.map(|(_, word)| *word), here, follower) {
            continue;
        }
        let first_word = text.get(first.clone()).unwrap_or_default();
        let is_capital = first_word.starts_with(char::is_uppercase);
        if !instead.is_empty() {
            found.push((range, if is_capital { capital(instead) } else { instead.to_owned() }));
            continue;
        }
        // "really, really good" without one of them would be "really, good".
        if before.is_some_and(|(_, word)| wanted.last().is_some_and(|last| lower(word) == *last)) {
            continue;
        }
        // Left out: the space goes with it, and the next word takes its capital.
        let Some((next_range, next)) = after else { continue };
        let between = text.get(range.end..next_range.start).unwrap_or_default();
        let is_opening =
            is_capital && before.is_none_or(|(word, _)| ends_sentence(text, word.end, range.start));
        match between {
            " " => {}
            ", " if is_opening => {}
            _ => continue,
        }
        let next = if is_capital { capital(next) } else { (*next).to_owned() };
        found.push((range.start..next_range.end, next));
    }
    found
}

fn lower(word: &str) -> String {
    word.to_lowercase().replace('’', "'")
}

/// Between the words of a phrase stand spaces, a line break, or a hyphen.
fn is_joint(text: &str, pair: &[(Range<usize>, &str)]) -> bool {
    let [(first, _), (second, _)] = pair else { return false };
    let between = text.get(first.end..second.start).unwrap_or_default();
    between == "-" || (!between.is_empty() && between.chars().all(char::is_whitespace))
}

/// Whether the phrase is a part of a longer word: "really-good".
fn is_hyphenated(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).is_some_and(|text| text.ends_with('-'));
    before || text.get(range.end..).is_some_and(|text| text.starts_with('-'))
}

/// "a very old" would become "a old": it is left to a person.
fn breaks_article(before: Option<&str>, phrase: &[(Range<usize>, &str)], follower: &str) -> bool {
    let sounds = |word: &str| word.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u', 'h']);
    let is_article = before.is_some_and(|word| matches!(lower(word).as_str(), "a" | "an"));
    let first = phrase.first().map(|(_, word)| *word).unwrap_or_default();
    is_article && (sounds(first) || sounds(follower))
}

fn ends_sentence(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|between| between.contains(['.', '!', '?', ':', '\n']))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
