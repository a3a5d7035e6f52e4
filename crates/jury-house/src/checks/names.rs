//! Whether images, controls and fields have a name that can be read out.

use jury_eye::{NameSource, Node, NodeId};
use std::fmt::Write as _;

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;

/// Half of them nameless is as good as all.
const ZERO_AT: f64 = 0.5;

/// Images that carry meaning and say nothing.
pub(crate) fn nameless_images(page: &Page<'_>) -> Vec<NodeId> {
    images(page).filter(|node| node.name.is_empty()).map(|node| node.id).collect()
}

fn images<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| match node.tag.as_str() {
        "img" => node.role.as_deref() == Some("img"),
        "input" => node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("image")),
        "area" => node.attribute("href").is_some(),
        _ => node.role.as_deref() == Some("img"),
    })
}

/// Links and buttons without a name.
pub(crate) fn nameless_controls(page: &Page<'_>) -> Vec<NodeId> {
    controls(page).filter(|node| node.name.is_empty()).map(|node| node.id).collect()
}

fn controls<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        matches!(node.role.as_deref(), Some("link" | "button" | "menuitem" | "tab" | "switch"))
            && !matches!(node.tag.as_str(), "area")
            && !(node.tag == "input"
                && node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("image")))
    })
}

/// Fields without a name, and fields whose only name is their placeholder.
pub(crate) fn nameless_fields(page: &Page<'_>) -> (Vec<NodeId>, Vec<NodeId>) {
    let (mut without, mut placeholder) = (Vec::new(), Vec::new());
    for field in fields(page) {
        match field.name_source {
            NameSource::Nothing => without.push(field.id),
            NameSource::Placeholder => placeholder.push(field.id),
            NameSource::LabelledBy
            | NameSource::AriaLabel
            | NameSource::Native
            | NameSource::Content
            | NameSource::Title => {}
        }
    }
    (without, placeholder)
}

fn fields<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| match node.tag.as_str() {
        "input" => !matches!(
            node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str(),
            "hidden" | "submit" | "button" | "reset" | "image"
        ),
        "select" | "textarea" => true,
        _ => matches!(
            node.role.as_deref(),
            Some("textbox" | "combobox" | "searchbox" | "slider" | "spinbutton")
        ),
    })
}

pub(super) fn image_alternatives(page: &Page<'_>) -> Outcome {
    let total = images(page).count();
    let missing = nameless_images(page);
    let note = format!("{} of {total} images without a text alternative", missing.len());
    let findings = page
        .grouped(missing.iter().copied())
        .into_iter()
        .map(|group| {
            let what = format!(
                "{} without a text alternative, needs one ({})",
                counted(group.len(), "image"),
                page.places(&group)
            );
            Finding::on(Severity::Critical, group, what)
        })
        .collect();
    Outcome::share(missing.len(), total, ZERO_AT, note, findings)
}

pub(super) fn control_names(page: &Page<'_>) -> Outcome {
    let total = controls(page).count();
    let missing = nameless_controls(page);
    let note = format!("{} of {total} links and buttons without a name", missing.len());
    let findings = page
        .grouped(missing.iter().copied())
        .into_iter()
        .map(|group| {
            let what = format!(
                "{} without a name, needs one ({})",
                counted(group.len(), "control"),
                page.places(&group)
            );
            Finding::on(Severity::Critical, group, what)
        })
        .collect();
    Outcome::share(missing.len(), total, ZERO_AT, note, findings)
}

pub(super) fn field_labels(page: &Page<'_>) -> Outcome {
    let total = fields(page).count();
    if total == 0 {
        return Outcome::not_applicable();
    }
    let (without, placeholder) = nameless_fields(page);
    let mut note = format!("{} of {total} fields without a label", without.len());
    if !placeholder.is_empty() {
        let _ = write!(note, ", {} named by their placeholder only", placeholder.len());
    }
    let mut findings: Vec<Finding> = page
        .grouped(without.iter().copied())
        .into_iter()
        .map(|group| {
            let what = format!(
                "{} without a label, needs one ({})",
                counted(group.len(), "field"),
                page.places(&group)
            );
            Finding::on(Severity::Critical, group, what)
        })
        .collect();
    let failing = count(without.len()) + 0.25 * count(placeholder.len());
    if !placeholder.is_empty() {
        let what = format!(
            "{} named by a placeholder that goes away on typing ({})",
            counted(placeholder.len(), "field"),
            page.places(&placeholder)
        );
        findings.push(Finding::on(Severity::Minor, placeholder, what));
    }
    Outcome {
        measure: Measure::Share { failing, unknown: 0.0, total: count(total), zero_at: ZERO_AT },
        note,
        findings,
        undecided: Vec::new(),
    }
}
