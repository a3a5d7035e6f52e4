//! Whether a page fits a narrow window, and whether what scrolls can be reached by keyboard: WCAG 1.4.10 and 2.1.1.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId, Overflow, Position, Rect, Snapshot, Viewport};

use super::focus_order::tab_stops;
use super::overlap::{is_shortened, shortening};
use super::view;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::{Page, selector};
use crate::rules::{Rules, plain};
use crate::selector::{Match, State};

/// What a page may stick out of the window: layout rounds.
const SLACK: f32 = 1.0;

/// Below this many pixels a text may stick out because its font is not the page's own; nobody is blamed for that.
const FONT_DOUBT: f32 = 12.0;

/// How much more than its inside an element must hold to count as scrollable: less is a rounding or a shadow.
const SCROLLS: f32 = 13.0;

/// The share of scrollable elements at which the check is worth nothing: what is in them cannot be read at all.
const SCROLL_ZERO_AT: f64 = 1.0;

/// What sticks out of a window, and by how much.
#[derive(Debug, Default)]
struct Excess {
    /// The outermost elements that stick out.
    nodes: Vec<NodeId>,
    /// How wide the page would have to be.
    needs: f32,
    /// Whether any of it is more than text in a font that is not the page's own.
    certain: bool,
}

pub(super) fn reflow(page: &Page<'_>) -> Outcome {
    let Some(narrow) = page.at(Viewport::NARROW) else {
        return Outcome::not_applicable();
    };
    if narrow.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let excess = excess(page, narrow);
    let Some(first) = excess.nodes.first() else {
        return Outcome::binary("fits a window of 320 px", None);
    };
    let cut = cuts_sideways(narrow);
    let note = format!("needs {:.0} px in a window of 320 px", excess.needs);
    let how = if cut { "is cut off at" } else { "sticks out of" };
    let what = format!(
        "the page {how} a window of 320 px, it needs {:.0} px ({})",
        excess.needs,
        page.places(&excess.nodes)
    );
    let cause = narrow.node(*first).map(selector).unwrap_or_default();
    let finding = Finding::on(Severity::Serious, excess.nodes, what)
        .because(cause)
        .figure("width", f64::from(excess.needs), "px")
        .figure("window", f64::from(Viewport::NARROW.width), "px")
        .at(Viewport::NARROW);
    // A script that fits a fixed stage into the window leaves no trace in the styles.
    if excess.certain && !(cut && view::has_scripts(page)) && !depends_on_more(page) {
        return Outcome::binary(note, Some(finding));
    }
    Outcome {
        measure: Measure::Share { failing: 0.0, unknown: 1.0, total: 1.0, zero_at: 1.0 },
        note,
        findings: Vec::new(),
        undecided: vec![finding],
    }
}

/// Whether the boxes of a page rest on something that was not there when it was measured: a style sheet or script from
/// elsewhere, or a script that fits everything into the window.
pub(super) fn depends_on_more(page: &Page<'_>) -> bool {
    !page.snapshot.coverage.is_complete() || scales_by_script(page)
}

/// Whether a script measures the window, which is how slides of a fixed size are fitted into it.
fn scales_by_script(page: &Page<'_>) -> bool {
    page.source.raw_texts.iter().any(|span| {
        let text = page.html.get(span.clone()).unwrap_or_default();
        (text.contains("innerWidth") || text.contains("clientWidth") || text.contains("ResizeObserver"))
            && (text.contains("scale(") || text.contains(".zoom") || text.contains("--scale"))
    })
}

/// Whether the page cuts off what does not fit instead of scrolling.
fn cuts_sideways(snapshot: &Snapshot) -> bool {
    snapshot.nodes.iter().filter(|node| matches!(node.tag.as_str(), "html" | "body")).any(|node| {
        node.style
            .as_ref()
            .is_some_and(|style| matches!(style.overflow, [Overflow::Hidden | Overflow::Clip, _]))
    })
}

/// Content that has to be as wide as it is: tables, code, pictures, maps.
fn needs_its_width(node: &Node) -> bool {
    matches!(
        node.tag.as_str(),
        "table"
            | "pre"
            | "img"
            | "picture"
            | "video"
            | "canvas"
            | "iframe"
            | "svg"
            | "object"
            | "embed"
            | "map"
            | "math"
    ) || matches!(
        node.role.as_deref(),
        Some("grid" | "table" | "treegrid" | "img" | "application" | "toolbar")
    )
}

fn excess(page: &Page<'_>, snapshot: &Snapshot) -> Excess {
    #[derive(Clone, Copy)]
    struct Around {
        /// Where content is cut off or scrolls by itself, on the left and on the right.
        cut_from: f32,
        cut_at: f32,
        exempt: bool,
        /// Whether an element around it sticks out already, and whether it may be the engine's doing.
        out: bool,
        doubtful: bool,
    }
    // The engine makes boxes in lines as wide as their content; browsers stop at the width there is.
    let in_lines = Rules::among(page.all_declarations(), |declaration| {
        declaration.property == "display" && plain(&declaration.value).starts_with("inline-")
    });
    let window = width_of(snapshot);
    let cut = cuts_sideways(snapshot);
    let leftwards = runs_leftwards(page, snapshot);
    let top = Around {
        cut_from: f32::NEG_INFINITY,
        cut_at: f32::INFINITY,
        exempt: false,
        out: false,
        doubtful: false,
    };
    let mut around: Vec<Around> = Vec::with_capacity(snapshot.nodes.len());
    let mut found = Excess::default();
    for node in &snapshot.nodes {
        let mut here = node.parent.and_then(|parent| around.get(parent.index())).copied().unwrap_or(top);
        let root = matches!(node.tag.as_str(), "html" | "body");
        if let Some(style) = &node.style {
            // What is fixed stays in the window, and what is hidden takes no part.
            here.exempt |= style.position == Position::Fixed || needs_its_width(node) || !node.shown;
            let right = |rect: Rect| (rect.x + rect.width).min(here.cut_at);
            // A page that runs to the left scrolls to the left. What lies there wholly is put out of sight.
            let left = |rect: Rect| {
                if leftwards && rect.x + rect.width > SLACK { rect.x.max(here.cut_from) } else { 0.0 }
            };
            let reach = |rect: Rect| right(rect).max(window - left(rect));
            let sticks_out = |rect: Rect| {
                // In a page that cuts off, what lies wholly outside was never meant to be in it.
                rect.area() > 0.0 && reach(rect) > window + SLACK && (!cut || rect.x < window - SLACK)
            };
            if !here.exempt && !root {
                let own = node.rect.filter(|rect| sticks_out(*rect) && (!cut || !node.lines.is_empty()));
                let line = node.lines.iter().copied().find(|line| sticks_out(*line));
                if let Some(rect) = own.filter(|_| !cut).or(line) {
                    found.needs = found.needs.max(reach(rect));
                    if !here.out {
                        found.nodes.push(node.id);
                        here.doubtful = !in_lines.reaching(snapshot, node, State::Rest).is_empty();
                    }
                    found.certain |= reach(rect) > window + FONT_DOUBT && !here.doubtful;
                    here.out = true;
                }
            }
            if style.clips
                && !root
                && style.overflow.first().is_some_and(|overflow| *overflow != Overflow::Visible)
                && let Some(rect) = node.rect
            {
                here.cut_from = here.cut_from.max(rect.x);
                here.cut_at = here.cut_at.min(rect.x + rect.width);
            }
        }
        around.push(here);
    }
    found
}

/// Whether the page as a whole is written from right to left.
fn runs_leftwards(page: &Page<'_>, snapshot: &Snapshot) -> bool {
    let directions = Rules::among(page.all_declarations(), |declaration| declaration.property == "direction");
    snapshot.nodes.iter().filter(|node| matches!(node.tag.as_str(), "html" | "body")).any(|node| {
        let ruled = directions.reaching(snapshot, node, State::Rest);
        match ruled.last() {
            Some((_, rule)) => plain(&rule.declaration.value).eq_ignore_ascii_case("rtl"),
            None => node.attribute("dir").is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl")),
        }
    })
}

pub(super) fn width_of(snapshot: &Snapshot) -> f32 {
    f32::from(u16::try_from(snapshot.viewport.width).unwrap_or(u16::MAX))
}

/// Elements that scroll and that the keyboard cannot get into.
pub(super) fn scroll_focus(page: &Page<'_>) -> Outcome {
    let scrollable: Vec<&Node> =
        page.snapshot.nodes.iter().filter(|node| node.shown && scrolls(page, node)).collect();
    let stops = tab_stops(page);
    let unreachable: Vec<NodeId> = scrollable
        .iter()
        .filter(|node| {
            let mut inside = stops.range(node.id..node.subtree_end).filter_map(|id| page.node(*id));
            !inside.any(|stop| stop.shown)
        })
        .map(|node| node.id)
        .collect();
    let note = format!(
        "{} of {} scrolling areas out of reach for the keyboard",
        unreachable.len(),
        scrollable.len()
    );
    let mut groups: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for id in &unreachable {
        groups.entry(page.node(*id).map(selector).unwrap_or_default()).or_default().push(*id);
    }
    let findings = groups
        .into_iter()
        .map(|(name, nodes)| {
            let hidden = nodes
                .first()
                .and_then(|id| page.node(*id)?.scroll)
                .map_or(0.0, |scroll| (scroll.width - scroll.inner_width).max(scroll.height - scroll.inner_height));
            let what = format!(
                "scrolls {hidden:.0} px and the keyboard cannot get into it, needs tabindex=\"0\" or something to focus ({})",
                page.places(&nodes)
            );
            Finding::on(Severity::Serious, nodes, what).because(name).figure("hidden", f64::from(hidden), "px")
        })
        .collect();
    Outcome::share(unreachable.len(), scrollable.len(), SCROLL_ZERO_AT, note, findings)
}

/// Whether there is more in an element than is seen, and scrolling is the way to it.
fn scrolls(page: &Page<'_>, node: &Node) -> bool {
    let (Some(style), Some(scroll)) = (&node.style, node.scroll) else {
        return false;
    };
    if matches!(node.tag.as_str(), "html" | "body" | "select" | "textarea" | "input" | "iframe")
        || matches!(node.role.as_deref(), Some("listbox" | "menu" | "tree" | "dialog"))
    {
        return false;
    }
    let by_hand = |overflow: Overflow| matches!(overflow, Overflow::Auto | Overflow::Scroll);
    let [sideways, down] = style.overflow;
    // What only reaches into the padding is seen already.
    let more = |content: f32, inside: f32, before: f32, after: f32| {
        content - inside > SCROLLS.max(before.max(after))
    };
    let hides = by_hand(sideways)
        && more(scroll.width, scroll.inner_width, style.padding.left, style.padding.right)
        || by_hand(down) && more(scroll.height, scroll.inner_height, style.padding.top, style.padding.bottom);
    hides
        && (node.text.chars().any(|ch| !ch.is_whitespace())
            || page.snapshot.descendants(node).any(|inner| {
                inner.shown
                    && (!inner.text.is_empty()
                        || matches!(inner.tag.as_str(), "img" | "svg" | "canvas" | "video"))
            }))
}

/// The window in which text must still be whole: a phone stands for a page at 200 %.
const ZOOMED: Viewport = Viewport::PHONE;

/// The share of characters at which clipping is worth nothing: a fifth of the words gone is a page that lost its
/// meaning.
const CLIPPED_ZERO_AT: f64 = 0.2;

/// How much of a line must be gone to count. Descenders and generous boxes are not.
const GONE: f32 = 0.3;

/// Text that is cut off at its lower edge when the page is zoomed, WCAG 1.4.4.
pub(super) fn clipped(page: &Page<'_>) -> Outcome {
    let Some(zoomed) = page.at(ZOOMED) else {
        return Outcome::not_applicable();
    };
    let (mut total, mut failing, mut open) = (0, 0, 0);
    let mut groups: BTreeMap<(bool, String), Vec<NodeId>> = BTreeMap::new();
    let edges = lower_edges(zoomed);
    let sides = right_edges(zoomed);
    let shortening = shortening(page);
    let sized = sizes(page);
    let doubtful = depends_on_more(page);
    for node in zoomed.nodes.iter().filter(|node| node.shown && !node.lines.is_empty()) {
        let characters = node.text.chars().filter(|ch| !ch.is_whitespace()).count();
        total += characters;
        let below = edges.get(node.id.index()).copied().flatten().filter(|(edge, _)| {
            let begins_inside = node.lines.iter().any(|line| line.y < edge - 1.0);
            begins_inside && node.lines.iter().any(|line| line.y + line.height - edge > line.height * GONE)
        });
        let beside = || {
            sides.get(node.id.index()).copied().flatten().filter(|(edge, holder)| {
                let letter = node.style.as_ref().map_or(16.0, |style| style.font_size);
                let cut = |line: &Rect| line.x < edge - letter && line.x + line.width - edge > letter;
                node.lines.iter().any(cut)
                    && zoomed
                        .node(*holder)
                        .is_some_and(|holder| !is_shortened(page, &shortening, node, holder))
            })
        };
        if let Some((_, holder)) = below.or_else(beside) {
            // Boxes nobody gave a size grow with their content; where the engine shrinks one, it may be wrong.
            let holder = zoomed.node(holder);
            let certain = !doubtful && holder.is_some_and(|holder| is_sized(zoomed, &sized, holder));
            if certain {
                failing += characters;
            } else {
                open += characters;
            }
            groups.entry((certain, holder.map(selector).unwrap_or_default())).or_default().push(node.id);
        }
    }
    let note = format!(
        "{failing} of {} in texts cut off in a window of {} px",
        crate::finding::counted(total, "character"),
        ZOOMED.width
    );
    let (mut findings, mut undecided) = (Vec::new(), Vec::new());
    for ((certain, name), nodes) in groups {
        let what = format!(
            "text is cut off by {name} when zoomed to 200 %, needs a box that grows with it ({})",
            page.places(&nodes)
        );
        let list = if certain { &mut findings } else { &mut undecided };
        list.push(Finding::on(Severity::Moderate, nodes, what).because(name).at(ZOOMED));
    }
    if total == 0 {
        return Outcome::not_applicable();
    }
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: count(open),
            total: count(total),
            zero_at: CLIPPED_ZERO_AT,
        },
        note,
        findings,
        undecided,
    }
}

/// Rules that give boxes a size of their own.
pub(super) fn sizes<'a>(page: &'a Page<'_>) -> Rules<'a> {
    const GROWING: &[&str] =
        &["auto", "none", "100%", "fit-content", "max-content", "min-content", "inherit"];
    Rules::among(page.all_declarations(), |declaration| {
        matches!(
            declaration.property.as_str(),
            "height" | "max-height" | "width" | "max-width" | "block-size" | "inline-size" | "aspect-ratio"
        ) && !GROWING.contains(&plain(&declaration.value))
    })
}

/// Whether somebody gave a box a size.
pub(super) fn is_sized(snapshot: &Snapshot, sized: &Rules<'_>, holder: &Node) -> bool {
    holder.attribute("style").is_some_and(|style| style.contains("height") || style.contains("width"))
        || sized.reaching(snapshot, holder, State::Rest).iter().any(|(found, _)| *found == Match::Yes)
}

/// For each element, where an element around it that stands in the window cuts its text off at the right, and which one
/// does. What moves or is turned passes by in time.
fn right_edges(snapshot: &Snapshot) -> Vec<Option<(f32, NodeId)>> {
    let window = width_of(snapshot);
    let mut edges: Vec<Option<(f32, NodeId)>> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let mut edge = node.parent.and_then(|parent| edges.get(parent.index()).copied().flatten());
        if let (Some(style), Some(rect)) = (&node.style, node.rect)
            && !matches!(node.tag.as_str(), "html" | "body")
        {
            let [sideways, _] = style.overflow;
            let right = rect.x + rect.width;
            match sideways {
                Overflow::Auto | Overflow::Scroll => edge = None,
                Overflow::Hidden | Overflow::Clip if right <= window + SLACK && rect.width > 0.0 => {
                    let own = right - style.border.right;
                    if edge.is_none_or(|(known, _)| own < known) {
                        edge = Some((own, node.id));
                    }
                }
                Overflow::Hidden | Overflow::Clip => edge = None,
                Overflow::Visible => {}
            }
            if matches!(style.position, Position::Fixed | Position::Absolute) || !style.animations.is_empty()
            {
                edge = None;
            }
        }
        edges.push(edge);
    }
    edges
}

/// For each element, where an element around it cuts its text off at the bottom, and which one does.
fn lower_edges(snapshot: &Snapshot) -> Vec<Option<(f32, NodeId)>> {
    let mut edges: Vec<Option<(f32, NodeId)>> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let mut edge = node.parent.and_then(|parent| edges.get(parent.index()).copied().flatten());
        if let (Some(style), Some(rect)) = (&node.style, node.rect)
            && !matches!(node.tag.as_str(), "html" | "body")
        {
            let [_, down] = style.overflow;
            match down {
                // Another box that scrolls shows all of its content in time.
                Overflow::Auto | Overflow::Scroll => edge = None,
                Overflow::Hidden | Overflow::Clip => {
                    let own = rect.y + rect.height - style.border.bottom;
                    if edge.is_none_or(|(known, _)| own < known) {
                        edge = Some((own, node.id));
                    }
                }
                Overflow::Visible => {}
            }
            if style.position == Position::Fixed {
                edge = None;
            }
        }
        edges.push(edge);
    }
    edges
}

/// The sum of what a share is computed over, for other checks of boxes.
pub(super) fn characters(node: &Node) -> f64 {
    count(node.text.chars().filter(|ch| !ch.is_whitespace()).count())
}
