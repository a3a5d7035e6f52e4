//! What a document says about numbers: a name, a value, a unit. Only forms that leave no doubt are read; a sentence
//! that speaks of another time, another place or an example says nothing here.

use std::collections::BTreeMap;

use super::passage::{Kind, Mark, Passage};
use super::read::Document;
use super::{ahead, cut};

/// How a fact is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A label with its value: `Name: 30 s`
    Label,
    /// A row of a table.
    Row,
    /// A figure in a sentence.
    Prose,
}

#[derive(Debug)]
pub(super) struct Fact {
    pub(super) name: String,
    /// In the smallest unit of its family, as text, so that equal values are equal.
    pub(super) value: u128,
    pub(super) family: &'static str,
    /// As it is written.
    pub(super) written: String,
    pub(super) passage: usize,
    pub(super) at: usize,
    pub(super) form: Form,
    /// The name is code.
    pub(super) exact: bool,
}

/// Units with their family and their size in its smallest unit.
const UNITS: &[(&str, &str, u128)] = &[
    ("ms", "time", 1),
    ("millisecond", "time", 1),
    ("milliseconds", "time", 1),
    ("s", "time", 1000),
    ("sec", "time", 1000),
    ("second", "time", 1000),
    ("seconds", "time", 1000),
    ("min", "time", 60_000),
    ("minute", "time", 60_000),
    ("minutes", "time", 60_000),
    ("h", "time", 3_600_000),
    ("hour", "time", 3_600_000),
    ("hours", "time", 3_600_000),
    ("day", "time", 86_400_000),
    ("days", "time", 86_400_000),
    ("week", "time", 604_800_000),
    ("weeks", "time", 604_800_000),
    ("month", "month", 1),
    ("months", "month", 1),
    ("year", "month", 12),
    ("years", "month", 12),
    ("b", "size", 1),
    ("bytes", "size", 1),
    ("kb", "size", 1 << 10),
    ("kib", "size", 1 << 10),
    ("mb", "size", 1 << 20),
    ("mib", "size", 1 << 20),
    ("gb", "size", 1 << 30),
    ("gib", "size", 1 << 30),
    ("tb", "size", 1 << 40),
    ("tib", "size", 1 << 40),
    ("%", "percent", 1),
    ("percent", "percent", 1),
    ("px", "pixel", 1),
    ("items", "count", 1),
    ("requests", "count", 1),
    ("retries", "count", 1),
    ("attempts", "count", 1),
    ("users", "count", 1),
    ("connections", "count", 1),
    ("°c", "degree", 1),
    ("kg", "mass", 1000),
    ("g", "mass", 1),
    ("km", "length", 1000),
    ("m", "length", 1),
    ("eur", "money", 1),
    ("usd", "money", 1),
];

/// Words of a sentence that is about something else than what holds here and now.
const ELSEWHERE: &[&str] = &[
    "was",
    "were",
    "previously",
    "formerly",
    "earlier",
    "originally",
    "old",
    "used",
    "instead",
    "rather",
    "example",
    "instance",
    "e.g",
    "suppose",
    "if",
    "unless",
    "except",
    "staging",
    "production",
    "dev",
    "development",
    "testing",
    "local",
    "locally",
    "raised",
    "lowered",
    "reduced",
    "increased",
    "from",
    "vs",
    "versus",
    "than",
    "alternative",
    "alternatively",
    "proposed",
    "proposal",
    "rejected",
    "override",
    "overrides",
    "overridden",
    "historically",
    "between",
    "average",
    "typical",
    "typically",
    "usually",
    "once",
    "until",
    "while",
    "recommend",
    "recommended",
    "could",
    "might",
    "first",
    "second",
    "third",
    "last",
    "next",
    "per",
    "each",
    "burst",
    "free",
    "or",
    "sometimes",
    "today",
    "measured",
    "observed",
    "took",
    "had",
];

/// Sections whose numbers are not those of the thing itself.
const SECTIONS: &[&str] = &[
    "example",
    "alternative",
    "changelog",
    "change log",
    "history",
    "option",
    "staging",
    "production",
    "environment",
    "version",
    "considered",
    "context",
    "background",
    "incident",
    "timeline",
    "migration",
    "release",
    "benchmark",
    "result",
    "unreleased",
    "previous",
    "rejected",
];

/// Nouns that take their value in front: a 30 s timeout.
const PARAMETERS: &[&str] = &[
    "timeout",
    "limit",
    "interval",
    "retention",
    "delay",
    "window",
    "budget",
    "quota",
    "period",
    "deadline",
    "ttl",
    "threshold",
    "lifetime",
    "cap",
];

/// Where a name ends when one reads backwards.
const STOPS: &[&str] = &[
    "the", "a", "an", "of", "and", "or", "with", "to", "in", "on", "for", "by", "that", "this", "its", "our",
    "their", "has", "have", "uses", "use", "set", "sets", "keeps", "keep", "is", "are", "at", "as", "has",
    "where", "when", "than", "which", "every", "any", "no", "same", "enforces", "enforce", "applies",
    "apply", "after", "before", "within", "then", "so", "but", "because", "from", "we", "it",
];

/// Whether a word alone is the name of a setting.
pub(super) fn is_parameter(name: &str) -> bool {
    PARAMETERS.contains(&name)
}

pub(super) fn read(document: &Document<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    if is_changelog(document) {
        return facts;
    }
    let elsewhere: Vec<bool> = (0..=document.headings.len())
        .map(|section| {
            document.path(section).any(|(_, heading)| {
                let text = heading.text.to_lowercase();
                SECTIONS.iter().any(|word| text.contains(word)) || is_version(&text)
            })
        })
        .collect();
    for (index, passage) in document.passages.iter().enumerate() {
        if elsewhere.get(passage.section) == Some(&true)
            || passage.quoted
            || matches!(passage.kind, Kind::Heading | Kind::Cell { .. })
        {
            continue;
        }
        for sentence in passage.sentences() {
            in_sentence(passage, index, &sentence, &mut facts);
        }
    }
    rows(document, &elsewhere, &mut facts);
    facts.sort_by_key(|fact| (fact.passage, fact.at));
    facts
}

fn is_version(heading: &str) -> bool {
    let text = heading.trim_start_matches(['[', 'v', ' ']);
    let marked = text.len() < heading.trim_start().len();
    let (first, rest) = text.split_once([' ', ']']).unwrap_or((text, ""));
    // `6.4.1 Order of steps` is a numbered section, `6.4.1 (June 2024)` a version.
    let dated = rest.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4);
    let bare = !rest.chars().any(char::is_alphabetic);
    first.starts_with(|c: char| c.is_ascii_digit())
        && first.matches('.').count() >= 2
        && (marked || dated || bare)
}

fn is_changelog(document: &Document<'_>) -> bool {
    document.headings.iter().filter(|heading| is_version(&heading.text.to_lowercase())).count() >= 3
}

fn in_sentence(passage: &Passage, index: usize, sentence: &std::ops::Range<usize>, facts: &mut Vec<Fact>) {
    let text = cut(&passage.text, sentence.clone());
    let lower = text.to_lowercase();
    if lower.len() != text.len() || text.len() > 600 {
        return;
    }
    if lower
        .split(|c: char| !(c.is_alphanumeric() || c == '.'))
        .any(|word| ELSEWHERE.contains(&word.trim_end_matches('.')))
    {
        return;
    }
    let numbers = numbers(&lower);
    // A sentence full of numbers compares or calculates.
    if numbers.len() > 3 {
        return;
    }
    for number in &numbers {
        let before = cut(&lower, 0..number.start);
        let after = cut(&lower, number.end..lower.len());
        if is_loose(before, after) {
            continue;
        }
        let (name, form) = match name_before(before) {
            Some(named) => named,
            None => match name_after(after, number.family) {
                Some(name) => (name, Form::Prose),
                None => continue,
            },
        };
        let at = sentence.start + number.start;
        let exact =
            before.rfind(name.as_str()).is_some_and(|start| passage.is(Mark::Code, sentence.start + start));
        let name = if exact { name } else { normal(&name) };
        let words = name.split_whitespace().count();
        // Without a unit a number belongs to a name in code, or to a label of several words.
        if name.is_empty()
            || words > 4
            || (number.family == "none" && !exact && (words < 2 || form == Form::Prose))
        {
            continue;
        }
        facts.push(Fact {
            name,
            value: number.value,
            family: number.family,
            written: cut(text, number.start..number.end).trim().to_owned(),
            passage: index,
            at,
            form,
            exact,
        });
    }
}

/// Values in tables that have a column for them.
fn rows(document: &Document<'_>, elsewhere: &[bool], facts: &mut Vec<Fact>) {
    let mut columns: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut name: Option<(usize, usize, usize)> = None;
    for (index, passage) in document.passages.iter().enumerate() {
        let Kind::Cell { table, row, column } = passage.kind else { continue };
        if elsewhere.get(passage.section) == Some(&true) {
            continue;
        }
        if row == 0 {
            columns.entry(table).or_default().push(passage.text.trim().to_lowercase());
            continue;
        }
        if column == 0 {
            name = Some((table, row, index));
            continue;
        }
        let heads = columns.get(&table).map(Vec::as_slice).unwrap_or_default();
        let value_columns = heads.iter().skip(1).filter(|head| is_value(head)).count();
        // A table without words at its head is a list of names and values.
        let headless = heads.is_empty() && column == 1;
        let wanted = headless || heads.get(column).is_some_and(|head| is_value(head)) && value_columns == 1;
        let Some((_, _, named)) = name.filter(|(same, line, _)| *same == table && *line == row) else {
            continue;
        };
        let Some(label) = document.passages.get(named) else { continue };
        let lower = passage.text.to_lowercase();
        let found = numbers(&lower);
        let [number] = found.as_slice() else { continue };
        let alone = cut(&lower, 0..number.start).trim().is_empty()
            && cut(&lower, number.end..lower.len()).trim().is_empty();
        if !wanted || !alone {
            continue;
        }
        let exact = label.is(Mark::Code, 0);
        let text = label.text.trim();
        let name = if exact { text.to_lowercase() } else { normal(&text.to_lowercase()) };
        if name.is_empty() || (number.family == "none" && !exact && !name.contains(' ')) {
            continue;
        }
        facts.push(Fact {
            name,
            value: number.value,
            family: number.family,
            written: passage.text.trim().to_owned(),
            passage: index,
            at: 0,
            form: Form::Row,
            exact,
        });
    }
}

fn is_value(head: &str) -> bool {
    ["default", "value", "limit", "target", "setting", "default value"].contains(&head)
}

struct Number {
    start: usize,
    end: usize,
    value: u128,
    family: &'static str,
}

/// Numbers with their units. Versions, dates, ids, ordinals and parts of words are none.
fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
            continue;
        }
        let start = at;
        while bytes.get(at).is_some_and(|byte| {
            byte.is_ascii_digit()
                || (matches!(byte, b'.' | b',' | b'_') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
        }) {
            at += 1;
        }
        let digits = cut(text, start..at);
        let before = cut(text, 0..start).chars().next_back();
        let glued = before.is_some_and(|c| {
            c.is_alphanumeric()
                || matches!(
                    c,
                    '-' | '–'
                        | '_'
                        | '.'
                        | '#'
                        | '/'
                        | ':'
                        | '+'
                        | '±'
                        | '~'
                        | '≈'
                        | '<'
                        | '>'
                        | '≥'
                        | '≤'
                        | '^'
                        | '×'
                )
        });
        let (unit, length) = unit(text, at);
        let end = at + length;
        let after = cut(text, end..text.len()).chars().next();
        let tail = after
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '–' | '_' | '/' | ':' | '^' | '×' | '+'));
        let dashed = after == Some('-') && unit == "none";
        at = end.max(at);
        if glued || tail || dashed || digits.matches('.').count() > 1 || digits.len() > 12 {
            continue;
        }
        let Some((family, scale)) = (if unit == "none" {
            Some(("none", 1))
        } else {
            UNITS.iter().find(|(name, ..)| *name == unit).map(|(_, family, scale)| (*family, *scale))
        }) else {
            continue;
        };
        if let Some(value) = scaled(digits, scale) {
            found.push(Number { start, end, value, family });
        }
    }
    found
}

/// The unit behind a number and how long it is with the gap before it.
fn unit(text: &str, at: usize) -> (&str, usize) {
    let rest = ahead(text, at, 24);
    let trimmed = rest.strip_prefix([' ', '-', '\u{a0}']).unwrap_or(rest);
    let gap = rest.len() - trimmed.len();
    let length = if trimmed.starts_with('%') {
        1
    } else {
        trimmed.find(|c: char| !(c.is_alphabetic() || c == '°')).unwrap_or(trimmed.len())
    };
    let word = cut(trimmed, 0..length);
    if UNITS.iter().any(|(name, ..)| *name == word) { (word, gap + length) } else { ("none", 0) }
}

/// In thousandths of the smallest unit, so that `1.5 s` and `1500 ms` are one.
fn scaled(digits: &str, scale: u128) -> Option<u128> {
    let plain: String = digits.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    let number: u128 = format!("{whole}{part}").parse().ok()?;
    number.checked_mul(scale)
}

/// A bound, a range, an approximation.
fn is_loose(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let loose = [
        "about",
        "around",
        "approximately",
        "roughly",
        "least",
        "most",
        "over",
        "under",
        "below",
        "above",
        "exceeds",
        "exceed",
        "to",
        "every",
        "another",
        "only",
        "version",
        "than",
        "plus",
        "minus",
        "within",
    ];
    let to = last == "to"
        && !["defaults to", "set to", "limited to", "default to"].iter().any(|form| before.ends_with(form));
    let after = after.trim_start();
    let range = ["–", "-", "to ", "..", "±", "more", "%", "x ", "/", "per ", "of the ", "when ", "in "]
        .iter()
        .any(|mark| after.starts_with(mark));
    let next = after.split_once(' ').map_or("", |(_, rest)| rest);
    let joined = (after.starts_with("or ") || after.starts_with("and "))
        && next.starts_with(|c: char| c.is_ascii_digit());
    let special =
        after.starts_with("for ") && !["every ", "all ", "each "].iter().any(|word| next.starts_with(word));
    let range = range || joined || special;
    (loose.contains(&last) && (last != "to" || to))
        || before.ends_with(['~', '<', '>', '≥', '≤', '–', '+', '-', '/'])
        || range
}

/// `name: `, `name = `, `name (`, `name of `, `name is `, `name defaults to `.
fn name_before(before: &str) -> Option<(String, Form)> {
    let before = before.trim_end();
    if let Some(rest) = before.strip_suffix([':', '=']) {
        let label = rest.rsplit(['.', ';', ',', '(', '\n', ':']).next().unwrap_or_default().trim();
        let whole = rest.trim().len() == label.len();
        let short = (1..=4).contains(&label.split_whitespace().count());
        return (whole && short).then(|| (label.to_owned(), Form::Label));
    }
    let forms = [" is set to", " is limited to", " defaults to", " is", " of", " ("];
    let rest = forms
        .iter()
        .find_map(|form| before.strip_suffix(form).or_else(|| before.strip_suffix(form.trim_end())))?;
    let mut name: Vec<&str> = Vec::new();
    for word in rest.trim_end().rsplit(' ') {
        let bare = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
        if bare.is_empty() || STOPS.contains(&bare) || name.len() == 4 {
            break;
        }
        let closed = word.ends_with([',', '.', ';', ':', ')']) && !name.is_empty();
        if closed {
            break;
        }
        name.push(bare);
        if word.starts_with(['(', '"']) {
            break;
        }
    }
    name.reverse();
    (!name.is_empty()).then(|| (name.join(" "), Form::Prose))
}

/// `30 s request timeout`
fn name_after(after: &str, family: &str) -> Option<String> {
    if family == "none" || family == "count" {
        return None;
    }
    let mut name: Vec<&str> = Vec::new();
    for word in after.trim_start().split(' ').take(3) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() || STOPS.contains(&bare) {
            break;
        }
        name.push(bare);
        if PARAMETERS.contains(&bare) {
            return Some(name.join(" "));
        }
        if word.ends_with([',', '.', ';', ':']) {
            break;
        }
    }
    None
}

/// Without articles and `default`, in the singular.
fn normal(name: &str) -> String {
    let words = name
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| {
            !word.is_empty() && !matches!(*word, "the" | "a" | "an" | "default" | "our" | "its" | "total")
        })
        .map(|word| match word {
            "maximum" | "maximal" => "max",
            "minimum" | "minimal" => "min",
            _ if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") => {
                cut(word, 0..word.len() - 1)
            }
            _ => word,
        });
    words.collect::<Vec<_>>().join(" ")
}
