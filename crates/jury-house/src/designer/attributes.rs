//! Repairs by one attribute on an element a check has found.

use jury_eye::NodeId;

use crate::page::Page;

use super::edit::Repair;
use super::{Asked, Ways};

/// Scrolling parts can be reached with the keyboard once they are a stop for it.
pub(super) fn scroll_focus(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    asked
        .elements("a11y/scroll-focus")
        .into_iter()
        .filter_map(|id| {
            let reason = format!("tabindex=\"0\" on {}, which scrolls", page.place(id));
            set_attribute(page, "a11y/scroll-focus", id, "tabindex", "0", reason)
        })
        .map(|repair| vec![repair])
        .collect()
}

/// Attributes of ARIA that say nothing, or the wrong thing, are taken out: what the finding names first.
pub(super) fn invalid_aria(asked: &Asked<'_>, check: &'static str) -> Vec<Ways> {
    let page = asked.page;
    asked
        .elements(check)
        .into_iter()
        .filter_map(|id| {
            let tag = page.source.tag(id)?;
            let said: Vec<&str> = asked
                .found(check)
                .filter(|finding| finding.nodes.contains(&id))
                .map(|finding| finding.what.as_str())
                .collect();
            let named = |name: &str| {
                said.iter()
                    .any(|what| if name == "role" { what.contains("role=") } else { what.contains(name) })
            };
            let attributes = tag
                .attributes
                .iter()
                .filter(|attribute| attribute.name == "role" || attribute.name.starts_with("aria-"))
                .filter(|attribute| named(&attribute.name));
            let ways: Ways = attributes
                .map(|attribute| {
                    let reason = format!(
                        "{}=\"{}\" taken from {}, where it is not valid",
                        attribute.name,
                        attribute.raw,
                        page.place(id)
                    );
                    let start = attribute.span.start;
                    let space = page.html.get(..start).map_or(0, |before| {
                        before.len() - before.trim_end_matches([' ', '\t', '\n', '\r']).len()
                    });
                    Repair::one(check, start - space..attribute.span.end, "", reason)
                })
                .collect();
            (!ways.is_empty()).then_some(ways)
        })
        .collect()
}

/// Gives an element an attribute, or the one it has another value.
pub(super) fn set_attribute(
    page: &Page<'_>,
    check: &'static str,
    id: NodeId,
    name: &str,
    value: &str,
    reason: String,
) -> Option<Repair> {
    let tag = page.source.tag(id)?;
    let written = format!("{name}=\"{}\"", super::edit::attribute_value(value));
    Some(match tag.attribute(name) {
        Some(known) => Repair::one(check, known.span.clone(), written, reason),
        None => Repair::insert(check, tag.insertion_point(), format!(" {written}"), reason),
    })
}
