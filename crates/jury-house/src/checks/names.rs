//! Whether images, controls, fields and other widgets have a name that can be read out.

use jury_eye::{NameSource, Node, NodeId};
use std::fmt::Write as _;

use super::focus_order::Scripted;
use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::{Page, selector};

/// Half of them nameless is as good as all.
const ZERO_AT: f64 = 0.5;

/// Endings of files that are neither text nor pages.
const MEDIA: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico", "mp3", "ogg", "oga", "wav", "m4a",
    "mp4", "webm", "ogv", "mov",
];

/// Images that carry meaning and say nothing.
pub(crate) fn nameless_images(page: &Page<'_>) -> Vec<NodeId> {
    images(page).filter(|node| node.name.is_empty()).map(|node| node.id).collect()
}

fn images<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| match node.tag.as_str() {
        "input" => is_image_button(node),
        "object" => node.role.is_none() && shows_media(node),
        _ => match node.role.as_deref() {
            Some("img") => true,
            // Only where it is written: a drawing without a role may well be an ornament.
            Some("graphics-document" | "graphics-symbol") => node.attribute("role").is_some(),
            _ => false,
        },
    })
}

fn is_image_button(node: &Node) -> bool {
    node.role.as_deref() == Some("button")
        && node.tag == "input"
        && node.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("image"))
}

fn shows_media(node: &Node) -> bool {
    if let Some(kind) = node.attribute("type") {
        return ["image/", "audio/", "video/"].iter().any(|media| kind.trim().starts_with(media));
    }
    node.attribute("data").is_some_and(|address| {
        let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        path.rsplit_once('.').is_some_and(|(_, ending)| MEDIA.contains(&ending))
            || ["data:image/", "data:audio/", "data:video/"].iter().any(|media| path.starts_with(media))
    })
}

/// Links and buttons without a name.
pub(crate) fn nameless_controls(page: &Page<'_>) -> Vec<NodeId> {
    controls(page).filter(|node| node.name.is_empty()).map(|node| node.id).collect()
}

fn controls<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        matches!(
            node.role.as_deref(),
            Some(
                "link"
                    | "button"
                    | "menuitem"
                    | "tab"
                    | "doc-backlink"
                    | "doc-biblioref"
                    | "doc-glossref"
                    | "doc-noteref"
            )
        ) && !is_image_button(node)
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

pub(super) fn fields<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        matches!(
            node.role.as_deref(),
            Some(
                "checkbox"
                    | "combobox"
                    | "listbox"
                    | "menuitemcheckbox"
                    | "menuitemradio"
                    | "radio"
                    | "searchbox"
                    | "slider"
                    | "spinbutton"
                    | "switch"
                    | "textbox"
            )
        ) && node.tag != "datalist"
    })
}

/// Widgets that are neither links, buttons nor fields, and need a name all the same.
fn widgets<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        node.attribute("role").is_some()
            && matches!(
                node.role.as_deref(),
                Some("meter" | "progressbar" | "dialog" | "alertdialog" | "tooltip" | "treeitem")
            )
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
    // Words that a script puts in are not there yet.
    let scripted = Scripted::of(page);
    let (filled, missing): (Vec<NodeId>, Vec<NodeId>) = nameless_controls(page).into_iter().partition(|id| {
        page.node(*id).is_some_and(|node| node.subtree_end.0 == node.id.0 + 1 && scripted.names(node))
    });
    let note = format!(
        "{} of {} without a name",
        missing.len(),
        jury_core::line::counted(total, "link or button", "links and buttons")
    );
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
    let undecided: Vec<Finding> = filled
        .iter()
        .filter_map(|id| {
            let node = page.node(*id)?;
            let what = format!("empty, and a script of the page may fill it ({})", page.place(*id));
            Some(Finding::on(Severity::Critical, vec![*id], what).because(selector(node)))
        })
        .collect();
    let mut outcome = Outcome::share(missing.len(), total, ZERO_AT, note, findings);
    if let Measure::Share { unknown, .. } = &mut outcome.measure {
        *unknown = count(undecided.len());
    }
    outcome.undecided(undecided)
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
        findings.push(Finding::on(Severity::Minor, placeholder, what).because("placeholder"));
    }
    Outcome {
        measure: Measure::Share { failing, unknown: 0.0, total: count(total), zero_at: ZERO_AT },
        note,
        findings,
        undecided: Vec::new(),
    }
}

pub(super) fn widget_names(page: &Page<'_>) -> Outcome {
    let total = widgets(page).count();
    let missing: Vec<NodeId> =
        widgets(page).filter(|node| node.name.is_empty()).map(|node| node.id).collect();
    let note = format!("{} of {total} dialogs, meters and other widgets without a name", missing.len());
    let findings = page
        .grouped(missing.iter().copied())
        .into_iter()
        .map(|group| {
            let role = group.first().and_then(|id| page.node(*id)).and_then(|node| node.role.clone());
            let role = role.unwrap_or_default();
            // A meter without a name fails a success criterion, a dialog without one only a convention.
            let severity = match role.as_str() {
                "meter" | "progressbar" => Severity::Serious,
                _ => Severity::Moderate,
            };
            let what = format!(
                "{} without a name, needs one ({})",
                counted(group.len(), &role),
                page.places(&group)
            );
            Finding::on(severity, group, what)
        })
        .collect();
    Outcome::share(missing.len(), total, ZERO_AT, note, findings)
}
