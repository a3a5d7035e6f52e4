//! Whether one can see where the keyboard is, WCAG 2.4.7.
//!
//! Browsers draw a ring around what has the focus. A page fails when its rules take that ring away and put nothing
//! in its place. What a focused element looks like is read from the rules, since nothing is focused while a page is
//! measured.

use std::collections::{BTreeMap, HashMap};

use jury_eye::{Node, NodeId};

use super::focus_order::tab_stops;
use crate::css::Declaration;
use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;
use crate::rules::{Rules, plain};
use crate::selector::{self, Match, State};

/// The share of focusable elements at which the check is worth nothing: when one cannot follow the keyboard over
/// half of a page, one is lost on it.
const ZERO_AT: f64 = 0.5;

/// Properties whose change on focus can be seen.
const INDICATORS: &[&str] = &[
    "outline",
    "box-shadow",
    "border",
    "background",
    "text-decoration",
    "color",
    "filter",
    "transform",
    "opacity",
    "fill",
    "stroke",
];

/// What became of the ring of one element.
#[derive(Debug, Clone, Copy)]
enum Ring<'a> {
    Kept,
    /// The rule that took it.
    Taken(&'a Declaration),
    Unknown(&'a Declaration),
}

/// In a text field the caret blinks, which WCAG takes for a visible focus.
fn has_a_caret(node: &Node) -> bool {
    match node.tag.as_str() {
        "textarea" => true,
        "input" => !matches!(
            node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str(),
            "checkbox" | "radio" | "range" | "color" | "file" | "submit" | "button" | "reset" | "image"
        ),
        _ => node.attribute("contenteditable").is_some(),
    }
}

/// The rules about focus on a page.
struct Focus<'a> {
    outlines: Rules<'a>,
    /// Rules that change something to be seen on focus.
    shown: Rules<'a>,
    /// The same rules by the part of their selectors up to the focus: they reach elements of which a neighbour, or
    /// something inside, changes when they are focused.
    beside: Rules<'a>,
}

impl<'a> Focus<'a> {
    fn of(declarations: &[&'a Declaration]) -> Self {
        let on_focus = |declaration: &Declaration| declaration.selector.contains(":focus");
        let outlines = Rules::among(declarations.iter().copied(), |declaration| {
            matches!(
                declaration.property.as_str(),
                "outline" | "outline-style" | "outline-width" | "outline-color"
            ) || (declaration.property == "all" && on_focus(declaration))
        });
        let shown = Rules::among(declarations.iter().copied(), |declaration| {
            on_focus(declaration) && indicates(declaration)
        });
        let beside = Rules::selecting(
            declarations.iter().copied(),
            |declaration| on_focus(declaration) && indicates(declaration),
            |declaration| {
                selector::split_list(&declaration.selector)
                    .into_iter()
                    .filter_map(up_to_focus)
                    .flat_map(selector::list)
                    .collect()
            },
        );
        Self { outlines, shown, beside }
    }

    fn ring(&self, page: &Page<'_>, node: &Node) -> Ring<'a> {
        let mut taken: Option<(&'a Declaration, Match)> = None;
        for (found, rule) in self.outlines.reaching(&page.snapshot, node, State::Focused) {
            if rule.selector.pseudo_element {
                continue;
            }
            if takes_the_ring(rule.declaration) {
                taken = Some((rule.declaration, found));
            } else if gives_a_ring(rule.declaration) && found == Match::Yes {
                taken = None;
            } else if let Some((declaration, _)) = taken {
                taken = Some((declaration, Match::Maybe));
            }
        }
        let Some((declaration, found)) = taken else {
            return Ring::Kept;
        };
        if self.shows_otherwise(page, node) {
            return Ring::Kept;
        }
        if found == Match::Maybe { Ring::Unknown(declaration) } else { Ring::Taken(declaration) }
    }

    /// Whether something else than the ring says where the focus is: on the element, in it, around it or beside it.
    fn shows_otherwise(&self, page: &Page<'_>, node: &Node) -> bool {
        let reaches = |node: &Node, within: bool| {
            self.shown.reaching(&page.snapshot, node, State::Focused).iter().any(|(_, rule)| {
                rule.selector.on_focus
                    && (!within || rule.declaration.selector.contains(":focus-within"))
                    // Which of the element's own outlines wins has been decided.
                    && (within || !rule.declaration.property.starts_with("outline"))
                    && !takes_the_ring(rule.declaration)
            })
        };
        !self.shown.is_empty()
            && (reaches(node, false) || page.snapshot.ancestors(node).any(|above| reaches(above, true)))
            || !self.beside.reaching(&page.snapshot, node, State::Focused).is_empty()
    }
}

/// The part of a selector that reaches what has the focus, when more follows.
fn up_to_focus(selector: &str) -> Option<&str> {
    let at = selector.find(":focus")?;
    let end = selector.get(at..)?.find(['+', '~', '>', ' '])?;
    selector.get(..at + end)
}

fn indicates(declaration: &Declaration) -> bool {
    let property = declaration.property.as_str();
    property != "outline-offset"
        && INDICATORS.iter().any(|known| {
            property.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
        && !takes_the_ring(declaration)
        && !(property == "box-shadow" && plain(&declaration.value) == "none")
}

fn takes_the_ring(declaration: &Declaration) -> bool {
    let value = plain(&declaration.value).to_ascii_lowercase();
    let mut words = value.split_ascii_whitespace();
    match declaration.property.as_str() {
        "outline" => words.any(|word| matches!(word, "none" | "0" | "0px" | "0em" | "0rem" | "transparent")),
        "outline-style" => value == "none",
        "outline-width" => matches!(value.as_str(), "0" | "0px" | "0em"),
        "outline-color" => value == "transparent",
        _ => false,
    }
}

/// A ring with a style of its own. A colour or a width alone brings none back.
fn gives_a_ring(declaration: &Declaration) -> bool {
    !takes_the_ring(declaration) && matches!(declaration.property.as_str(), "outline" | "outline-style")
}

/// What takes the ring away, with the elements that are left without one.
struct Loss<'a> {
    declaration: &'a Declaration,
    nodes: Vec<NodeId>,
    /// The elements that have no caret either.
    unseen: usize,
}

fn losses<'a>(page: &Page<'_>, declarations: &[&'a Declaration]) -> (Vec<Loss<'a>>, Vec<Loss<'a>>, usize) {
    let focus = Focus::of(declarations);
    let scripted = listens_for_focus(page);
    let order: HashMap<*const Declaration, usize> = declarations
        .iter()
        .enumerate()
        .map(|(index, declaration)| (std::ptr::from_ref(*declaration), index))
        .collect();
    let inline: Vec<&'a Declaration> = declarations
        .iter()
        .copied()
        .filter(|declaration| declaration.selector.is_empty() && takes_the_ring(declaration))
        .collect();
    let mut total = 0;
    let mut taken: BTreeMap<usize, Loss<'a>> = BTreeMap::new();
    let mut unknown: BTreeMap<usize, Loss<'a>> = BTreeMap::new();
    for node in tab_stops(page).iter().filter_map(|id| page.node(*id)).filter(|node| node.shown) {
        total += 1;
        let ring = match own_rule(page, node, &inline) {
            Some(declaration) if !focus.shows_otherwise(page, node) => Ring::Taken(declaration),
            None if !focus.outlines.is_empty() => focus.ring(page, node),
            _ => continue,
        };
        let (declaration, list) = match ring {
            Ring::Kept => continue,
            Ring::Taken(declaration) if !scripted && node.attribute("onfocus").is_none() => {
                (declaration, &mut taken)
            }
            Ring::Taken(declaration) | Ring::Unknown(declaration) => (declaration, &mut unknown),
        };
        let place = order.get(&std::ptr::from_ref(declaration)).copied().unwrap_or(0);
        let loss = list.entry(place).or_insert_with(|| Loss { declaration, nodes: Vec::new(), unseen: 0 });
        loss.nodes.push(node.id);
        loss.unseen += usize::from(!has_a_caret(node));
    }
    (taken.into_values().collect(), unknown.into_values().collect(), total)
}

/// The declaration in an element's own `style` attribute that takes its ring. `inline` is in the order of the page.
fn own_rule<'a>(page: &Page<'_>, node: &Node, inline: &[&'a Declaration]) -> Option<&'a Declaration> {
    let span = &page.source.tag(node.id)?.attribute("style")?.value;
    let first = inline.partition_point(|declaration| declaration.span.start < span.start);
    inline.get(first).copied().filter(|declaration| declaration.span.end <= span.end)
}

/// Whether a script may mark the focus by itself.
fn listens_for_focus(page: &Page<'_>) -> bool {
    page.source.raw_texts.iter().any(|span| {
        let text = page.html.get(span.clone()).unwrap_or_default();
        ["'focus'", "\"focus\"", "'focusin'", "\"focusin\"", ".onfocus"]
            .iter()
            .any(|word| text.contains(word))
    })
}

/// Declarations that take the focus ring away and give nothing back.
pub(crate) fn unfocusable_rules<'a>(page: &'a Page<'_>) -> Vec<&'a Declaration> {
    let own: Vec<&Declaration> = page.declarations.iter().collect();
    losses(page, &own).0.into_iter().map(|loss| loss.declaration).collect()
}

pub(super) fn focus(page: &Page<'_>) -> Outcome {
    let (taken, unknown, total) = losses(page, &page.all_declarations());
    if total == 0 {
        return Outcome::not_applicable();
    }
    let failing: usize = taken.iter().map(|loss| loss.nodes.len()).sum();
    let open: usize = unknown.iter().map(|loss| loss.nodes.len()).sum();
    let rules = counted(taken.len(), "rule");
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: count(open),
            total: count(total),
            zero_at: ZERO_AT,
        },
        note: format!("{failing} of {total} focusable elements lose their focus ring, by {rules}"),
        findings: taken.iter().map(|loss| finding(page, loss, total)).collect(),
        undecided: unknown.iter().map(|loss| finding(page, loss, total)).collect(),
    }
}

fn finding(page: &Page<'_>, loss: &Loss<'_>, total: usize) -> Finding {
    let Declaration { selector, property, value, .. } = loss.declaration;
    let severity = if loss.unseen > 0 { Severity::Serious } else { Severity::Moderate };
    let name = if selector.is_empty() { "a style attribute" } else { selector.as_str() };
    let what = format!(
        "the focus ring is taken away by {name} {{ {property}: {value} }} and nothing is put in its place, needs a visible focus ({})",
        page.places(&loss.nodes)
    );
    Finding::on(severity, loss.nodes.clone(), what)
        .because(format!("{name} {property}: {value}"))
        .figure("elements without a visible focus", count(loss.nodes.len()), "")
        .figure("focusable elements", count(total), "")
}
