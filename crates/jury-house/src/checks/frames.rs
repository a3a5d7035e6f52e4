//! Frames: their names, and whether what is inside can be reached.

use jury_eye::{Node, Viewport};

use super::causes::Causes;
use crate::finding::{Outcome, Severity};
use crate::page::{Page, selector};

/// A page inside a frame above this size is not looked into.
const MOST_BYTES: usize = 200_000;

/// As many frames are looked into.
const MOST_FRAMES: usize = 10;

fn frames<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        matches!(node.tag.as_str(), "iframe" | "frame")
            && node.attribute("role").is_none_or(|role| role.trim().is_empty())
    })
}

fn is_out_of_order(node: &Node) -> bool {
    node.tab_index().is_some_and(|index| index < 0)
}

pub(super) fn names(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in frames(page).filter(|node| !is_out_of_order(node)) {
        total += 1;
        if node.name.is_empty() {
            wrong.add(Severity::Serious, format!("{} has no name, needs a title", selector(node)), node.id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} frames without a name");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

pub(super) fn reach(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in frames(page).filter(|node| is_out_of_order(node)) {
        total += 1;
        if total <= MOST_FRAMES && holds_tab_stop(page, node) {
            let cause =
                format!("{} has tabindex -1 and something inside that needs the focus", selector(node));
            wrong.add(Severity::Serious, cause, node.id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} frames out of the focus order with something to focus");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

/// Looks into the page of a frame, when it is at hand.
fn holds_tab_stop(page: &Page<'_>, frame: &Node) -> bool {
    let beside = || {
        let address = frame.attribute("src")?.split(['?', '#']).next()?;
        std::str::from_utf8(page.subject.beside.get(address)?).ok()
    };
    let Some(inner) = frame.attribute("srcdoc").or_else(beside).filter(|inner| inner.len() <= MOST_BYTES)
    else {
        return false;
    };
    jury_eye::look(inner, Viewport::PHONE).is_ok_and(|snapshot| {
        snapshot
            .nodes
            .iter()
            .any(|node| node.is_focusable() && node.tab_index().is_none_or(|index| index >= 0))
    })
}
