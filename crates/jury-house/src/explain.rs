//! One finding with everything behind it: what was seen at each of its places, and how its numbers came about.

use jury_core::unit::ContrastRatio;
use jury_eye::{Beside, Node, NodeId, Rgba};
use jury_text::brand::Brand;
use jury_text::colour::contrast;
use serde::{Deserialize, Serialize};

use crate::HouseError;
use crate::finding::{Finding, counted};
use crate::page::{Page, selector};
use crate::paint::opaque;
use crate::report::{ElementPlace, Ids, ReportedFinding, found, place};
use crate::score::examine;
use crate::subject::Subject;
use crate::text_run::{TextRun, Verdict};

/// So many places of a finding are gone through step by step.
const MOST_PLACES: usize = 5;

/// So much of a tag or a text is quoted.
const MOST_QUOTED: usize = 160;

/// What there is to say about an id on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The finding; absent when the page does not have it.
    pub found: Option<ReportedFinding>,
    /// Whether it is one that could not be decided.
    pub undecided: bool,
    /// What was seen at its places.
    pub seen: Vec<Seen>,
    /// What the check measured on the page as a whole.
    pub note: String,
    /// Every id that the page has.
    pub ids: Vec<String>,
}

/// One place of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// The element that was seen.
    pub place: ElementPlace,
    /// What was seen and computed there, in order.
    pub steps: Vec<String>,
}

/// Measures a page again and goes through one of its findings.
pub fn explain(
    page: &str,
    design: Option<&str>,
    beside: &Beside,
    id: &str,
) -> Result<Explanation, HouseError> {
    let brand = Brand::of(design, |name| beside.get(name), page);
    let page = Page::measure(page.to_owned(), Subject { brand: brand.as_ref(), beside })?;
    let examination = examine(&page);
    let mut ids = Ids::default();
    let mut explanation =
        Explanation { found: None, undecided: false, seen: Vec::new(), note: String::new(), ids: Vec::new() };
    let open = examination.findings_with_checks().map(|(check, finding)| (check, finding, false));
    let undecided = examination
        .results()
        .flat_map(|(check, outcome)| outcome.undecided.iter().map(move |finding| (check, finding, true)));
    for (check, finding, undecided) in open.chain(undecided) {
        let own = found(&page, check, finding, &mut ids);
        explanation.ids.push(own.id.clone());
        if own.id == id {
            explanation.seen = seen(&page, finding, &mut ids);
            explanation.undecided = undecided;
            explanation.found = Some(own);
        }
    }
    let check = id.split('#').next().unwrap_or(id);
    if let Some((_, outcome)) = examination.results().find(|(own, _)| own.id == check) {
        explanation.note.clone_from(&outcome.note);
    }
    Ok(explanation)
}

fn seen(page: &Page<'_>, finding: &Finding, ids: &mut Ids) -> Vec<Seen> {
    let places = finding.nodes.iter().take(MOST_PLACES);
    places
        .filter_map(|id| Some(Seen { place: place(page, *id, ids)?, steps: steps(page, finding, *id) }))
        .collect()
}

fn steps(page: &Page<'_>, finding: &Finding, id: NodeId) -> Vec<String> {
    let Some(node) = page.node(id) else { return Vec::new() };
    let mut steps = Vec::new();
    if let Some(tag) = page.source.tag(id).and_then(|tag| page.html.get(tag.span.clone())) {
        steps.push(format!("the source has {}", quoted(tag)));
    }
    if !node.text.is_empty() {
        steps.push(format!("its text is \"{}\"", quoted(&node.text)));
    }
    if let Some(role) = &node.role {
        steps.push(if node.name.is_empty() {
            format!("its role is {role}, and it has no name")
        } else {
            format!("its role is {role}, and its name is \"{}\"", quoted(&node.name))
        });
    }
    let snapshot = finding.viewport.and_then(|window| page.at(window)).unwrap_or(&page.snapshot);
    if let Some(rect) = snapshot.node(id).and_then(|node| node.rect) {
        let window = snapshot.viewport;
        steps.push(format!(
            "in a window of {}x{} its box is {:.1} by {:.1} px, at {:.1}, {:.1}",
            window.width, window.height, rect.width, rect.height, rect.x, rect.y
        ));
    }
    if let Some(style) = &node.style {
        let family = style.font_families.first().map_or("no family", String::as_str);
        steps.push(format!(
            "its type is {:.2} px, weight {:.0}, {family}",
            style.font_size, style.font_weight
        ));
    }
    if let Some(run) = page.runs.iter().find(|run| run.node == id) {
        colours(page, node, run, &mut steps);
    }
    steps
}

/// From the canvas to the text: what is painted, what is composed, and the ratio.
fn colours(page: &Page<'_>, node: &Node, run: &TextRun, steps: &mut Vec<String>) {
    let mut chain: Vec<&Node> = page.snapshot.ancestors(node).collect();
    chain.reverse();
    chain.push(node);
    for element in chain {
        let Some(style) = &element.style else { continue };
        let name = selector(element);
        if style.opacity < 1.0 {
            steps.push(format!("{name} has an opacity of {:.2}", style.opacity));
        }
        let backdrop = &style.backdrop;
        if backdrop.color.alpha > 0.0 {
            steps.push(format!("{name} paints {}", written(backdrop.color)));
        }
        if !backdrop.gradient.is_empty() {
            let stops: Vec<String> = backdrop.gradient.iter().map(|stop| written(*stop)).collect();
            steps.push(format!("{name} paints a gradient of {}", stops.join(", ")));
        }
        if backdrop.image {
            steps.push(format!("{name} paints an image"));
        }
    }
    if let Some(behind) = &node.behind {
        let pixels: u64 = behind.colours.iter().map(|patch| u64::from(patch.pixels)).sum();
        steps.push(format!(
            "{pixels} pixels behind it were looked at, in {} of colours; {} more are covered",
            counted(behind.colours.len(), "pair"),
            behind.covered
        ));
    }
    let foregrounds: Vec<String> = run.foregrounds.iter().map(|colour| colour.hex()).collect();
    let alpha = if run.alpha < 1.0 { format!(" at {:.0} %", run.alpha * 100.0) } else { String::new() };
    steps.push(format!("the text is {}{alpha}", foregrounds.join(" or ")));
    let pairs = run
        .painted
        .iter()
        .flat_map(|painted| run.foregrounds.iter().map(|foreground| painted.seen(*foreground, run.alpha)));
    let worst = pairs.min_by(|one, other| contrast(one.0, one.1).total_cmp(&contrast(other.0, other.1)));
    if let Some((text, backdrop)) = worst {
        steps.push(format!(
            "composed that is {} on {}: luminance {:.4} and {:.4}, ({:.4} + 0.05) / ({:.4} + 0.05) = {}",
            text.rounded().hex(),
            backdrop.rounded().hex(),
            text.luminance(),
            backdrop.luminance(),
            text.luminance().max(backdrop.luminance()),
            text.luminance().min(backdrop.luminance()),
            ContrastRatio(contrast(text, backdrop)),
        ));
    }
    let size = if run.required < 4.5 { "large text" } else { "text of this size" };
    let verdict = match run.verdict {
        Verdict::Passes => "it is reached",
        Verdict::Fails => "it is not reached",
        Verdict::Unknown => "whether it is reached cannot be told",
    };
    if let Some(doubt) = run.doubt {
        steps.push(format!("nothing certain can be said: {}", doubt.words()));
    }
    steps.push(format!(
        "{size} needs {}:1, and the ratio taken is {}: {verdict}",
        run.required,
        ContrastRatio(run.ratio)
    ));
}

fn written(colour: Rgba) -> String {
    let hex = opaque(colour).hex();
    if colour.alpha < 1.0 { format!("{hex} at {:.0} %", colour.alpha * 100.0) } else { hex }
}

/// A piece of the page on one line.
fn quoted(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = flat.chars().filter(|c| !c.is_control()).take(MOST_QUOTED).collect();
    if flat.chars().count() > MOST_QUOTED {
        short.push('…');
    }
    short
}
