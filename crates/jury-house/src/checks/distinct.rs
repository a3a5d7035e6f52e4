//! What can be told apart: links from the words around them, controls from the page. WCAG 1.4.1 and 1.4.11.

use std::collections::BTreeMap;

use jury_core::unit::ContrastRatio;
use jury_eye::{Layout, Node, NodeId, Style};
use jury_text::colour::contrast;

use super::hierarchy::{area_of, backdrop_around, lies_on_one_colour};
use crate::css::Declaration;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::{Page, selector};
use crate::paint::opaque;
use crate::rules::{Rules, plain};
use crate::selector::State;

/// The contrast that makes up for a missing underline (technique G183), and that a shape needs (1.4.11).
const TOLD_APART: f64 = 3.0;

/// The share of links in text at which the check is worth nothing: half of them unseen are as good as none.
const LINKS_ZERO_AT: f64 = 0.5;

/// The share of controls at which the check is worth nothing.
const CONTROLS_ZERO_AT: f64 = 0.5;

pub(super) fn link_in_text(page: &Page<'_>) -> Outcome {
    let decorated = Rules::among(page.all_declarations(), |declaration| {
        declaration.selector.contains(':') && declaration.property == "content"
    });
    // The engine gives elements in lines no border, so theirs is read from the rules.
    let edges = Rules::among(page.all_declarations(), |declaration| {
        declaration.property.starts_with("border") && !declaration.property.contains("radius")
    });
    let mut total = 0;
    let mut alike: BTreeMap<(String, String), (f64, Vec<NodeId>)> = BTreeMap::new();
    for link in page.exposed().filter(|node| node.shown && node.role.as_deref() == Some("link")) {
        let Some((link_style, text_style)) = in_text(page, link) else { continue };
        total += 1;
        if differs(page, link, link_style, text_style) || has_an_edge(page, &edges, link) {
            continue;
        }
        // Something is written in front of it or behind it: an arrow, a mark.
        let marked = decorated
            .reaching(&page.snapshot, link, State::Rest)
            .iter()
            .any(|(_, rule)| rule.selector.pseudo_element);
        if marked {
            continue;
        }
        let below = backdrop_around(page, link);
        let seen = |style: &Style| below.under(opaque(style.color), f64::from(style.color.alpha));
        let (own, around) = (seen(link_style).rounded(), seen(text_style).rounded());
        let ratio = contrast(own, around);
        if ratio < TOLD_APART {
            alike.entry((own.hex(), around.hex())).or_insert((ratio, Vec::new())).1.push(link.id);
        }
    }
    let failing: usize = alike.values().map(|(_, nodes)| nodes.len()).sum();
    let note = format!("{failing} of {total} links in text look like the text");
    let findings = alike
        .into_iter()
        .map(|((own, around), (ratio, nodes))| {
            let what = format!(
                "links {own} in text {around} differ by {} and have no underline, needs 3:1 or an underline ({})",
                ContrastRatio(ratio),
                page.places(&nodes)
            );
            Finding::on(Severity::Serious, nodes, what)
                .because(format!("{own} in {around}"))
                .figure("ratio", ratio, ":1")
                .figure("needs", TOLD_APART, ":1")
        })
        .collect();
    Outcome::share(failing, total, LINKS_ZERO_AT, note, findings)
}

/// The styles of a link's words and of the words around it, when it stands in running text.
fn in_text<'a>(page: &'a Page<'_>, link: &'a Node) -> Option<(&'a Style, &'a Style)> {
    let style = link.style.as_ref().filter(|style| style.layout == Layout::Inline)?;
    let block = page
        .snapshot
        .ancestors(link)
        .find(|above| above.style.as_ref().is_some_and(|style| style.layout != Layout::Inline))?;
    if matches!(block.role.as_deref(), Some("navigation" | "heading" | "button" | "link"))
        || page.snapshot.ancestors(link).any(|above| above.role.as_deref() == Some("navigation"))
    {
        return None;
    }
    let words = |text: &str| text.chars().filter(|ch| ch.is_alphanumeric()).count();
    let own = words(&link.text)
        + page
            .snapshot
            .descendants(link)
            .filter(|inner| inner.shown)
            .map(|inner| words(&inner.text))
            .sum::<usize>();
    // Words of the block that are in no link. Blocks inside it are paragraphs of their own.
    let around: usize = words(&block.text)
        + page
            .snapshot
            .descendants(block)
            .take(MOST_IN_BLOCK)
            .filter(|inner| {
                inner.shown && inner.style.as_ref().is_some_and(|style| style.layout == Layout::Inline)
            })
            .filter(|inner| !page.is_inside(inner, |above| above.role.as_deref() == Some("link")))
            .map(|inner| words(&inner.text))
            .sum::<usize>();
    // A row of links with dots between them is a menu and not a text.
    if own == 0 || around <= own {
        return None;
    }
    let parent = link.parent.and_then(|parent| page.node(parent))?;
    Some((style, parent.style.as_ref()?))
}

/// Whether a rule draws a border at a link in a line.
fn has_an_edge(page: &Page<'_>, edges: &Rules<'_>, link: &Node) -> bool {
    let draws = |value: &str| {
        !plain(value)
            .split_ascii_whitespace()
            .any(|word| matches!(word, "none" | "0" | "0px" | "transparent"))
    };
    let by_rule = edges
        .reaching(&page.snapshot, link, State::Rest)
        .last()
        .is_some_and(|(_, rule)| draws(&rule.declaration.value));
    by_rule || link.attribute("style").is_some_and(|style| style.contains("border"))
}

/// How many elements of a block are looked at for words.
const MOST_IN_BLOCK: usize = 500;

/// Whether a link differs from its text in anything but colour.
fn differs(page: &Page<'_>, link: &Node, own: &Style, around: &Style) -> bool {
    let shows = |style: &Style| {
        style.underline
            || !style.backdrop.is_none()
            || style.outline.is_some()
            || style
                .border
                .sides()
                .iter()
                .zip(&style.border_color)
                .any(|(width, color)| *width > 0.0 && color.alpha > 0.0)
    };
    let inner_differs = page.snapshot.descendants(link).any(|inner| {
        inner.shown
            && (matches!(inner.tag.as_str(), "img" | "svg") || inner.style.as_ref().is_some_and(shows))
    });
    shows(own)
        || inner_differs
        || (own.font_weight - around.font_weight).abs() >= 100.0
        || (own.font_size - around.font_size).abs() >= 1.0
        || own.font_families.first() != around.font_families.first()
        || own.uppercase != around.uppercase
}

/// Fields, and buttons without words, are seen by their edge alone.
pub(super) fn nontext_contrast(page: &Page<'_>) -> Outcome {
    let rules = Rules::among(page.all_declarations(), is_about_edges);
    let (mut total, mut failing, mut open) = (0, 0, 0);
    let mut faint: BTreeMap<(String, String), (f64, Vec<NodeId>)> = BTreeMap::new();
    let mut unknown: Vec<NodeId> = Vec::new();
    for control in page.exposed().filter(|node| node.shown && is_seen_by_its_edge(page, node)) {
        let (Some(style), Some(_)) = (&control.style, area_of(control)) else { continue };
        let reached = rules.reaching(&page.snapshot, control, State::Rest);
        let authored = control.attribute("style").is_some() || !reached.is_empty();
        if !authored {
            // What browsers draw by themselves is theirs to get right.
            continue;
        }
        total += 1;
        let shadow = reached
            .iter()
            .any(|(_, rule)| rule.declaration.property == "box-shadow" && rule.declaration.value != "none")
            || control.attribute("style").is_some_and(|style| style.contains("box-shadow"));
        if shadow
            || style.backdrop.image
            || !style.backdrop.gradient.is_empty()
            || !lies_on_one_colour(page, control)
        {
            open += 1;
            unknown.push(control.id);
            continue;
        }
        let behind = backdrop_around(page, control);
        let fill = behind.under(opaque(style.backdrop.color), f64::from(style.backdrop.color.alpha));
        let edges =
            style.border.sides().into_iter().zip(style.border_color).filter(|(width, _)| *width > 0.0);
        let edge = edges
            .map(|(_, color)| {
                let seen = fill.under(opaque(color), f64::from(color.alpha));
                contrast(seen, behind)
            })
            .fold(0.0, f64::max);
        let outline = style.outline.map_or(0.0, |outline| {
            contrast(behind.under(opaque(outline.color), f64::from(outline.color.alpha)), behind)
        });
        let best = contrast(fill, behind).max(edge).max(outline);
        if best < TOLD_APART {
            failing += 1;
            let key = (selector(control), behind.rounded().hex());
            faint.entry(key).or_insert((best, Vec::new())).1.push(control.id);
        }
    }
    if total == 0 {
        return Outcome::not_applicable();
    }
    let findings = faint
        .into_iter()
        .map(|((name, behind), (ratio, nodes))| {
            let what = format!(
                "the edge of {name} is {} against {behind}, needs 3:1 ({})",
                ContrastRatio(ratio),
                page.places(&nodes)
            );
            Finding::on(Severity::Moderate, nodes, what)
                .because(format!("{name} on {behind}"))
                .figure("ratio", ratio, ":1")
                .figure("needs", TOLD_APART, ":1")
        })
        .collect();
    let undecided = (!unknown.is_empty())
        .then(|| {
            let what = format!(
                "edges over images, gradients or with shadows cannot be told ({})",
                page.places(&unknown)
            );
            Finding::on(Severity::Moderate, unknown, what)
                .because("edges over images, gradients or with shadows")
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: count(open),
            total: count(total),
            zero_at: CONTROLS_ZERO_AT,
        },
        note: format!("{failing} of {total} fields and plain buttons have too faint an edge"),
        findings,
        undecided,
    }
}

fn is_about_edges(declaration: &Declaration) -> bool {
    let property = declaration.property.as_str();
    ["border", "background", "outline"].iter().any(|known| property.starts_with(known))
        || matches!(property, "box-shadow" | "appearance" | "-webkit-appearance" | "all")
}

fn is_seen_by_its_edge(page: &Page<'_>, node: &Node) -> bool {
    if node.attribute("disabled").is_some() || node.attribute("aria-disabled") == Some("true") {
        return false;
    }
    match node.tag.as_str() {
        "textarea" => true,
        "input" => matches!(
            node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str(),
            "text"
                | "email"
                | "password"
                | "search"
                | "tel"
                | "url"
                | "number"
                | "date"
                | "time"
                | "datetime-local"
                | "month"
                | "week"
        ),
        // Words or an icon tell what a button is, with or without an edge.
        "button" => {
            node.text.is_empty()
                && !page.snapshot.descendants(node).any(|inner| {
                    inner.shown
                        && (!inner.text.is_empty() || matches!(inner.tag.as_str(), "svg" | "img" | "i"))
                })
                && node.style.as_ref().is_some_and(|style| {
                    !style.backdrop.is_none() || style.border.sides().iter().any(|width| *width > 0.0)
                })
        }
        _ => false,
    }
}
