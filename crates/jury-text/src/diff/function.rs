//! Where functions and tests begin and end, as far as a hunk shows it. A function whose head is above the hunk is known
//! by the name that git puts behind the numbers.

use std::ops::Range;

use super::code::{is_word, words};
use super::path::{FileKind, Language};
use super::side::Row;

/// The most rows of a function, so that heads without an end cost no more than a bound each.
pub(super) const LONGEST_FUNCTION_ROWS: usize = 400;

/// A function, or a case of a test suite.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) test: bool,
    /// The rows, with its head.
    pub(super) rows: Range<usize>,
    /// Its head is in the hunk and on this side alone.
    pub(super) head_changed: bool,
    /// Its head is in the hunk.
    pub(super) head_seen: bool,
    /// The head of the class around it, if a tree says so.
    pub(super) class: Option<String>,
    pub(super) body: Body,
    /// A tree says where it begins and ends.
    pub(super) parsed: bool,
}

/// What a tree says about the body of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Unknown,
    Filled,
    /// Nothing is in it but this row.
    Empty(usize),
}

pub(super) fn functions(
    language: Language,
    kind: FileKind,
    rows: &[Row],
    sections: &[&str],
) -> Vec<Function> {
    let mut found: Vec<Function> = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let hunk = rows.get(at).map_or(0, |row| row.hunk);
        let end =
            rows.iter().skip(at).position(|row| row.hunk != hunk).map_or(rows.len(), |length| at + length);
        let before = found.len();
        for (index, row) in rows.iter().enumerate().take(end).skip(at) {
            if let Some((name, is_case)) = head(language, row.code(), &row.parts.literals) {
                found.push(Function {
                    test: is_case || is_test(language, kind, &name, rows, index, at),
                    name,
                    rows: index..last(language, rows, index, end),
                    head_changed: row.changed,
                    head_seen: true,
                    class: None,
                    body: Body::Unknown,
                    parsed: false,
                });
            }
        }
        let section = sections.get(hunk).copied().unwrap_or_default();
        let first = found.get(before).map_or(end, |function| function.rows.start);
        if let Some((name, is_case)) = head(language, section, &quoted(section))
            && first > at
        {
            let end = outer_end(language, rows, at, first);
            let test = is_case || is_test_name(language, &name) || kind == FileKind::Test;
            found.push(Function {
                name,
                test,
                rows: at..end,
                head_changed: false,
                head_seen: false,
                class: None,
                body: Body::Unknown,
                parsed: false,
            });
        }
        at = end;
    }
    found
}

/// The texts of a section, whose lines are not told apart.
fn quoted(section: &str) -> Vec<String> {
    section.split(['"', '\'', '`']).skip(1).step_by(2).map(str::to_owned).collect()
}

/// The name of the function that begins here, and whether it can only be a test.
fn head(language: Language, code: &str, literals: &[String]) -> Option<(String, bool)> {
    let code = code.trim();
    match language {
        Language::Rust => named_after(code, "fn ").map(|name| (name, false)),
        Language::Python => {
            let name = code.strip_prefix("def ").or_else(|| code.strip_prefix("async def "))?;
            Some((leading_name(name)?, false))
        }
        Language::Go => {
            let rest = code.strip_prefix("func ")?;
            let rest = if rest.starts_with('(') {
                rest.split_once(") ").map_or(rest, |(_, rest)| rest)
            } else {
                rest
            };
            Some((leading_name(rest)?, false))
        }
        Language::Script => script_head(code, literals),
        Language::Java => java_head(code),
        Language::Shell | Language::Pipeline | Language::Other => None,
    }
}

fn named_after(code: &str, keyword: &str) -> Option<String> {
    let (before, after) = code.split_once(keyword)?;
    let plain = before
        .chars()
        .all(|character| is_word(character) || matches!(character, ' ' | '(' | ')' | '"' | ':'));
    if !plain || before.ends_with(is_word) {
        return None;
    }
    leading_name(after)
}

fn leading_name(text: &str) -> Option<String> {
    let name: String = text.trim_start().chars().take_while(|character| is_word(*character)).collect();
    (!name.is_empty()).then_some(name)
}

fn script_head(code: &str, literals: &[String]) -> Option<(String, bool)> {
    for case in
        ["it(", "test(", "it.skip(", "test.skip(", "xit(", "it.only(", "test.only(", "it.each", "test.each"]
    {
        if code.starts_with(case) {
            return Some((literals.first().cloned().unwrap_or_default(), true));
        }
    }
    let code = code.trim_start_matches("export ").trim_start_matches("default ").trim_start_matches("async ");
    if let Some(rest) = code.strip_prefix("function ") {
        return Some((leading_name(rest.trim_start_matches('*'))?, false));
    }
    if let Some((left, right)) = code.split_once(" = ")
        && (left.starts_with("const ") || left.starts_with("let "))
        && (right.contains("=>") || right.starts_with("function") || right.starts_with("async function"))
    {
        return Some((words(left).nth(1)?.to_owned(), false));
    }
    // A method: a name, arguments, an open brace.
    let (name, rest) = code.split_once('(')?;
    let name = words(name).last()?;
    let control = ["if", "for", "while", "switch", "catch", "function", "return", "describe", "beforeEach"];
    (rest.ends_with('{') && !rest.contains("=>") && !control.contains(&name) && !code.contains('.'))
        .then(|| (name.to_owned(), false))
}

fn java_head(code: &str) -> Option<(String, bool)> {
    let (before, after) = code.split_once('(')?;
    let mut names: Vec<&str> = words(before).collect();
    let name = names.pop()?;
    let control =
        ["if", "for", "while", "switch", "catch", "try", "return", "new", "throw", "else", "synchronized"];
    let typed = names.len() == before.split_whitespace().count().saturating_sub(1) || before.contains('<');
    let fits = !names.is_empty()
        && typed
        && !before.contains(['=', '.', '@'])
        && !names.iter().chain([&name]).any(|name| control.contains(name))
        && (after.ends_with('{') || after.ends_with("{}") || after.ends_with('}') || code.ends_with(')'));
    fits.then(|| (name.to_owned(), false))
}

fn is_test(language: Language, kind: FileKind, name: &str, rows: &[Row], index: usize, first: usize) -> bool {
    let marked = rows.get(first..index).unwrap_or_default().iter().rev().take(6);
    let mut marks = marked.map(Row::code).take_while(|code| code.starts_with(['#', '@']) || code.is_empty());
    match language {
        Language::Rust => {
            marks.any(|mark| mark.contains("test]") || mark.contains("test(") || mark.contains("rstest"))
        }
        Language::Java => marks.any(|mark| mark.starts_with("@Test") || mark.contains("ParameterizedTest")),
        Language::Python | Language::Go => is_test_name(language, name),
        Language::Script => false,
        Language::Shell | Language::Pipeline | Language::Other => kind == FileKind::Test,
    }
}

pub(super) fn is_test_name(language: Language, name: &str) -> bool {
    match language {
        Language::Go => name.starts_with("Test") || name.starts_with("Fuzz"),
        Language::Python => name.starts_with("test"),
        Language::Rust
        | Language::Script
        | Language::Java
        | Language::Shell
        | Language::Pipeline
        | Language::Other => name.starts_with("test_"),
    }
}

/// The row behind the last of a function that begins at `start`.
fn last(language: Language, rows: &[Row], start: usize, end: usize) -> usize {
    let Some(head) = rows.get(start) else { return end };
    let end = end.min(start + LONGEST_FUNCTION_ROWS);
    let body = rows.iter().enumerate().take(end).skip(start);
    if language == Language::Python {
        let indent = head.indent();
        let mut within = body.skip(1).filter(|(_, row)| !row.text.trim().is_empty());
        let over = |row: &Row| row.indent() <= indent && !row.code().starts_with([')', ']']);
        return within.find(|(_, row)| over(row)).map_or(end, |(index, _)| index);
    }
    let mut depth = 0_i64;
    let mut opened = false;
    for (index, row) in body {
        depth += row.depth;
        opened |= row.opens;
        if depth <= 0 && (opened || row.code().ends_with(';')) {
            return index + 1;
        }
    }
    end
}

/// The end of what stands above the first head of a hunk and belongs to the function of its section.
fn outer_end(language: Language, rows: &[Row], start: usize, first: usize) -> usize {
    let mut depth = 0_i64;
    for (index, row) in rows.iter().enumerate().take(first).skip(start) {
        if language.has_braces() {
            depth += row.depth;
            if depth < 0 && row.indent() == 0 {
                return index + 1;
            }
        } else if row.indent() == 0 && !row.code().is_empty() {
            return index;
        }
    }
    first
}
