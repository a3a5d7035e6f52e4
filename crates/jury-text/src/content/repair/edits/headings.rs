//! The levels of headings in Markdown: no gaps, and none without words.

use std::collections::BTreeSet;

use crate::markdown::blocks::{self, Kind};

/// The text with every heading at most one level below the one above it. Those that were on one level stay on one.
pub(super) fn closed(text: &str) -> Option<String> {
    let found = blocks::blocks(text, 1).ok()?;
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    // The headings that are open above the next one: their levels as they were and as they are.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for block in &found {
        let Kind::Heading { level, .. } = &block.kind else { continue };
        while open.last().is_some_and(|(was, _)| was >= level) {
            open.pop();
        }
        let most = open.last().map_or(*level, |(_, is)| is + 1);
        let is = (*level).min(most);
        open.push((*level, is));
        let line = lines.get_mut(block.line as usize - 1)?;
        // A heading that is underlined has the first or the second level; there is nothing to close.
        if is != *level && line.trim_start().starts_with('#') {
            let words = line.trim_start().trim_start_matches('#').to_owned();
            *line = format!("{}{words}", "#".repeat(is));
        }
    }
    Some(lines.join("\n"))
}

/// The text without headings that say nothing.
pub(super) fn without_empty(text: &str) -> Option<String> {
    let found = blocks::blocks(text, 1).ok()?;
    let is_empty = |kind: &Kind| matches!(kind, Kind::Heading { text, .. } if text.is_empty());
    let empty: BTreeSet<usize> =
        found.iter().filter(|block| is_empty(&block.kind)).map(|block| block.line as usize - 1).collect();
    let kept: Vec<&str> = text
        .split('\n')
        .enumerate()
        .filter(|(index, line)| !(empty.contains(index) && line.trim_start().starts_with('#')))
        .map(|(_, line)| line)
        .collect();
    Some(kept.join("\n"))
}
