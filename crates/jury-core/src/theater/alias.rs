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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dimension_is_found_by_the_names_that_panelists_give_it() {
        let measured = Span { low: 3.0, high: 4.0 };
        for (role, dimension, names) in [
            (Role::Critic, "type", "typography, Typographic, fonts, font, typeface, typefaces"),
            (Role::Critic, "space", "spacing, whitespace, white-space, negative_space"),
            (Role::Critic, "hierarchy", "visual hierarchy, Visual-Hierarchy"),
            (Role::Critic, "contrast", "contrast, colour contrast, color contrast"),
            (Role::Critic, "rhythm", "vertical rhythm"),
            (Role::Brand, "type", "typography, fonts"),
            (Role::Brand, "colour", "color, palette, color palette, tokens, design-tokens, brand colors"),
            (Role::Brand, "shape", "shapes, radius, radii, corners"),
            (Role::A11y, "perceive", "contrast, text contrast, perceivable"),
            (Role::A11y, "names", "labels, accessible names, alt text"),
            (Role::A11y, "structure", "semantics, landmarks, headings"),
            (Role::A11y, "operate", "operable, keyboard, focus, touch targets"),
            (Role::Copy, "clear", "clarity"),
            (Role::Copy, "complete", "completeness"),
            (Role::Copy, "action", "cta, call to action"),
            (Role::Copy, "links", "link text"),
        ] {
            let of_role =
                RoleMeasure { role, score: measured, dimensions: vec![(dimension.to_owned(), measured)] };
            for name in names.split(", ") {
                assert_eq!(span_of(&of_role, name), Some(measured), "{role} {name}");
            }
            assert_eq!(span_of(&of_role, "delight"), None, "{role}");
        }
    }

    #[test]
    fn a_name_is_the_dimension_of_its_own_panelist_only() {
        let span = Span { low: 3.0, high: 4.0 };
        let all = ["type", "colour", "perceive", "clear"].map(|name| (name.to_owned(), span)).to_vec();
        for (role, name) in [
            (Role::Copy, "typography"),
            (Role::Critic, "palette"),
            (Role::A11y, "tokens"),
            (Role::Brand, "clarity"),
            (Role::Designer, "contrast"),
        ] {
            let measured = RoleMeasure { role, score: span, dimensions: all.clone() };
            assert_eq!(span_of(&measured, name), None, "{role} {name}");
        }
    }
}
