//! How well the parts of a page can be seen.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId, Overflow, Position, Rect, Snapshot};
use jury_text::loss::Sight;

use crate::css::inline_declarations;
use crate::rules::{Rules, plain};
use crate::selector::{Match, State};
use crate::sheets;
use crate::source::Source;
use crate::text_run::{self, Doubt, Verdict};

use super::unread::{FAINT_SHARE, PROPERTIES, leaves_nothing};

/// Type smaller than this cannot be read.
const READABLE_PIXELS: f32 = 4.0;

/// Text that stands out less than this is not seen.
const VISIBLE_RATIO: f64 = 1.15;

/// Paint with less than this of its colour lets what is behind it be read.
const OPAQUE: f32 = 0.9;

/// A box smaller than this, in square pixels, is no cover.
const COVER_AREA: f32 = 2_000.0;

/// A picture smaller than this shows nothing.
const PICTURE_PIXELS: f32 = 3.0;

/// Elements whose content a browser does not show, by the HTML standard: what stands in for them where they cannot be shown
/// themselves (`canvas` to `meter`), what is for scripts (`template`) or for browsers without something (`noscript`), and what
/// only suggests (`datalist`).
const STAND_INS: [&str; 14] = [
    "canvas", "video", "audio", "object", "embed", "iframe", "applet", "progress", "meter", "template",
    "noscript", "noframes", "noembed", "datalist",
];

/// Parts of a drawing that are not drawn.
const UNDRAWN: [&str; 11] = [
    "defs",
    "desc",
    "metadata",
    "title",
    "symbol",
    "clippath",
    "mask",
    "pattern",
    "marker",
    "lineargradient",
    "radialgradient",
];

/// Parts of a drawing that show text.
const WRITTEN: [&str; 4] = ["text", "tspan", "textpath", "foreignobject"];

/// What can be seen of a page in one window.
pub(super) struct Seeing<'page> {
    pub(super) snapshot: &'page Snapshot,
    pub(super) html: &'page str,
    /// Text in the colour of what is behind it.
    faint: BTreeSet<NodeId>,
    /// Elements that a style leaves nothing of which the engine does not know.
    cut_away: BTreeSet<NodeId>,
    covers: Vec<Cover>,
    /// Elements that a browser shows something else of: what is in their `template` with a `shadowrootmode`.
    replaced: BTreeSet<NodeId>,
    /// Whether the window cannot be scrolled sideways, and downwards.
    window_is_still: [bool; 2],
}

/// A box that lies over others.
struct Cover {
    node: NodeId,
    end: NodeId,
    rect: Rect,
    level: i32,
}

impl<'page> Seeing<'page> {
    pub(super) fn of(snapshot: &'page Snapshot, html: &'page str) -> Self {
        let faint = text_run::runs(snapshot)
            .into_iter()
            .filter(|run| {
                run.doubt == Some(Doubt::Same) || run.verdict == Verdict::Fails && run.ratio < VISIBLE_RATIO
            })
            .map(|run| run.node)
            .collect();
        let boxes = snapshot.nodes.iter().filter_map(|node| cover(snapshot, node));
        let covers = boxes.chain(snapshot.nodes.iter().flat_map(|node| generated(snapshot, node))).collect();
        let window_is_still = window_is_still(snapshot);
        let shadow = |node: &&Node| node.tag == "template" && node.attribute("shadowrootmode").is_some();
        let replaced = snapshot.nodes.iter().filter(shadow).filter_map(|node| node.parent).collect();
        Self { snapshot, html, faint, cut_away: cut_away(snapshot, html), covers, replaced, window_is_still }
    }

    /// How well the text directly inside an element can be seen.
    pub(super) fn text(&self, node: &Node) -> Sight {
        if node.tag == "option" || node.tag == "optgroup" {
            let select = self.snapshot.ancestors(node).find(|around| around.tag == "select");
            return select.map_or(Sight::Hidden, |select| self.element(select).min(Sight::Folded));
        }
        // What stands right in one that is closed is folded away like what is in its elements.
        if node.tag == "details" && node.attribute("open").is_none() {
            return self.element(node).min(Sight::Folded);
        }
        let fallback = STAND_INS.contains(&node.tag.as_str());
        if fallback || matches!(node.tag.as_str(), "select" | "rp") || self.is_undrawn(node) {
            return Sight::Hidden;
        }
        let sight = self.element(node);
        let struck = |node: &Node| matches!(node.tag.as_str(), "del" | "s" | "strike");
        let unheard = |node: &Node| node.attribute("aria-hidden").is_some_and(|value| value.trim() == "true");
        if self.within(node, |node| struck(node) || unheard(node)) || self.is_behind(node) {
            return Sight::Hidden;
        }
        let unread = node.style.as_ref().is_some_and(|style| style.font_size < READABLE_PIXELS)
            || self.faint.contains(&node.id)
            || node.lines.iter().any(|line| self.is_out(node, line))
            || self.is_covered(node);
        if unread { Sight::Hidden } else { sight }
    }

    /// How well an element can be seen, whatever is in it.
    pub(super) fn element(&self, node: &Node) -> Sight {
        if self.is_cut_away(node) || self.is_stand_in(node) || self.is_replaced(node) {
            return Sight::Hidden;
        }
        if node.shown {
            let out = node
                .rect
                .is_some_and(|rect| rect.width > 0.0 && rect.height > 0.0 && self.is_out(node, &rect));
            return if out { Sight::Hidden } else { Sight::Shown };
        }
        let closed = |around: &&Node| around.tag == "details" && around.attribute("open").is_none();
        let folded = self.snapshot.ancestors(node).find(closed).is_some_and(|details| details.shown);
        if folded && node.style.is_some() { Sight::Folded } else { Sight::Hidden }
    }

    /// How well a picture can be seen.
    pub(super) fn picture(&self, node: &Node) -> Sight {
        let speck = node.rect.is_none_or(|rect| rect.width < PICTURE_PIXELS || rect.height < PICTURE_PIXELS);
        let opacity: f32 = std::iter::once(node)
            .chain(self.snapshot.ancestors(node))
            .filter_map(|around| around.style.as_ref())
            .map(|style| style.opacity)
            .product();
        if node.shown && (speck || opacity <= FAINT_SHARE) { Sight::Hidden } else { self.element(node) }
    }

    /// Whether this holds for an element or for one around it.
    fn within(&self, node: &Node, holds: impl Fn(&Node) -> bool) -> bool {
        holds(node) || self.snapshot.ancestors(node).any(holds)
    }

    /// Whether it lies behind the paint of something around it: below the level of the page, inside of what covers it.
    fn is_behind(&self, node: &Node) -> bool {
        let mut below = false;
        for around in
            std::iter::once(node).chain(self.snapshot.ancestors(node)).take_while(|node| !is_root(node))
        {
            let Some(style) = &around.style else { continue };
            let own_level =
                style.position != Position::Static && style.z_index.is_some() || style.opacity < 1.0;
            if below && own_level {
                return false;
            }
            if below && style.backdrop.color.alpha >= OPAQUE {
                return true;
            }
            below |= style.position != Position::Static && style.z_index.is_some_and(|level| level < 0);
        }
        false
    }

    /// How well a link or a button can be seen: as well as the best of what is in it.
    pub(super) fn control(&self, node: &Node) -> Sight {
        let inside = self
            .snapshot
            .descendants(node)
            .filter(|inner| !inner.text.is_empty())
            .map(|inner| self.text(inner));
        let own = if node.text.is_empty() { None } else { Some(self.text(node)) };
        inside.chain(own).max().unwrap_or_else(|| self.element(node))
    }

    /// Whether it is there for browsers without scripts, drawings or films, which hardly anybody has.
    fn is_stand_in(&self, node: &Node) -> bool {
        node.tag == "noscript"
            || self.snapshot.ancestors(node).any(|around| STAND_INS.contains(&around.tag.as_str()))
    }

    /// Whether something else is shown in its place.
    fn is_replaced(&self, node: &Node) -> bool {
        !self.replaced.is_empty()
            && std::iter::once(node)
                .chain(self.snapshot.ancestors(node))
                .any(|around| self.replaced.contains(&around.id))
    }

    /// Whether its text is in a drawing and not drawn.
    fn is_undrawn(&self, node: &Node) -> bool {
        let mut inside: Vec<String> = Vec::new();
        for around in std::iter::once(node).chain(self.snapshot.ancestors(node)) {
            let tag = around.tag.to_ascii_lowercase();
            if tag == "svg" {
                let is_one = |list: &[&str]| inside.iter().any(|tag| list.contains(&tag.as_str()));
                return is_one(&UNDRAWN) || !is_one(&WRITTEN);
            }
            inside.push(tag);
        }
        false
    }

    fn is_cut_away(&self, node: &Node) -> bool {
        !self.cut_away.is_empty()
            && std::iter::once(node)
                .chain(self.snapshot.ancestors(node))
                .any(|around| self.cut_away.contains(&around.id))
    }

    /// Whether some box lies over all lines of an element.
    fn is_covered(&self, node: &Node) -> bool {
        if self.covers.is_empty() || node.lines.is_empty() {
            return false;
        }
        let own = level(self.snapshot, node);
        self.covers.iter().any(|cover| {
            let added = cover.end == cover.node;
            let related = !added
                && (cover.node <= node.id && node.id < cover.end
                    || self.snapshot.ancestors(node).any(|around| around.id == cover.node));
            // What is placed inside of the element is painted behind such a box only by its level.
            let placed = |around: &Node| {
                around.id > cover.node && around.style.as_ref().is_some_and(|style| style.positioned)
            };
            let placed = added && self.within(node, placed);
            let above = cover.level > own || cover.level == own && !placed && (added || cover.node > node.id);
            let hides = |line: &Rect| {
                cover.rect.contains((line.x, line.y))
                    && cover.rect.contains((line.x + line.width, line.y + line.height))
            };
            !related && above && node.lines.iter().all(hides)
        })
    }

    /// Whether a box of an element is in the window at no place that the reader can scroll to: above or left of the page, cut
    /// off by something around it, fixed outside of the window, or beyond the edge of a window that does not scroll.
    fn is_out(&self, node: &Node, line: &Rect) -> bool {
        let nothing = line.width < 0.5 || line.height < 0.5;
        let outside = line.x + line.width <= 0.0 || line.y + line.height <= 0.0;
        nothing
            || outside
            || std::iter::once(node).chain(self.snapshot.ancestors(node)).any(|around| cuts_off(around, line))
            || self.is_beyond_window(node, line)
    }

    fn is_beyond_window(&self, node: &Node, line: &Rect) -> bool {
        let mut place = *line;
        let mut fixed = false;
        for around in std::iter::once(node).chain(self.snapshot.ancestors(node)) {
            let Some(style) = around.style.as_ref().filter(|_| !is_root(around)) else { continue };
            let scrolls =
                style.overflow.iter().any(|overflow| matches!(overflow, Overflow::Scroll | Overflow::Auto));
            // What scrolls brings what is in it to where it is itself.
            if let Some(rect) = around.rect.filter(|_| scrolls) {
                place = rect;
            }
            if style.position == Position::Fixed {
                fixed = true;
                break;
            }
        }
        let window = self.snapshot.viewport;
        #[expect(clippy::cast_precision_loss, reason = "windows are small")]
        let (width, height) = (window.width as f32, window.height as f32);
        let [still_sideways, still_downwards] = if fixed { [true, true] } else { self.window_is_still };
        let beside = place.x >= width || place.x + place.width <= 0.0;
        let below = place.y >= height || place.y + place.height <= 0.0;
        still_sideways && beside || still_downwards && below
    }
}

fn is_root(node: &Node) -> bool {
    matches!(node.tag.as_str(), "html" | "body")
}

/// Whether the window scrolls sideways and downwards: what the root says, or else what the body says, goes for the window.
fn window_is_still(snapshot: &Snapshot) -> [bool; 2] {
    let of = |tag: &str| {
        let style = snapshot.nodes.iter().find(|node| node.tag == tag)?.style.as_ref()?;
        style.overflow.iter().any(|overflow| *overflow != Overflow::Visible).then_some(style.overflow)
    };
    let still = |overflow: Overflow| matches!(overflow, Overflow::Hidden | Overflow::Clip);
    of("html").or_else(|| of("body")).map_or([false, false], |overflow| overflow.map(still))
}

/// Whether an element cuts a box inside of it off altogether, so that it cannot be scrolled to.
fn cuts_off(around: &Node, line: &Rect) -> bool {
    let (Some(style), Some(rect)) = (&around.style, &around.rect) else { return false };
    if is_root(around) {
        return false;
    }
    let [sideways, downwards] = style.overflow;
    let cuts = |overflow: Overflow| matches!(overflow, Overflow::Hidden | Overflow::Clip);
    let beside = line.x >= rect.x + rect.width - 0.5 || line.x + line.width <= rect.x + 0.5;
    let below = line.y >= rect.y + rect.height - 0.5 || line.y + line.height <= rect.y + 0.5;
    cuts(sideways) && beside || cuts(downwards) && below
}

/// A box that lies over others: out of the flow, painted, and large. What is fixed lies over other things after scrolling, so
/// that it covers only what it leaves no room for.
fn cover(snapshot: &Snapshot, node: &Node) -> Option<Cover> {
    let (style, rect) = (node.style.as_ref()?, node.rect?);
    let fixed = style.position == Position::Fixed;
    let window = snapshot.viewport;
    #[expect(clippy::cast_precision_loss, reason = "windows are small")]
    let fills = rect.width >= 0.9 * window.width as f32 && rect.height >= 0.9 * window.height as f32;
    let out_of_flow = style.position == Position::Absolute || fixed && fills;
    let painted = style.backdrop.color.alpha >= OPAQUE && style.opacity >= OPAQUE;
    (node.shown && out_of_flow && painted && rect.width * rect.height >= COVER_AREA).then(|| Cover {
        node: node.id,
        end: node.subtree_end,
        rect,
        level: level(snapshot, node),
    })
}

/// Boxes that a style adds to an element and that cover what they lie over.
fn generated<'a>(snapshot: &'a Snapshot, node: &'a Node) -> impl Iterator<Item = Cover> + 'a {
    let covers = |added: &&jury_eye::Generated| {
        node.shown
            && !added.below
            && added.backdrop.color.alpha >= OPAQUE
            && added.rect.width * added.rect.height >= COVER_AREA
    };
    // It covers what its own element says as well.
    node.generated.iter().filter(covers).map(move |added| Cover {
        node: node.id,
        end: node.id,
        rect: added.rect,
        level: level(snapshot, node),
    })
}

/// How far in front an element is: the `z-index` of the outermost element around it that has one.
fn level(snapshot: &Snapshot, node: &Node) -> i32 {
    let around = std::iter::once(node).chain(snapshot.ancestors(node));
    around.filter_map(|around| around.style.as_ref()?.z_index).last().unwrap_or_default()
}

/// Elements that `clip-path`, a filter or `content-visibility` leaves nothing of.
fn cut_away(snapshot: &Snapshot, html: &str) -> BTreeSet<NodeId> {
    let lower = html.to_ascii_lowercase();
    if !PROPERTIES.iter().any(|property| lower.contains(property)) {
        return BTreeSet::new();
    }
    let source = Source::read(html);
    let declarations = sheets::own(html, &source);
    let always = |within: &str| {
        within.split('@').all(|rule| {
            let rule = rule.trim();
            rule.is_empty() || rule.starts_with("layer") || rule.starts_with("supports")
        })
    };
    let rules = Rules::among(&declarations, |declaration| {
        PROPERTIES.contains(&declaration.property.as_str()) && always(&declaration.within)
    });
    let is_cut = |node: &Node| {
        let own = node.attribute("style").map(|style| inline_declarations(style, 0)).unwrap_or_default();
        let reaching = rules.reaching(snapshot, node, State::Rest);
        PROPERTIES.iter().any(|property| {
            let inline = own.iter().rev().find(|declaration| declaration.property == *property);
            let sheet = reaching
                .iter()
                .rev()
                .filter(|(found, rule)| *found == Match::Yes && !rule.selector.pseudo_element)
                .find(|(_, rule)| rule.declaration.property == *property)
                .map(|(_, rule)| rule.declaration);
            inline.or(sheet).is_some_and(|declaration| leaves_nothing(property, plain(&declaration.value)))
        })
    };
    snapshot.nodes.iter().filter(|node| is_cut(node)).map(|node| node.id).collect()
}
