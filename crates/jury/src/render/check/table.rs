//! The table of checks: for people, and as the document that docs/checks.md is.

use std::fmt::Write as _;

use jury_house::{CheckInfo, RepairKind};

use super::NOT_JUDGED;
use crate::output::{Output, Tone};

/// Who reports, and what they look at.
fn panelist(role: &str) -> &'static str {
    match role {
        "critic" => "hierarchy, type, rhythm and space",
        "brand" => "colours, fonts and shapes of the DESIGN.md",
        "a11y" => "whether everybody can perceive, understand and operate it",
        "copy" => "words and links",
        _ => "",
    }
}

fn repair(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Automatic => "repaired",
        RepairKind::Proposed => "proposed",
        RepairKind::None => "by hand",
    }
}

fn repair_sentence(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Automatic => "The designer repairs it, measures again, and keeps what helped.",
        RepairKind::Proposed => {
            "The designer proposes; words it puts in are marked and half credited until somebody confirms them."
        }
        RepairKind::None => "Nothing mechanical helps: a person has to decide.",
    }
}

/// The checks in groups, each group with who reports it.
fn groups(checks: &[CheckInfo]) -> Vec<(&'static str, Vec<&CheckInfo>)> {
    let mut groups: Vec<(&'static str, Vec<&CheckInfo>)> = Vec::new();
    for check in checks {
        match groups.iter_mut().find(|(role, _)| *role == check.panelist) {
            Some((_, group)) => group.push(check),
            None => groups.push((check.panelist, vec![check])),
        }
    }
    groups
}

/// A list for a terminal.
pub(crate) fn human(checks: &[CheckInfo], output: Output) -> String {
    let widest = checks.iter().map(|check| check.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (role, group) in groups(checks) {
        writeln!(text, "{}: {}", output.paint_result(Tone::Bold, role), panelist(role)).ok();
        for check in group {
            let severity = format!("{:<8}", check.severity.as_str());
            let sources = output.paint_result(Tone::Dim, &check.about.sources.join("; "));
            writeln!(
                text,
                "  {:<widest$}  {severity}  {:<8}  {}",
                check.id,
                repair(check.about.repair),
                check.about.title
            )
            .ok();
            if !check.about.sources.is_empty() {
                writeln!(text, "  {:<widest$}  {sources}", "").ok();
            }
        }
        text.push('\n');
    }
    writeln!(text, "{} checks; 'jury explain CHECK' has the exact measure of one", checks.len()).ok();
    writeln!(text, "{}", output.paint_result(Tone::Dim, NOT_JUDGED)).ok();
    text
}

/// The rows of one check, in the order in which they are told.
fn rows(check: &CheckInfo) -> Vec<(&'static str, String)> {
    let about = &check.about;
    let listed = |ids: &[&str]| ids.join(", ");
    let mut rows = vec![
        ("Reported by", format!("{}, {}", check.panelist, check.dimension)),
        ("Severity", check.severity.as_str().to_owned()),
        ("Measures", about.measures.to_owned()),
        ("Left out", about.exempt.to_owned()),
        ("Exposure", about.exposure.to_owned()),
        ("Repair", repair_sentence(about.repair).to_owned()),
        ("ACT rules", listed(about.act)),
        ("axe rules", listed(about.axe)),
    ];
    rows.retain(|(_, text)| !text.is_empty());
    rows
}

/// One check, whole.
pub(crate) fn one(check: &CheckInfo, output: Output) -> String {
    let mut text = format!("{}  {}\n", output.paint_result(Tone::Bold, check.id), check.about.title);
    for (name, value) in rows(check) {
        writeln!(text, "  {:<12} {value}", output.paint_result(Tone::Dim, &format!("{name:<12}"))).ok();
    }
    for source in check.about.sources {
        writeln!(text, "  {} {source}", output.paint_result(Tone::Dim, &format!("{:<12}", "Source"))).ok();
    }
    text
}

/// The document.
pub(crate) fn markdown(checks: &[CheckInfo]) -> String {
    let mut text = String::from(
        "# Checks\n\nWhat the house looks at. This page is made from the table that the program works by \
         (`jury checks --markdown`);\nchange the table, then run `make update`.\n\n\
         An open critical finding caps its panelist at 5.9 of 10, a serious one at 7.9; both must be fixed. Moderate \
         and minor ones\nlower the score. ",
    );
    text.push_str(NOT_JUDGED);
    text.push_str("\n\n| check | severity | repair | what should hold |\n|---|---|---|---|\n");
    for check in checks {
        writeln!(
            text,
            "| [`{}`](#{}) | {} | {} | {} |",
            check.id,
            anchor(check.id),
            check.severity.as_str(),
            repair(check.about.repair),
            cell(check.about.title)
        )
        .ok();
    }
    for (role, group) in groups(checks) {
        write!(text, "\n## {role}\n\nThe {role} panelist looks at {}.\n", panelist(role)).ok();
        for check in group {
            write!(text, "\n### `{}`\n\n{}.\n\n", check.id, check.about.title.trim_end_matches('.')).ok();
            for (name, value) in rows(check) {
                writeln!(text, "- **{name}**: {}", value.trim()).ok();
            }
            if !check.about.sources.is_empty() {
                let sources: Vec<String> = check.about.sources.iter().map(|source| link(source)).collect();
                writeln!(text, "- **Sources**: {}", sources.join("; ")).ok();
            }
        }
    }
    text
}

/// The address of a heading as a Markdown reader makes it.
fn anchor(id: &str) -> String {
    id.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A source that is an address can be followed.
fn link(source: &str) -> String {
    if source.starts_with("https://") { format!("<{source}>") } else { source.to_owned() }
}
