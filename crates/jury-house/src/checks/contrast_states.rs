//! Text contrast, WCAG 1.4.3, where the page in a wide window at rest does not show it: in narrow windows, under conditions that
//! its styles name, in parts of an element, in what styles write, and in lists to choose from.

use std::collections::BTreeMap;

use jury_core::line;
use jury_core::unit::ContrastRatio;
use jury_eye::{Node, NodeId, Sight, Snapshot, Viewport, look_at};
use jury_text::colour::{Rgb, contrast as ratio};
use jury_text::css_colour;

use crate::conditions::{by_condition, condition, under};
use crate::css::{Declaration, inline_declarations};
use crate::finding::{Finding, Outcome, Severity};
use crate::page::{Page, VIEWPORTS};
use crate::rules::{Rules, plain};
use crate::selector::{Match, State};
use crate::text_run::{self, Doubt, TextRun, Verdict};

/// A page is looked at under no more conditions than this: each of them costs a layout.
const MOST_CONDITIONS: usize = 4;

/// How much of a condition is told.
const TOLD_CHARACTERS: usize = 60;

/// Where a text is, besides the page at rest, and how well it stands out there.
struct Faint {
    place: String,
    node: NodeId,
    ratio: f64,
    required: f64,
}

/// One finding for each window, state or part.
pub(super) fn contrast(page: &Page<'_>) -> Outcome {
    let mut faint = in_windows(page);
    faint.extend(under_conditions(page));
    faint.extend(in_parts(page));
    faint.extend(filtered(page));
    faint.extend(in_lists(page));
    let mut places: BTreeMap<&str, Vec<&Faint>> = BTreeMap::new();
    for one in &faint {
        places.entry(&one.place).or_default().push(one);
    }
    let findings = places.into_iter().filter_map(|(place, group)| {
        let worst = group.iter().min_by(|one, other| one.ratio.total_cmp(&other.ratio))?;
        let mut nodes: Vec<NodeId> = group.iter().map(|one| one.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let what = format!(
            "text contrast {} {place}, needs {}:1 ({})",
            ContrastRatio(worst.ratio),
            worst.required,
            page.places(&nodes)
        );
        let finding = Finding::on(Severity::Serious, nodes, what).because(place);
        Some(finding.figure("ratio", worst.ratio, ":1").figure("required", worst.required, ":1"))
    });
    let findings: Vec<Finding> = findings.collect();
    if findings.is_empty() { Outcome::not_applicable() } else { Outcome::said(findings) }
}

/// The runs that fail in a layout of the page, and do not fail in it at rest.
fn failing(page: &Page<'_>, snapshot: &Snapshot, place: &str) -> Vec<Faint> {
    let mut runs = text_run::runs(snapshot);
    text_run::leave_open(&mut runs, snapshot, &page.all_declarations());
    // Text that is seen at rest and has the colour of what is behind it here is not hidden on purpose.
    let fails = |run: &TextRun| run.verdict == Verdict::Fails || run.doubt == Some(Doubt::Same);
    let told = |node: NodeId| page.texts().any(|run| run.node == node && fails(run));
    let is_seen = |node: NodeId| page.node(node).is_some_and(|node| node.shown);
    let open = runs.iter().filter(|run| fails(run) && is_seen(run.node) && !told(run.node));
    let faint = |run: &TextRun| Faint {
        place: place.to_owned(),
        node: run.node,
        ratio: run.ratio,
        required: run.required,
    };
    open.map(faint).collect()
}

/// In narrower windows; one text is told once, in the widest of them.
fn in_windows(page: &Page<'_>) -> Vec<Faint> {
    let mut found: Vec<Faint> = Vec::new();
    for snapshot in &page.narrower {
        let place = format!("in a window of {} pixels", snapshot.viewport.width);
        let new: Vec<Faint> = failing(page, snapshot, &place)
            .into_iter()
            .filter(|one| found.iter().all(|other| other.node != one.node))
            .collect();
        found.extend(new);
    }
    found
}

fn paints(declaration: &Declaration) -> bool {
    let property = declaration.property.as_str();
    matches!(property, "color" | "opacity" | "filter" | "-webkit-text-fill-color")
        || property.starts_with("background")
        || property.starts_with("--")
}

fn under_conditions(page: &Page<'_>) -> Vec<Faint> {
    let all = page.all_declarations();
    let painting = all.into_iter().filter(|declaration| paints(declaration));
    let conditions = by_condition(painting);
    let conditions = conditions.keys().filter_map(|named| condition(named, &VIEWPORTS));
    let mut found = Vec::new();
    for condition in conditions.take(MOST_CONDITIONS) {
        let html = under(&page.html, &condition);
        let viewports: [Viewport; 1] = [condition.viewport];
        let sight = Sight { html: &html, beside: page.subject.beside, viewports: &viewports, pixels: None };
        let Ok(seen) = look_at(sight) else { continue };
        let place = format!("under {}", line::shortened(&condition.named, TOLD_CHARACTERS));
        found.extend(seen.iter().flat_map(|snapshot| failing(page, snapshot, &place)));
    }
    found
}

/// The first line, the first letter, and words that a style writes, in colours of their own.
fn in_parts(page: &Page<'_>) -> Vec<Faint> {
    const PARTS: [&str; 4] = ["first-line", "first-letter", "before", "after"];
    let all = page.all_declarations();
    let part_of = |selector: &str| PARTS.into_iter().find(|part| selector.ends_with(&format!(":{part}")));
    let writes = |own: &Declaration| {
        let says = |other: &&&Declaration| {
            other.property == "content"
                && other.selector == own.selector
                && plain(&other.value)
                    .split(['"', '\''])
                    .skip(1)
                    .step_by(2)
                    .any(|text| text.chars().any(char::is_alphabetic))
        };
        all.iter().any(|other| says(&other))
    };
    let coloured = |own: &Declaration| {
        own.property == "color"
            && own.within.is_empty()
            && part_of(&own.selector).is_some_and(|part| part.starts_with("first") || writes(own))
    };
    let rules = Rules::among(all.iter().copied(), coloured);
    let mut found = Vec::new();
    if rules.is_empty() {
        return found;
    }
    for run in page.texts().filter(|run| run.verdict != Verdict::Fails) {
        let Some(node) = page.node(run.node) else { continue };
        let reaching = rules.reaching(&page.snapshot, node, State::Rest);
        let last =
            reaching.iter().rev().find(|(found, rule)| *found == Match::Yes && rule.selector.pseudo_element);
        let Some((_, rule)) = last else { continue };
        let part = part_of(&rule.declaration.selector).unwrap_or_default();
        let colour = css_colour::parse(plain(&rule.declaration.value));
        if let (Some(colour), Some(backdrop)) = (colour, run.only_backdrop()) {
            let seen = ratio(backdrop.under(colour.rgb, colour.alpha), backdrop);
            found.extend(too_faint(run, seen, format!("in ::{part}")));
        }
    }
    found
}

fn too_faint(run: &TextRun, ratio: f64, place: String) -> Option<Faint> {
    (ratio < run.required).then_some(Faint { place, node: run.node, ratio, required: run.required })
}

/// Text under a filter that is nothing but an opacity.
fn filtered(page: &Page<'_>) -> Vec<Faint> {
    let all = page.all_declarations();
    let is_opacity = |own: &Declaration| {
        own.property == "filter" && own.within.is_empty() && opacity(plain(&own.value)).is_some()
    };
    let rules = Rules::among(all.iter().copied(), is_opacity);
    let own_opacity = |node: &Node| {
        let own = node.attribute("style").map(|style| inline_declarations(style, 0)).unwrap_or_default();
        let inline = own.iter().rev().find(|own| own.property == "filter").map(|own| own.value.clone());
        let reaching = rules.reaching(&page.snapshot, node, State::Rest);
        let sheet =
            reaching.iter().rev().find(|(found, rule)| *found == Match::Yes && !rule.selector.pseudo_element);
        opacity(plain(&inline.or_else(|| sheet.map(|(_, rule)| rule.declaration.value.clone()))?))
    };
    let mut found = Vec::new();
    for run in page.texts().filter(|run| run.verdict == Verdict::Unknown) {
        let Some(node) = page.node(run.node) else { continue };
        let (Some(share), Some(backdrop)) = (own_opacity(node), run.only_backdrop()) else { continue };
        let seen =
            run.foregrounds.iter().map(|text| ratio(backdrop.under(*text, run.alpha * share), backdrop));
        found.extend(too_faint(run, seen.fold(f64::INFINITY, f64::min), "under a filter".to_owned()));
    }
    found
}

/// The share that `opacity(…)` leaves, when a filter is that alone.
fn opacity(value: &str) -> Option<f64> {
    let inside = value.trim().strip_prefix("opacity(")?.strip_suffix(')')?.trim();
    match inside.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => inside.parse().ok(),
    }
    .filter(|share| (0.0..=1.0).contains(share))
}

/// What a list to choose from shows, on its own plain background.
fn in_lists(page: &Page<'_>) -> Vec<Faint> {
    let lists = page.snapshot.nodes.iter().filter(|node| {
        node.tag == "select"
            && node.shown
            && node.attribute("disabled").is_none()
            && !page.is_inside(node, |around| around.attribute("inert").is_some())
    });
    let faint = lists.filter_map(|node| {
        let style = node.style.as_ref()?;
        let backdrop = style.backdrop.color;
        let plain = backdrop.alpha >= 1.0 && style.backdrop.gradient.is_empty() && !style.backdrop.image;
        let rgb = |colour: jury_eye::Rgba| Rgb {
            red: f64::from(colour.red),
            green: f64::from(colour.green),
            blue: f64::from(colour.blue),
        };
        let seen = ratio(rgb(backdrop).under(rgb(style.color), f64::from(style.color.alpha)), rgb(backdrop));
        let required = 4.5;
        (plain && seen < required && !style.filtered).then(|| Faint {
            place: "in a list to choose from".to_owned(),
            node: node.id,
            ratio: seen,
            required,
        })
    });
    faint.collect()
}
