//! Boxes of one kind beside each other: as wide as each other, and as high where they stand in a row.

use std::collections::BTreeMap;

use jury_eye::{Layout, Node, NodeId, Rect};

use super::blocks::{in_flow, paints};
use crate::finding::{Finding, Outcome, Severity, count};
use crate::page::Page;

/// Smaller boxes are labels, as wide as their words.
const LEAST_WIDTH: f32 = 100.0;
const LEAST_HEIGHT: f32 = 56.0;

/// A kind has at least this many members.
const LEAST_MEMBERS: usize = 3;

/// Sides this near are the same.
const SAME: f32 = 1.5;

/// Half of the boxes unlike the others of their row is where there is no row.
const ZERO_AT: f64 = 0.5;

/// Boxes of one kind that differ in size from all others.
pub(crate) fn cards(page: &Page<'_>) -> Outcome {
    let mut kinds: BTreeMap<(NodeId, &str, &str), Vec<(NodeId, Rect)>> = BTreeMap::new();
    for node in page.snapshot.nodes.iter().filter(|node| node.shown && is_card(node)) {
        if let Some((parent, rect)) = node.parent.zip(node.rect) {
            let class = node.attribute("class").unwrap_or_default();
            kinds.entry((parent, node.tag.as_str(), class)).or_default().push((node.id, rect));
        }
    }
    let (mut all, mut odd) = (0, Vec::new());
    for members in kinds.into_values().filter(|members| members.len() >= LEAST_MEMBERS) {
        all += members.len();
        let alone = |own: &(NodeId, Rect)| {
            let others = || members.iter().filter(|other| other.0 != own.0);
            let wide = others().any(|other| (other.1.width - own.1.width).abs() <= SAME);
            let mut row = others().filter(|other| (other.1.y - own.1.y).abs() <= SAME).peekable();
            let high = row.peek().is_none() || row.any(|other| (other.1.height - own.1.height).abs() <= SAME);
            !wide || !high
        };
        let of_kind: Vec<NodeId> = members.iter().filter(|own| alone(own)).map(|own| own.0).collect();
        // One of a kind may be the large one.
        if of_kind.len() > 1 {
            odd.extend(of_kind);
        }
    }
    if all == 0 {
        return Outcome::not_applicable();
    }
    let note = format!("{} of {all} boxes of one kind differ in size", odd.len());
    let failing = odd.len();
    let findings = (failing > 0)
        .then(|| {
            let what = format!("boxes of one kind have different sizes ({})", page.places(&odd));
            Finding::page(Severity::Minor, what).because("uneven boxes").figure("boxes", count(failing), "")
        })
        .into_iter()
        .collect();
    Outcome::share(failing, all, ZERO_AT, note, findings)
}

fn is_card(node: &Node) -> bool {
    let large = node.rect.is_some_and(|rect| rect.width >= LEAST_WIDTH && rect.height >= LEAST_HEIGHT);
    let block = node.style.as_ref().is_some_and(|style| {
        !matches!(style.layout, Layout::Inline | Layout::InlineBlock | Layout::Other) && paints(style)
    });
    large && block && in_flow(node)
}
