//! Errors that nobody hears of.

use jury_core::severity::Severity;
use std::collections::HashSet;

use super::super::code::words;
use super::super::path::{FileKind, Language};
use super::super::side::{Row, Sides};
use super::super::syntax::Handler;
use super::subject::{Subject, at, following};
use super::{Detector, DiffEvidence};

const UNHEARD: &str = "what goes wrong here is not heard of";

pub(super) fn errors(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in subject.sides.iter().filter(|file| file.kind != FileKind::Document) {
        let mut seen: HashSet<usize> = HashSet::new();
        for handler in &file.new.handlers {
            seen.extend(handler.rows.start..=handler.row);
            if let Some(row) = file.new.rows.get(handler.row)
                && let Some(severity) = silent(subject, file, handler)
            {
                found.push(at(Detector::SwallowedError, severity, file, row, UNHEARD));
            }
        }
        for (index, row) in file.new.changed() {
            if seen.contains(&index) {
                continue;
            }
            if subject.removals(row) > 0 && file.language != Language::Python {
                continue;
            }
            let severity = match file.language {
                Language::Python => python(subject, file, index, row),
                Language::Script | Language::Java => catch(file, index, row),
                Language::Rust => rust(file, row),
                Language::Go => go(file, index, row),
                Language::Shell | Language::Pipeline => shell(file, row),
                Language::Other => None,
            };
            // What tests pass over does not reach users.
            let severity =
                severity.map(|found| if file.kind == FileKind::Test { Severity::Minor } else { found });
            if let Some(severity) = severity {
                found.push(at(Detector::SwallowedError, severity, file, row, UNHEARD));
            }
        }
    }
    found
}

/// How much it matters that a handler which a tree has does nothing: something in it is new, and it does not only move.
fn silent(subject: &Subject<'_>, file: &Sides<'_>, handler: &Handler) -> Option<Severity> {
    let rows = file.new.rows.get(handler.rows.clone())?;
    let is_new = rows.iter().any(|row| row.changed && row.text.trim().len() > 1 && !subject.was_there(row));
    if !handler.silent || !is_new {
        return None;
    }
    let in_test = file.kind == FileKind::Test
        || file.new.function_at(handler.row).is_some_and(|function| function.test);
    // The reason stands in it or on the line above.
    let above = handler.rows.start.checked_sub(1).and_then(|row| file.new.rows.get(row));
    let above = above.filter(|row| row.parts.is_comment());
    let minor = in_test || !handler.any || has_reason(rows.iter().chain(above));
    Some(if minor { Severity::Minor } else { Severity::Serious })
}

/// A comment that gives a reason.
fn has_reason<'a>(rows: impl Iterator<Item = &'a Row>) -> bool {
    let mut comments = rows.map(|row| row.parts.comment.as_str());
    comments.any(|comment| words(comment).count() >= 4)
}

fn python(subject: &Subject<'_>, file: &Sides<'_>, index: usize, row: &Row) -> Option<Severity> {
    let rest = row.code().strip_prefix("except")?;
    let (kind, inline) = rest.split_once(':')?;
    let body: Vec<&Row> = following(&file.new, index, 8)
        .take_while(|next| next.text.trim().is_empty() || next.indent() > row.indent())
        .collect();
    let mut said = body.iter().map(|next| next.code()).filter(|code| !code.is_empty());
    let first = if inline.trim().is_empty() { said.next()? } else { inline.trim() };
    let silent = matches!(first, "pass" | "..." | "continue" | "return" | "return None");
    if !silent
        || said.next().is_some()
        || (subject.was_there(row) && body.iter().all(|next| !next.changed || subject.was_there(next)))
    {
        return None;
    }
    let kind = kind.split(" as ").next().unwrap_or(kind).trim();
    let any = matches!(kind, "" | "Exception" | "BaseException" | "(Exception)");
    Some(if any && !has_reason(body.into_iter().chain([row])) { Severity::Serious } else { Severity::Minor })
}

fn catch(file: &Sides<'_>, index: usize, row: &Row) -> Option<Severity> {
    let code = row.code();
    let packed: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    if packed.contains(".catch(()=>{})") || packed.contains(".catch(()=>undefined)") {
        return Some(Severity::Serious);
    }
    if packed.contains(".catch(()=>null)") {
        // Whoever reads the value can tell that there is none.
        return Some(Severity::Minor);
    }
    let (_, handler) = packed.split_once("catch")?;
    let one = |kind: &str| handler.contains(kind);
    let narrow = file.language == Language::Java && !one("(Exception") && !one("(Throwable");
    let rows: Vec<&Row> = following(&file.new, index, 8).collect();
    let empty_here = handler.ends_with("{}") || handler.contains("){}") || handler == "{}";
    let closing = rows.iter().position(|next| !next.code().is_empty());
    let closed = closing.and_then(|at| rows.get(at)).is_some_and(|next| next.code().starts_with('}'));
    if !(empty_here || (handler.ends_with('{') && closed)) {
        return None;
    }
    let inside = rows.into_iter().take(closing.unwrap_or(0)).chain([row]);
    Some(if narrow || has_reason(inside) { Severity::Minor } else { Severity::Serious })
}

fn rust(file: &Sides<'_>, row: &Row) -> Option<Severity> {
    if file.kind == FileKind::Test {
        return None;
    }
    let code = row.code();
    let writes = code.contains("write!(") || code.contains("writeln!(");
    let dropped = code.strip_prefix("let _ = ").is_some_and(|call| call.contains('(') && !writes);
    let packed: String = code.chars().filter(|character| !character.is_whitespace()).collect();
    let forgotten = packed.ends_with(".ok();") && !packed.starts_with("let") && !packed.contains('=');
    let empty = packed.contains("Err(_)=>{}") || packed.contains("Err(_)=>()");
    if empty {
        return Some(Severity::Serious);
    }
    (dropped || forgotten).then_some(Severity::Minor)
}

fn go(file: &Sides<'_>, index: usize, row: &Row) -> Option<Severity> {
    let code = row.code();
    if file.kind == FileKind::Test {
        return None;
    }
    if code.starts_with("if ") && code.contains("err != nil") && code.ends_with('{') {
        let mut next = following(&file.new, index, 6);
        let first = next.find(|next| !next.code().is_empty())?;
        let reason = has_reason(following(&file.new, index, 6).take_while(|next| next.code().is_empty()));
        let severity = if reason { Severity::Minor } else { Severity::Serious };
        return first.code().starts_with('}').then_some(severity);
    }
    let dropped = code.starts_with("_ = ") && code.ends_with(')');
    let closes = code.contains("Close(") || code.contains("Fprint");
    (dropped && !closes).then_some(Severity::Minor)
}

/// In a pipeline a check that cannot fail is no check.
fn shell(file: &Sides<'_>, row: &Row) -> Option<Severity> {
    let text = row.parts.code.trim();
    let path = file.path.to_ascii_lowercase();
    let in_pipeline = path.contains(".github/")
        || path.contains("ci")
        || path.contains("pipeline")
        || path.contains("makefile");
    let raw = row.text.trim();
    let never_fails = text.ends_with("|| true")
        || text.contains("|| true ")
        || text.ends_with("|| :")
        || text.ends_with("|| exit 0")
        || raw.contains("|| true\"");
    let allowed =
        matches!(text, "continue-on-error: true" | "- continue-on-error: true" | "allow_failure: true");
    let mut checks = words(raw).filter(|word| {
        [
            "test", "pytest", "lint", "clippy", "check", "jest", "vitest", "mypy", "eslint", "tsc", "build",
            "ruff", "vet",
        ]
        .contains(word)
    });
    if allowed {
        return Some(Severity::Serious);
    }
    if never_fails {
        let is_check = checks.next().is_some();
        return Some(if in_pipeline && is_check { Severity::Serious } else { Severity::Minor });
    }
    (in_pipeline && text.contains("2>/dev/null")).then_some(Severity::Minor)
}
