//! The guard: what a change has to do for the page, and what it must never do to it.
//!
//! * The potential falls. It is a tuple of counts of what is open, worst first, so it cannot fall for ever.
//! * Nothing new of moderate or worse severity comes in. New is told element by element: one defect gone and
//!   another come do not cancel out.
//! * Nothing that was found wrong becomes undecided. Hiding a fault is no repair.
//! * Nobody who passed is touched, in any window: [`harm`] says what that means. What only writes the same in other
//!   words changes no computed value.
//!
//! A brand comes after its readers: text may leave a token for contrast, and what the brand then misses does not
//! count against it.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Behind, NodeId, Snapshot, Viewport};

use crate::finding::{Finding, Severity};
use crate::page::Page;
use crate::score::Examination;

use super::edit::{Repair, Shift};
use super::harm;

/// Open findings, worst first. Among equals, what keeps people out stands before what only looks wrong, and what a
/// brand demands stands behind what everybody demands.
///
/// Every entry is a count, and counts of one page are bounded, so a chain of potentials that falls ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Potential([usize; 10]);

impl Potential {
    pub(crate) fn of(examination: &Examination) -> Self {
        let mut counts = [0; 10];
        for (check, finding) in examination.findings() {
            let slot = match (finding.severity, check.split('/').next().unwrap_or_default()) {
                (Severity::Critical, "brand") => 2,
                (Severity::Critical, _) => 0,
                (Severity::Serious, "brand") => 3,
                (Severity::Serious, _) => 1,
                (Severity::Moderate, "a11y") => 4,
                (Severity::Moderate, "brand") => 6,
                (Severity::Moderate, _) => 5,
                (Severity::Minor, "a11y") => 7,
                (Severity::Minor, "brand") => 9,
                (Severity::Minor, _) => 8,
            };
            if let Some(count) = counts.get_mut(slot) {
                *count += finding.weight;
            }
        }
        Self(counts)
    }
}

/// What may come in for what: the reader goes before the brand.
const EXCUSED: &[(&str, &str)] = &[("a11y/contrast", "brand/")];

/// Checks whose finding on an element stands for everything inside it.
const FOR_ALL_INSIDE: &[&str] = &["a11y/region"];

/// Which element of one page is which of another.
pub(crate) struct Counterparts {
    /// By the element's place in the later page; absent for one that was not there before.
    earlier: Vec<Option<NodeId>>,
}

impl Counterparts {
    /// Finds them by where their tags stand, or one by one when no element came or went.
    pub(crate) fn of(before: &Page<'_>, after: &Page<'_>, repairs: &[Repair]) -> Self {
        let (old, new) = (&before.snapshot.nodes, &after.snapshot.nodes);
        let same = old.len() == new.len() && old.iter().zip(new).all(|(one, other)| one.tag == other.tag);
        if same {
            return Self { earlier: old.iter().map(|node| Some(node.id)).collect() };
        }
        let shift = Shift::of(repairs);
        let places: BTreeMap<usize, NodeId> = old
            .iter()
            .filter_map(|node| {
                let tag = before.source.tag(node.id)?;
                // An insertion before the tag belongs to the text before it.
                Some((shift.apply(tag.span.start), node.id))
            })
            .collect();
        let implied = |tag: &str| old.iter().find(|node| node.tag == tag).map(|node| node.id);
        Self {
            earlier: new
                .iter()
                .map(|node| match after.source.tag(node.id) {
                    Some(tag) => places.get(&tag.span.start).copied(),
                    None if matches!(node.tag.as_str(), "html" | "head" | "body") => implied(&node.tag),
                    None => None,
                })
                .collect(),
        }
    }

    /// By element: the pixels its counterpart had behind it.
    pub(crate) fn behind(&self, before: &Page<'_>) -> Vec<Option<Behind>> {
        self.earlier.iter().map(|id| before.node((*id)?)?.behind.clone()).collect()
    }

    pub(super) fn earlier(&self, node: NodeId) -> Option<NodeId> {
        self.earlier.get(node.index()).copied().flatten()
    }
}

/// What is open on a page, by element and by cause.
struct Open<'a> {
    elements: BTreeMap<(&'a str, Option<u32>, NodeId), Severity>,
    /// Findings about the page as a whole, with how much there is of each.
    page: BTreeMap<(&'a str, Option<u32>, &'a str), (Severity, usize)>,
    undecided: BTreeSet<(&'a str, NodeId)>,
}

fn width(viewport: Option<Viewport>) -> Option<u32> {
    viewport.map(|viewport| viewport.width)
}

impl<'a> Open<'a> {
    fn of(examination: &'a Examination) -> Self {
        let mut open = Self { elements: BTreeMap::new(), page: BTreeMap::new(), undecided: BTreeSet::new() };
        for (check, finding) in examination.findings() {
            let window = width(finding.viewport);
            if finding.nodes.is_empty() {
                let slot =
                    open.page.entry((check, window, finding.cause.as_str())).or_insert((finding.severity, 0));
                slot.0 = slot.0.max(finding.severity);
                slot.1 += finding.weight;
            }
            for node in &finding.nodes {
                let slot = open.elements.entry((check, window, *node)).or_insert(finding.severity);
                *slot = (*slot).max(finding.severity);
            }
        }
        for (check, outcome) in examination.results() {
            for node in outcome.undecided.iter().flat_map(|finding| &finding.nodes) {
                open.undecided.insert((check.id, *node));
            }
        }
        open
    }

    /// Whether a finding was open before, on all of its elements and at least as bad.
    fn has(&self, check: &str, finding: &Finding, counterparts: &Counterparts, page: &Page<'_>) -> bool {
        let window = width(finding.viewport);
        if finding.nodes.is_empty() {
            return self.page.get(&(check, window, finding.cause.as_str())).is_some_and(
                |(severity, weight)| *severity >= finding.severity && *weight >= finding.weight,
            );
        }
        finding.nodes.iter().all(|node| {
            let open = |node: NodeId| {
                self.elements
                    .get(&(check, window, node))
                    .is_some_and(|severity| *severity >= finding.severity)
            };
            counterparts.earlier(*node).is_some_and(|earlier| {
                let around = || {
                    page.node(earlier)
                        .is_some_and(|node| page.snapshot.ancestors(node).any(|node| open(node.id)))
                };
                open(earlier) || (FOR_ALL_INSIDE.contains(&check) && around())
            })
        })
    }
}

/// Whether a change may stay.
pub(crate) fn accepts(
    before: (&Page<'_>, &Examination),
    after: (&Page<'_>, &Examination),
    repairs: &[Repair],
) -> bool {
    if Potential::of(after.1) >= Potential::of(before.1) {
        return false;
    }
    let counterparts = Counterparts::of(before.0, after.0, repairs);
    let reworded = repairs.iter().all(Repair::keeps_styles);
    let harmed = brings_in(before, after.1, repairs, &counterparts)
        || harm::is_done(before, after.0, repairs, &counterparts)
        || (reworded && restyles(before.0, after.0, &counterparts));
    !harmed
}

fn brings_in(
    before: (&Page<'_>, &Examination),
    after: &Examination,
    repairs: &[Repair],
    counterparts: &Counterparts,
) -> bool {
    let (page, before) = before;
    let open = Open::of(before);
    let excused = |check: &str| {
        EXCUSED.iter().any(|(wanted, given)| {
            check.starts_with(given) && repairs.iter().any(|repair| repair.check == *wanted)
        })
    };
    let new = after
        .findings()
        .filter(|(check, finding)| finding.severity >= Severity::Moderate && !excused(check))
        .any(|(check, finding)| !open.has(check, finding, counterparts, page));
    let hidden = || {
        after.results().any(|(check, outcome)| {
            outcome.undecided.iter().flat_map(|finding| &finding.nodes).any(|node| {
                counterparts.earlier(*node).is_some_and(|node| {
                    !open.undecided.contains(&(check.id, node))
                        && open
                            .elements
                            .range((check.id, None, node)..)
                            .take_while(|((id, _, _), _)| *id == check.id)
                            .any(|((_, _, open), _)| *open == node)
                })
            })
        })
    };
    new || hidden()
}

/// Every window of a page as it was, with the same window as it is.
pub(super) fn windows<'a>(
    before: &'a Page<'_>,
    after: &'a Page<'_>,
) -> impl Iterator<Item = (&'a Snapshot, &'a Snapshot)> {
    std::iter::once((&before.snapshot, &after.snapshot)).chain(before.narrower.iter().zip(&after.narrower))
}

/// Whether any element has another style than it had.
fn restyles(before: &Page<'_>, after: &Page<'_>, counterparts: &Counterparts) -> bool {
    windows(before, after).any(|(before, after)| {
        after.nodes.iter().any(|node| {
            counterparts
                .earlier(node.id)
                .and_then(|id| before.node(id))
                .is_none_or(|earlier| earlier.style != node.style || earlier.generated != node.generated)
        })
    })
}
