//! The share of text in families of the brand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jury_eye::NodeId;
use jury_text::brand::is_generic;

use super::{MOST_FINDINGS, ZERO_AT, severity};
use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;

/// Names under which the face of the system goes.
const SYSTEM: &[&str] = &["system-ui", "-apple-system", "blinkmacsystemfont", "ui-sans-serif"];

pub(in crate::checks) fn font(page: &Page<'_>) -> Outcome {
    let Some(brand) = page.brand().filter(|brand| !brand.families.is_empty()) else {
        return Outcome::not_applicable();
    };
    let declared: Vec<String> = brand.families.iter().map(|family| folded(family)).collect();
    let mut off: BTreeMap<String, (usize, Vec<NodeId>)> = BTreeMap::new();
    let mut total = 0;
    for run in &page.runs {
        let Some(style) = page.node(run.node).and_then(|node| node.style.as_ref()) else {
            continue;
        };
        total += run.characters;
        let first = style.font_families.first().cloned().unwrap_or_default();
        if !declared.contains(&folded(&first)) {
            let (characters, nodes) = off.entry(first).or_default();
            *characters += run.characters;
            nodes.push(run.node);
        }
    }
    if total == 0 {
        return Outcome::not_applicable();
    }
    let failing: usize = off.values().map(|(characters, _)| characters).sum();
    let kept = 1.0 - count(failing) / count(total);
    let worst = severity(kept, brand.families_origin, brand, &["fonts"], 0);
    let percent = (kept * 100.0 + 1e-9).floor();
    let mut off: Vec<(String, usize, Vec<NodeId>)> =
        off.into_iter().map(|(family, (characters, nodes))| (family, characters, nodes)).collect();
    off.sort_by_key(|(_, characters, _)| std::cmp::Reverse(*characters));
    let names = brand.families.iter().filter(|family| !is_generic(family)).take(3);
    let allowed = names.map(String::as_str).collect::<Vec<_>>().join(", ");
    let mut note = format!(
        "{percent:.0} % of {} in families of {}",
        counted(total, "character"),
        brand.families_origin.words()
    );
    if let Some((family, characters, _)) = off.first() {
        let _ = write!(note, "; {family} on {} is not declared", counted(*characters, "character"));
    }
    let findings = off
        .into_iter()
        .take(MOST_FINDINGS)
        .map(|(family, characters, nodes)| {
            let share = count(characters) / count(total);
            let severity = if share >= 0.05 { worst } else { Severity::Minor };
            let what = format!(
                "{} on {:.0} % of characters is not declared, needs {allowed} ({})",
                if family.is_empty() { "no family" } else { family.as_str() },
                (share * 100.0).ceil(),
                page.places(&nodes)
            );
            Finding::on(severity, nodes, what).because(family).figure("share", share, "")
        })
        .collect();
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: 0.0,
            total: count(total),
            zero_at: ZERO_AT,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// A family without what differs between its files: `Inter`, `inter var` and `Inter Variable` are one.
fn folded(family: &str) -> String {
    let lower = family.to_lowercase();
    if SYSTEM.contains(&lower.as_str()) {
        return "system-ui".to_owned();
    }
    let mut name: String = lower.chars().filter(|ch| ch.is_alphanumeric()).collect();
    for end in ["variable", "var", "vf"] {
        if name.len() > end.len() + 2 && name.ends_with(end) {
            name.truncate(name.len() - end.len());
            break;
        }
    }
    name
}
