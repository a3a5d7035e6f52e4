//! Repairs of the outline: heading levels, by attributes that change no layout.

use jury_eye::Node;

use crate::checks::{self, heading_level};
use crate::finding::counted;
use crate::page::Page;

use super::Ways;
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
            let assigned = open.last().map_or(*level, |(_, around)| around.saturating_add(1));
            open.push((*level, assigned));
            assigned
        })
        .collect()
}

pub(super) fn headings(page: &Page<'_>) -> Vec<Ways> {
    let headings = checks::headings(page);
    if headings.is_empty() {
        return vec![spoken_title(page).into_iter().collect()];
    }
    let levels: Vec<u8> = headings.iter().map(|node| heading_level(node)).collect();
    let mut ways = Vec::new();
    if !levels.contains(&1) {
        ways.extend(relevel(page, &headings, &levels, &with_a_first_level(page, &headings, &levels)));
    }
    ways.extend(relevel(page, &headings, &levels, &nested_levels(&levels)));
    vec![ways]
}

/// Levels in which the first heading that is as large as any is the title of the page.
fn with_a_first_level(page: &Page<'_>, headings: &[&Node], levels: &[u8]) -> Vec<u8> {
    let size = |node: &Node| page.node(node.id).and_then(|node| Some(node.style.as_ref()?.font_size));
    let largest = headings.iter().filter_map(|node| size(node)).fold(0.0, f32::max);
    let mut levels = levels.to_vec();
    let first = headings.iter().position(|node| size(node).is_some_and(|size| size >= largest));
    if let Some(level) = first.and_then(|index| levels.get_mut(index)) {
        *level = 1;
    }
    nested_levels(&levels)
}

fn relevel(page: &Page<'_>, headings: &[&Node], levels: &[u8], wanted: &[u8]) -> Option<Repair> {
    let mut edits = Vec::new();
    let mut places = Vec::new();
    for ((node, level), wanted) in headings.iter().zip(levels).zip(wanted) {
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
            "aria-level on {} so that none jumps ({}: {level} to {assigned})",
            counted(places.len(), "heading"),
            page.place(first)
        ),
        visible: super::Visible::No,
        invents_words: false,
    })
}

/// A page without headings whose largest words stand out is titled by them.
fn spoken_title(page: &Page<'_>) -> Option<Repair> {
    const STANDS_OUT: f32 = 1.25;
    let size = |node: &Node| node.style.as_ref().map_or(0.0, |style| style.font_size);
    let mut shown: Vec<&Node> = page.runs.iter().filter_map(|run| page.node(run.node)).collect();
    shown.sort_by(|one, other| size(other).total_cmp(&size(one)).then(one.id.cmp(&other.id)));
    let (largest, rest) = shown.split_first()?;
    let next = rest.first().map_or(0.0, |node| size(node));
    let plain = matches!(largest.tag.as_str(), "div" | "p" | "span") && largest.attribute("role").is_none();
    let words = largest.text.chars().filter(|ch| ch.is_alphabetic()).count();
    if !plain || size(largest) < next * STANDS_OUT || !(3..=120).contains(&words) {
        return None;
    }
    let tag = page.source.tag(largest.id)?;
    Some(Repair::insert(
        "a11y/heading-order",
        tag.insertion_point(),
        " role=\"heading\" aria-level=\"1\"",
        format!("the largest words of the page are its heading ({})", page.place(largest.id)),
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
