//! Repairs of text contrast: the lightness of a colour moves as little as it must.
//!
//! First choice is the place where the colour is written once, a custom property; then the literal in the
//! rule; then an added rule for just the elements concerned. Text moves before its backdrop, unless the
//! backdrop has the much shorter way (white words on a pale button).

use std::collections::BTreeMap;

use jury_core::unit::ContrastRatio;
use jury_eye::{Node, NodeId};
use jury_text::colour::{HEADROOM, Rgb, contrast, nearest_lightness};
use jury_text::css_colour;

use crate::css::Declaration;
use crate::page::Page;
use crate::paint::opaque;
use crate::text_run::{TextRun, Verdict, ends_in};

use super::Asked;
use super::edit::Repair;
use super::rule::style_elements;

const CHECK: &str = "a11y/contrast";

/// Colours repaired at a time, the most used first: a page with more has no palette to repair.
const MAX_COLOURS: usize = 32;

/// How far text may move before its backdrop is asked to move instead.
const FAR: f64 = 0.25;

/// How near a brand token must be to be taken instead of a computed colour.
const NEAR_TOKEN: f64 = 0.25;

/// The share of the page below which a painted surface is a detail: what paints more keeps its colour, and the text
/// gets one of its own.
const SMALL_AREA: f32 = 0.003;

/// The share of the page a fill may cover that moves for the text on it: a button, not a background.
pub(super) const FILL_AREA: f32 = 0.02;

/// A colour as a text can have it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ink {
    rgb: Rgb,
    alpha: f64,
}

impl Ink {
    fn css(self) -> String {
        if self.alpha >= 0.999 {
            return self.rgb.hex();
        }
        let [red, green, blue] = self.rgb.bytes();
        format!("rgba({red},{green},{blue},{:.2})", self.alpha)
    }
}

/// Repairs for everything that fails: where the colour is written if that was not refused, else added rules, else
/// styles on the elements.
pub(super) fn repairs(asked: &Asked<'_>) -> Vec<Repair> {
    let page = asked.page;
    let mut groups: BTreeMap<([u8; 3], u32), Vec<&TextRun>> = BTreeMap::new();
    for run in page.texts().filter(|run| run.verdict == Verdict::Fails) {
        if let [only] = run.foregrounds[..] {
            groups.entry((only.bytes(), permille(run.alpha))).or_default().push(run);
        }
    }
    let mut groups: Vec<Vec<&TextRun>> = groups.into_values().collect();
    let characters = |group: &Vec<&TextRun>| group.iter().map(|run| run.characters).sum::<usize>();
    groups.sort_by_key(|group| std::cmp::Reverse(characters(group)));
    groups.truncate(MAX_COLOURS);
    groups.into_iter().flat_map(|failing| group_repairs(asked, &failing)).collect()
}

fn group_repairs(asked: &Asked<'_>, failing: &[&TextRun]) -> Vec<Repair> {
    let page = asked.page;
    let Some(ink) = failing.first().and_then(|run| ink_of(run)) else {
        return Vec::new();
    };
    let alike: Vec<&TextRun> = page
        .texts()
        .filter(|run| run.verdict != Verdict::Unknown && ink_of(run).is_some_and(|other| same(other, ink)))
        .collect();
    let everywhere = solve(page, &alike, ink);
    let lightness = |colour: Rgb| colour.oklab().lightness;
    let way = everywhere.map_or(f64::INFINITY, |target| (lightness(target.rgb) - lightness(ink.rgb)).abs());
    let backdrop = (way > FAR).then(|| backdrop_repair(page, failing, way)).flatten();
    let written = || everywhere.and_then(|target| written_repair(page, failing, ink, target));
    let first = backdrop.filter(|repair| asked.is_open(repair));
    if let Some(repair) = first.or_else(|| written().filter(|repair| asked.is_open(repair))) {
        return vec![repair];
    }
    overrides(asked, failing, ink)
}

fn ink_of(run: &TextRun) -> Option<Ink> {
    match run.foregrounds[..] {
        [rgb] => Some(Ink { rgb, alpha: run.alpha }),
        _ => None,
    }
}

fn same(one: Ink, other: Ink) -> bool {
    one.rgb.bytes() == other.rgb.bytes() && permille(one.alpha) == permille(other.alpha)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an opacity is between 0 and 1")]
fn permille(alpha: f64) -> u32 {
    (alpha.clamp(0.0, 1.0) * 1000.0).round() as u32
}

/// The nearest colour that passes for every one of these runs, with some room to spare. On a fill in the
/// middle of the scale even black and white have none; there the bound itself must do.
fn solve(page: &Page<'_>, runs: &[&TextRun], ink: Ink) -> Option<Ink> {
    [HEADROOM, 1.0].into_iter().find_map(|headroom| solve_with(page, runs, ink, headroom))
}

fn solve_with(page: &Page<'_>, runs: &[&TextRun], ink: Ink, headroom: f64) -> Option<Ink> {
    let passes =
        |rgb: Rgb, alpha: f64| runs.iter().all(|run| run.worst_ratio(rgb, alpha) >= run.required * headroom);
    if ink.alpha < 0.999 {
        let denser = (1..=50)
            .map(|step| f64::from(step).mul_add(0.02, ink.alpha))
            .take_while(|alpha| *alpha <= 1.0)
            .find(|alpha| passes(ink.rgb, *alpha));
        if let Some(alpha) = denser {
            // Written with two decimals, so nothing may be lost to rounding.
            let alpha = ((alpha * 100.0).ceil() / 100.0).min(1.0);
            return Some(Ink { rgb: ink.rgb, alpha });
        }
    }
    // A token of the brand that passes and lies near beats any computed colour.
    let from = ink.rgb.oklab();
    let token = page
        .brand()
        .iter()
        .flat_map(|brand| &brand.colours)
        .map(|token| (from.distance(token.oklab()), *token))
        .filter(|(distance, token)| *distance < NEAR_TOKEN && passes(*token, 1.0))
        .min_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, token)| token);
    token.or_else(|| nearest_lightness(ink.rgb, |rgb| passes(rgb, 1.0))).map(|rgb| Ink { rgb, alpha: 1.0 })
}

/// Changes the colour where it is written.
fn written_repair(page: &Page<'_>, failing: &[&TextRun], from: Ink, to: Ink) -> Option<Repair> {
    let holds = |declaration: &&Declaration| {
        css_colour::parse(without_important(&declaration.value)).is_some_and(|written| {
            written.rgb.bytes() == from.rgb.bytes() && (written.alpha - from.alpha).abs() < 0.012
        })
    };
    // Moving a colour that also paints surfaces would repaint the page.
    let may_move = painted_share(page, from.rgb, |_| true) < SMALL_AREA;
    let properties: Vec<&Declaration> = page
        .declarations
        .iter()
        .filter(|declaration| may_move && declaration.property.starts_with("--"))
        .filter(holds)
        .filter(|declaration| is_used_for(page, &declaration.property, &["color", "fill"]))
        .collect();
    let places = if properties.is_empty() {
        page.declarations
            .iter()
            .filter(|declaration| declaration.property == "color")
            .filter(holds)
            .filter(|declaration| failing.iter().any(|run| may_reach(page, declaration, run.node)))
            .collect()
    } else {
        properties
    };
    let first = places.first()?;
    let line = page.source.line(first.span.start);
    let name = if first.property.starts_with("--") {
        first.property.clone()
    } else {
        format!("color of {}", if first.selector.is_empty() { "the element" } else { &first.selector })
    };
    let (before, after) = (worst(failing, from), worst(failing, to));
    Some(Repair {
        check: CHECK,
        edits: places
            .iter()
            .map(|declaration| {
                let end = declaration.span.start + without_important(&declaration.value).len();
                (declaration.span.start..end, to.css())
            })
            .collect(),
        reason: format!(
            "{name} {} to {}: contrast {before:.2} to {after:.2} (line {line})",
            from.css(),
            to.css()
        ),
        visible: super::Visible::No,
        invents_words: false,
    })
}

/// The share of the page that boxes of this colour cover, of those that count.
pub(super) fn painted_share(page: &Page<'_>, colour: Rgb, counts: impl Fn(&Node) -> bool) -> f32 {
    let area = |node: &Node| node.rect.map_or(0.0, |rect| rect.area());
    let whole = page.snapshot.nodes.iter().map(area).fold(1.0, f32::max);
    let painted: f32 = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| {
            node.shown
                && counts(node)
                && node.style.as_ref().is_some_and(|style| {
                    std::iter::once(&style.backdrop.color)
                        .chain(&style.backdrop.gradient)
                        .any(|paint| paint.alpha > 0.0 && opaque(*paint).bytes() == colour.bytes())
                })
        })
        .map(area)
        .sum();
    painted / whole
}

fn worst(runs: &[&TextRun], ink: Ink) -> f64 {
    let ratio = runs.iter().map(|run| run.worst_ratio(ink.rgb, ink.alpha)).fold(f64::INFINITY, f64::min);
    ContrastRatio(ratio).cut()
}

pub(super) fn without_important(value: &str) -> &str {
    value.strip_suffix("!important").unwrap_or(value).trim_end()
}

/// Whether a custom property is used for one of these properties, directly or by way of another one.
pub(super) fn is_used_for(page: &Page<'_>, name: &str, properties: &[&str]) -> bool {
    let refers = |declaration: &Declaration, name: &str| {
        declaration.value.match_indices("var(").any(|(at, _)| {
            declaration
                .value
                .get(at + 4..)
                .is_some_and(|rest| rest.trim_start().split([',', ')', ' ']).next() == Some(name))
        })
    };
    let mut names = vec![name.to_owned()];
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        for declaration in page.declarations.iter().filter(|declaration| refers(declaration, &name)) {
            if properties.contains(&declaration.property.as_str()) {
                return true;
            }
            if declaration.property.starts_with("--") && !names.contains(&declaration.property) {
                names.push(declaration.property.clone());
            }
        }
        next += 1;
    }
    false
}

/// Whether a declaration may give an element its colour, as far as names go.
pub(super) fn may_reach(page: &Page<'_>, declaration: &Declaration, id: NodeId) -> bool {
    let Some(node) = page.node(id) else { return false };
    if declaration.selector.is_empty() {
        return page.is_inside(node, |around| {
            page.source.tag(around.id).is_some_and(|tag| tag.span.contains(&declaration.span.start))
        });
    }
    declaration.selector.split(',').any(|selector| {
        let compound =
            selector.split([' ', '>', '+', '~']).rfind(|part| !part.is_empty()).unwrap_or_default();
        page.is_inside(node, |around| ends_in(compound, around))
    })
}

/// Moves the backdrop instead, when that is the shorter way.
fn backdrop_repair(page: &Page<'_>, failing: &[&TextRun], way: f64) -> Option<Repair> {
    let plain = |id: NodeId| {
        let backdrop = &page.node(id)?.style.as_ref()?.backdrop;
        (backdrop.color.alpha >= 1.0 && backdrop.gradient.is_empty() && !backdrop.image)
            .then(|| opaque(backdrop.color))
    };
    let colour = plain(failing.first()?.backdrop_of?)?;
    if painted_share(page, colour, |_| true) > FILL_AREA {
        return None;
    }
    let over: Vec<&TextRun> = page
        .texts()
        .filter(|run| run.backdrop_of.and_then(plain).is_some_and(|other| other.bytes() == colour.bytes()))
        .collect();
    let target = nearest_lightness(colour, |candidate| {
        over.iter().all(|run| {
            run.foregrounds
                .iter()
                .all(|text| contrast(candidate.under(*text, run.alpha), candidate) >= run.required * HEADROOM)
        })
    })?;
    if (target.oklab().lightness - colour.oklab().lightness).abs() >= way.min(FAR) {
        return None;
    }
    let is_background = |declaration: &&Declaration| {
        declaration.property.starts_with("--")
            || matches!(declaration.property.as_str(), "background" | "background-color")
    };
    let place = page.declarations.iter().filter(is_background).find(|declaration| {
        css_colour::parse(without_important(&declaration.value))
            .is_some_and(|written| written.alpha >= 1.0 && written.rgb.bytes() == colour.bytes())
            && if declaration.property.starts_with("--") {
                is_used_for(page, &declaration.property, &["background", "background-color"])
            } else {
                failing.iter().filter_map(|run| run.backdrop_of).any(|id| may_reach(page, declaration, id))
            }
    })?;
    let end = place.span.start + without_important(&place.value).len();
    let line = page.source.line(place.span.start);
    let ratio = failing.iter().map(|run| run.ratio).fold(f64::INFINITY, f64::min);
    Some(Repair::one(
        CHECK,
        place.span.start..end,
        target.hex(),
        format!(
            "{} {} to {} behind text: contrast was {:.2} (line {line})",
            place.property,
            colour.hex(),
            target.hex(),
            ContrastRatio(ratio).cut()
        ),
    ))
}

/// Adds rules, or styles on the elements, for just the runs that fail.
fn overrides(asked: &Asked<'_>, failing: &[&TextRun], ink: Ink) -> Vec<Repair> {
    let page = asked.page;
    let mut by_backdrop: BTreeMap<Option<[u8; 3]>, Vec<&TextRun>> = BTreeMap::new();
    for run in failing {
        by_backdrop.entry(run.only_backdrop().map(Rgb::bytes)).or_default().push(run);
    }
    by_backdrop
        .into_values()
        .flat_map(|runs| {
            let Some(target) = solve(page, &runs, ink) else {
                return fade_repairs(asked, &runs);
            };
            let declaration = format!("color:{}", target.css());
            let why = format!("contrast {:.2} to {:.2}", worst(&runs, ink), worst(&runs, target));
            let fine = |run: &TextRun| run.worst_ratio(target.rgb, target.alpha) >= run.required;
            let nodes: Vec<NodeId> = runs.iter().map(|run| run.node).collect();
            style_elements(asked, CHECK, &nodes, &declaration, &why, fine)
        })
        .collect()
}

/// Text faded by an opacity that no colour can make up for.
fn fade_repairs(asked: &Asked<'_>, runs: &[&TextRun]) -> Vec<Repair> {
    let page = asked.page;
    let mut faded: Vec<NodeId> = runs
        .iter()
        .filter_map(|run| {
            let node = page.node(run.node)?;
            std::iter::once(node)
                .chain(page.snapshot.ancestors(node))
                .find(|around| around.style.as_ref().is_some_and(|style| style.opacity < 1.0))
                .map(|around| around.id)
        })
        .collect();
    faded.sort_unstable();
    faded.dedup();
    style_elements(asked, CHECK, &faded, "opacity:1", "its opacity took the contrast away", |_| true)
}
