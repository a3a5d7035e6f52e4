//! What is defined and never used: references, footnotes, entries of a glossary, ids.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::passage::Kind;
use super::read::Document;
use super::{Found, ahead, cut, identifiers, terms};

pub(super) fn definitions(document: &Document<'_>) -> Found {
    let mut found = Found::default();
    let used: HashSet<String> =
        document.links.iter().filter_map(|link| link.label.as_ref()).map(|label| folded(label)).collect();
    for definition in &document.definitions {
        let label = definition.label.trim();
        // `[//]: # (text)` and `[comment]: <> (text)` are comments.
        let comment = label.starts_with("//")
            || label.eq_ignore_ascii_case("comment")
            || matches!(definition.target.as_str(), "#" | "");
        if comment {
            continue;
        }
        found.examined += 1;
        if !used.contains(&folded(label)) {
            found.add(
                definition.offset,
                &format!("[{label}]"),
                format!("nothing refers to [{label}]"),
                "refer to it, or take the line out",
            );
        }
    }
    for note in &document.footnotes {
        found.examined += 1;
        if !document.notes.contains_key(&note.label) {
            found.add(
                note.offset,
                &format!("[^{}]", note.label),
                format!("nothing refers to footnote {}", note.label),
                "refer to it, or take it out",
            );
        }
    }
    terms_of_glossary(document, &mut found);
    ids(document, &mut found);
    found
}

fn folded(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Entries of the glossary whose words stand nowhere else.
fn terms_of_glossary(document: &Document<'_>, found: &mut Found) {
    let entries = terms::glossary(document);
    if entries.is_empty() {
        return;
    }
    let sections: BTreeSet<usize> = entries.iter().map(|(_, passage, _)| passage.section).collect();
    let mut words: HashSet<String> = HashSet::new();
    let mut all = String::new();
    for passage in document.passages.iter().filter(|passage| !sections.contains(&passage.section)) {
        all.push_str(&passage.text.to_lowercase());
        all.push('\n');
    }
    for block in &document.blocks {
        all.push_str(&block.code.to_lowercase());
        all.push('\n');
    }
    // Entries may use each other.
    for (term, passage, _) in &entries {
        let meaning = passage.text.strip_prefix(term).unwrap_or(&passage.text);
        all.push_str(&meaning.to_lowercase());
        all.push('\n');
    }
    for passage in document.passages.iter().filter(|passage| sections.contains(&passage.section)) {
        if matches!(passage.kind, Kind::Cell { column, .. } if column > 0) {
            all.push_str(&passage.text.to_lowercase());
            all.push('\n');
        }
    }
    let mut places: Option<Places<'_>> = None;
    words.extend(all.split(|c: char| !c.is_alphanumeric()).map(ToOwned::to_owned));
    for (term, passage, _) in entries {
        found.examined += 1;
        let lower = term.to_lowercase();
        // `SLO (service level objective)` counts with either.
        let names: Vec<&str> =
            lower.split(['(', ')', ',', '/']).map(str::trim).filter(|name| !name.is_empty()).collect();
        let mut is_used = |name: &str| {
            let stem = name
                .strip_suffix("ies")
                .or_else(|| name.strip_suffix('y'))
                .or_else(|| name.strip_suffix('s'))
                .unwrap_or(name);
            if stem.chars().all(char::is_alphanumeric) {
                ["", "s", "es", "ed", "d", "ing", "y", "ies"]
                    .iter()
                    .any(|end| words.contains(&format!("{stem}{end}")))
            } else {
                places.get_or_insert_with(|| Places::of(&all)).have(stem)
            }
        };
        if !names.iter().any(|name| is_used(name)) {
            found.add(
                passage.source(0),
                term,
                format!("the glossary explains {term}, which the document does not use"),
                "use it, or take it out",
            );
        }
    }
}

/// The beginnings of the words of a text, sorted, so that looking for many phrases does not read it for each.
struct Places<'a>(Vec<&'a str>);

impl<'a> Places<'a> {
    /// How much of a phrase is compared.
    const LONGEST: usize = 96;

    fn of(text: &'a str) -> Self {
        let mut places = Vec::new();
        let mut before = ' ';
        for (at, character) in text.char_indices() {
            // Some languages do without spaces.
            if !character.is_ascii_alphanumeric() || !before.is_alphanumeric() {
                places.push(ahead(text, at, Self::LONGEST));
            }
            before = character;
        }
        places.sort_unstable();
        Self(places)
    }

    fn have(&self, phrase: &str) -> bool {
        let phrase = ahead(phrase, 0, Self::LONGEST);
        let index = self.0.partition_point(|place| *place < phrase);
        self.0.get(index).is_some_and(|place| place.starts_with(phrase))
    }
}

/// Ids that nobody refers to, where most of their kind are referred to.
fn ids(document: &Document<'_>, found: &mut Found) {
    let ids = document.ids();
    let used = identifiers::used(ids);
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for id in ids.defined.keys() {
        let (all, of_them) = kinds.entry(identifiers::prefix(id)).or_default();
        *all += 1;
        *of_them += usize::from(used.contains(id.as_str()));
    }
    for (id, defined) in &ids.defined {
        let (all, of_them) = kinds.get(identifiers::prefix(id)).copied().unwrap_or_default();
        if of_them * 2 <= all || all < 3 {
            continue;
        }
        found.examined += 1;
        if !used.contains(id.as_str())
            && let Some(passage) = document.passages.get(defined.passage)
        {
            let quote = cut(&passage.text, defined.at..defined.at + id.len());
            found.add(
                passage.source(defined.at),
                quote,
                format!("nothing refers to {id}; {of_them} of {all} of its kind are referred to"),
                "trace it to a task or a test, or take it out",
            );
        }
    }
}
