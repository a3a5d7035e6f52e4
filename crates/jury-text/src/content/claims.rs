//! Claims in a draft, and whether the documents of the idea know them.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use jury_core::content::stem::stem;

use super::document::{BlockKind, DraftDocument};
use super::phrases::Matcher;
use super::prose::Word;
use super::references::References;

/// The most claims of a draft that are looked into.
const MOST_CLAIMS: usize = 200;

/// How many words before and after a number say what it is about.
const NEAR_WORDS: usize = 6;

/// A number in its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) number: String,
    pub(crate) unit: Unit,
    /// The words before and after it that say something.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// What the words around it are about.
    pub(crate) near: BTreeSet<String>,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Plain,
    Percent,
    Money,
    Times,
}

/// A claim: which piece of which block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// It is a figure, not a superlative or a guarantee.
    pub(crate) is_figure: bool,
    pub(crate) block: usize,
    pub(crate) range: Range<usize>,
    /// The claim itself, in lower case.
    pub(crate) what: String,
}

/// The figure that a word is, with its surroundings.
pub(crate) fn figure(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let word = words.get(at)?;
    let (number, suffix) = number(&word.lower)?;
    let next = words.get(at + 1);
    let before = text.get(..word.range.start).and_then(|before| before.chars().next_back());
    let after = text.get(word.range.end..).and_then(|after| after.trim_start().chars().next());
    let named = |names: &[&str]| next.is_some_and(|next| names.contains(&next.lower.as_str()));
    let unit = if matches!(before, Some('$' | '€' | '£'))
        || named(&["dollars", "euros", "pounds", "euro", "pound"])
    {
        Unit::Money
    } else if after == Some('%')
        || named(&["percent", "per"]) && words.get(at + 2).is_none_or(|w| w.lower == "cent")
    {
        Unit::Percent
    } else if suffix == "x" || named(&["times", "x"]) {
        Unit::Times
    } else {
        Unit::Plain
    };
    let saying = |word: Option<&Word>| word.filter(|word| !word.stop).map(|word| word.stem.clone());
    let after = if matches!(suffix, "" | "k" | "m") { saying(next) } else { Some(suffix.to_owned()) };
    let before = at.checked_sub(1).and_then(|at| saying(words.get(at)));
    Some(Figure { number, unit, before, after, near: near(words, at) })
}

/// What the words around a number are about.
fn near(words: &[Word], at: usize) -> BTreeSet<String> {
    let around = words.iter().enumerate().skip(at.saturating_sub(NEAR_WORDS)).take(2 * NEAR_WORDS + 1);
    let says = |word: &Word| !word.stop && number(&word.lower).is_none();
    let around =
        around.filter(|(other, word)| *other != at && other.abs_diff(at) <= NEAR_WORDS && says(word));
    around.map(|(_, word)| word.stem.clone()).collect()
}

/// A number in digits, and what hangs on it.
fn number(word: &str) -> Option<(String, &str)> {
    const NAMES: &[(&str, &str)] = &[
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
        ("fifteen", "15"),
        ("twenty", "20"),
        ("thirty", "30"),
        ("forty", "40"),
        ("fifty", "50"),
        ("sixty", "60"),
        ("ninety", "90"),
        ("hundred", "100"),
        ("thousand", "1000"),
        ("million", "1000000"),
    ];
    if let Some((_, digits)) = NAMES.iter().find(|(name, _)| *name == word) {
        return Some(((*digits).to_owned(), ""));
    }
    let length = word.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')).count();
    let (digits, suffix) = word.split_at_checked(length).filter(|(digits, _)| !digits.is_empty())?;
    let mut plain: String = digits.chars().filter(|c| *c != ',').collect();
    match suffix {
        "" | "x" | "h" | "hrs" | "min" | "mins" | "s" | "ms" => {}
        "k" => plain.push_str("000"),
        "m" => plain.push_str("000000"),
        _ => return None,
    }
    Some((plain, suffix))
}

/// Numbers that count the page and not the world: steps, questions, years.
fn is_claim(block: &[Word], at: usize, figure: &Figure, text: &str) -> bool {
    let Some(word) = block.get(at) else { return false };
    let spelt = !word.lower.starts_with(|c: char| c.is_ascii_digit());
    let next = block.get(at + 1).map_or("", |word| word.lower.as_str());
    let previous = at.checked_sub(1).and_then(|at| block.get(at)).map_or("", |word| word.lower.as_str());
    if figure.unit != Unit::Plain {
        return true;
    }
    let of_the_page = [
        "step",
        "steps",
        "question",
        "questions",
        "thing",
        "things",
        "reason",
        "reasons",
        "way",
        "ways",
        "tip",
        "tips",
        "part",
        "parts",
    ];
    if of_the_page.contains(&next)
        || ["step", "part", "chapter", "section", "version", "level", "figure"].contains(&previous)
    {
        return false;
    }
    if spelt {
        // "Ten minutes" is a claim, "two of us" is English.
        let units = [
            "second",
            "minute",
            "hour",
            "day",
            "week",
            "month",
            "year",
            "percent",
            "people",
            "customer",
            "client",
            "user",
            "team",
            "company",
            "companies",
            "freelancer",
        ];
        return units.iter().any(|unit| next.starts_with(unit));
    }
    let year =
        figure.number.len() == 4 && (figure.number.starts_with("19") || figure.number.starts_with("20"));
    let around_the_clock =
        figure.number == "24" && text.get(word.range.end..).is_some_and(|rest| rest.starts_with("/7"));
    let of_the_clock = previous == "24" && figure.number == "7";
    !(year && !word.lower.contains(',') || around_the_clock || of_the_clock)
}

/// A number with what belongs to it: the sign of its money, the sign of per cent, or what it counts.
fn span(text: &str, words: &[Word], at: usize, figure: &Figure) -> Option<Range<usize>> {
    let word = words.get(at)?;
    let sign =
        text.get(..word.range.start)?.chars().next_back().filter(|c| matches!(c, '$' | '€' | '£' | '#'));
    let start = word.range.start - sign.map_or(0, char::len_utf8);
    let behind = text.get(word.range.end..)?.trim_start();
    if behind.starts_with('%') {
        return Some(start..text.len() - behind.len() + 1);
    }
    let counted = words.get(at + 1).filter(|_| figure.after.is_some() && figure.unit != Unit::Money);
    Some(start..counted.unwrap_or(word).range.end)
}

/// The numbers of a draft that claim something, with the block and the word.
pub(crate) fn figures<'d>(
    document: &'d DraftDocument<'_>,
) -> impl Iterator<Item = (usize, usize, Figure)> + 'd {
    document.blocks.iter().enumerate().filter(|(_, block)| block.kind != BlockKind::Source).flat_map(
        move |(index, block)| {
            let words = document.block_words(block);
            (0..words.len()).filter_map(move |at| {
                let figure = figure(&block.text, words, at)?;
                is_claim(words, at, &figure, &block.text).then_some((index, at, figure))
            })
        },
    )
}

/// What claims to be the best or the only one, or that nothing can go wrong. The words that make it one are first.
const ABSOLUTES: &[(&str, &str)] = &[
    ("the best", "best"),
    ("world's best", "best"),
    ("the only", "only"),
    ("world's first", "first"),
    ("the first ever", "first"),
    ("first of its kind", "first"),
    ("one of a kind", "kind"),
    ("number one", "number"),
    ("no 1", "no"),
    ("guarantee", "guarantee"),
    ("guaranteed", "guaranteed"),
    ("guarantees", "guarantees"),
    ("never fails", "never"),
    ("the fastest", "fastest"),
    ("the cheapest", "cheapest"),
    ("the easiest", "easiest"),
    ("the simplest", "simplest"),
    ("the safest", "safest"),
    ("the leading", "leading"),
    ("the world's", "world's"),
    ("the most trusted", "trusted"),
    ("the most advanced", "advanced"),
    ("the most powerful", "powerful"),
    ("the most popular", "popular"),
    ("unmatched", "unmatched"),
    ("unrivalled", "unrivalled"),
    ("unrivaled", "unrivaled"),
    ("unbeatable", "unbeatable"),
    ("risk free", "risk"),
];

fn absolutes_matcher() -> &'static Matcher {
    static MATCHER: LazyLock<Matcher> =
        LazyLock::new(|| Matcher::new(ABSOLUTES.iter().map(|(phrase, _)| *phrase)));
    &MATCHER
}

/// "The best of both", "the best for you", "the only thing": English, not a boast.
const INNOCENT: &[&str] = &[
    "of",
    "for",
    "to",
    "thing",
    "way",
    "time",
    "person",
    "one",
    "when",
    "if",
    "part",
    "you",
    "practice",
    "practices",
];

/// Claims of a draft that no document knows, each once.
pub(crate) fn unsupported(document: &DraftDocument<'_>, references: &References) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (index, at, figure) in figures(document) {
        if references.knows(&figure) {
            continue;
        }
        let block = document.block(index);
        let words = block.map(|block| document.block_words(block)).unwrap_or_default();
        let Some(range) = block.and_then(|block| span(&block.text, words, at, &figure)) else { continue };
        let what = format!("{} {}", figure.number, figure.after.as_deref().unwrap_or_default());
        if seen.len() < MOST_CLAIMS && seen.insert(what.clone()) {
            claims.push(Claim { is_figure: true, block: index, range, what });
        }
    }
    for sentence in document.prose() {
        let words = document.words_of(&sentence.words);
        for found in absolutes_matcher().find(words) {
            let Some((phrase, key)) = ABSOLUTES.get(found.phrase) else { continue };
            let next = words.get(found.end);
            let innocent =
                phrase.starts_with("the ") && next.is_none_or(|next| INNOCENT.contains(&next.lower.as_str()));
            let negated = found.start.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| {
                matches!(
                    word.lower.as_str(),
                    "no" | "not" | "never" | "without" | "can't" | "cannot" | "isn't"
                )
            });
            let about: Vec<&Word> = words.iter().skip(found.end).filter(|word| !word.stop).take(3).collect();
            let what = format!("{phrase} {}", about.first().map_or("", |word| word.stem.as_str()));
            if innocent || negated || seen.len() >= MOST_CLAIMS || !seen.insert(what.clone()) {
                continue;
            }
            if !references.supports(key, &about) {
                let start = words.get(found.start).map_or(0, |word| word.range.start);
                let last = about.first().copied().or_else(|| words.get(found.end - 1));
                let range = start..last.map_or(start, |word| word.range.end);
                claims.push(Claim { is_figure: false, block: sentence.block, range, what });
            }
        }
    }
    claims
}

/// The stem of a word, for lists of nouns that are written out.
pub(crate) fn stem_set(words: &[&str]) -> HashSet<String> {
    words.iter().map(|word| stem(word)).collect()
}
