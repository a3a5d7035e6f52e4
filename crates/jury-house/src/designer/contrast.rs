//! Repairs of text contrast: the lightness of a colour moves as little as it must.
//!
//! Text or ground moves, whichever has the shorter way. First choice is the place where the colour is written once, a custom
//! property, if nothing else has it; then the literal in the rule; then an added rule for just the elements concerned; then
//! a style on each.

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
use super::sight::is_in_sight;

pub(super) const CHECK: &str = "a11y/contrast";

/// Colours repaired at a time, the most used first: a page with more has no palette to repair.
const MAX_COLOURS: usize = 32;

/// How far a fill may move for the text on it.
const FAR: f64 = 0.25;

/// Text that moves as far as this has turned from light to dark, or back.
const TURNS: f64 = 0.4;

/// How much further a colour may move in all its places than it has to in the nearest.
const ABOUT_AS_MUCH: f64 = 0.08;

/// The share of the page a fill may cover that moves instead of text that would have to turn.
const LARGE_FILL_AREA: f32 = 0.2;

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

/// Letters this large are a picture of themselves when they can hardly be seen.
const HUGE: f32 = 64.0;

/// Below this ratio, or this opacity, large or single signs are ornament rather than text.
const GHOSTLY: (f64, f64) = (2.0, 0.35);

/// Text that can be repaired: it fails where it is in sight, and is there to be read.
///
/// What nobody sees where it was measured stands on another ground when it is shown. And a pale numeral behind a title may
/// be meant like that: only a person can tell.
pub(super) fn repairable<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a TextRun> {
    page.runs.iter().filter(|run| run.verdict == Verdict::Fails).filter(|run| {
        page.node(run.node)
            .is_some_and(|node| is_in_sight(&page.snapshot, node) && !is_ornament(page, run, node))
    })
}

/// Whether a faint text looks like ornament: huge, a numeral, or laid behind the content.
fn is_ornament(page: &Page<'_>, run: &TextRun, node: &Node) -> bool {
    let (ratio, strength) = GHOSTLY;
    if run.ratio >= ratio && run.alpha * run.opacity > strength {
        return false;
    }
    let huge = node.style.as_ref().is_some_and(|style| style.font_size >= HUGE);
    let numeral = !node.text.chars().any(char::is_alphabetic);
    let behind = page.is_inside(node, |around| {
        around.style.as_ref().is_some_and(|style| style.z_index.is_some_and(|index| index < 0))
    });
    huge || numeral || behind
}

/// The box a text stands on, if it has a plain colour of its own that could move.
pub(super) fn ground(page: &Page<'_>, run: &TextRun) -> Option<NodeId> {
    let ground = run.backdrop_of.and_then(|id| page.node(id))?;
    (!matches!(ground.tag.as_str(), "html" | "body") && plain_fill(page, ground.id).is_some())
        .then_some(ground.id)
}

/// The nearest element that fades a text.
pub(super) fn faded_by(page: &Page<'_>, run: &TextRun) -> Option<NodeId> {
    let node = page.node(run.node)?;
    std::iter::once(node)
        .chain(page.snapshot.ancestors(node))
        .find(|around| around.style.as_ref().is_some_and(|style| style.opacity < 1.0))
        .map(|around| around.id)
}

/// Repairs for everything that fails: text or ground, whichever has the shorter way; where the colour is written if that
/// touches nothing else, else added rules, else styles on the elements.
pub(super) fn repairs(asked: &Asked<'_>) -> Vec<Repair> {
    let page = asked.page;
    let mut groups: BTreeMap<([u8; 3], u32), Vec<&TextRun>> = BTreeMap::new();
    for run in repairable(page) {
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
    let mut by_ground: BTreeMap<Option<[u8; 3]>, Vec<&TextRun>> = BTreeMap::new();
    for run in failing {
        by_ground.entry(run.only_backdrop().map(Rgb::bytes)).or_default().push(run);
    }
    let mut repairs = Vec::new();
    let mut texts: Vec<Vec<&TextRun>> = Vec::new();
    for runs in by_ground.into_values() {
        let way = solve(page, &runs, ink).map_or(f64::INFINITY, |target| ink.way(target));
        let moved = ground_repairs(asked, &runs, way);
        if moved.is_empty() { texts.push(runs) } else { repairs.extend(moved) }
    }
    // Where it is written, a colour moves for all its places: only if all of them need about as much of it.
    let everywhere = solve(page, failing, ink).filter(|target| {
        let least = texts.iter().filter_map(|runs| solve(page, runs, ink)).map(|target| ink.way(target));
        repairs.is_empty() && ink.way(*target) <= least.fold(f64::INFINITY, f64::min) + ABOUT_AS_MUCH
    });
    let alone = !page
        .texts()
        .filter(|run| ink_of(run).is_some_and(|other| same(other, ink)))
        .any(|run| !failing.iter().any(|known| known.node == run.node));
    let written = everywhere.filter(|_| alone).and_then(|target| written_repair(page, failing, ink, target));
    if let Some(written) = written.filter(|repair| asked.is_open(repair)) {
        return vec![written];
    }
    repairs.extend(texts.into_iter().flat_map(|runs| overrides(asked, &runs, ink)));
    repairs
}

impl Ink {
    /// How far it is from one colour to another, as they are laid on: a change of opacity is one of what is seen.
    fn way(self, other: Self) -> f64 {
        self.rgb.oklab().distance(other.rgb.oklab()) + (self.alpha - other.alpha).abs()
    }
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
    if reaches_unlaid(page, first) {
        return None;
    }
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

/// Whether a colour may be that of words which are not laid out now: in a menu, a dialog or a tab that is closed. What they
/// stand on when they are shown has not been looked at.
fn reaches_unlaid(page: &Page<'_>, colour: &Declaration) -> bool {
    let is_words = |node: &&Node| {
        node.style.is_none()
            && node.text.chars().any(char::is_alphanumeric)
            && !matches!(node.tag.as_str(), "script" | "style" | "title" | "noscript" | "template" | "option")
            && page.snapshot.ancestors(node).all(|around| !matches!(around.tag.as_str(), "head" | "svg"))
    };
    let rules: Vec<&Declaration> = if colour.property.starts_with("--") {
        let used = format!("var({}", colour.property);
        page.declarations
            .iter()
            .filter(|declaration| declaration.value.replace(' ', "").contains(&used))
            .collect()
    } else {
        vec![colour]
    };
    page.snapshot
        .nodes
        .iter()
        .filter(is_words)
        .any(|node| rules.iter().any(|rule| may_reach(page, rule, node.id)))
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

/// The colour of a box that is painted in one opaque colour.
fn plain_fill(page: &Page<'_>, id: NodeId) -> Option<Rgb> {
    let backdrop = &page.node(id)?.style.as_ref()?.backdrop;
    (backdrop.color.alpha >= 1.0 && backdrop.gradient.is_empty() && !backdrop.image)
        .then(|| opaque(backdrop.color))
}

/// Moves what the text stands on instead, when that is the shorter way: where it is written, else on these boxes alone.
fn ground_repairs(asked: &Asked<'_>, failing: &[&TextRun], way: f64) -> Vec<Repair> {
    let page = asked.page;
    let mut grounds: Vec<NodeId> = failing.iter().filter_map(|run| ground(page, run)).collect();
    grounds.sort_unstable();
    grounds.dedup();
    let colour = grounds.first().and_then(|id| plain_fill(page, *id));
    let all_stand_on_it = failing
        .iter()
        .all(|run| ground(page, run).and_then(|id| plain_fill(page, id)) == colour && run.opacity > 0.999);
    let Some(colour) = colour.filter(|_| all_stand_on_it) else { return Vec::new() };
    // A fill that covers much of the page moves only when the text would have to turn from light to dark.
    let limit = if way > TURNS { LARGE_FILL_AREA } else { FILL_AREA };
    if painted_share(page, colour, |node| grounds.contains(&node.id)) > limit {
        return Vec::new();
    }
    let over: Vec<&TextRun> =
        page.texts().filter(|run| run.backdrop_of.is_some_and(|id| grounds.contains(&id))).collect();
    let target = nearest_lightness(colour, |candidate| {
        over.iter().all(|run| {
            run.foregrounds.iter().all(|text| {
                let ratio = contrast(candidate.under(*text, run.alpha), candidate);
                let gains = run.verdict == Verdict::Passes && ratio >= run.ratio;
                gains || ratio >= run.required * HEADROOM
            })
        })
    });
    let Some(target) = target.filter(|target| target.oklab().distance(colour.oklab()) < way.min(FAR)) else {
        return Vec::new();
    };
    if let Some(written) = written_ground(page, failing, &grounds, colour, target)
        && asked.is_open(&written)
    {
        return vec![written];
    }
    let declaration = format!("background-color:{}", target.hex());
    let why = format!("contrast of the text on it was {:.2}", ContrastRatio(worst_found(failing)).cut());
    style_elements(asked, CHECK, &grounds, &declaration, &why)
        .into_iter()
        .filter(|repair| asked.is_open(repair))
        .collect()
}

fn worst_found(runs: &[&TextRun]) -> f64 {
    runs.iter().map(|run| run.ratio).fold(f64::INFINITY, f64::min)
}

/// A fill changed where it is written, if nothing else is painted in it.
fn written_ground(
    page: &Page<'_>,
    failing: &[&TextRun],
    grounds: &[NodeId],
    colour: Rgb,
    target: Rgb,
) -> Option<Repair> {
    if painted_share(page, colour, |node| !grounds.contains(&node.id)) > 0.0 {
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
                grounds.iter().any(|id| may_reach(page, declaration, *id))
            }
    })?;
    let end = place.span.start + without_important(&place.value).len();
    let line = page.source.line(place.span.start);
    Some(Repair::one(
        CHECK,
        place.span.start..end,
        target.hex(),
        format!(
            "{} {} to {} behind text: contrast was {:.2} (line {line})",
            place.property,
            colour.hex(),
            target.hex(),
            ContrastRatio(worst_found(failing)).cut()
        ),
    ))
}

/// Adds rules, or styles on the elements, for just the runs that fail on one ground.
fn overrides(asked: &Asked<'_>, runs: &[&TextRun], ink: Ink) -> Vec<Repair> {
    let page = asked.page;
    let Some(target) = solve(page, runs, ink) else {
        return fade_repairs(asked, runs);
    };
    let declaration = format!("color:{}", target.css());
    let why = format!("contrast {:.2} to {:.2}", worst(runs, ink), worst(runs, target));
    let nodes: Vec<NodeId> = runs.iter().map(|run| run.node).collect();
    style_elements(asked, CHECK, &nodes, &declaration, &why)
}

/// Text faded by an opacity that no colour can make up for: it fades a little less.
fn fade_repairs(asked: &Asked<'_>, runs: &[&TextRun]) -> Vec<Repair> {
    let page = asked.page;
    let mut faded: BTreeMap<NodeId, Vec<&TextRun>> = BTreeMap::new();
    for run in runs {
        if let Some(by) = faded_by(page, run) {
            faded.entry(by).or_default().push(run);
        }
    }
    faded
        .into_iter()
        .flat_map(|(id, runs)| {
            let enough = (1..=20)
                .map(|step| f64::from(step) * 0.05)
                .find(|opacity| runs.iter().all(|run| run.ratio_at(*opacity) >= run.required * HEADROOM));
            let declaration = format!("opacity:{:.2}", enough.unwrap_or(1.0));
            style_elements(asked, CHECK, &[id], &declaration, "its opacity took the contrast away")
        })
        .collect()
}
