//! New code that says it is not done, and new functions without a body.

use super::super::code::has_word;
use super::super::function::{Body, Function};
use super::super::path::{FileKind, Language};
use super::super::side::{Row, Sides};
use super::subject::{Subject, at};
use super::{Detector, DiffEvidence};
use jury_core::severity::Severity;

pub(super) fn bodies(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in subject.sides.iter().filter(|file| file.kind == FileKind::Source) {
        for (index, row) in file.new.changed() {
            let function = file.new.function_at(index);
            if function.is_some_and(|function| function.test) || subject.was_there(row) {
                continue;
            }
            let one_row = function.is_some_and(|function| function.rows == (index..index + 1));
            // Operators say so to let the other side try.
            let is_operator = function.is_none_or(|function| function.name.starts_with("__"));
            if (says_undone(file.language, row, one_row, is_operator)
                || file.new.undone.binary_search(&index).is_ok())
                && !function.is_some_and(|function| is_abstract(file, function))
            {
                found.push(at(
                    Detector::Stub,
                    Severity::Serious,
                    file,
                    row,
                    "the code only says that it is not done",
                ));
            }
        }
        for function in file.new.functions.iter().filter(|function| !function.test) {
            if let Some(row) = empty_body(file, function)
                && !subject.was_there(row)
                && (function.head_changed || row.changed)
            {
                let text = format!("the function “{}” does nothing", function.name);
                found.push(at(Detector::Stub, Severity::Serious, file, row, text));
            }
        }
    }
    found
}

/// The statements of a row. A body may stand on the row of its head, and a statement behind another one.
fn statements(language: Language, code: &str) -> impl Iterator<Item = &str> {
    let ends = move |c: char| matches!(c, '{' | '}' | ';') && language.has_braces();
    let rows = code.split(move |c: char| ends(c) || (c == ';' && !language.has_braces()));
    // What stands behind a colon at the end of a head, or of a case.
    rows.flat_map(|part| part.split(": ")).map(str::trim)
}

/// Whether a row only says that something is not done; it may be a whole function.
fn says_undone(language: Language, row: &Row, one_row: bool, is_operator: bool) -> bool {
    let code = row.code();
    let begins = |word: &str| statements(language, code).any(|statement| statement.starts_with(word));
    let undone = || {
        row.parts.literals.iter().any(|text| {
            let text = text.to_lowercase();
            ["not implemented", "unimplemented", "not yet implemented", "todo", "implement me"]
                .iter()
                .any(|word| text.contains(word))
        })
    };
    let put_off = {
        let comment = row.parts.comment.to_lowercase();
        ["todo", "fixme", "stub", "placeholder", "not implemented", "for now"]
            .iter()
            .any(|word| comment.contains(word))
    };
    let empty = |values: &[&str]| {
        let is = |code: &str| {
            let value = code.strip_prefix("return").map(|rest| rest.trim().trim_end_matches(';').trim());
            value.is_some_and(|value| values.contains(&value))
        };
        put_off && (is(code) || one_row && statements(language, code).any(is))
    };
    match language {
        Language::Rust => {
            ["todo!(", "unimplemented!("].iter().any(|word| has_word(code, word))
                || (code.contains("panic!(") && undone())
        }
        Language::Python => {
            begins("raise NotImplementedError")
                || begins("return NotImplemented") && !is_operator
                || code.starts_with("raise ") && undone()
                || empty(&["None", "", "[]", "{}", "False", "True", "0", "\"\""])
        }
        Language::Script => {
            (code.contains("throw ") && undone())
                || empty(&["null", "undefined", "", "[]", "{}", "false", "true", "0", "\"\""])
        }
        Language::Go => {
            (begins("panic(") && undone())
                || (begins("return ") && (code.contains("errors.New") || code.contains("Errorf")) && undone())
                || empty(&["nil", "", "nil, nil", "false", "true", "0", "\"\"", "\"\", nil"])
        }
        Language::Java => {
            (code.contains("throw ") && undone())
                || (code.contains("throw new UnsupportedOperationException()") && put_off)
                || empty(&["null", "", "false", "true", "0", "\"\"", "List.of()", "Optional.empty()"])
        }
        Language::Shell | Language::Pipeline | Language::Other => false,
    }
}

/// Somebody else is meant to write the body.
fn is_abstract(file: &Sides<'_>, function: &Function) -> bool {
    if file.language != Language::Python {
        return false;
    }
    let rows = &file.new.rows;
    let marks = rows.get(..function.rows.start).unwrap_or_default().iter().rev().take(4).map(Row::code);
    let marked = marks
        .take_while(|code| code.starts_with('@'))
        .any(|mark| mark.contains("abstract") || mark.contains("overload"));
    let body = rows.get(function.rows.clone()).unwrap_or_default();
    let said = body.iter().flat_map(|row| row.parts.literals.iter().chain([&row.parts.comment]));
    let hook = said.into_iter().any(|text| {
        let text = text.to_lowercase();
        text.contains("subclass") || text.contains("override") || text.contains("implementations must")
    });
    let hunk = rows.get(function.rows.start).map_or(0, |row| row.hunk);
    let section = file.file.hunks.get(hunk).map_or("", |hunk| hunk.section.as_str());
    let classes = rows.get(..function.rows.start).unwrap_or_default().iter().rev().take(200);
    let class = classes.map(Row::code).find(|code| code.starts_with("class ")).unwrap_or(section);
    let class = function.class.as_deref().unwrap_or(class);
    let general = ["(ABC", "Protocol", "Abstract", "Base", "Interface", "ABCMeta"];
    marked || hook || general.iter().any(|word| class.contains(word))
}

/// The row of a body that has nothing in it.
fn empty_body<'a>(file: &'a Sides<'_>, function: &Function) -> Option<&'a Row> {
    let rows = file.new.rows.get(function.rows.clone())?;
    let (head, body) = rows.split_first()?;
    match function.body {
        Body::Filled => return None,
        Body::Empty(row) => {
            let passes = function.name.starts_with("__") || is_abstract(file, function);
            return file.new.rows.get(row).filter(|row| !passes && row.changed);
        }
        Body::Unknown => {}
    }
    match file.language {
        Language::Python => {
            if function.name.starts_with("__") {
                return None;
            }
            if let Some((_, rest)) = head.code().rsplit_once(':')
                && matches!(rest.trim(), "pass" | "...")
            {
                return (!is_abstract(file, function)).then_some(head);
            }
            let mut said = body.iter().filter(|row| {
                // A text that stands alone is a docstring.
                !row.code().is_empty() && !row.code().chars().all(|character| character == '"')
            });
            let first = said.next()?;
            let empty = matches!(first.code(), "pass" | "...") && said.next().is_none();
            (empty && !is_abstract(file, function)).then_some(first)
        }
        Language::Rust | Language::Script | Language::Go | Language::Java => {
            let closes = rows.last().is_some_and(|row| row.code().ends_with(['}', ';', ')']));
            let inner =
                rows.iter().skip(1).all(|row| row.code().chars().all(|c| matches!(c, '}' | ';' | ')' | ' ')));
            if !closes || !inner {
                return None;
            }
            // An empty body can be meant; one that a comment puts off is not.
            rows.iter().find(|row| {
                let comment = row.parts.comment.to_lowercase();
                row.changed && ["todo", "fixme", "not implemented"].iter().any(|word| comment.contains(word))
            })
        }
        Language::Shell | Language::Pipeline | Language::Other => None,
    }
}
