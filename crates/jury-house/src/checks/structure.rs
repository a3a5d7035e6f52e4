//! What a page tells about itself: language, title, outline, landmarks.

use std::fmt::Write as _;

use jury_eye::Node;

use crate::finding::{Finding, Outcome, Severity};
use crate::language;
use crate::page::Page;

/// Below this many characters a page is too small to need an outline.
const NEEDS_OUTLINE: usize = 300;

pub(super) fn language(page: &Page<'_>) -> Outcome {
    let Some(lang) = page.snapshot.page.lang.as_deref().filter(|lang| !lang.trim().is_empty()) else {
        let line = page
            .source
            .tags
            .iter()
            .find(|tag| tag.name == "html")
            .map_or(1, |tag| page.source.line(tag.span.start));
        return Outcome::binary(
            "no lang on html",
            Some(Finding::page(
                Severity::Serious,
                format!("the page has no language, html needs a lang attribute (line {line})"),
            )),
        );
    };
    if !language::is_known(lang) {
        let what = format!("lang=\"{lang}\" is no known language");
        return Outcome::binary(what.clone(), Some(Finding::page(Severity::Serious, what)));
    }
    let detected = language::detect(&body_text(page));
    let primary = lang.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let finding = detected.filter(|detected| *detected != primary).map(|detected| {
        Finding::page(Severity::Minor, format!("lang=\"{lang}\" but the text reads as {detected}"))
    });
    Outcome::binary(format!("lang {lang}"), finding)
}

/// The visible text of a page, enough of it to tell its language.
pub(crate) fn body_text(page: &Page<'_>) -> String {
    page.runs
        .iter()
        .filter_map(|run| page.node(run.node))
        .map(|node| node.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

pub(super) fn title(page: &Page<'_>) -> Outcome {
    const EMPTY_WORDS: &[&str] =
        &["document", "untitled", "untitled document", "index", "page", "title", "new page"];
    let finding = match page.snapshot.page.title.as_deref() {
        None | Some("") => Some("the page has no title".to_owned()),
        Some(title) if EMPTY_WORDS.contains(&title.to_lowercase().as_str()) => {
            Some(format!("the title \"{title}\" says nothing about the page"))
        }
        Some(_) => None,
    };
    let note = finding.clone().unwrap_or_else(|| "titled".to_owned());
    Outcome::binary(note, finding.map(|what| Finding::page(Severity::Serious, what)))
}

/// Headings assistive technology knows of, in order.
pub(crate) fn headings<'a>(page: &'a Page<'_>) -> Vec<&'a Node> {
    page.exposed().filter(|node| node.role.as_deref() == Some("heading")).collect()
}

/// The level of a heading.
pub(crate) fn heading_level(node: &Node) -> u8 {
    node.attribute("aria-level")
        .and_then(|level| level.trim().parse().ok())
        .or_else(|| node.tag.strip_prefix('h').and_then(|level| level.parse().ok()))
        .unwrap_or(2)
}

pub(super) fn heading_order(page: &Page<'_>) -> Outcome {
    let headings = headings(page);
    if headings.is_empty() {
        if page.snapshot.page.visible_characters < NEEDS_OUTLINE {
            return Outcome::not_applicable();
        }
        let what = "the page has no heading";
        return Outcome::binary(what, Some(Finding::page(Severity::Moderate, what)));
    }
    let mut findings = Vec::new();
    let mut jumps = Vec::new();
    let mut previous = 0;
    for heading in &headings {
        let level = heading_level(heading);
        if previous > 0 && level > previous + 1 {
            jumps.push(format!("h{previous} to h{level} ({})", page.place(heading.id)));
            findings.push(Finding::on(
                Severity::Moderate,
                vec![heading.id],
                format!("heading level jumps from {previous} to {level} ({})", page.place(heading.id)),
            ));
        }
        previous = level;
    }
    let empty: Vec<_> = headings.iter().filter(|node| node.name.is_empty()).map(|node| node.id).collect();
    let first_levels = headings.iter().filter(|node| heading_level(node) == 1).count();
    let mut failing = jumps.len() + empty.len();
    let without_text = empty.len();
    if !empty.is_empty() {
        let what = format!("{} headings without text ({})", empty.len(), page.places(&empty));
        findings.push(Finding::on(Severity::Moderate, empty, what));
    }
    if first_levels == 0 {
        failing += 1;
        findings.push(Finding::page(Severity::Moderate, "no heading of level 1"));
    } else if first_levels > 1 {
        findings.push(Finding::page(
            Severity::Minor,
            format!("{first_levels} headings of level 1, one is usual"),
        ));
    }
    let mut note = if jumps.is_empty() {
        format!("{} headings in order, {first_levels} of level 1", headings.len())
    } else {
        format!(
            "{} of {} headings jump: {}",
            jumps.len(),
            headings.len(),
            jumps.first().cloned().unwrap_or_default()
        )
    };
    if without_text > 0 {
        let _ = write!(note, ", {without_text} without text");
    }
    Outcome::share(failing, headings.len().max(1), 0.5, note, findings)
}

pub(super) fn main_landmark(page: &Page<'_>) -> Outcome {
    if page.snapshot.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let mains = page.exposed().filter(|node| node.role.as_deref() == Some("main")).count();
    let finding = (mains != 1)
        .then(|| Finding::page(Severity::Moderate, format!("{mains} main landmarks, needs exactly 1")));
    Outcome::binary(format!("{mains} main landmark"), finding)
}

pub(super) fn regions(page: &Page<'_>) -> Outcome {
    let is_landmark = |node: &Node| match node.role.as_deref() {
        Some("main" | "navigation" | "complementary" | "search" | "banner" | "contentinfo" | "dialog") => {
            true
        }
        Some("region" | "form") => !node.name.is_empty(),
        _ => false,
    };
    let total: usize = page.runs.iter().map(|run| run.characters).sum();
    let outside: usize = page
        .runs
        .iter()
        .filter(|run| page.node(run.node).is_some_and(|node| !page.is_inside(node, is_landmark)))
        .map(|run| run.characters)
        .sum();
    let findings = (outside > 0)
        .then(|| {
            let mut finding = Finding::page(
                Severity::Moderate,
                format!("{outside} of {total} characters outside landmarks"),
            );
            finding.weight = outside;
            finding
        })
        .into_iter()
        .collect();
    Outcome::share(
        outside,
        total,
        1.0,
        format!("{outside} of {total} characters outside landmarks"),
        findings,
    )
}
