//! Whole blocks: tests, functions and classes that come beside what was there. Such a block can take nothing away from the
//! tests around it, as long as it is none that runners call before and behind every test, and has no name that was known.
//!
//! It is found by what every language has: a head, rows that are indented deeper, and an end where the head began.

use std::collections::BTreeSet;

use super::super::code::words;
use super::super::path::Language;
use super::super::side::Row;
use super::statement::{imports, is_closer, is_mark};

/// How a block begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// With what runners take for a test, or for a group of them.
    Test,
    /// With a function, a class or a value.
    Plain,
}

/// A block that is new as a whole.
#[derive(Debug)]
pub(super) struct Block<'a> {
    rows: Vec<&'a Row>,
    head: Head,
}

impl Block<'_> {
    pub(super) fn has(&self, row: &Row) -> bool {
        self.rows.iter().any(|own| std::ptr::eq(*own, row))
    }

    pub(super) fn is_plain_definition(&self) -> bool {
        self.head == Head::Plain
    }
}

/// Functions that runners call by themselves, or that stand for something in every test.
const HOOKS: &[&str] = &[
    "setup",
    "teardown",
    "setupclass",
    "teardownclass",
    "setupmodule",
    "teardownmodule",
    "setup_method",
    "teardown_method",
    "setup_module",
    "teardown_module",
    "setup_class",
    "teardown_class",
    "setup_function",
    "teardown_function",
    "setup_file",
    "teardown_file",
    "setup_suite",
    "teardown_suite",
    "setupbeforeclass",
    "teardownafterclass",
    "onetimesetup",
    "onetimeteardown",
    "testmain",
    "main",
    "init",
    "addcleanup",
    "load_tests",
    "collect_ignore",
    "suite",
    "run",
];

/// Marks of such functions.
const HOOK_MARKS: &[&str] = &[
    "before",
    "after",
    "setup",
    "teardown",
    "autouse",
    "ctor",
    "dtor",
    "oneTime",
    "onetime",
    "initialize",
    "cleanup",
    "hook",
    "extendwith",
    "runwith",
    "global",
];

/// What stands in front of a definition.
const MODIFIERS: &[&str] = &[
    "pub",
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "async",
    "export",
    "default",
    "override",
    "open",
    "abstract",
    "sealed",
    "suspend",
    "inline",
    "extern",
    "unsafe",
    "const",
    "virtual",
    "readonly",
    "data",
    "mutating",
];

/// Words that begin a definition.
const KEYWORDS: &[&str] = &[
    "def",
    "fn",
    "fun",
    "func",
    "function",
    "class",
    "struct",
    "interface",
    "enum",
    "trait",
    "impl",
    "module",
    "mod",
    "record",
    "object",
    "type",
    "defp",
    "defmodule",
    "proc",
    "sub",
    "namespace",
    "final class",
];

/// How this line begins a block, if it does.
pub(super) fn head(language: Language, text: &str) -> Option<Head> {
    let text = text.trim();
    if is_case(text) {
        return Some(Head::Test);
    }
    let mut rest = text;
    while let Some((word, behind)) = rest.split_once(' ') {
        let bare = word.split('(').next().unwrap_or(word);
        if !MODIFIERS.contains(&bare) {
            break;
        }
        rest = behind.trim_start();
    }
    if let Some((keyword, behind)) = rest.split_once(' ')
        && KEYWORDS.contains(&keyword)
    {
        let behind = behind.trim_start();
        // The receiver of a method.
        let behind = if language == Language::Go && behind.starts_with('(') {
            behind.split_once(") ").map_or(behind, |(_, name)| name)
        } else {
            behind
        };
        let name = words(behind.trim_start_matches('`')).next()?;
        return Some(if is_test_called(language, name) { Head::Test } else { Head::Plain });
    }
    // `void cheaper() {`, `static int price(int n)`, `test_price() {`
    let (front, behind) = rest.split_once('(')?;
    let ends = text.ends_with('{') || text.ends_with(')') || text.ends_with('}') || text.ends_with("};");
    let named = front.split_whitespace().count();
    let plain = front.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, '_' | ' ' | '*' | '&' | '<' | '>' | '[' | ']' | ':' | ',' | '?')
    });
    let shell = named == 1 && behind.starts_with(')') && text.ends_with('{');
    let control = [
        "if", "for", "while", "switch", "catch", "return", "new", "throw", "else", "try", "using", "lock",
        "assert",
    ];
    let free = !words(front).any(|word| control.contains(&word)) && !text.ends_with(';');
    let name = words(front).last()?;
    if !(plain && ends && free && (named >= 2 && language != Language::Python || shell)) {
        return None;
    }
    Some(if is_test_called(language, name) { Head::Test } else { Head::Plain })
}

/// A name by which runners know a test.
fn is_test_called(language: Language, name: &str) -> bool {
    match language {
        Language::Go => ["Test", "Fuzz", "Benchmark", "Example"].iter().any(|word| name.starts_with(word)),
        Language::Python => name.starts_with("test") || name.starts_with("Test"),
        Language::Rust
        | Language::Script
        | Language::Java
        | Language::Shell
        | Language::Pipeline
        | Language::Other => {
            name.starts_with("test")
                || name.starts_with("Test")
                || name.ends_with("Test")
                || name.ends_with("Tests")
        }
    }
}

/// `it('…', () => {`, `describe Price do`, `TEST(Price, Cheaper) {`, `@test "…" {`
fn is_case(text: &str) -> bool {
    let words = [
        "it",
        "test",
        "describe",
        "context",
        "specify",
        "should",
        "feature",
        "scenario",
        "Scenario",
        "Feature",
        "example",
        "suite",
        "TEST",
        "TEST_F",
        "TEST_P",
        "TYPED_TEST",
        "TYPED_TEST_P",
        "TEST_CASE",
        "TEST_CASE_METHOD",
        "TEMPLATE_TEST_CASE",
        "SCENARIO",
        "SECTION",
        "BOOST_AUTO_TEST_CASE",
        "BOOST_FIXTURE_TEST_CASE",
        "TEST_METHOD",
        "shared_examples",
        "it.each",
        "test.each",
        "describe.each",
        "it.concurrent",
        "test.concurrent",
        "@test",
        "@Test func",
        "subtest",
        "t.test",
        "Deno.test",
        "t.Run",
    ];
    let opens = text.ends_with(['{', '(', ',', '`'])
        || text.ends_with(" do")
        || text.ends_with('|')
        || text.ends_with(':')
        || text.ends_with(')')
        || text.ends_with(");");
    // A project's own name for a test: a word with `test` in it, a text, and a function.
    let own = text.split_once('(').is_some_and(|(name, rest)| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && name.to_lowercase().contains("test")
            && rest.starts_with(['"', '\'', '`'])
            && text.ends_with('{')
    });
    own || opens
        && words.iter().any(|word| {
            text.strip_prefix(word)
                .is_some_and(|rest| rest.starts_with(['(', ' ', '`', ':']) && !rest.starts_with(" ="))
        })
}

/// The blocks that these added rows are, and nothing else; empty if they are not. Whether a line that both sides have counts
/// as the one above or below the new ones is chance, so every way to say it is tried.
pub(super) fn blocks<'a>(
    language: Language,
    added: &[&'a Row],
    above: Option<&'a Row>,
    below: Option<&'a Row>,
    known: &BTreeSet<&str>,
) -> Vec<Block<'a>> {
    let found = read(language, added, below, known);
    if !found.is_empty() || added.is_empty() {
        return found;
    }
    // The last added line is the one above as well: the block begins there.
    let mut turned: Vec<&Row> = added.to_vec();
    if let (Some(last), Some(above)) = (turned.last().copied(), above)
        && last.text.trim() == above.text.trim()
    {
        turned.pop();
        turned.insert(0, last);
        let found = read(language, &turned, Some(above), known);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn read<'a>(
    language: Language,
    rows: &[&'a Row],
    below: Option<&Row>,
    known: &BTreeSet<&str>,
) -> Vec<Block<'a>> {
    let Some(base) = rows.iter().map(|row| row.indent()).min() else { return Vec::new() };
    if rows.first().is_none_or(|row| row.indent() != base) {
        return Vec::new();
    }
    // Behind a block nothing goes on that belongs to it.
    if below.is_some_and(|row| !row.text.trim().is_empty() && row.indent() > base) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let Some(first) = rows.get(at) else { break };
        if imports(&first.text) {
            at += 1;
            continue;
        }
        // Marks may go over several rows.
        let mut from = at;
        let mut marks: Vec<&str> = Vec::new();
        let mut open = 0_i64;
        while let Some(row) =
            rows.get(from).filter(|row| open > 0 || is_mark(&row.text) && !is_case(row.text.trim()))
        {
            open += depth(row);
            marks.push(row.text.trim());
            from += 1;
            if open <= 0 && head_behind_mark(language, &row.text) {
                from -= 1;
                break;
            }
        }
        let Some(start) = rows.get(from) else { return Vec::new() };
        let Some(kind) = head(language, &start.text).or_else(|| value(language, &start.text)) else {
            return Vec::new();
        };
        let mut end = from + 1;
        let mut braces = depth(start);
        while let Some(row) = rows.get(end) {
            let text = row.text.trim();
            let inside = row.indent() > base
                || text.starts_with(['}', ')', ']', '{'])
                || matches!(text, "end" | "end)" | "end;");
            if !inside {
                break;
            }
            braces += depth(row);
            end += 1;
            if row.indent() == base && is_closer(text) && braces <= 0 {
                break;
            }
        }
        let Some(body) = rows.get(at..end) else { return Vec::new() };
        let name = words(&start.parts.code)
            .find(|word| !MODIFIERS.contains(word) && !KEYWORDS.contains(word))
            .unwrap_or_default();
        let ends = ends_with_its_head(language, start, rows.get(end - 1));
        let kind = if marks.iter().any(|mark| is_test_mark(mark)) { Head::Test } else { kind };
        let known_by_name = kind == Head::Plain && !is_new(start, known, &marks);
        if braces != 0 || !ends || is_hook(name, &start.text, &marks) || known_by_name {
            return Vec::new();
        }
        found.push(Block { rows: body.to_vec(), head: kind });
        at = end;
    }
    found
}

/// `@Test void cheaper() {`: the head stands on the row of its mark.
fn head_behind_mark(language: Language, text: &str) -> bool {
    text.trim()
        .split_once(' ')
        .is_some_and(|(_, rest)| text.trim().ends_with('{') && head(language, rest).is_some())
}

/// `const CASES = [`, `static NAMES: [&str; 2] = […];`: a value over rows, or on one.
fn value(language: Language, text: &str) -> Option<Head> {
    let text = text.trim();
    let named = ["const ", "static ", "let ", "var ", "val ", "private static final ", "pub const "]
        .iter()
        .any(|word| text.starts_with(word));
    let plain = language == Language::Python
        && text
            .split_once(" = ")
            .is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    (named && text.contains('=') || plain).then_some(Head::Plain)
}

fn depth(row: &Row) -> i64 {
    let step = |c: char| match c {
        '{' | '(' | '[' => 1,
        '}' | ')' | ']' => -1,
        _ => 0,
    };
    row.parts.code.chars().map(step).sum()
}

/// Blocks that end with a word have one.
fn ends_with_its_head(language: Language, start: &Row, last: Option<&&Row>) -> bool {
    let text = start.text.trim();
    let by_word = language == Language::Other && (text.ends_with(" do") || text.ends_with('|'))
        || language == Language::Other
            && text.starts_with("def ")
            && !text.contains('{')
            && !text.ends_with(':');
    !by_word || last.is_some_and(|row| row.text.trim().starts_with("end"))
}

/// A name that runners look for: a function that they call, or a value that they go by.
pub(super) fn is_read_by_runners(name: &str) -> bool {
    let lower = name.to_lowercase();
    HOOKS.contains(&lower.as_str())
        || ["pytest", "__", "collect_"].iter().any(|begin| lower.starts_with(begin))
}

fn is_hook(name: &str, head: &str, marks: &[&str]) -> bool {
    let called = is_read_by_runners(name);
    let marked = marks.iter().any(|mark| {
        let lower = mark.to_lowercase();
        HOOK_MARKS.iter().any(|word| lower.contains(word))
    });
    // Focus: the others do not run.
    called || marked || head.contains(".only")
}

/// Marks by which a runner knows a test.
fn is_test_mark(mark: &str) -> bool {
    let lower = mark.to_lowercase();
    ["test]", "test", "fact", "theory", "rstest", "parametrize"]
        .iter()
        .any(|word| words(&lower).any(|own| own == word.trim_end_matches(']')))
}

/// What it defines has a name that nothing knows yet, and no mark that puts it to work by itself.
fn is_new(head: &Row, known: &BTreeSet<&str>, marks: &[&str]) -> bool {
    let mut rest =
        words(&head.parts.code).filter(|word| !MODIFIERS.contains(word) && !KEYWORDS.contains(word));
    // The type of a function stands in front of its name.
    let before = head.parts.code.split('(').next().unwrap_or_default();
    let name = if head.parts.code.contains('(') { words(before).last() } else { rest.next() };
    let harmless = |mark: &&str| {
        [
            "#[derive",
            "#[cfg",
            "#[rstest",
            "#[test",
            "@pytest.fixture",
            "@override",
            "@dataclass",
            "@staticmethod",
            "@property",
            "@classmethod",
            "@contextmanager",
            "@contextlib",
            "@suppress",
            "@nullable",
            "@jsonclass",
            "@deprecated",
            "#[expect",
            "#[allow",
            "#[must_use",
            "@pytest.mark.parametrize",
            "[theory",
            "[fact",
        ]
        .iter()
        .any(|own| mark.to_lowercase().starts_with(own))
            || is_test_mark(mark)
    };
    name.is_none_or(|name| !known.contains(name)) && marks.iter().all(|mark| harmless(mark) || !is_mark(mark))
}
