//! The outline of a document: one title, no level left out, no heading without words or twice in one place.

use std::collections::BTreeMap;

use super::Found;
use super::read::{Document, Heading};

pub(super) fn order(document: &Document<'_>) -> Found {
    let mut found = Found { examined: document.headings.len(), ..Found::default() };
    let titles: Vec<_> = document.headings.iter().filter(|heading| heading.level == 1).collect();
    if let (Some(first), true) = (document.headings.first(), document.headings.len() >= 2)
        && titles.is_empty()
        && !document.titled
    {
        found.add(
            first.offset,
            &first.text,
            "no heading of the first level".to_owned(),
            "begin with a title: # …",
        );
    }
    if let [_, second, ..] = titles.as_slice() {
        found.add(
            second.offset,
            &second.text,
            format!("{} headings of the first level", titles.len()),
            "keep one title and move the others a level down",
        );
    }
    let mut before: Option<usize> = None;
    let mut skips: BTreeMap<(usize, usize), Vec<&Heading>> = BTreeMap::new();
    let mut names: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    for heading in &document.headings {
        if let Some(before) = before
            && heading.level > before + 1
        {
            skips.entry((before, heading.level)).or_default().push(heading);
        }
        before = Some(heading.level);
        let words = heading.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if words.is_empty() {
            if !heading.pictured {
                found.add(
                    heading.offset,
                    "#",
                    "a heading without words".to_owned(),
                    "name it, or take it out",
                );
            }
            continue;
        }
        let times = names.entry((heading.parent, heading.level, words)).or_default();
        *times += 1;
        // Titles are counted above; the same one twice is one defect.
        if *times == 2 && heading.level > 1 {
            found.add(
                heading.offset,
                &heading.text,
                format!("two headings named '{}' in one place", heading.text),
                "name them apart, or join them",
            );
        }
    }
    for ((before, level), places) in skips {
        let what = format!("a heading of level {level} follows one of level {before}");
        let suggestion = format!("make it level {}", before + 1);
        // Who leaves the same level out everywhere has one habit and not fifty defects.
        if let (Some(first), true) = (places.first(), places.len() > 3) {
            found.add(first.offset, &first.text, format!("{what}, {} times", places.len()), suggestion);
            continue;
        }
        for heading in places {
            found.add(heading.offset, &heading.text, what.clone(), suggestion.clone());
        }
    }
    found
}
