//! Tests that are gone. Tests move, are renamed and are merged into tables; what counts is whether what they check comes
//! back.

use jury_core::severity::Severity;
use std::collections::HashSet;

use super::super::code::words;
use super::super::function::Function;
use super::super::side::Sides;
use super::subject::{Subject, at_removed};
use super::{Detector, DiffEvidence, assertions};

pub(super) fn tests(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let new_functions = || subject.sides.iter().flat_map(|file| &file.new.functions);
    let kept: HashSet<&str> = new_functions().map(|function| function.name.as_str()).collect();
    let gone: HashSet<&str> = subject
        .sides
        .iter()
        .flat_map(|file| &file.old.functions)
        .filter(|function| !function.test && function.head_changed && !kept.contains(function.name.as_str()))
        .map(|function| function.name.as_str())
        .collect();
    let mut found = Vec::new();
    for file in &subject.sides {
        for function in &file.old.functions {
            let over = function.test && function.head_changed && !kept.contains(function.name.as_str());
            if !over || survives(subject, file, function) {
                continue;
            }
            let Some(head) = file.old.rows.get(function.rows.start) else { continue };
            let body = file.old.rows.get(function.rows.clone()).unwrap_or_default();
            let orphan =
                body.iter().skip(1).flat_map(|row| words(&row.parts.code)).any(|word| gone.contains(word));
            let severity = if orphan { Severity::Minor } else { Severity::Serious };
            let name = &function.name;
            let text = format!("the test “{name}” is removed, and what it checks does not come back");
            found.push(at_removed(Detector::TestsDeleted, severity, file, head, text));
        }
    }
    found
}

/// Most of its lines are still there or come back, or all its assertions are made elsewhere with the same values.
fn survives(subject: &Subject<'_>, file: &Sides<'_>, function: &Function) -> bool {
    let body = file.old.rows.get(function.rows.start + 1..function.rows.end).unwrap_or_default();
    let said = || body.iter().filter(|row| row.text.trim().len() > 3);
    let still = said().filter(|row| !row.changed || subject.comes_back(row)).count();
    if still * 2 > said().count() {
        return true;
    }
    let mut asserted =
        body.iter().filter(|row| assertions::is_assertion(file.language, row.code())).peekable();
    asserted.peek().is_some() && asserted.all(|row| subject.comes_back(row) || subject.values_come_back(row))
}
