//! Repairs of how a page is laid out and worked with: narrow windows, small targets, long lines, uneven padding,
//! links that only their colour tells.

use jury_eye::{Layout, Node, NodeId, Snapshot, Viewport};

use crate::checks::OFF_THE_MIDDLE;
use crate::page::Page;

use super::edit::Repair;
use super::rule::{exact_selector, style_elements};
use super::stylesheet::add_rule;
use super::{Asked, Visible, Ways};

/// Elements a repair of narrow windows may name. A page with more has no layout to repair.
const MAX_NAMED: usize = 40;

/// What a target needs on each side, WCAG 2.5.8.
const TARGET: f32 = 24.0;

/// Links in a sentence get their line back.
pub(super) fn links_in_text(asked: &Asked<'_>) -> Vec<Ways> {
    let nodes = asked.elements("a11y/link-in-text");
    let why = "a link in a sentence needs more than its colour";
    styled(asked, "a11y/link-in-text", &nodes, "text-decoration:underline", why, Visible::No)
}

/// Targets grow to 24 by 24: without moving anything, if room can be taken from around them.
pub(super) fn targets(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let nodes = asked.elements("a11y/target");
    let mut ways = Vec::new();
    for group in page.grouped(nodes) {
        let sizes = || group.iter().filter_map(|id| page.node(*id)?.rect);
        let smallest =
            |side: fn(&jury_eye::Rect) -> f32| sizes().map(|rect| side(&rect)).fold(TARGET, f32::min);
        let room = |size: f32| ((TARGET - size) / 2.0).ceil().max(0.0);
        let (across, along) = (room(smallest(|rect| rect.width)), room(smallest(|rect| rect.height)));
        let inline = group
            .first()
            .and_then(|id| page.node(*id)?.style.as_ref())
            .is_some_and(|style| style.layout == Layout::Inline);
        let display = if inline { "display:inline-block;" } else { "" };
        let why = "a target needs 24 by 24 pixels";
        let grown = format!("{display}min-width:24px;min-height:24px");
        let padded = format!("{display}padding:{along}px {across}px;margin:-{along}px -{across}px");
        let mut candidates: Ways = Vec::new();
        for (declaration, visible) in
            [(&grown, Visible::Slightly), (&padded, Visible::Slightly), (&grown, Visible::Yes)]
        {
            for repair in style_elements(asked, "a11y/target", &group, declaration, why) {
                candidates.push(Repair { visible, ..repair });
            }
        }
        ways.push(candidates);
    }
    ways
}

/// Long lines are shortened, tight ones opened.
pub(super) fn measure(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let (mut long, mut tight) = (Vec::new(), Vec::new());
    for id in asked.elements("critic/measure") {
        let Some(style) = page.node(id).and_then(|node| node.style.as_ref()) else { continue };
        let leading = style.line_height.unwrap_or(style.font_size * 1.2) / style.font_size;
        if (1.35..=1.9).contains(&leading) { long.push(id) } else { tight.push(id) }
    }
    let mut ways = styled(
        asked,
        "critic/measure",
        &long,
        "max-width:70ch",
        "lines over 95 characters lose the reader",
        Visible::Yes,
    );
    let why = "lines of running text need room between them";
    ways.extend(styled(asked, "critic/measure", &tight, "line-height:1.5", why, Visible::Yes));
    ways
}

/// The narrower side is padded like the wider one; what is nearly in the middle is put there.
pub(super) fn symmetry(asked: &Asked<'_>) -> Vec<Ways> {
    const CHECK: &str = "critic/symmetry";
    let page = asked.page;
    let mut ways = Vec::new();
    for finding in asked.found(CHECK) {
        let off_the_middle = finding.cause.ends_with(OFF_THE_MIDDLE);
        for id in finding.nodes.iter().take(MAX_NAMED) {
            let Some(style) = page.node(*id).and_then(|node| node.style.as_ref()) else { continue };
            let padding = style.padding;
            let (declaration, why) = if off_the_middle {
                ("margin-left:auto;margin-right:auto".to_owned(), "it stands in the middle")
            } else if (padding.left - padding.right).abs() > 4.0 {
                // Beyond a little the difference was somebody's decision.
                continue;
            } else {
                let wider = padding.left.max(padding.right);
                (
                    format!("padding-left:{wider}px;padding-right:{wider}px"),
                    "padding is the same left and right",
                )
            };
            let repairs = style_elements(asked, CHECK, &[*id], &declaration, why);
            ways.push(repairs.into_iter().map(Repair::slightly_visible).collect());
        }
    }
    ways
}

/// The same declaration for several elements, each group of them a repair of its own.
fn styled(
    asked: &Asked<'_>,
    check: &'static str,
    nodes: &[NodeId],
    declaration: &str,
    why: &str,
    visible: Visible,
) -> Vec<Ways> {
    style_elements(asked, check, nodes, declaration, why)
        .into_iter()
        .map(|repair| vec![Repair { visible, ..repair }])
        .collect()
}

/// What is too wide for a narrow window is let go of its width there, a little more with each way.
pub(super) fn reflow(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let mut ways = Ways::new();
    let Some(narrow) = page.at(Viewport::NARROW) else { return Vec::new() };
    let wide = too_wide(narrow);
    if wide.is_empty() {
        return Vec::new();
    }
    let widest = widest_at_fault(page);
    for boldness in [Boldness::Boxes, Boldness::Columns, Boldness::Words, Boldness::Scrolling] {
        let mut rules: Vec<String> = Vec::new();
        for node in &wide {
            for (id, declaration) in boldness.declarations(narrow, node) {
                let Some(selector) = page.node(id).map(|node| exact_selector(page, node)) else { continue };
                let rule = format!("{selector}{{{declaration}}}");
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        if rules.is_empty() {
            continue;
        }
        let first = wide.first().map_or_else(String::new, |node| page.place(node.id));
        let rule = format!("@media (max-width:{widest}px){{{}}}", rules.join(""));
        let reason = format!("in narrow windows {} ({first})", boldness.words());
        ways.push(add_rule(page, "a11y/reflow", &rule, reason).visible());
    }
    vec![ways]
}

/// The widest window that a repair of narrow ones holds in: one in which the page fits is left as it is.
fn widest_at_fault(page: &Page<'_>) -> u32 {
    const PHONES: u32 = 640;
    let fits = page.narrower.iter().filter(|snapshot| too_wide(snapshot).is_empty());
    fits.map(|snapshot| snapshot.viewport.width - 1).fold(PHONES, u32::min)
}

/// Elements that reach over the right edge of the window, unless something around them scrolls.
pub(super) fn too_wide(narrow: &Snapshot) -> Vec<&Node> {
    let edge = f32::from(u16::try_from(narrow.viewport.width).unwrap_or(u16::MAX)) + 1.0;
    let mut clipped = vec![false; narrow.nodes.len()];
    let mut found = Vec::new();
    for node in &narrow.nodes {
        let around = node.parent.is_some_and(|parent| clipped.get(parent.index()) == Some(&true));
        let clips = node.style.as_ref().is_some_and(|style| style.clips)
            && !matches!(node.tag.as_str(), "html" | "body");
        if let Some(slot) = clipped.get_mut(node.id.index()) {
            *slot = around || clips;
        }
        let over = node.rect.is_some_and(|rect| rect.width > 0.0 && rect.x + rect.width > edge);
        if over && !around && node.shown && !matches!(node.tag.as_str(), "html" | "body") {
            found.push(node);
            if found.len() >= MAX_NAMED {
                break;
            }
        }
    }
    found
}

/// How much a narrow layout is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Boldness {
    /// No box is wider than what it is in.
    Boxes,
    /// Columns go under each other.
    Columns,
    /// Words may be broken too.
    Words,
    /// Tables and code scroll by themselves.
    Scrolling,
}

impl Boldness {
    fn words(self) -> &'static str {
        match self {
            Self::Boxes => "no box is wider than the one around it",
            Self::Columns => "columns go under each other",
            Self::Words => "columns go under each other and long words break",
            Self::Scrolling => "columns go under each other and wide tables scroll by themselves",
        }
    }

    fn declarations(self, narrow: &Snapshot, node: &Node) -> Vec<(NodeId, &'static str)> {
        let mut out = Vec::new();
        let layout = |node: &Node| node.style.as_ref().map(|style| style.layout);
        if matches!(node.tag.as_str(), "img" | "video" | "canvas" | "iframe" | "svg") {
            out.push((node.id, "max-width:100%!important;height:auto!important"));
        } else if node.tag == "table" || node.tag == "pre" {
            if self >= Self::Scrolling {
                out.push((
                    node.id,
                    "display:block!important;max-width:100%!important;overflow-x:auto!important",
                ));
            }
        } else if layout(node) != Some(Layout::Inline) {
            out.push((node.id, "max-width:100%!important;min-width:0!important"));
        }
        if self >= Self::Columns {
            let around = node.parent.and_then(|parent| narrow.node(parent));
            for container in std::iter::once(node).chain(around) {
                match layout(container) {
                    Some(Layout::Grid) => {
                        out.push((container.id, "grid-template-columns:minmax(0,1fr)!important"));
                    }
                    Some(Layout::Flex) => out.push((container.id, "flex-wrap:wrap!important")),
                    _ => {}
                }
            }
        }
        if self >= Self::Words && !node.text.is_empty() && node.tag != "pre" {
            out.push((node.id, "overflow-wrap:anywhere!important;white-space:normal!important"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;

    #[test]
    fn only_what_reaches_over_the_edge_and_does_not_scroll_is_too_wide() {
        let html = "<body style='margin:0'><div class=wide style='width:900px'>a</div>\
            <div style='overflow:auto'><p style='width:900px'>b</p></div><p>c</p>";
        let page = Page::measure(html.to_owned(), Subject::ALONE).expect("measurable");
        let narrow = page.at(Viewport::NARROW).expect("a narrow window");
        let found: Vec<String> =
            too_wide(narrow).into_iter().map(|node| exact_selector(&page, node)).collect();
        assert_eq!(found, ["div.wide"]);
    }
}
