//! Repairs of the outline: heading levels and the main landmark, by attributes that change no layout.

use jury_eye::Node;

use crate::checks::{self, heading_level};
use crate::page::Page;

use super::edit::Repair;

/// Levels that follow from how the headings nest, written as `aria-level` where they differ.
fn nested_levels(levels: &[u8]) -> Vec<u8> {
    let mut open: Vec<(u8, u8)> = Vec::new();
    levels
        .iter()
        .map(|level| {
            while open.last().is_some_and(|(written, _)| written >= level) {
                open.pop();
            }
            let assigned = open.last().map_or(*level, |(_, around)| around + 1);
            open.push((*level, assigned));
            assigned
        })
        .collect()
}

pub(super) fn headings(page: &Page<'_>) -> Option<Repair> {
    let headings = checks::headings(page);
    let levels: Vec<u8> = headings.iter().map(|node| heading_level(node)).collect();
    let wanted = nested_levels(&levels);
    let mut edits = Vec::new();
    let mut places = Vec::new();
    for ((node, level), wanted) in headings.iter().zip(&levels).zip(&wanted) {
        if level == wanted {
            continue;
        }
        let tag = page.source.tag(node.id)?;
        places.push((node.id, *level, *wanted));
        edits.push(match tag.attribute("aria-level") {
            Some(written) => (written.span.clone(), format!("aria-level=\"{wanted}\"")),
            None => (tag.insertion_point()..tag.insertion_point(), format!(" aria-level=\"{wanted}\"")),
        });
    }
    let (first, level, assigned) = *places.first()?;
    Some(Repair {
        check: "a11y/heading-order",
        edits,
        reason: format!(
            "aria-level on {} headings so that none jumps ({}: {level} to {assigned})",
            places.len(),
            page.place(first)
        ),
        visible: super::Visible::No,
        invents_words: false,
    })
}

/// `role="main"` on the part of the body that holds most of the text.
pub(super) fn main(page: &Page<'_>) -> Option<Repair> {
    if page.exposed().any(|node| node.role.as_deref() == Some("main")) {
        return None;
    }
    let body = page.snapshot.nodes.iter().find(|node| node.tag == "body")?;
    // Hidden text counts too: the part must hold the page, not the one slide that is shown.
    let characters = |node: &Node| -> usize {
        node.text.len() + page.snapshot.descendants(node).map(|inner| inner.text.len()).sum::<usize>()
    };
    let total = characters(body);
    let candidate = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| {
            matches!(node.tag.as_str(), "div" | "section" | "article")
                && node.attribute("role").is_none()
                && page.snapshot.ancestors(node).take(3).any(|around| around.id == body.id)
        })
        // The innermost such part: navigation and footer stay outside when they can.
        .rfind(|node| characters(node) * 2 > total)?;
    let tag = page.source.tag(candidate.id)?;
    Some(Repair::insert(
        "a11y/main",
        tag.insertion_point(),
        " role=\"main\"",
        format!("role=\"main\" on {}, which holds most of the text", page.place(candidate.id)),
    ))
}

#[cfg(test)]
mod tests {
    use super::nested_levels;

    #[test]
    fn levels_follow_the_nesting() {
        assert_eq!(nested_levels(&[1, 3, 3, 2, 4]), [1, 2, 2, 2, 3]);
        assert_eq!(nested_levels(&[1, 2, 3, 2]), [1, 2, 3, 2]);
        assert_eq!(nested_levels(&[2, 3, 1, 2]), [2, 3, 1, 2]);
    }
}
