//! Colours written out where the page has a property of that colour.

use std::collections::BTreeMap;

use super::MOST_FINDINGS;
use crate::css::Declaration;
use crate::css_colour;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;

pub(in crate::checks) fn tokens(page: &Page<'_>) -> Outcome {
    if page.brand().is_none() {
        return Outcome::not_applicable();
    }
    let is_token = |declaration: &&Declaration| declaration.property.starts_with("--");
    // The property that a colour should be taken from; the first of a colour.
    let mut names: BTreeMap<([u8; 3], u64), &str> = BTreeMap::new();
    for declaration in page.declarations.iter().filter(is_token) {
        if let Some(colour) = css_colour::parse(&declaration.value) {
            names.entry((colour.rgb.bytes(), colour.alpha.to_bits())).or_insert(&declaration.property);
        }
    }
    let mut taken = 0;
    let mut written: BTreeMap<&str, (usize, String, Vec<usize>)> = BTreeMap::new();
    for declaration in page.declarations.iter().filter(|declaration| !is_token(declaration)) {
        taken += declaration.value.matches("var(--").count();
        for (start, _, colour) in css_colour::find_all(&declaration.value) {
            let Some(name) = names.get(&(colour.rgb.bytes(), colour.alpha.to_bits())) else { continue };
            let (uses, hex, lines) = written.entry(name).or_default();
            *uses += 1;
            *hex = colour.rgb.hex();
            lines.push(page.source.line(declaration.span.start + start));
        }
    }
    if names.is_empty() {
        return Outcome::not_applicable();
    }
    let failing: usize = written.values().map(|(uses, _, _)| uses).sum();
    let note = format!("{} written out, {taken} taken from properties", counted(failing, "colour"));
    let mut listed: Vec<_> = written.into_iter().collect();
    listed.sort_by(|one, other| other.1.0.cmp(&one.1.0).then(one.0.cmp(other.0)));
    let findings = listed
        .into_iter()
        .take(MOST_FINDINGS)
        .map(|(name, (uses, hex, lines))| {
            let what = format!(
                "{hex} is written out {}, needs var({name}) (line {})",
                if uses == 1 { "once".to_owned() } else { format!("{uses} times") },
                lines.first().copied().unwrap_or(1)
            );
            Finding::page(Severity::Minor, what).because(name)
        })
        .collect();
    Outcome::share(failing, failing + taken, 1.0, note, findings)
}
