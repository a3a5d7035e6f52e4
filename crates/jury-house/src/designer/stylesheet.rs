//! Repairs in the style sheet that are not about colour, and where a rule can be added.

use crate::checks::unfocusable_rules;
use crate::page::Page;

use super::edit::Repair;
use super::head::head_point;

/// Adds a rule behind all others, so that it wins among equals.
pub(super) fn add_rule(
    page: &Page<'_>,
    check: &'static str,
    rule: &str,
    reason: impl Into<String>,
) -> Repair {
    match page.source.styles.last() {
        Some(last) => Repair::insert(check, last.end, format!("{rule}\n"), reason),
        None => Repair::insert(check, head_point(page), format!("<style>{rule}</style>"), reason),
    }
}

/// One rule gives the focus ring back.
pub(super) fn focus(page: &Page<'_>) -> Option<Repair> {
    if unfocusable_rules(page).is_empty() {
        return None;
    }
    Some(add_rule(
        page,
        "a11y/focus",
        ":focus-visible{outline:2px solid currentColor!important;outline-offset:2px}",
        "a :focus-visible rule gives the focus ring back",
    ))
}

/// Font sizes written in pixels below 12 become 12.
pub(super) fn small_text(page: &Page<'_>) -> Vec<Repair> {
    page.declarations
        .iter()
        .filter(|declaration| declaration.property == "font-size")
        .filter_map(|declaration| {
            let pixels: f32 = if let Some(pixels) = declaration.value.strip_suffix("px") {
                pixels.parse().ok()?
            } else {
                declaration.value.strip_suffix("rem")?.parse::<f32>().ok()? * 16.0
            };
            (pixels < 12.0 && pixels >= 8.0).then(|| {
                let line = page.source.line(declaration.span.start);
                Repair::one(
                    "critic/small-text",
                    declaration.span.clone(),
                    "12px",
                    format!("font-size {} raised to 12px (line {line})", declaration.value),
                )
                .visible()
            })
        })
        .collect()
}

/// Uppercase rules without letter spacing get some.
pub(super) fn capitals(page: &Page<'_>) -> Vec<Repair> {
    page.declarations
        .iter()
        .filter(|declaration| declaration.property == "text-transform" && declaration.value == "uppercase")
        .filter(|declaration| !declaration.selector.is_empty())
        .filter(|declaration| {
            !page
                .declarations
                .iter()
                .any(|other| other.selector == declaration.selector && other.property == "letter-spacing")
        })
        .map(|declaration| {
            let line = page.source.line(declaration.span.start);
            Repair::insert(
                "critic/caps",
                declaration.span.end,
                ";letter-spacing:.06em",
                format!("letter spacing for capitals of {} (line {line})", declaration.selector),
            )
            .visible()
        })
        .collect()
}
