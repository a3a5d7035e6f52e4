//! One name with two values, and lists that are longer or shorter than they are said to be. It would rather miss a
//! contradiction than invent one.

use std::collections::{BTreeMap, BTreeSet};

use super::number_facts::{self, Fact, Form};
use super::passage::{Kind, Passage};
use super::read::Document;
use super::{Found, cut};

/// How many pairs are compared for each fact of a name, on average.
const PAIRS: usize = 64;

pub(super) fn contradictions(document: &Document<'_>) -> Found {
    let facts = number_facts::read(document);
    let mut found = Found { examined: facts.len(), ..Found::default() };
    let mut names: BTreeMap<(&str, &str), Vec<&Fact>> = BTreeMap::new();
    for fact in &facts {
        names.entry((&fact.name, fact.family)).or_default().push(fact);
    }
    for group in names.values() {
        let Some(first) = group.first() else { continue };
        let values: BTreeSet<u128> = group.iter().map(|fact| fact.value).collect();
        // A name with many values is a property that each thing has its own of.
        if values.len() > 2 {
            continue;
        }
        // One finding for each value that is not the first.
        let mut said = vec![first.value];
        // Every pair of a few hundred is compared; of more, so many that the work stays in proportion to them.
        let mut pairs = group.len().saturating_mul(PAIRS);
        let others: Vec<&Fact> = group.iter().copied().filter(|other| other.value == first.value).collect();
        for fact in group.iter().skip(1) {
            if said.contains(&fact.value) || said.len() > 4 {
                continue;
            }
            let near = others.get(..others.len().min(pairs)).unwrap_or_default();
            pairs -= near.len();
            let Some(other) = near.iter().find(|other| contradict(document, other, fact)) else { continue };
            said.push(fact.value);
            report(document, other, fact, &mut found);
        }
    }
    counts(document, &mut found);
    found
}

fn report(document: &Document<'_>, other: &Fact, fact: &Fact, found: &mut Found) {
    let place =
        |fact: &Fact| document.passages.get(fact.passage).map_or(0, |passage| passage.source(fact.at));
    let line = document.line(place(other));
    found.add(
        place(fact),
        &format!("{}: {}", fact.name, fact.written),
        format!("{} is {} here and {} in line {line}", fact.name, fact.written, other.written),
        "make them one value, or name them apart",
    );
}

fn contradict(document: &Document<'_>, one: &Fact, other: &Fact) -> bool {
    let (Some(first), Some(second)) =
        (document.passages.get(one.passage), document.passages.get(other.passage))
    else {
        return false;
    };
    let labels = one.form != Form::Prose && other.form != Form::Prose;
    if one.form == Form::Label && other.form == Form::Label && first.section != second.section {
        return false;
    }
    if labels && is_record(document, first, second) {
        return false;
    }
    // One word is a name within its chapter only.
    one.exact
        || one.name.contains(' ')
        || (number_facts::is_parameter(&one.name)
            && chapter(document, first.section) == chapter(document, second.section))
}

/// Labels in two tables, two lists or two parallel sections describe two things.
fn is_record(document: &Document<'_>, first: &Passage, second: &Passage) -> bool {
    if let (Kind::Cell { table, .. }, Kind::Cell { table: other, .. }) = (first.kind, second.kind) {
        return table == other || first.section != second.section;
    }
    if first.section == second.section {
        return first.list != second.list && first.list.is_some() && second.list.is_some();
    }
    let parent = |section: usize| document.heading(section).map_or(0, |heading| heading.parent);
    parent(first.section) == parent(second.section)
        && matches!((first.kind, second.kind), (Kind::Item | Kind::Paragraph, Kind::Item | Kind::Paragraph))
}

/// The part of the document below its title.
fn chapter(document: &Document<'_>, section: usize) -> usize {
    document.path(section).filter(|(_, heading)| heading.level > 1).last().map_or(0, |(index, _)| index)
}

/// "Three steps:" before a list of four.
fn counts(document: &Document<'_>, found: &mut Found) {
    for list in &document.lists {
        let Some(passage) = list.after.and_then(|index| document.passages.get(index)) else { continue };
        let Some((number, words, at)) = announced(passage) else { continue };
        let gap = cut(document.text, passage.source(passage.text.len())..list.offset);
        if gap.trim().len() > 4 {
            continue;
        }
        found.examined += 1;
        // A list of one is broken markup, and entries may name two things each.
        if number != list.items && list.items > 1 && number % list.items != 0 {
            found.add(
                passage.source(at),
                &words,
                format!("'{words}' stands before a list of {}", list.items),
                "correct the number or the list",
            );
        }
    }
}

const NUMBERS: &[(&str, usize)] = &[
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
];

/// The number of entries that a passage announces with its last sentence.
fn announced(passage: &Passage) -> Option<(usize, String, usize)> {
    if passage.kind == Kind::Heading || !passage.text.trim_end().ends_with(':') {
        return None;
    }
    let sentence = passage.sentences().pop()?;
    let text = cut(&passage.text, sentence.clone());
    let lower = text.to_ascii_lowercase();
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for word in lower.split_inclusive(' ') {
        let bare = word.trim();
        if !bare.is_empty() {
            words.push((at, bare));
        }
        at += word.len();
    }
    let number = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let spelled = NUMBERS.iter().find(|(name, _)| *name == bare).map(|(_, number)| *number);
        let figure = bare.parse::<usize>().ok().filter(|number| (2..=30).contains(number));
        (!word.ends_with([',', '.', '%']) && !word.starts_with('#')).then_some(spelled.or(figure)).flatten()
    };
    let places: Vec<usize> = words
        .iter()
        .enumerate()
        .filter(|(_, (_, word))| word.chars().any(|c| c.is_ascii_digit()) || number(word).is_some())
        .map(|(index, _)| index)
        .collect();
    let [place] = places.as_slice() else { return None };
    let (start, word) = *words.get(*place)?;
    let count = number(word)?;
    let before = place.checked_sub(1).and_then(|index| words.get(index)).map_or("", |(_, word)| *word);
    if [
        "least", "most", "than", "to", "of", "about", "first", "last", "other", "every", "another", "next",
        "top", "any", "or", "these", "those", "all",
    ]
    .contains(&before)
    {
        return None;
    }
    let rest: Vec<&str> = words.iter().skip(place + 1).map(|(_, word)| *word).collect();
    // What is counted is the noun right there, and the list follows it.
    let noun = rest.iter().take(3).position(|word| {
        let bare = word.trim_end_matches(':');
        bare.len() > 3
            && (bare.ends_with('s') || matches!(bare, "criteria" | "people" | "phases"))
            && !bare.ends_with("ss")
            && !bare.ends_with("us")
    })?;
    let units = [
        "seconds", "minutes", "hours", "days", "weeks", "months", "years", "times", "bytes", "users",
        "lines", "pixels",
    ];
    let named = rest.get(noun)?.trim_end_matches(':');
    if units.contains(&named)
        || rest.len() > noun + 6
        || rest.iter().take(noun).any(|word| matches!(*word, "of" | "or" | "and" | "in" | "the" | "more"))
    {
        return None;
    }
    // "two modules use the following flags:" counts something else.
    let follows = rest.iter().skip(noun + 1).any(|word| {
        matches!(
            *word,
            "following"
                | "following:"
                | "with"
                | "using"
                | "use"
                | "uses"
                | "via"
                | "by"
                | "of"
                | "into"
                | "from"
                | "and"
                | "or"
                | "like"
                | "as"
        )
    });
    let end = lower.len();
    (!follows).then(|| {
        (count, cut(text, start..end).trim().trim_end_matches(':').to_owned(), sentence.start + start)
    })
}
