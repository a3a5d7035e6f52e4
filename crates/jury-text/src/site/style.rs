//! The stylesheet of a site: the tokens of its brand, then the same rules for every site.

use std::fmt::Write as _;

use jury_core::content::brand::{SiteBrand, Theme};

use super::brand::{hex, ink_on, mixed};

const RULES: &str = include_str!("style.css");

/// The stylesheet. The brand has been checked: its colours are `#rrggbb` and its fonts are names.
pub(super) fn stylesheet(brand: &SiteBrand) -> String {
    let colors = &brand.colors;
    let on_primary =
        hex(&colors.primary).map_or_else(|| "#ffffff".to_owned(), |primary| ink_on(primary).hex());
    let line = mixed(&colors.border, &colors.background, 0.35);
    let shade = mixed(&colors.primary, &colors.background, 0.6);
    let scheme = match brand.theme {
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let radius = format!("{}px", brand.radius);
    let tokens: [(&str, &str); 16] = [
        ("ground", &colors.background),
        ("elevated", &colors.background_elevated),
        ("tint", &colors.primary_light),
        ("text", &colors.text_primary),
        ("text-secondary", &colors.text_secondary),
        ("text-muted", &colors.text_muted),
        ("primary", &colors.primary),
        ("on-primary", &on_primary),
        ("accent", &colors.accent),
        ("border", &colors.border),
        ("line", &line),
        ("shade", &shade),
        ("heading", &brand.typography.heading_font),
        ("body", &brand.typography.body_font),
        ("mono", &brand.typography.mono_font),
        ("radius", &radius),
    ];
    let mut out = format!(":root {{\n  color-scheme: {scheme};\n");
    for (name, value) in tokens {
        writeln!(out, "  --{name}: {value};").ok();
    }
    out.push_str("}\n\n");
    out.push_str(RULES);
    out
}
