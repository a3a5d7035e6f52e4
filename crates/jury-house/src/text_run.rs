//! Visible text with the colours it is seen in. One run is the text directly inside one element.
//!
//! What lies behind a run is a set of possible colours, not one: a gradient has its stops, and a
//! positioned box may or may not lie under the text. A verdict is given only when all of them agree;
//! otherwise it stays open, and nobody pretends to know.

use jury_eye::{Node, NodeId, Snapshot, Style};

use crate::colour::{Rgb, contrast};
use crate::css::Declaration;

/// Enough colours to stand for any backdrop; more would only repeat them.
const MAX_CANDIDATES: usize = 24;

/// Whether a run can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passes,
    Fails,
    /// An image, a halo, or backdrops that disagree.
    Unknown,
}

/// A possible way a run is painted: inside its groups of opacity, and as seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Painted {
    /// The backdrop inside the innermost group.
    backdrop: Rgb,
    /// Opacity groups from the outside in, each with what lies behind it.
    groups: Vec<(f64, Rgb)>,
}

/// The text directly inside one element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextRun {
    pub(crate) node: NodeId,
    /// Characters, white space not counted.
    pub(crate) characters: usize,
    /// The colours the text may have, its own opacity aside: one, or the stops of a gradient.
    pub(crate) foregrounds: Vec<Rgb>,
    /// Opacity of the text colour.
    pub(crate) alpha: f64,
    pub(crate) painted: Vec<Painted>,
    /// The ratio it must reach.
    pub(crate) required: f64,
    /// The worst ratio found.
    pub(crate) ratio: f64,
    pub(crate) verdict: Verdict,
    /// The element whose backdrop lies directly behind the text.
    pub(crate) backdrop_of: Option<NodeId>,
}

impl Painted {
    /// What `foreground` with `alpha` looks like against its backdrop, both as seen.
    pub(crate) fn seen(&self, foreground: Rgb, alpha: f64) -> (Rgb, Rgb) {
        let mut text = self.backdrop.under(foreground, alpha);
        let mut backdrop = self.backdrop;
        for (opacity, behind) in self.groups.iter().rev() {
            text = behind.under(text, *opacity);
            backdrop = behind.under(backdrop, *opacity);
        }
        (text, backdrop)
    }
}

impl TextRun {
    /// The worst ratio of a foreground over every possible backdrop.
    pub(crate) fn worst_ratio(&self, foreground: Rgb, alpha: f64) -> f64 {
        self.ratios(foreground, alpha).fold(f64::INFINITY, f64::min)
    }

    fn ratios(&self, foreground: Rgb, alpha: f64) -> impl Iterator<Item = f64> + '_ {
        self.painted.iter().map(move |painted| {
            let (text, backdrop) = painted.seen(foreground, alpha);
            contrast(text, backdrop)
        })
    }

    /// The single backdrop as seen, when there is only one.
    pub(crate) fn only_backdrop(&self) -> Option<Rgb> {
        match &self.painted[..] {
            [only] => Some(only.seen(Rgb::WHITE, 0.0).1),
            _ => None,
        }
    }
}

/// Text whose backdrop cannot be told from styles and boxes alone, so that its pixels have to be looked at.
pub(crate) fn undecided(snapshot: &Snapshot) -> Vec<NodeId> {
    runs(snapshot, &[]).iter().filter(|run| run.verdict == Verdict::Unknown).map(|run| run.node).collect()
}

/// All runs of a page that the contrast requirement applies to.
pub(crate) fn runs(snapshot: &Snapshot, declarations: &[Declaration]) -> Vec<TextRun> {
    let clipped = clipped_to_text(declarations);
    let painters = painters(snapshot);
    snapshot
        .nodes
        .iter()
        .filter(|node| node.shown && node.exposed && !node.text.is_empty())
        .filter(|node| !matches!(node.tag.as_str(), "option" | "noscript"))
        .filter_map(|node| {
            let style = node.style.as_ref()?;
            let readable = node.text.chars().filter(|ch| ch.is_alphanumeric()).count();
            if readable < 2 || is_disabled(snapshot, node) {
                return None;
            }
            Some(run(snapshot, node, style, &clipped, &painters))
        })
        .collect()
}

fn run(snapshot: &Snapshot, node: &Node, style: &Style, clipped: &[String], painters: &[&Node]) -> TextRun {
    let mut unknown = style.text_shadow;
    let mut chain: Vec<&Node> = snapshot.ancestors(node).collect();
    chain.reverse();
    chain.push(node);
    let mut foregrounds = vec![Rgb::opaque(style.color)];
    let mut alpha = f64::from(style.color.alpha);
    // Text that lets a gradient shine through has the colours of that gradient.
    let see_through = chain.iter().rev().take(3).find(|element| {
        element.style.as_ref().is_some_and(|style| {
            let marked =
                style.backdrop.clipped_to_text || clipped.iter().any(|selector| ends_in(selector, element));
            !style.backdrop.gradient.is_empty() && (marked || alpha < 0.02)
        })
    });
    let see_through = see_through.map(|element| element.id);
    let mut painted = vec![Painted { backdrop: Rgb::WHITE, groups: Vec::new() }];
    let mut image = false;
    let mut backdrop_of = None;
    for element in &chain {
        let Some(style) = &element.style else { continue };
        let opacity = f64::from(style.opacity);
        if opacity < 1.0 {
            for candidate in &mut painted {
                candidate.groups.push((opacity, candidate.backdrop));
            }
        }
        let backdrop = &style.backdrop;
        if Some(element.id) == see_through {
            foregrounds = backdrop.gradient.iter().map(|stop| Rgb::opaque(*stop)).collect();
            alpha = 1.0;
            continue;
        }
        if backdrop.is_none() {
            continue;
        }
        backdrop_of = Some(element.id);
        if backdrop.color.alpha > 0.0 {
            paint(&mut painted, &[(Rgb::opaque(backdrop.color), f64::from(backdrop.color.alpha))]);
            image &= backdrop.color.alpha < 1.0;
        }
        if !backdrop.gradient.is_empty() {
            let stops: Vec<(Rgb, f64)> =
                backdrop.gradient.iter().map(|stop| (Rgb::opaque(*stop), f64::from(stop.alpha))).collect();
            image &= stops.iter().any(|(_, alpha)| *alpha < 1.0);
            paint(&mut painted, &stops);
        }
        image |= backdrop.image;
    }
    for painter in painters {
        if !may_lie_behind(snapshot, painter, node, backdrop_of) {
            continue;
        }
        let Some(style) = &painter.style else { continue };
        if is_replaced(painter) || style.backdrop.image {
            image = true;
            continue;
        }
        let opacity = f64::from(style.opacity);
        let mut layers: Vec<(Rgb, f64)> = vec![(Rgb::WHITE, 0.0)];
        if style.backdrop.color.alpha > 0.0 {
            layers.push((Rgb::opaque(style.backdrop.color), f64::from(style.backdrop.color.alpha) * opacity));
        }
        layers.extend(
            style.backdrop.gradient.iter().map(|stop| (Rgb::opaque(*stop), f64::from(stop.alpha) * opacity)),
        );
        paint(&mut painted, &layers);
    }
    unknown |= image;
    // Large is 18 pt, or 14 pt bold; the engine rounds 14 pt down to 18.65 px.
    let large = style.font_size >= 23.95 || (style.font_size >= 18.6 && style.font_weight >= 700.0);
    let required = if large { 3.0 } else { 4.5 };
    let mut run = TextRun {
        node: node.id,
        characters: node.text.chars().filter(|ch| !ch.is_whitespace()).count(),
        foregrounds,
        alpha,
        painted,
        required,
        ratio: 0.0,
        verdict: Verdict::Unknown,
        backdrop_of,
    };
    let ratios: Vec<f64> =
        run.foregrounds.iter().flat_map(|foreground| run.ratios(*foreground, run.alpha)).collect();
    run.ratio = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let best = ratios.iter().copied().fold(0.0, f64::max);
    run.verdict = if unknown {
        Verdict::Unknown
    } else if run.ratio >= required {
        Verdict::Passes
    } else if best < required {
        Verdict::Fails
    } else {
        Verdict::Unknown
    };
    run
}

/// Paints each of several layers over every candidate.
fn paint(painted: &mut Vec<Painted>, layers: &[(Rgb, f64)]) {
    let mut next: Vec<Painted> = Vec::new();
    for candidate in painted.iter() {
        for (colour, alpha) in layers {
            let candidate = Painted {
                backdrop: candidate.backdrop.under(*colour, *alpha),
                groups: candidate.groups.clone(),
            };
            if next.len() < MAX_CANDIDATES && !next.contains(&candidate) {
                next.push(candidate);
            }
        }
    }
    *painted = next;
}

/// Boxes out of flow that paint something and may lie under text they do not contain.
fn painters(snapshot: &Snapshot) -> Vec<&Node> {
    snapshot
        .nodes
        .iter()
        .filter(|node| {
            node.shown
                && node
                    .style
                    .as_ref()
                    .is_some_and(|style| style.positioned && (!style.backdrop.is_none() || is_replaced(node)))
        })
        .collect()
}

fn is_replaced(node: &Node) -> bool {
    matches!(node.tag.as_str(), "img" | "video" | "canvas" | "iframe" | "picture")
}

fn may_lie_behind(snapshot: &Snapshot, painter: &Node, node: &Node, backdrop_of: Option<NodeId>) -> bool {
    let contains = |outer: &Node, inner: &Node| outer.id <= inner.id && inner.id < outer.subtree_end;
    if contains(painter, node) || contains(node, painter) {
        return false;
    }
    // A box outside the element that paints the backdrop lies behind that backdrop.
    let inside_backdrop = backdrop_of.and_then(|id| snapshot.node(id)).is_none_or(|backdrop| {
        contains(backdrop, painter) || backdrop.tag == "body" || backdrop.tag == "html"
    });
    let (Some(box_of_painter), Some(box_of_text)) = (painter.rect, node.rect) else {
        return false;
    };
    inside_backdrop && box_of_painter.contains(box_of_text.centre())
}

/// Selectors of rules that clip a background to the text, which the engine does not know.
fn clipped_to_text(declarations: &[Declaration]) -> Vec<String> {
    declarations
        .iter()
        .filter(|declaration| {
            matches!(declaration.property.as_str(), "background-clip" | "-webkit-background-clip")
                && declaration.value.contains("text")
        })
        .flat_map(|declaration| declaration.selector.split(','))
        .filter_map(|selector| selector.split([' ', '>', '+', '~']).next_back())
        .filter(|selector| !selector.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether the last compound of a selector fits an element, as far as names go.
pub(crate) fn ends_in(compound: &str, node: &Node) -> bool {
    let compound = compound.split("::").next().unwrap_or(compound);
    let mut parts = compound.split('.');
    let head = parts.next().unwrap_or_default();
    let (tag, id) = head.split_once('#').map_or((head, None), |(tag, id)| (tag, Some(id)));
    let tag = tag.split(':').next().unwrap_or(tag);
    (tag.is_empty() || tag == "*" || tag == node.tag)
        && id.is_none_or(|id| node.attribute("id") == Some(id))
        && parts.all(|class| {
            let class = class.split([':', '[']).next().unwrap_or(class);
            node.classes().any(|own| own == class)
        })
}

/// Disabled controls and what labels them need no contrast.
fn is_disabled(snapshot: &Snapshot, node: &Node) -> bool {
    let off = |node: &Node| {
        (matches!(node.tag.as_str(), "button" | "input" | "select" | "textarea" | "fieldset" | "option")
            && node.attribute("disabled").is_some())
            || node.attribute("aria-disabled") == Some("true")
    };
    if off(node) || snapshot.ancestors(node).any(off) {
        return true;
    }
    let label = std::iter::once(node).chain(snapshot.ancestors(node)).find(|element| element.tag == "label");
    label.is_some_and(|label| {
        let target = label.attribute("for");
        snapshot.descendants(label).any(off)
            || target.is_some_and(|target| {
                snapshot.nodes.iter().any(|control| control.attribute("id") == Some(target) && off(control))
            })
    })
}
