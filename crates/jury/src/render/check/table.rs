//! The rules: for people, and as the document that docs/checks.md is.

use std::fmt::Write as _;

use jury_core::rule::{RepairKind, Rule, RuleSubject};

use super::NOT_JUDGED;
use crate::output::{Output, Tone};
use crate::rules::{Group, Listed};

fn repair(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Automatic => "repaired",
        RepairKind::Proposed => "proposed",
        RepairKind::None => "by hand",
    }
}

fn repair_sentence(rule: &Rule) -> &'static str {
    match (rule.repair, rule.subject) {
        (RepairKind::Automatic, RuleSubject::Page) => {
            "The designer repairs it, measures again, and keeps what helped."
        }
        (RepairKind::Automatic, RuleSubject::Document | RuleSubject::Diff | RuleSubject::Content) => {
            "A revision without a model corrects it where that is safe."
        }
        (RepairKind::Proposed, _) => {
            "The designer proposes; words it puts in are marked and half credited until somebody confirms them."
        }
        (RepairKind::None, _) => "Nothing mechanical helps: a person has to decide.",
    }
}

/// From the mildest to the gravest.
fn severity(rule: &Rule) -> String {
    match rule.least {
        Some(least) if least != rule.severity => format!("{least} to {}", rule.severity),
        Some(_) | None => rule.severity.to_string(),
    }
}

/// The rules in groups, each group with who reports it.
fn groups(checks: &[Listed]) -> Vec<(Group, Vec<&Listed>)> {
    let mut groups: Vec<(Group, Vec<&Listed>)> = Vec::new();
    for check in checks {
        match groups.iter_mut().find(|(group, _)| *group == check.group) {
            Some((_, group)) => group.push(check),
            None => groups.push((check.group, vec![check])),
        }
    }
    groups
}

/// A list for a terminal.
pub(crate) fn human(checks: &[Listed], output: Output) -> String {
    let widest = checks.iter().map(|check| check.rule.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (group, checks) in groups(checks) {
        writeln!(text, "{}: {}", output.paint_result(Tone::Bold, group.name), group.about).ok();
        for check in checks {
            let rule = &check.rule;
            writeln!(
                text,
                "  {:<widest$}  {:<8}  {:<8}  {}",
                rule.id,
                rule.severity,
                repair(rule.repair),
                rule.title
            )
            .ok();
            if !rule.sources.is_empty() {
                let sources = output.paint_result(Tone::Dim, &rule.sources.join("; "));
                writeln!(text, "  {:<widest$}  {sources}", "").ok();
            }
        }
        text.push('\n');
    }
    writeln!(text, "{} checks; 'jury explain CHECK' has the exact measure of one", checks.len()).ok();
    writeln!(text, "{}", output.paint_result(Tone::Dim, NOT_JUDGED)).ok();
    text
}

/// The rows of one rule, in the order in which they are told. A title that says it all is not said again.
fn rows(check: &Listed) -> Vec<(&'static str, String)> {
    let rule = &check.rule;
    let measures = if rule.measures == rule.title { "" } else { rule.measures };
    let mut rows = vec![
        ("Reported by", check.by.clone()),
        ("Severity", severity(rule)),
        ("Measures", measures.to_owned()),
        ("Left out", rule.exempt.to_owned()),
        check.scope.clone(),
        ("Repair", repair_sentence(rule).to_owned()),
    ];
    rows.extend(check.also.iter().cloned());
    rows.retain(|(_, text)| !text.is_empty());
    rows
}

/// One rule, whole.
pub(crate) fn one(check: &Listed, output: Output) -> String {
    let rule = &check.rule;
    let mut text = format!("{}  {}\n", output.paint_result(Tone::Bold, rule.id), rule.title);
    for (name, value) in rows(check) {
        writeln!(text, "  {:<12} {value}", output.paint_result(Tone::Dim, &format!("{name:<12}"))).ok();
    }
    for source in rule.sources {
        writeln!(text, "  {} {source}", output.paint_result(Tone::Dim, &format!("{:<12}", "Source"))).ok();
    }
    text
}

/// The document.
pub(crate) fn markdown(checks: &[Listed]) -> String {
    let mut text = String::from(
        "# Checks\n\nWhat jury measures: pages, documents, changes and drafts. This page is made from the tables that the \
         program works by\n(`jury checks --markdown`); change the table, then run `make update`.\n\n\
         On a page, an open critical finding caps its panelist at 5.9 of 10, a serious one at 7.9; both must be fixed. \
         Moderate\nand minor ones lower the score. ",
    );
    text.push_str(NOT_JUDGED);
    text.push_str("\n\n| check | severity | repair | what should hold |\n|---|---|---|---|\n");
    for Listed { rule, .. } in checks {
        writeln!(
            text,
            "| [`{}`](#{}) | {} | {} | {} |",
            rule.id,
            anchor(rule.id),
            severity(rule),
            repair(rule.repair),
            cell(rule.title)
        )
        .ok();
    }
    for (group, checks) in groups(checks) {
        write!(text, "\n## {}\n\n", group.name).ok();
        match checks.first().map(|check| check.rule.subject) {
            Some(RuleSubject::Page) => {
                writeln!(text, "The {} panelist looks at {}.", group.name, group.about).ok();
            }
            Some(RuleSubject::Document | RuleSubject::Diff | RuleSubject::Content) | None => {
                writeln!(text, "About {}.", group.about).ok();
            }
        }
        for check in checks {
            let rule = &check.rule;
            let stop = if rule.title.ends_with('?') { "" } else { "." };
            write!(text, "\n### `{}`\n\n{}{stop}\n\n", rule.id, rule.title.trim_end_matches('.')).ok();
            for (name, value) in rows(check) {
                writeln!(text, "- **{name}**: {}", value.trim()).ok();
            }
            if !rule.sources.is_empty() {
                let sources: Vec<String> = rule.sources.iter().map(|source| link(source)).collect();
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
