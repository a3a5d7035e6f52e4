//! Parts of a page that are not measured at all: what the engine does not lay out, and pages inside of pages. They are
//! told one by one, so that nobody takes silence for a verdict.

use jury_eye::{Layout, Node};

use super::causes::Causes;
use crate::finding::{Outcome, Severity};
use crate::page::Page;

/// What holds content that is seen and not measured.
fn reason(page: &Page<'_>, node: &Node) -> Option<&'static str> {
    match node.tag.as_str() {
        "template" if node.attribute("shadowrootmode").is_some() => {
            Some("a declarative shadow root, whose content is not looked at")
        }
        "svg" if node.shown && holds_foreign(page, node) => {
            Some("foreignObject in a drawing, whose content is not laid out")
        }
        "iframe"
            if node.shown && node.attribute("srcdoc").is_some_and(|inside| !inside.trim().is_empty()) =>
        {
            Some("a page in srcdoc, which is not looked at")
        }
        "caption" if is_unlaid(page, node) => Some("a table caption, whose text is not laid out"),
        "td" | "th" if is_unlaid(page, node) && is_no_cell(node) => {
            Some("a cell that is laid out as something else, whose text is not laid out")
        }
        "input" | "textarea"
            if node.shown
                && node.attribute("placeholder").is_some_and(|words| !words.trim().is_empty())
                && page
                    .declarations
                    .iter()
                    .any(|one| one.selector.contains("placeholder") && one.property == "color") =>
        {
            Some("the colour of a placeholder, which is not looked at")
        }
        _ => None,
    }
}

/// Whether a drawing holds a piece of HTML. The engine does not give its parts as elements; the source has them.
fn holds_foreign(page: &Page<'_>, node: &Node) -> bool {
    let rest = page.source.tag(node.id).and_then(|tag| page.html.get(tag.span.end..)).unwrap_or_default();
    let inside = rest.split_once("</svg").map_or(rest, |(inside, _)| inside);
    inside.match_indices('<').any(|(at, _)| {
        inside
            .get(at + 1..)
            .and_then(|tag| tag.get(..FOREIGN.len()))
            .is_some_and(|tag| tag.eq_ignore_ascii_case(FOREIGN))
    })
}

const FOREIGN: &str = "foreignObject";

/// The engine gives such parts no box of their own, so that they do not count as shown either.
fn is_unlaid(page: &Page<'_>, node: &Node) -> bool {
    let has_words =
        !node.text.is_empty() || page.snapshot.descendants(node).any(|inner| !inner.text.is_empty());
    node.rendered
        && node.exposed
        && has_words
        && node.lines.is_empty()
        && node.rect.is_none_or(|rect| rect.area() <= 0.0)
}

fn is_no_cell(node: &Node) -> bool {
    node.style.as_ref().is_some_and(|style| matches!(style.layout, Layout::Flex | Layout::Grid))
}

pub(super) fn unmeasured(page: &Page<'_>) -> Outcome {
    let mut open = Causes::default();
    for node in &page.snapshot.nodes {
        if let Some(reason) = reason(page, node) {
            open.add(Severity::Moderate, format!("not measured: {reason}"), node.id);
        }
    }
    Outcome::not_applicable().undecided(open.findings(page))
}
