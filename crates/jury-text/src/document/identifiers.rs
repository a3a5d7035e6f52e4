//! Ids such as `FR-012`: where they are defined and where somebody refers to them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::passage::{Kind, Mark};
use super::read::Document;
use super::{ahead, cut, words};

/// The ids of a document whose kind it defines: at least two of a prefix at the beginning of what they name.
#[derive(Debug, Default)]
pub(super) struct Ids {
    pub(super) defined: BTreeMap<String, Defined>,
    /// Every other place that names an id of a prefix that is defined here, or stands within a range of them.
    pub(super) uses: Vec<Use>,
}

#[derive(Debug)]
pub(super) struct Defined {
    pub(super) passage: usize,
    pub(super) at: usize,
}

#[derive(Debug)]
pub(super) struct Use {
    pub(super) id: String,
    pub(super) passage: usize,
    pub(super) at: usize,
    /// Not written: it lies between two that are.
    pub(super) implied: bool,
}

/// The letters before the dash.
pub(super) fn prefix(id: &str) -> &str {
    id.rsplit_once('-').map_or(id, |(prefix, _)| prefix)
}

pub(super) fn read(document: &Document<'_>) -> Ids {
    let mut all: Vec<(usize, Range<usize>, String)> = Vec::new();
    for (index, passage) in document.passages.iter().enumerate() {
        for range in scan(&passage.text) {
            let id = cut(&passage.text, range.clone()).to_owned();
            all.push((index, range, id));
        }
    }
    let tables = headers(document);
    // Where a prefix is at home: in tables with these heads, or outside of tables.
    let mut homes: BTreeMap<String, Option<&str>> = BTreeMap::new();
    let mut candidates: BTreeMap<String, Defined> = BTreeMap::new();
    for (index, range, id) in &all {
        let Some(passage) = document.passages.get(*index) else { continue };
        if !opens(&passage.text, range)
            || passage.is(Mark::Link, range.start)
            || refers(document, passage.section)
        {
            continue;
        }
        let home = match passage.kind {
            Kind::Cell { column, .. } if column > 0 => continue,
            Kind::Cell { table, .. } => Some(tables.get(&table).map_or("", String::as_str)),
            Kind::Paragraph | Kind::Heading | Kind::Item => None,
        };
        let own = homes.entry(prefix(id).to_owned()).or_insert(home);
        if *own == home && !candidates.contains_key(id) {
            candidates.insert(id.clone(), Defined { passage: *index, at: range.start });
        }
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for id in candidates.keys() {
        *counts.entry(prefix(id).to_owned()).or_default() += 1;
    }
    let is_kind = |prefix: &str| counts.get(prefix).is_some_and(|count| *count >= 2);
    candidates.retain(|id, _| is_kind(prefix(id)));
    let mut uses = Vec::new();
    let mut before: Option<(usize, Range<usize>, &str)> = None;
    for (index, range, id) in &all {
        let definition =
            candidates.get(id).is_some_and(|defined| defined.passage == *index && defined.at == range.start);
        if is_kind(prefix(id)) && !definition {
            uses.push(Use { id: id.clone(), passage: *index, at: range.start, implied: false });
        }
        if let (Some((last, end, first)), Some(passage)) = (&before, document.passages.get(*index))
            && last == index
            && prefix(first) == prefix(id)
            && is_range(cut(&passage.text, end.end..range.start))
        {
            uses.extend(between(first, id).into_iter().map(|id| Use {
                id,
                passage: *index,
                at: range.start,
                implied: true,
            }));
        }
        before = Some((*index, range.clone(), id));
    }
    Ids { defined: candidates, uses }
}

/// The words at the head of each table.
fn headers(document: &Document<'_>) -> BTreeMap<usize, String> {
    let mut heads: BTreeMap<usize, String> = BTreeMap::new();
    for passage in &document.passages {
        if let Kind::Cell { table, row: 0, .. } = passage.kind {
            let head = heads.entry(table).or_default();
            head.push_str(passage.text.trim());
            head.push('|');
        }
    }
    heads
}

/// Whether a section is about ids that are defined elsewhere.
pub(super) fn refers(document: &Document<'_>, section: usize) -> bool {
    document.path(section).any(|(_, heading)| {
        let heading = heading.text.to_lowercase();
        ["trace", "coverage", "acceptance", "verification", "test", "mapping", "checklist"]
            .iter()
            .any(|word| heading.contains(word))
    })
}

/// At the beginning, but for brackets and a word such as `Requirement`, and with something behind it.
fn opens(text: &str, range: &Range<usize>) -> bool {
    if range.start > 40 {
        return false;
    }
    let before = cut(text, 0..range.start).trim_matches(|c: char| !c.is_alphanumeric());
    let after = ahead(text, range.end, 60);
    let plain = before.is_empty()
        || matches!(
            before.to_lowercase().as_str(),
            "requirement" | "story" | "user story" | "decision" | "risk" | "task"
        );
    // `FR-001 to FR-004` and `FR-001, FR-002` open nothing.
    let listed = after.trim_start().starts_with([',', '/', '–', '&'])
        && scan(after).first().is_some_and(|next| next.start < 6);
    let ranged = scan(after).first().is_some_and(|next| is_range(cut(after, 0..next.start)));
    plain && !listed && !ranged
}

fn is_range(between: &str) -> bool {
    matches!(between.trim(), "to" | "–" | "—" | "-" | ".." | "..." | "…" | "through")
}

/// The ids between two.
fn between(first: &str, last: &str) -> Vec<String> {
    let number = |id: &str| id.rsplit_once('-').and_then(|(_, digits)| digits.parse::<usize>().ok());
    let width = first.rsplit_once('-').map_or(0, |(_, digits)| digits.len());
    let prefix = prefix(first);
    match (number(first), number(last)) {
        (Some(from), Some(to)) if to > from && to - from < 200 => {
            (from + 1..to).map(|number| format!("{prefix}-{number:0width$}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Capitals, a dash, digits: `FR-012`, `NFR-PERF-3`. Names of standards look the same and are none.
pub(super) fn scan(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'-', bytes) {
        let digits =
            bytes.get(at + 1..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=5).contains(&digits) || at < from {
            continue;
        }
        let end = at + 1 + digits;
        let letters = bytes
            .get(from..at)
            .unwrap_or_default()
            .iter()
            .rev()
            .take(16)
            .take_while(|byte| byte.is_ascii_uppercase() || **byte == b'-')
            .count();
        let start = at - letters;
        let name = cut(text, start..at).trim_matches('-');
        let start = at - name.len();
        let joined = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'))
        };
        let behind = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_'))
            || (bytes.get(end) == Some(&b'-')
                && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
                && !bytes.get(end + 1).is_some_and(u8::is_ascii_uppercase))
            || (bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit));
        let fits =
            (1..=10).contains(&name.len()) && !joined(start.checked_sub(1).and_then(|at| bytes.get(at)));
        if fits && !behind && !words::STANDARDS.contains(&name) {
            ranges.push(start..end);
            from = end;
        }
    }
    ranges
}

/// Prefixes of requirements, as most people write them.
pub(super) fn is_requirement(id: &str) -> bool {
    let first = prefix(id).split('-').next().unwrap_or_default();
    matches!(first, "FR" | "NFR" | "REQ" | "UR" | "SR" | "BR" | "SRS" | "R" | "SEC" | "PERF" | "F" | "NF")
}

/// The ids that somebody refers to.
pub(super) fn used(ids: &Ids) -> BTreeSet<&str> {
    ids.uses.iter().map(|one| one.id.as_str()).collect()
}
