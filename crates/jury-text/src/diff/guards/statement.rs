//! Rows as statements: what stands in brackets over several rows is one, and so is a chain. A row that opens a block ends its
//! statement.

use super::super::code::words;
use super::super::path::{Language, last_ending};
use super::super::side::Row;
use super::block::{self, Head};

/// Rows that say one thing.
#[derive(Debug, Clone)]
pub(super) struct Statement<'a> {
    /// The first of its rows.
    pub(super) row: &'a Row,
    rows: Vec<&'a Row>,
    /// What is written, on one line.
    pub(super) text: String,
    /// The same with empty texts and without comments.
    pub(super) code: String,
}

pub(super) fn statements<'a>(rows: &[&'a Row]) -> Vec<Statement<'a>> {
    let mut all: Vec<Statement<'a>> = Vec::new();
    let mut open = 0_i64;
    for row in rows {
        let code = row.code();
        let chained = code.starts_with('.') && !code.starts_with("..");
        if let Some(last) = all.last_mut().filter(|_| open > 0 || chained) {
            last.rows.push(row);
            let space = if chained { "" } else { " " };
            last.text = format!("{}{space}{}", last.text, row.text.trim());
            last.code = format!("{}{space}{code}", last.code);
        } else {
            open = 0;
            all.push(Statement {
                row,
                rows: vec![row],
                text: row.text.trim().to_owned(),
                code: code.to_owned(),
            });
        }
        let step = |c: char| match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        open = (open + code.chars().map(step).sum::<i64>()).max(0);
        // A block begins: what stands in it are statements of their own.
        if code.ends_with(['{', ':']) || words(code).last() == Some("do") {
            open = 0;
        }
    }
    all
}

impl Statement<'_> {
    /// Its rows as they are written, without the space around them.
    pub(super) fn lines(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
    }

    /// It ends something and says nothing else: `}`, `});`, `end`.
    pub(super) fn is_closer(&self) -> bool {
        is_closer(&self.text)
    }

    /// It keeps a test from running: without it the test runs.
    pub(super) fn is_skip_mark(&self, language: Language) -> bool {
        super::super::detect::is_skip_mark(language, &self.code)
    }

    /// It makes names known.
    pub(super) fn is_import(&self) -> bool {
        imports(&self.text)
    }

    /// It begins a function, a test or a class.
    pub(super) fn is_head(&self, language: Language) -> bool {
        block::head(language, &self.text).is_some()
    }

    /// It begins what the runner takes for a test by its name.
    pub(super) fn is_test_head(&self, language: Language) -> bool {
        block::head(language, &self.text) == Some(Head::Test)
    }

    /// It stands above a head and belongs to it.
    pub(super) fn is_mark(&self) -> bool {
        is_mark(&self.text)
    }

    /// The mark above a test whose rows are given to it one by one.
    pub(super) fn is_table_mark(&self) -> bool {
        let lower = self.code.to_lowercase();
        self.is_mark()
            && ([
                "parametrize",
                "parameterized",
                "rstest",
                "case(",
                "inlinedata",
                "testcase(",
                "valuesource",
                "csvsource",
            ]
            .iter()
            .any(|word| lower.contains(word))
                || matches!(lower.as_str(), "#[test]" | "@test" | "[fact]" | "[theory]" | "[test]"))
    }

    /// It reports a failure that a condition before it has found.
    pub(super) fn is_report(&self, language: Language) -> bool {
        language == Language::Go
            && ["t.Fatal(", "t.Fatalf(", "t.Error(", "t.Errorf(", "t.Fail()", "t.FailNow()"]
                .iter()
                .any(|word| self.code.starts_with(word))
    }

    /// A condition that compares two sides, in a language whose tests are conditions.
    pub(super) fn is_comparison_of(&self, language: Language) -> bool {
        language == Language::Go && super::equal::compared(language, &self.text).is_some()
    }

    /// A loop over rows that stand in it, or behind a name.
    pub(super) fn is_loop_over_table(&self) -> bool {
        let code = self.code.as_str();
        let loops = code.starts_with("for ")
            || code.contains(".each(")
            || code.contains(".forEach(")
            || code.contains(".each do");
        loops && !code.contains("..") && !code.contains("range(")
    }

    /// One more row of a table: values in brackets, and nothing that is carried out.
    pub(super) fn is_row_of_table(&self) -> bool {
        let code = self.code.as_str();
        let ends = code.ends_with(',') || code.ends_with(")]");
        let begins = code.starts_with(['(', '[', '{', '"'])
            || ["pytest.param(", "#[case(", "[InlineData(", "[TestCase("]
                .iter()
                .any(|mark| code.starts_with(mark));
        begins
            && ends
            && !code.contains("marks")
            && !code.contains("skip")
            && !code.contains("=>")
            && !code.contains("() ")
    }

    /// It gives a name to something that had none: nothing that is seen of the old tests knows the name.
    pub(super) fn is_fresh_declaration(
        &self,
        language: Language,
        known: &std::collections::BTreeSet<&str>,
    ) -> bool {
        let code = self.code.trim_end_matches(';').trim();
        if super::equal::acts(code) {
            return false;
        }
        let declared = ["let mut ", "let ", "const ", "var ", "val ", "auto ", "final "]
            .iter()
            .find_map(|word| code.strip_prefix(word));
        let (name, value) = match (declared, code.split_once(" := ")) {
            (Some(rest), _) => rest.split_once('=').unwrap_or((rest, "")),
            (None, Some(parts)) => parts,
            (None, None) if matches!(language, Language::Python | Language::Other) => {
                let Some(parts) = code.split_once(" = ") else { return false };
                parts
            }
            // `Price price = new Price(3)`
            (None, None) if language == Language::Java => match code.split_once(" = ") {
                Some((front, value)) if words(front).count() >= 2 => {
                    (words(front).last().unwrap_or_default(), value)
                }
                _ => return false,
            },
            (None, None) => return false,
        };
        let name = name.split(':').next().unwrap_or(name);
        let plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | ' ' | ',' | '(' | ')' | '{' | '}' | '[' | ']'));
        plain
            && words(name).next().is_some()
            && words(name).all(|word| !known.contains(word) && !block::is_read_by_runners(word))
            && !value.trim().is_empty()
    }
}

pub(super) fn is_closer(text: &str) -> bool {
    let text = text.trim();
    matches!(text, "end" | "end;" | "end)" | "fi" | "done" | "pass")
        || !text.is_empty() && text.chars().all(|c| matches!(c, '}' | ')' | ']' | ';' | ','))
}

/// A decorator, an attribute or an annotation.
pub(super) fn is_mark(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("#[")
        || text.strip_prefix('@').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
        || text
            .strip_prefix('[')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()) && text.ends_with(']'))
}

/// A line that makes names of other files known, and does nothing else.
pub(super) fn imports(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    let begins = [
        "use ",
        "pub use ",
        "import ",
        "from ",
        "#include ",
        "require ",
        "require_relative ",
        "using ",
        "alias ",
        "package ",
        "extern crate ",
        "@testable import ",
        "load ",
        "open ",
    ];
    let requires = (text.starts_with("const ") || text.starts_with("let ") || text.starts_with("var "))
        && text.trim_end_matches(';').ends_with(')')
        && text.split_once("= ").is_some_and(|(_, value)| value.starts_with("require("));
    // A line of Go's list of imports.
    let listed = text.starts_with('"') && text.ends_with('"') && text.len() > 2 && !text.contains(' ');
    requires || listed || begins.iter().any(|word| text.starts_with(word)) && !text.contains("importorskip")
}

/// A comment that tools obey: it is written without a space, or in the words that switch something off.
pub(super) fn is_directive(row: &Row) -> bool {
    let comment = row.parts.comment.as_str();
    let lower = comment.trim().to_lowercase();
    let tight = comment.starts_with(|c: char| c.is_ascii_lowercase())
        && comment.contains(':')
        && !comment.contains(": ");
    tight
        || lower.starts_with(['@', '+'])
        || [
            "ignore", "disable", "skip", "nolint", "noqa", "pragma", "no cover", "nocover", "no-cover",
            "suppress",
        ]
        .iter()
        .any(|word| {
            words(&lower).any(|own| own == *word || own.starts_with(word) && own.len() < word.len() + 3)
                && words(&lower).count() < 6
        })
}

/// The line is nothing but a comment, in a language of which only the mark of comments is known.
pub(super) fn is_comment(path: &str, text: &str) -> bool {
    let marks: &[&str] = match last_ending(path).as_str() {
        "rb" | "ex" | "exs" | "bats" | "pl" | "t" | "r" | "jl" | "cr" | "nim" | "sh" | "robot"
        | "feature" | "cmake" | "ps1" => &["#"],
        "lua" | "hs" | "sql" | "elm" => &["--"],
        "erl" | "tex" => &["%"],
        "clj" | "cljs" | "lisp" | "el" | "scm" => &[";"],
        "php" => &["//", "#", "* "],
        _ => &["//", "* "],
    };
    let Some(rest) = marks.iter().find_map(|mark| text.strip_prefix(mark)) else { return false };
    let lower = rest.to_lowercase();
    let obeyed = ["ignore", "disable", "skip", "nolint", "rubocop", "pragma", "coverage", "phpcs"];
    !obeyed.iter().any(|word| lower.contains(word)) && !rest.starts_with('[') && !rest.starts_with('!')
}
