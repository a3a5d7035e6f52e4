//! Repairs that take a colour from the property that has it. Only the words change: no computed value does.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::checks::{WrittenOut, written_out};

use super::edit::Repair;
use super::{Asked, Ways};

/// Properties asked at a time.
const MOST_PROPERTIES: usize = 60;

/// Colours written out become `var()` of a property that has the same value for every element and in every state.
pub(super) fn properties(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let mut places: BTreeMap<String, (String, Vec<Range<usize>>)> = BTreeMap::new();
    for WrittenOut { hex, span, certain, .. } in written_out(page) {
        if let Some(name) = certain {
            places.entry(name).or_insert((hex, Vec::new())).1.push(span);
        }
    }
    places
        .into_iter()
        .filter(|(name, _)| !is_scripted(&page.html, name))
        .take(MOST_PROPERTIES)
        .map(|(name, (hex, spans))| {
            let line = spans.first().map_or(1, |span| page.source.line(span.start));
            let times = match spans.len() {
                1 => "once".to_owned(),
                times => format!("{times} times"),
            };
            let reason = format!("{hex}, written out {times}, taken from {name} (first on line {line})");
            let edits = spans.into_iter().map(|span| (span, format!("var({name})"))).collect();
            vec![Repair { edits, ..Repair::one("brand/tokens", 0..0, "", reason) }]
        })
        .collect()
}

/// Whether a script speaks of a property, and may change it.
fn is_scripted(html: &str, name: &str) -> bool {
    html.match_indices(name).any(|(at, _)| {
        let before = html.get(..at).and_then(|before| before.chars().next_back());
        let after = html.get(at + name.len()..).and_then(|after| after.chars().next());
        matches!((before, after), (Some(open @ ('"' | '\'' | '`')), Some(close)) if open == close)
    })
}
