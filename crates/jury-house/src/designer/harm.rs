//! Who a change touches. A repair may change what is wrong, and nothing else that can be seen.
//!
//! * An element without the fault keeps its colour, background, border, opacity, size of letters and visibility, in every
//!   window, also where it is not in sight now: on another slide, outside of the window, cut off.
//! * A text and the box it stands on are one fault with two halves. The box may change too, if every other text on it
//!   passes and gains by it.
//! * Nobody who passed moves by more than a hair, or by [`FEW_PIXELS`] where a repair said that it moves something. A
//!   faulty element that grows may push what follows it down by a line.
//! * A window that scrolls sideways is at fault as a whole: there the boxes around what is too wide are laid out anew, and
//!   everything else may only go down. Windows in which the page fits are left as they are.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId, Rect, Rgba, Snapshot};

use crate::page::Page;
use crate::paint::opaque;
use crate::score::Examination;
use crate::text_run::Verdict;

use super::acceptance::{Counterparts, windows};
use super::contrast;
use super::edit::{Repair, Visible};
use super::layout::too_wide;
use super::sight;

/// What may move when a repair said that something does.
const FEW_PIXELS: f32 = 4.0;

/// How far down a growing element may push what follows it: a line of text.
const ONE_LINE: f32 = 24.0;

/// The smallest difference between two colours that is noticed, in `OKLab`.
const NOTICED: f64 = 0.02;

/// How far a step of a declared scale may be from what takes it.
const STEP: f32 = 2.0;

/// The ratio of two sizes of letters that nobody can tell apart.
const ALIKE: f32 = 1.06;

/// The elements that something is wrong with, as far as these repairs answer it.
struct Faulty {
    nodes: BTreeSet<NodeId>,
    /// What faint text stands on, and what fades it.
    grounds: BTreeSet<NodeId>,
    /// Whether pages that scroll sideways are repaired.
    reflows: bool,
    /// Whether sizes take a step of a declared scale, which is 2 px away at most. The finding is about the page.
    steps: bool,
    /// Whether what moves is brought to rest. Where it is in a picture of one moment says nothing.
    rests: bool,
}

impl Faulty {
    fn of(page: &Page<'_>, examination: &Examination, repairs: &[Repair]) -> Self {
        let answers = |check: &str| repairs.iter().any(|repair| repair.check == check);
        let mut faulty = Self {
            nodes: BTreeSet::new(),
            grounds: BTreeSet::new(),
            reflows: answers("a11y/reflow"),
            steps: answers("brand/scale"),
            rests: false,
        };
        for (check, finding) in examination.findings() {
            if answers(check) && check != contrast::CHECK {
                faulty.nodes.extend(&finding.nodes);
            }
            // What moves takes along what is in it.
            if answers(check) && check == "a11y/motion" {
                let moving = finding.nodes.iter().filter_map(|id| page.node(*id));
                faulty
                    .nodes
                    .extend(moving.flat_map(|node| page.snapshot.descendants(node)).map(|node| node.id));
                faulty.rests = true;
            }
        }
        if answers(contrast::CHECK) {
            for run in contrast::repairable(page) {
                faulty.nodes.insert(run.node);
                faulty.grounds.extend(contrast::ground(page, run));
                faulty.grounds.extend(contrast::faded_by(page, run));
            }
        }
        faulty
    }
}

impl Faulty {
    /// Whether letters may have another size on elements that nothing was found on.
    fn lets_grow(&self, was: f32, is: f32) -> bool {
        (was / is).max(is / was) <= ALIKE || (self.steps && (was - is).abs() <= STEP)
    }
}

/// Whether a change touches anybody it has no business with.
pub(super) fn is_done(
    before: (&Page<'_>, &Examination),
    after: &Page<'_>,
    repairs: &[Repair],
    counterparts: &Counterparts,
) -> bool {
    let (page, examination) = before;
    let faulty = Faulty::of(page, examination, repairs);
    let moving = repairs.iter().map(|repair| repair.visible).max().unwrap_or(Visible::No);
    windows(page, after).any(|(before, after)| {
        let room = Room::of(before, &faulty, moving);
        let (was, is) = (opacities(before), opacities(after));
        after.nodes.iter().any(|node| {
            let Some(earlier) = counterparts.earlier(node.id).and_then(|id| before.node(id)) else {
                return false;
            };
            let faded = (strength(&was, earlier.id) - strength(&is, node.id)).abs() > 0.01;
            looks_otherwise(earlier, node, faded, &faulty) || room.is_left(before, earlier, node)
        })
    }) || loses_ground(page, after, &faulty, counterparts)
}

/// By element: its opacity and that of everything around it.
fn opacities(snapshot: &Snapshot) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let around = node.parent.and_then(|parent| all.get(parent.index())).copied().unwrap_or(1.0);
        all.push(around * node.style.as_ref().map_or(1.0, |style| style.opacity));
    }
    all
}

fn strength(opacities: &[f32], id: NodeId) -> f32 {
    opacities.get(id.index()).copied().unwrap_or(1.0)
}

fn is_told_apart(one: Rgba, other: Rgba) -> bool {
    if one.alpha < 0.01 && other.alpha < 0.01 {
        return false;
    }
    (one.alpha - other.alpha).abs() > 0.01 || opaque(one).oklab().distance(opaque(other).oklab()) > NOTICED
}

/// Whether somebody who passed is painted in another way.
fn looks_otherwise(earlier: &Node, node: &Node, faded: bool, faulty: &Faulty) -> bool {
    if faulty.nodes.contains(&earlier.id) {
        return false;
    }
    if earlier.shown != node.shown {
        return true;
    }
    let (Some(was), Some(is)) = (&earlier.style, &node.style) else {
        return earlier.style.is_some() != node.style.is_some();
    };
    let is_field = matches!(earlier.tag.as_str(), "input" | "textarea" | "select");
    let writes = !earlier.text.trim().is_empty() || is_field;
    let letters = writes
        && (is_told_apart(was.color, is.color)
            || was.text_fill != is.text_fill
            || was.underline != is.underline
            || (was.font_weight - is.font_weight).abs() > 1.0
            || !faulty.lets_grow(was.font_size, is.font_size));
    let ground = faulty.grounds.contains(&earlier.id);
    let fills = !ground
        && (is_told_apart(was.backdrop.color, is.backdrop.color)
            || was.backdrop.gradient != is.backdrop.gradient
            || was.backdrop.image != is.backdrop.image
            || was.backdrop.clipped_to_text != is.backdrop.clipped_to_text);
    let mut edges = was.border.sides().into_iter().zip(was.border_color).zip(is.border_color);
    let edged = edges.any(|((width, was), is)| width >= 0.5 && is_told_apart(was, is));
    let added = earlier.generated.len() != node.generated.len()
        || earlier.generated.iter().zip(&node.generated).any(|(was, is)| was.backdrop != is.backdrop);
    let paints = writes
        || earlier.unseen
        || earlier.tag == "img"
        || !earlier.generated.is_empty()
        || !was.backdrop.is_none()
        || was.border.sides().iter().any(|width| *width >= 0.5);
    letters || fills || edged || added || (faded && paints && !ground)
}

/// How far elements may move in one window.
struct Room {
    moving: Visible,
    /// Laid out anew: what is at fault, and what is inside of it.
    inside: Vec<bool>,
    /// Around what is at fault.
    around: Vec<bool>,
    /// The window scrolls sideways, and that is repaired.
    anew: bool,
    rests: bool,
}

impl Room {
    fn of(snapshot: &Snapshot, faulty: &Faulty, moving: Visible) -> Self {
        let wide: Vec<&Node> = if faulty.reflows { too_wide(snapshot) } else { Vec::new() };
        let anew = !wide.is_empty();
        let mut room = Self {
            moving,
            inside: vec![false; snapshot.nodes.len()],
            around: vec![false; snapshot.nodes.len()],
            anew,
            rests: faulty.rests,
        };
        let mut roots: BTreeSet<NodeId> = if faulty.reflows { BTreeSet::new() } else { faulty.nodes.clone() };
        // A box that is too wide is laid out by the one around it, together with those beside it.
        roots.extend(wide.iter().flat_map(|node| [Some(node.id), node.parent]).flatten());
        for root in roots.iter().filter_map(|id| snapshot.node(*id)) {
            if matches!(root.tag.as_str(), "html" | "body") {
                continue;
            }
            for index in root.id.index()..root.subtree_end.index() {
                if let Some(slot) = room.inside.get_mut(index) {
                    *slot = true;
                }
            }
            for around in snapshot.ancestors(root) {
                if let Some(slot) = room.around.get_mut(around.id.index()) {
                    *slot = true;
                }
            }
        }
        room
    }

    /// Whether an element went further than it may.
    fn is_left(&self, snapshot: &Snapshot, earlier: &Node, node: &Node) -> bool {
        if !earlier.shown && !node.shown {
            return false;
        }
        let (Some(was), Some(is)) = (earlier.rect, node.rect) else {
            return earlier.rect.is_some() != node.rect.is_some();
        };
        let at = |list: &[bool]| list.get(earlier.id.index()).copied().unwrap_or_default();
        if (self.moving != Visible::No || self.rests) && at(&self.inside) {
            return false;
        }
        let few = if self.moving == Visible::No { 0.5 } else { FEW_PIXELS };
        let down = match self.moving {
            Visible::Yes if self.anew => f32::INFINITY,
            Visible::Yes => ONE_LINE,
            Visible::Slightly | Visible::No => few,
        };
        let sideways = (was.x - is.x).abs().max((was.width - is.width).abs());
        let grown = is.height - was.height;
        // The page itself is as wide and as high as what is on it.
        let page = matches!(earlier.tag.as_str(), "html" | "body") && self.moving != Visible::No;
        // What is around something that grows does so too; what follows is looked at by itself.
        let grows = match self.moving {
            Visible::Yes if at(&self.around) || page => f32::INFINITY,
            Visible::Yes | Visible::Slightly | Visible::No => few,
        };
        let drops = is.y - was.y;
        let off = sideways > few && !(self.anew && at(&self.around)) && (!self.anew || fits(snapshot, &was));
        off || !(-few.max(if self.anew { down } else { few })..=down).contains(&drops)
            || !(-few.max(if self.anew { grows } else { few })..=grows).contains(&grown)
    }
}

/// Whether a box lies in its window from left to right.
fn fits(snapshot: &Snapshot, rect: &Rect) -> bool {
    let edge = f32::from(u16::try_from(snapshot.viewport.width).unwrap_or(u16::MAX)) + 1.0;
    rect.x + rect.width <= edge
}

/// Whether a text that passed, or of which nothing is known, stands on another ground and has not gained by it.
fn loses_ground(before: &Page<'_>, after: &Page<'_>, faulty: &Faulty, counterparts: &Counterparts) -> bool {
    let mut changed = after.snapshot.nodes.iter().filter_map(|node| {
        let earlier = before.node(counterparts.earlier(node.id)?)?;
        let (was, is) = (earlier.style.as_ref()?, node.style.as_ref()?);
        (faulty.grounds.contains(&earlier.id) && is_told_apart(was.backdrop.color, is.backdrop.color))
            .then_some(node)
    });
    changed.any(|ground| {
        let inside = std::iter::once(ground).chain(after.snapshot.descendants(ground));
        inside.filter(|node| node.text.chars().any(char::is_alphanumeric)).any(|node| {
            let Some(earlier) = counterparts.earlier(node.id).filter(|id| !faulty.nodes.contains(id)) else {
                return false;
            };
            let Some(was) = before.texts().find(|run| run.node == earlier) else {
                return before.node(earlier).is_some_and(|node| node.rendered);
            };
            let known = was.verdict == Verdict::Passes
                && before.node(earlier).is_some_and(|node| sight::is_in_sight(&before.snapshot, node));
            !known
                || after.texts().find(|run| run.node == node.id).is_none_or(|is| is.ratio < was.ratio - 0.01)
        })
    })
}
