//! Giving just these elements a declaration: by a rule when names select them and nothing else, or on the
//! elements themselves.

use jury_eye::{Node, NodeId};

use crate::page::Page;

use super::Asked;
use super::edit::Repair;
use super::stylesheet::add_rule;

/// Whether an element is among those selected.
type Selects<'a> = &'a dyn Fn(&Node) -> bool;

/// Repairs that give elements a declaration. A rule is taken only if it touches no other element, seen or not.
pub(super) fn style_elements(
    asked: &Asked<'_>,
    check: &'static str,
    nodes: &[NodeId],
    declaration: &str,
    why: &str,
) -> Vec<Repair> {
    let page = asked.page;
    let mut repairs = Vec::new();
    for group in page.grouped(nodes.iter().copied()) {
        let Some(first) = group.first().and_then(|id| page.node(*id)) else {
            continue;
        };
        let only_these = |selects: Selects<'_>| {
            page.snapshot.nodes.iter().filter(|node| selects(node)).all(|node| nodes.contains(&node.id))
        };
        if let Some(selector) = unique_selector(page, first, &only_these) {
            // Each of several declarations has to win by itself.
            let winning: Vec<String> = declaration.split(';').map(|one| format!("{one}!important")).collect();
            let rule = format!("{selector}{{{}}}", winning.join(";"));
            let repair = add_rule(page, check, &rule, format!("{selector} gets {declaration}: {why}"));
            if asked.is_open(&repair) {
                if !repairs.contains(&repair) {
                    repairs.push(repair);
                }
                continue;
            }
        }
        for id in group {
            let Some(tag) = page.source.tag(id) else { continue };
            let reason = format!("{} gets {declaration}: {why}", page.place(id));
            let quoted =
                |end: usize| page.html.as_bytes().get(end).is_some_and(|byte| matches!(byte, b'"' | b'\''));
            match tag.attribute("style") {
                Some(style) if quoted(style.value.end) => {
                    repairs.push(Repair::insert(check, style.value.end, format!(";{declaration}"), reason));
                }
                Some(_) => {}
                None => repairs.push(Repair::insert(
                    check,
                    tag.insertion_point(),
                    format!(" style=\"{declaration}\""),
                    reason,
                )),
            }
        }
    }
    repairs
}

/// A selector of tag and classes, in front of it one ancestor if need be, that touches nothing else.
fn unique_selector(page: &Page<'_>, node: &Node, only_these: &dyn Fn(Selects<'_>) -> bool) -> Option<String> {
    let own = compound(node)?;
    let fits = |other: &Node| {
        other.tag == node.tag && node.classes().all(|class| other.classes().any(|has| has == class))
    };
    if node.classes().next().is_some() && only_these(&fits) {
        return Some(own);
    }
    page.snapshot
        .ancestors(node)
        .filter(|around| around.classes().next().is_some() || around.attribute("id").is_some())
        .find_map(|around| {
            let prefix = compound(around)?;
            let inside = |other: &Node| {
                fits(other)
                    && page.snapshot.ancestors(other).any(|outer| {
                        outer.tag == around.tag
                            && around.classes().all(|class| outer.classes().any(|has| has == class))
                    })
            };
            only_these(&inside).then(|| format!("{prefix} {own}"))
        })
}

fn compound(node: &Node) -> Option<String> {
    let mut out = node.tag.clone();
    for class in node.classes() {
        let plain = class.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && class.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_'));
        if !plain {
            return None;
        }
        out.push('.');
        out.push_str(class);
    }
    Some(out)
}

/// A selector that finds one element and no other: its id, its classes, or the way to it from one that has such.
pub(super) fn exact_selector(page: &Page<'_>, node: &Node) -> String {
    // The element itself fits, so a second one settles it.
    let alone = |fits: &dyn Fn(&Node) -> bool| {
        page.snapshot.nodes.iter().filter(|other| fits(other)).nth(1).is_none()
    };
    let plain = |word: &&str| {
        word.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && word.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_'))
    };
    if let Some(id) = node.attribute("id").filter(plain)
        && alone(&|other| other.attribute("id") == Some(id))
    {
        return format!("#{id}");
    }
    let fits = |other: &Node| {
        other.tag == node.tag && node.classes().all(|class| other.classes().any(|has| has == class))
    };
    if let Some(own) = compound(node)
        && (matches!(node.tag.as_str(), "html" | "body") || node.classes().next().is_some())
        && alone(&fits)
    {
        return own;
    }
    let Some(parent) = node.parent.and_then(|parent| page.node(parent)) else {
        return node.tag.clone();
    };
    let before = page
        .snapshot
        .descendants(parent)
        .take_while(|sibling| sibling.id < node.id)
        .filter(|sibling| sibling.parent == Some(parent.id))
        .count();
    format!("{}>{}:nth-child({})", exact_selector(page, parent), node.tag, before + 1)
}
