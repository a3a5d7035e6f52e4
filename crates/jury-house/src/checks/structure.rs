//! What a page tells about itself: language, title, outline.

use std::collections::BTreeSet;

use jury_eye::{NameSource, Node, NodeId};
use jury_text::language;

use super::causes::Causes;
use super::focus_order::Scripted;
use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::{Page, selector};

/// Below this many characters a page is too small to need an outline.
const NEEDS_OUTLINE: usize = 300;

pub(super) fn language(page: &Page<'_>) -> Outcome {
    let root = page.snapshot.nodes.iter().find(|node| node.tag == "html");
    let Some(lang) = page.snapshot.page.lang.as_deref().filter(|lang| !lang.trim().is_empty()) else {
        let line = page
            .source
            .tags
            .iter()
            .find(|tag| tag.name == "html")
            .map_or(1, |tag| page.source.line(tag.span.start));
        let what = format!("the page has no language, html needs a lang attribute (line {line})");
        let nodes = root.map(|root| root.id).into_iter().collect();
        return Outcome::binary(
            "no lang on html",
            Some(Finding::on(Severity::Serious, nodes, what).because("no lang")),
        );
    };
    let on_root = |severity, what: String| {
        let nodes = root.map(|root| root.id).into_iter().collect();
        Finding::on(severity, nodes, what.clone()).because(what)
    };
    if !language::is_known(lang) {
        let what = format!("lang=\"{lang}\" is no known language");
        return Outcome::binary(what.clone(), Some(on_root(Severity::Serious, what)));
    }
    let other = root
        .and_then(|root| root.attribute("xml:lang"))
        .filter(|other| language::primary(other) != language::primary(lang));
    let finding = other.map(|other| {
        on_root(Severity::Moderate, format!("lang=\"{lang}\" and xml:lang=\"{other}\" disagree"))
    });
    Outcome::binary(format!("lang {lang}"), finding)
}

/// Whether the text reads as the language it is said to be in.
pub(super) fn language_of_text(page: &Page<'_>) -> Outcome {
    let declared = page.snapshot.page.lang.as_deref().filter(|lang| language::is_known(lang));
    let Some(lang) = declared else {
        return Outcome::not_applicable();
    };
    let told = |name: &str| {
        let what = format!("lang=\"{lang}\" but the text reads as {name}");
        Finding::page(Severity::Minor, what.clone()).because(what)
    };
    let text = body_text(page);
    if let Some(reading) = language::read(&text) {
        let finding = reading.contradicts(lang).then(|| told(reading.name()));
        return Outcome::binary(format!("reads as {}", reading.name()), finding);
    }
    // Of a short page everything counts that is read in its language: its title, and the names of images.
    let root = page.snapshot.nodes.iter().find(|node| node.tag == "html");
    let all = root.map(|root| spoken(page, root)).unwrap_or_default();
    let title = page.snapshot.page.title.as_deref().unwrap_or_default();
    match language::speaks_another(&format!("{title} {all}"), lang) {
        Some(name) => Outcome::binary(format!("reads as {name}"), Some(told(name))),
        None => Outcome::not_applicable(),
    }
}

/// What is read in the language that an element says: its text and that of what it holds, and the names that are not made
/// of text, without the parts that say a language of their own.
fn spoken(page: &Page<'_>, root: &Node) -> String {
    let mut words = String::new();
    let mut at = root.id.index();
    while let Some(node) = page.snapshot.nodes.get(at).filter(|node| node.id < root.subtree_end) {
        let other = node.id != root.id && node.attribute("lang").is_some_and(|lang| !lang.trim().is_empty())
            || matches!(node.tag.as_str(), "code" | "pre" | "kbd" | "samp" | "var");
        if other || !(node.rendered || node.tag == "html") {
            at = node.subtree_end.index().max(at + 1);
            continue;
        }
        at += 1;
        if node.shown || node.exposed {
            let named = node.exposed
                && !matches!(
                    node.name_source,
                    NameSource::Content | NameSource::Nothing | NameSource::LabelledBy
                )
                && node.role.is_some();
            for piece in [node.text.as_str(), if named { node.name.as_str() } else { "" }] {
                if !piece.is_empty() {
                    words.push_str(piece);
                    words.push(' ');
                }
            }
        }
        if words.len() > ENOUGH_TO_READ {
            break;
        }
    }
    words
}

/// As much text, in bytes, tells its language.
const ENOUGH_TO_READ: usize = 20_000;

/// As many parts of a page are read; the rest are held to be like them.
const MOST_PARTS: usize = 200;

/// Parts that say a language and read as another one.
pub(super) fn parts_in_another_language(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    let in_body = |node: &&Node| !matches!(node.tag.as_str(), "html" | "head" | "title" | "meta");
    for node in page.snapshot.nodes.iter().filter(in_body) {
        let Some(lang) = node.attribute("lang").filter(|lang| language::is_known(lang)) else { continue };
        if total == MOST_PARTS {
            break;
        }
        total += 1;
        if let Some(name) = language::speaks_another(&spoken(page, node), lang) {
            wrong.add(Severity::Moderate, format!("lang=\"{lang}\" but the part reads as {name}"), node.id);
        }
    }
    let failing = wrong.elements();
    if failing == 0 {
        return Outcome::not_applicable();
    }
    let note = format!("{failing} of {total} parts read as another language than they say");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

/// Languages of parts of the page.
pub(super) fn languages_of_parts(page: &Page<'_>) -> Outcome {
    let nodes = &page.snapshot.nodes;
    // The nearest element around each that says its language, itself included.
    let mut said: Vec<Option<NodeId>> = Vec::with_capacity(nodes.len());
    let mut speaking: BTreeSet<NodeId> = BTreeSet::new();
    for node in nodes {
        // White space is a value, and no language; only an empty value says that the language is unknown.
        let own = node.attribute("lang").is_some_and(|lang| !lang.is_empty()).then_some(node.id);
        let around = node.parent.and_then(|parent| said.get(parent.index()).copied().flatten());
        let by = own.or(around);
        said.push(by);
        let has_words = !node.text.is_empty() || (node.tag == "img" && !node.name.is_empty());
        if has_words
            && (node.rendered || node.exposed)
            && let Some(by) = by
        {
            speaking.insert(by);
        }
    }
    let mut wrong = Causes::default();
    let mut total = 0;
    for id in speaking {
        let Some(node) = page.node(id).filter(|node| node.tag != "html") else { continue };
        total += 1;
        let lang = node.attribute("lang").unwrap_or_default();
        if !language::is_known(lang) {
            wrong.add(Severity::Serious, format!("lang=\"{}\" is no known language", lang.trim()), id);
        }
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {total} parts in an unknown language");
    Outcome::share(failing, total, 0.5, note, wrong.findings(page))
}

/// The visible text of a page, enough of it to tell its language.
pub(crate) fn body_text(page: &Page<'_>) -> String {
    let says_otherwise = |node: &Node| node.tag != "html" && node.attribute("lang").is_some();
    page.runs
        .iter()
        .filter_map(|run| page.node(run.node))
        .filter(|node| !page.is_inside(node, says_otherwise))
        .map(|node| node.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

pub(super) fn title(page: &Page<'_>) -> Outcome {
    let finding = match page.snapshot.page.title.as_deref() {
        None | Some("") => Some("the page has no title".to_owned()),
        Some(_) => None,
    };
    let note = finding.clone().unwrap_or_else(|| "titled".to_owned());
    let finding = finding.map(|what| Finding::page(Severity::Serious, what.clone()).because(what));
    if page.snapshot.coverage.js_rendered
        && let Some(finding) = finding
    {
        return unsaid(finding);
    }
    Outcome::binary(note, finding)
}

/// A page that scripts build may still get what it lacks.
pub(super) fn unsaid(finding: Finding) -> Outcome {
    unsaid_because(finding, "before any script has run")
}

/// What is lacking, and why that decides nothing.
pub(super) fn unsaid_because(finding: Finding, reason: &str) -> Outcome {
    Outcome {
        measure: Measure::Share { failing: 0.0, unknown: 1.0, total: 1.0, zero_at: 1.0 },
        note: format!("{}, {reason}", finding.what),
        findings: Vec::new(),
        undecided: vec![finding],
    }
}

/// Headings assistive technology knows of, in order.
pub(crate) fn headings<'a>(page: &'a Page<'_>) -> Vec<&'a Node> {
    page.exposed().filter(|node| node.role.as_deref() == Some("heading")).collect()
}

/// The level of a heading.
pub(crate) fn heading_level(node: &Node) -> u8 {
    node.attribute("aria-level")
        .and_then(|level| level.trim().parse().ok())
        .filter(|level| *level > 0)
        .or_else(|| node.tag.strip_prefix('h').and_then(|level| level.parse().ok()))
        .unwrap_or(2)
}

pub(super) fn heading_order(page: &Page<'_>) -> Outcome {
    let headings = headings(page);
    let built = page.snapshot.coverage.js_rendered;
    if headings.is_empty() {
        if page.snapshot.page.visible_characters < NEEDS_OUTLINE && !built {
            return Outcome::not_applicable();
        }
        let what = "the page has no heading";
        let finding = Finding::page(Severity::Moderate, what).because(what);
        return if built { unsaid(finding) } else { Outcome::binary(what, Some(finding)) };
    }
    let mut findings = Vec::new();
    let mut jumps = Causes::default();
    let mut first_jump = String::new();
    let mut previous: u8 = 0;
    for heading in &headings {
        let level = heading_level(heading);
        if previous > 0 && level > previous.saturating_add(1) {
            if first_jump.is_empty() {
                first_jump = format!("h{previous} to h{level} ({})", page.place(heading.id));
            }
            let cause = format!("heading level jumps from {previous} to {level}");
            jumps.add(Severity::Moderate, cause, heading.id);
        }
        previous = level;
    }
    let jumping = jumps.elements();
    findings.extend(jumps.findings(page));
    let first_levels = headings.iter().filter(|node| heading_level(node) == 1).count();
    let mut failing = jumping;
    if first_levels == 0 {
        failing += 1;
        let what = "no heading of level 1";
        findings.push(Finding::page(Severity::Moderate, what).because(what));
    } else if first_levels > 1 {
        let what = format!("{first_levels} headings of level 1, one is usual");
        findings.push(Finding::page(Severity::Minor, what).because("several headings of level 1"));
    }
    let note = if jumping == 0 {
        format!("{} headings in order, {first_levels} of level 1", headings.len())
    } else {
        format!("{jumping} of {} headings jump: {first_jump}", headings.len())
    };
    Outcome::share(failing, headings.len().max(1), 0.5, note, findings)
}

/// Headings that say nothing.
pub(super) fn heading_names(page: &Page<'_>) -> Outcome {
    let headings = headings(page);
    let scripted = Scripted::of(page);
    let (filled, empty): (Vec<&Node>, Vec<&Node>) = headings
        .iter()
        .copied()
        .filter(|node| node.name.is_empty())
        .partition(|node| node.subtree_end.0 == node.id.0 + 1 && scripted.names(node));
    let mut wrong = Causes::default();
    for node in &empty {
        wrong.add(Severity::Moderate, format!("{} is a heading without text", selector(node)), node.id);
    }
    let mut doubtful = Causes::default();
    for node in &filled {
        let cause = format!("{} is empty, and a script of the page may fill it", selector(node));
        doubtful.add(Severity::Moderate, cause, node.id);
    }
    let note = format!("{} of {} headings without text", empty.len(), headings.len());
    let mut outcome = Outcome::share(empty.len(), headings.len(), 0.5, note, wrong.findings(page));
    if let Measure::Share { unknown, .. } = &mut outcome.measure {
        *unknown = count(filled.len());
    }
    outcome.undecided(doubtful.findings(page))
}
