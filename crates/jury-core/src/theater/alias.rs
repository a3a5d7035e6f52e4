//! What panelists call the dimensions that are measured. The examples of our own prompt are among them.

use crate::evidence::{RoleMeasure, Span};
use crate::role::Role;

/// The measured dimension that a panelist's dimension speaks of.
pub(super) fn span_of(measured: &RoleMeasure, name: &str) -> Option<Span> {
    let name = name.trim().to_lowercase().replace(['-', '_'], " ");
    let known =
        |wanted: &str| measured.dimensions.iter().find(|(known, _)| known == wanted).map(|(_, span)| *span);
    known(&name).or_else(|| known(alias(measured.role, &name)?))
}

/// The name under which it is measured.
fn alias(role: Role, name: &str) -> Option<&'static str> {
    let type_ = matches!(name, "typography" | "typographic" | "fonts" | "font" | "typeface" | "typefaces");
    let colour =
        matches!(name, "color" | "colors" | "colours" | "palette" | "colour palette" | "color palette");
    match (role, name) {
        (Role::Critic | Role::Brand, _) if type_ => Some("type"),
        (Role::Brand, _) if colour => Some("colour"),
        (Role::Critic, "spacing" | "whitespace" | "white space" | "negative space") => Some("space"),
        (Role::Critic, "visual hierarchy") => Some("hierarchy"),
        (Role::Critic, "colour contrast" | "color contrast") => Some("contrast"),
        (Role::Critic, "vertical rhythm") => Some("rhythm"),
        (
            Role::Brand,
            "tokens" | "token" | "design tokens" | "colour tokens" | "color tokens" | "brand colours"
            | "brand colors" | "brand colour" | "brand color",
        ) => Some("colour"),
        (Role::Brand, "shapes" | "radius" | "radii" | "corners") => Some("shape"),
        (
            Role::A11y,
            "contrast" | "colour contrast" | "color contrast" | "text contrast" | "perceivable"
            | "perception",
        ) => Some("perceive"),
        (
            Role::A11y,
            "name" | "naming" | "labels" | "labelling" | "labeling" | "accessible names" | "alternatives"
            | "text alternatives" | "alt" | "alt text",
        ) => Some("names"),
        (Role::A11y, "semantics" | "semantic" | "semantic structure" | "landmarks" | "headings") => {
            Some("structure")
        }
        (
            Role::A11y,
            "operable" | "operability" | "focus" | "keyboard" | "targets" | "target size" | "touch targets",
        ) => Some("operate"),
        (Role::Copy, "clarity") => Some("clear"),
        (Role::Copy, "completeness") => Some("complete"),
        (Role::Copy, "actions" | "cta" | "ctas" | "call to action" | "calls to action") => Some("action"),
        (Role::Copy, "link" | "link text" | "link texts") => Some("links"),
        _ => None,
    }
}
