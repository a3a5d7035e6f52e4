//! One side of a hunk as a text that a grammar can read. A hunk begins and ends in the middle of things: what is closed in it
//! and was opened above gets an opening line, what stays open is closed behind it.

use super::path::Language;
use super::side::Row;

/// More than this is nothing that anybody wrote.
const MOST_OPEN: usize = 40;

/// A text to be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fragment {
    pub(super) text: String,
    /// How many lines stand before the first row.
    pub(super) before: usize,
}

/// The ways to read a hunk, the likeliest first.
pub(super) fn fragments(language: Language, rows: &[Row]) -> Vec<Fragment> {
    let mut ways = Vec::new();
    let plain = || Fragment { text: with(&[], rows, ""), before: 0 };
    if language == Language::Python {
        let above = python(rows);
        if !above.is_empty() {
            ways.push(Fragment { text: with(&above, rows, ""), before: above.len() });
        }
        ways.push(plain());
        if rows.first().is_none_or(|row| row.number != 1) && stands_alone(rows, "\"\"\"") {
            ways.push(opened(rows, "\"\"\""));
        }
        return ways;
    }
    // Nothing stands above the first line of a file.
    let is_first = rows.first().is_some_and(|row| row.number == 1);
    if is_first {
        ways.push(plain());
    }
    let braces = Braces::of(rows);
    if let Some(braces) = &braces {
        for typed in [false, true] {
            let above = braces.above(language, typed);
            if typed && (above.is_empty() || matches!(language, Language::Rust | Language::Go)) {
                continue;
            }
            ways.push(Fragment { text: with(&above, rows, &braces.behind()), before: above.len() });
        }
    }
    // The scanner that counts braces can be misled, by a quote in a regular expression for one. As it stands is a way to read
    // every text.
    if !is_first {
        ways.push(plain());
    }
    // The end of a block comment or of a long text without its beginning.
    if !is_first && begins_in_comment(rows) {
        ways.push(opened(rows, "/*"));
    }
    if !is_first && matches!(language, Language::Script | Language::Go) && stands_alone(rows, "`") {
        ways.push(opened(rows, "x = `"));
    }
    ways
}

/// A block comment ends that was not begun, and what stands above its end is not code: a reading that makes code a comment
/// hides it.
fn begins_in_comment(rows: &[Row]) -> bool {
    let Some(end) = rows.iter().position(|row| row.text.contains("*/")) else { return false };
    let inside = rows.get(..=end).unwrap_or_default();
    let begun = inside.iter().any(|row| match (row.text.find("/*"), row.text.find("*/")) {
        (Some(begin), Some(end)) => begin < end,
        (Some(_), None) => true,
        (None, _) => false,
    });
    let is_code = |row: &&Row| {
        let text = row.text.trim();
        !text.starts_with('*')
            && (text.ends_with([';', '{', '}']) || text.ends_with("),") || text.ends_with(");"))
    };
    let code = inside.iter().filter(is_code).count();
    !begun && code * 2 <= inside.len()
}

/// A mark stands an odd number of times.
fn stands_alone(rows: &[Row], mark: &str) -> bool {
    let count: usize = rows.iter().map(|row| row.text.matches(mark).count()).sum();
    count % 2 == 1
}

fn opened(rows: &[Row], mark: &str) -> Fragment {
    Fragment { text: with(&[mark.to_owned()], rows, ""), before: 1 }
}

fn with(above: &[String], rows: &[Row], behind: &str) -> String {
    let mut text = String::new();
    for line in above {
        text.push_str(line);
        text.push('\n');
    }
    for row in rows {
        text.push_str(&row.text);
        text.push('\n');
    }
    text.push_str(behind);
    text
}

/// The blocks that a hunk of Python stands in: one for each indentation that the hunk goes back to.
fn python(rows: &[Row]) -> Vec<String> {
    let mut levels: Vec<(usize, &str)> = Vec::new();
    for row in rows.iter().filter(|row| !row.code().is_empty()) {
        let indent = row.indent();
        let lower = levels.last().is_none_or(|(least, _)| indent < *least);
        if lower && !row.code().starts_with([')', ']', '}']) {
            levels.push((indent, row.code()));
        }
    }
    levels.truncate(MOST_OPEN);
    let Some((least, _)) = levels.last().copied() else { return Vec::new() };
    let mut above = Vec::new();
    if least > 0 {
        above.push("def __above__():".to_owned());
    }
    // The deepest level is the hunk's own; each other one has a block in it that ends within the hunk.
    for (indent, code) in levels.iter().skip(1).rev() {
        let handler = code.starts_with("except") || code.starts_with("finally");
        let head = if handler { "try:" } else { "if __above__:" };
        above.push(format!("{}{head}", " ".repeat(*indent)));
    }
    above
}

/// What a hunk closes without having opened it, from within, and what it leaves open.
struct Braces {
    closed: Vec<Closed>,
    open: Vec<char>,
}

struct Closed {
    mark: char,
    /// What stands behind it on its line.
    then: String,
    /// There are arms or cases in it.
    arms: bool,
}

impl Braces {
    fn of(rows: &[Row]) -> Option<Self> {
        let mut braces = Self { closed: Vec::new(), open: Vec::new() };
        let mut arms = false;
        for row in rows {
            let code = row.code();
            if braces.open.is_empty() {
                arms |= code.starts_with("case ") || code.starts_with("default:") || code.contains("=>");
            }
            for (at, mark) in code.char_indices() {
                match mark {
                    '{' | '(' | '[' => braces.open.push(mark),
                    '}' | ')' | ']' if braces.open.pop().is_none() => {
                        let then = code.get(at + 1..).unwrap_or_default().trim().to_owned();
                        braces.closed.push(Closed { mark, then, arms: std::mem::take(&mut arms) });
                    }
                    _ => {}
                }
            }
            if braces.open.len() > MOST_OPEN || braces.closed.len() > MOST_OPEN {
                return None;
            }
        }
        Some(braces)
    }

    /// The lines that open it, the outermost first; `typed` if that is a class.
    fn above(&self, language: Language, typed: bool) -> Vec<String> {
        let by = |rust: &'static str, go: &'static str, java: &'static str, script: &'static str| {
            if language == Language::Rust {
                rust
            } else if language == Language::Go {
                go
            } else if language == Language::Java {
                java
            } else {
                script
            }
        };
        let mut above: Vec<String> = Vec::new();
        let mut outside = ' ';
        for (depth, closed) in self.closed.iter().rev().enumerate() {
            let then = closed.then.as_str();
            let line = match closed.mark {
                ')' => "__above__(",
                ']' => "[",
                _ if depth == 0 && typed => "class Above {",
                _ if depth == 1 && typed => by("{", "{", "void __above__() {", "__above__() {"),
                _ if closed.arms => by(
                    "match __above__ {",
                    "switch __above__ {",
                    "switch (__above__) {",
                    "switch (__above__) {",
                ),
                _ if outside == ')' => by("|| {", "func() {", "() -> {", "() => {"),
                _ if then.starts_with("catch") || then.starts_with("finally") => "try {",
                _ if then.starts_with("else") => {
                    by("if __above__ {", "if __above__ {", "if (__above__) {", "if (__above__) {")
                }
                _ if depth == 0 => {
                    by("fn __above__() {", "func __above__() {", "{", "function __above__() {")
                }
                _ => "{",
            };
            outside = closed.mark;
            above.push(line.to_owned());
        }
        above
    }

    fn behind(&self) -> String {
        let closing = |mark: &char| match mark {
            '{' => '}',
            '(' => ')',
            _ => ']',
        };
        self.open.iter().rev().map(closing).collect()
    }
}
