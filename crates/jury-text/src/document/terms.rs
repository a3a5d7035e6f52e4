//! Words that a reader cannot look up: abbreviations that are never spelled out, entries that a glossary owes, ids
//! that nobody defined.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::ops::Range;

use super::passage::{Kind, Mark, Passage};
use super::read::Document;
use super::{Found, ahead, cut, words};

pub(super) fn undefined(document: &Document<'_>) -> Found {
    let mut found = Found::default();
    abbreviations(document, &mut found);
    owed_by_glossary(document, &mut found);
    let ids = document.ids();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let defined: BTreeSet<&str> = ids.defined.keys().map(String::as_str).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in ids.uses.iter().filter(|one| !one.implied) {
        *counts.entry(&one.id).or_default() += 1;
    }
    for one in ids.uses.iter().filter(|one| !one.implied) {
        if !seen.insert(&one.id) {
            continue;
        }
        found.examined += 1;
        if !defined.contains(one.id.as_str())
            && let Some(passage) = document.passages.get(one.passage)
        {
            let count = counts.get(one.id.as_str()).copied().unwrap_or_default();
            found.add(
                passage.source(one.at),
                &one.id,
                format!("{} is referred to ({count}×) and never defined", one.id),
                format!("define {}, or refer to one that exists", one.id),
            );
        }
    }
    found
}

/// An abbreviation and the places where it is used.
struct Abbreviation {
    first: (usize, usize),
    count: usize,
}

fn abbreviations(document: &Document<'_>, found: &mut Found) {
    let mut uses: BTreeMap<&str, Abbreviation> = BTreeMap::new();
    let mut explained: HashSet<&str> = HashSet::new();
    for (index, passage) in document.passages.iter().enumerate() {
        let tokens = tokens(&passage.text);
        for (order, token) in tokens.iter().enumerate() {
            let word = cut(&passage.text, token.clone());
            if !is_capital(word) {
                continue;
            }
            let name = word.strip_suffix('s').unwrap_or(word);
            if words::is_known(name) || passage.is(Mark::Code, token.start) {
                explained_by_code(passage, token, name, &mut explained);
                continue;
            }
            if is_shouted(&passage.text, &tokens, order) || is_part(&passage.text, token) {
                continue;
            }
            if explains(passage, token, &tokens, order) || passage.is(Mark::Link, token.start) {
                explained.insert(name);
            }
            uses.entry(name).or_insert(Abbreviation { first: (index, token.start), count: 0 }).count += 1;
        }
    }
    // In code a name is what it is.
    let in_code: HashSet<&str> = document
        .blocks
        .iter()
        .flat_map(|block| block.code.split(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    for html in &document.html {
        // <abbr title="…">ABC</abbr>
        if html.text.contains("<abbr") {
            explained.extend(html.text.split(|c: char| !c.is_ascii_alphanumeric()));
        }
    }
    let open: HashSet<&str> =
        uses.keys().copied().filter(|name| !explained.contains(name) && !in_code.contains(name)).collect();
    let resolved = resolved(document, &open);
    for (name, one) in &uses {
        found.examined += 1;
        if !open.contains(name) || resolved.contains(*name) {
            continue;
        }
        let Some(passage) = document.passages.get(one.first.0) else { continue };
        found.add(
            passage.source(one.first.1),
            name,
            format!("{name} is used {} and never spelled out", times(one.count)),
            format!("write it out where it first appears: … ({name})"),
        );
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn explained_by_code<'p>(
    passage: &'p Passage,
    token: &Range<usize>,
    name: &'p str,
    explained: &mut HashSet<&'p str>,
) {
    if passage.is(Mark::Code, token.start) {
        explained.insert(name);
    }
}

/// Words of letters and digits.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices() {
        match (character.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                ranges.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    ranges.extend(start.map(|from| from..text.len()));
    ranges
}

/// Two to six capitals and digits, at least two of them letters, perhaps with a small plural.
fn is_capital(word: &str) -> bool {
    let stem = word.strip_suffix('s').unwrap_or(word);
    let capitals = stem.bytes().filter(u8::is_ascii_uppercase).count();
    // A part of a fingerprint.
    let hexadecimal =
        stem.len() > 3 && capitals < stem.len() && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
    (2..=6).contains(&stem.len())
        && !hexadecimal
        && capitals >= 2
        && stem.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && stem.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
}

/// Among other words in capitals it is a shouted sentence or a licence.
fn is_shouted(text: &str, tokens: &[Range<usize>], order: usize) -> bool {
    let loud = |offset: usize, back: bool| {
        let index = if back { order.checked_sub(offset) } else { Some(order + offset) };
        let token = index.and_then(|index| tokens.get(index))?;
        let word = cut(text, token.clone());
        Some(word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let word = |index: Option<usize>| {
        index.and_then(|index| tokens.get(index)).map_or("", |token| cut(text, token.clone()))
    };
    let beside = [word(order.checked_sub(1)), word(Some(order + 1))];
    if beside.iter().any(|word| word.len() > 1 && words::is_word(word)) {
        return true;
    }
    let near = [loud(1, true), loud(2, true), loud(1, false), loud(2, false)];
    near.iter().filter(|one| **one == Some(true)).count() >= 2
}

/// Part of an id, a constant, a path, a file name or a version.
fn is_part(text: &str, token: &Range<usize>) -> bool {
    let joins = |c: char| matches!(c, '_' | '-' | '/' | '\\' | '@' | '#' | '$' | '&' | '+' | '*' | '%' | '=');
    let before = cut(text, 0..token.start).chars().next_back();
    let mut after = cut(text, token.end..text.len()).chars();
    let next = after.next();
    let dotted = matches!(next, Some('.' | ':' | '(' | '!'))
        && after.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, ':' | '_' | ')'));
    before.is_some_and(|c| joins(c) || matches!(c, '.' | ':' | '\'' | '’' | '<' | '{'))
        || next.is_some_and(|c| joins(c) || matches!(c, '+' | '<' | '>' | '}'))
        || dotted
}

/// Whether this place says what it stands for: `Long Form (LF)`, `LF (long form)`, `LF: …`, `LF stands for`, the
/// first cell of a row.
fn explains(passage: &Passage, token: &Range<usize>, tokens: &[Range<usize>], order: usize) -> bool {
    let text = &passage.text;
    let before = cut(text, 0..token.start).trim_end_matches(['*', '"', '“', '‘']);
    let after = ahead(text, token.end, 80).trim_start_matches(['*', '"', '”', '’']);
    let name = cut(text, token.clone()).trim_end_matches('s');
    let words_before = order >= name.len().min(2);
    if before.ends_with('(') && (after.starts_with(')') || after.starts_with([',', ';'])) && words_before {
        return true;
    }
    if let Some(inside) = after.trim_start().strip_prefix('(') {
        let inside = inside.split(')').next().unwrap_or_default();
        let spelled = inside.split([' ', '-']).filter(|word| word.len() > 1).count() >= 2;
        let initial = inside.chars().next().map(|c| c.to_ascii_uppercase()) == name.chars().next();
        if spelled && (initial || inside.split(' ').count() >= name.len()) {
            return true;
        }
    }
    // `XMP files (the Extensible Metadata Platform)`: the last letters are enough.
    if let Some((gap, inside)) = after.split_once('(')
        && gap.len() < 24
        && !gap.contains(['.', ','])
    {
        let inside = inside.split(')').next().unwrap_or_default();
        let capitals: String = inside
            .split([' ', '-'])
            .filter_map(|word| word.chars().next())
            .filter(|c| c.is_uppercase())
            .collect();
        let end = cut(name, name.len().saturating_sub(2)..name.len());
        if capitals.len() >= 2 && capitals.ends_with(end) {
            return true;
        }
    }
    let tail = after.trim_start();
    let opens = order == 0 && before.chars().all(|c| !c.is_alphanumeric());
    let defining = [":", "—", "–", "- ", "= "].iter().any(|mark| tail.starts_with(mark));
    if opens && defining && matches!(passage.kind, Kind::Item | Kind::Paragraph) && tokens.len() > 2 {
        return true;
    }
    if opens && matches!(passage.kind, Kind::Cell { column: 0, .. }) && tokens.len() == 1 {
        return true;
    }
    ["stands for", "is short for", "means", ", short for", ", or ", ", i.e.", ", that is", ", the "]
        .iter()
        .any(|phrase| tail.starts_with(phrase))
        || ["short for", "abbreviated", "abbreviated as", "known as", "called", "or"].iter().any(|phrase| {
            before
                .trim_end()
                .strip_suffix(phrase)
                .is_some_and(|rest| phrase.len() > 2 || rest.trim_end().ends_with(','))
        })
}

/// Of these abbreviations, those that the document spells out somewhere, as the initials of two to six words, and
/// those that are words in capitals, because they stand in small letters elsewhere.
fn resolved(document: &Document<'_>, names: &HashSet<&str>) -> HashSet<String> {
    let mut all = HashSet::new();
    if names.is_empty() {
        return all;
    }
    let mut buffer = String::new();
    let mut run: VecDeque<char> = VecDeque::new();
    for passage in &document.passages {
        run.clear();
        for token in tokens(&passage.text) {
            let word = cut(&passage.text, token.clone());
            if word.len() <= 7 && word.bytes().any(|byte| byte.is_ascii_lowercase()) && !is_capital(word) {
                buffer.clear();
                buffer.extend(word.chars().map(|c| c.to_ascii_uppercase()));
                if names.contains(buffer.as_str()) {
                    all.insert(buffer.clone());
                }
            }
            if matches!(word, "of" | "and" | "the" | "for" | "to" | "in" | "on") {
                continue;
            }
            if word.len() <= 2 || !word.chars().skip(1).any(char::is_lowercase) {
                run.clear();
                continue;
            }
            run.extend(word.chars().next());
            if run.len() > 6 {
                run.pop_front();
            }
            for length in 2..=run.len() {
                let first = run.len() - length;
                // Capitals, or at least a first one: "Service level objective".
                if length < 3 && !run.get(first).is_some_and(|c| c.is_uppercase()) {
                    continue;
                }
                buffer.clear();
                buffer.extend(run.iter().skip(first).map(char::to_ascii_uppercase));
                if names.contains(buffer.as_str()) {
                    all.insert(buffer.clone());
                }
            }
        }
    }
    all
}

/// The section that explains terms, if there is one: its entries with their places and whether they say anything.
pub(super) fn glossary<'d>(document: &'d Document<'_>) -> Vec<(&'d str, &'d Passage, bool)> {
    let is_glossary = |text: &str| {
        let text = text.to_lowercase();
        let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
        [
            "glossary",
            "terminology",
            "definitions",
            "terms",
            "definitions and abbreviations",
            "abbreviations",
            "terms and definitions",
        ]
        .contains(&text)
    };
    let mut entries = Vec::new();
    for (index, passage) in document.passages.iter().enumerate() {
        let Some(heading) = document.heading(passage.section) else { continue };
        if !is_glossary(&heading.text) || passage.kind == Kind::Heading {
            continue;
        }
        match passage.kind {
            Kind::Item | Kind::Paragraph => {
                let Some(strong) = passage.parts(Mark::Strong).first().filter(|range| range.start == 0)
                else {
                    let split = passage
                        .text
                        .split_once(": ")
                        .or_else(|| passage.text.split_once(" – "))
                        .or_else(|| passage.text.split_once(" — "));
                    if let (Kind::Item, Some((term, meaning))) = (passage.kind, split)
                        && term.split_whitespace().count() <= 4
                    {
                        entries.push((term.trim(), passage, !meaning.trim().is_empty()));
                    }
                    continue;
                };
                let term = cut(&passage.text, strong.clone()).trim().trim_end_matches(':');
                let meaning = cut(&passage.text, strong.end..passage.text.len());
                let filled = meaning.chars().any(char::is_alphanumeric);
                entries.push((term, passage, filled));
            }
            Kind::Cell { row, column: 0, table } if row > 0 => {
                let filled = document.passages.get(index + 1).is_some_and(|next| matches!(next.kind, Kind::Cell { row: other, table: same, .. } if other == row && same == table));
                entries.push((passage.text.trim(), passage, filled));
            }
            Kind::Cell { .. } | Kind::Heading => {}
        }
    }
    entries
}

fn owed_by_glossary(document: &Document<'_>, found: &mut Found) {
    let entries = glossary(document);
    if entries.is_empty() {
        return;
    }
    let mut terms: BTreeSet<String> = BTreeSet::new();
    for (term, passage, filled) in &entries {
        terms.insert(term.to_lowercase());
        found.examined += 1;
        if !filled {
            found.add(
                passage.source(0),
                term,
                format!("the glossary has {term} and does not say what it means"),
                "explain it, or take it out",
            );
        }
    }
    for link in &document.links {
        let target = link.target.as_str();
        if !matches!(target, "#glossary" | "#terminology" | "#definitions" | "#terms") || link.text.is_empty()
        {
            continue;
        }
        let text = link.text.trim().to_lowercase();
        if text.contains("glossary")
            || text.contains("terminology")
            || text.contains("definition")
            || text.contains("terms")
        {
            continue;
        }
        found.examined += 1;
        let one = text.strip_suffix('s').unwrap_or(&text);
        if !terms.iter().any(|term| term == &text || term.strip_suffix('s').unwrap_or(term) == one) {
            found.add(
                link.offset,
                &link.text,
                format!("'{}' points to the glossary, which does not have it", link.text),
                "add it to the glossary",
            );
        }
    }
}
