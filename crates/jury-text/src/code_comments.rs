//! The comments of scripts and style sheets, with their places. What stands in a string, a template or a regular
//! expression is no comment.

use std::ops::Range;

/// The comments of a style sheet, from `/*` to behind `*/`.
pub fn style_comments(css: &str) -> Vec<Range<usize>> {
    let bytes = css.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        at = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = past(css, at + 2, "*/");
                found.push(at..end);
                end
            }
            b'"' | b'\'' => past_string(bytes, at),
            b'\\' => at + 2,
            b'(' if is_address(css, at) => past(css, at, ")"),
            _ => at + 1,
        };
    }
    found
}

/// Whether an address without quotes begins at this bracket: `url(` may hold anything but a closing one.
fn is_address(css: &str, at: usize) -> bool {
    css.get(at.saturating_sub(3)..at).is_some_and(|word| word.eq_ignore_ascii_case("url"))
        && !css.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(['"', '\'']))
}

/// The comments of a script: from `/*` to behind `*/`, and from `//` or `<!--` to the end of the line.
pub fn script_comments(code: &str) -> Vec<Range<usize>> {
    let parts = script_parts(code).into_iter();
    parts.filter(|(part, _)| *part == ScriptPart::Comment).map(|(_, span)| span).collect()
}

/// What a piece of a script is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptPart {
    /// A comment.
    Comment,
    /// A name, a keyword or a number.
    Word,
    /// A string, a template or a regular expression; of a template what is not inserted.
    Text,
    /// A bracket, an operator and the like: one byte of it.
    Mark,
}

/// The pieces of a script with their places, in order, without the white space between them.
pub fn script_parts(code: &str) -> Vec<(ScriptPart, Range<usize>)> {
    let mut reader =
        Script { code, at: 0, value_before: false, open: Vec::new(), word: "", found: Vec::new() };
    reader.read();
    reader.found
}

/// What is open around a place in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A bracket; and whether a statement begins behind it, as behind `if (…)`.
    Round { begins: bool },
    /// A brace or a square bracket.
    Other,
    /// The `${` of a template.
    Inserted,
}

/// Words behind which a value begins, so that a slash opens a regular expression.
const BEFORE_VALUES: &[&str] = &[
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
    "instanceof",
    "yield",
    "await",
];

struct Script<'a> {
    code: &'a str,
    at: usize,
    /// Whether a value ended just before, so that a slash divides it.
    value_before: bool,
    open: Vec<Open>,
    /// The last word, while nothing else stands behind it.
    word: &'a str,
    found: Vec<(ScriptPart, Range<usize>)>,
}

impl<'a> Script<'a> {
    fn read(&mut self) {
        let bytes = self.code.as_bytes();
        while let Some(byte) = bytes.get(self.at).copied() {
            let rest = self.code.get(self.at..).unwrap_or_default();
            match byte {
                _ if byte.is_ascii_whitespace() => self.at += 1,
                b'/' if rest.starts_with("//") => self.rest_of_line(),
                b'<' if rest.starts_with("<!--") => self.rest_of_line(),
                b'/' if rest.starts_with("/*") => {
                    let end = past(self.code, self.at + 2, "*/");
                    self.push(ScriptPart::Comment, end);
                }
                b'"' | b'\'' => {
                    self.push(ScriptPart::Text, past_string(bytes, self.at));
                    self.value(true);
                }
                b'`' => {
                    self.at += 1;
                    self.template();
                }
                b'/' if !self.value_before => {
                    self.push(ScriptPart::Text, past_pattern(bytes, self.at));
                    self.value(true);
                }
                _ if byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'$' | b'#') => {
                    self.identifier(rest);
                }
                _ => self.mark(byte),
            }
        }
    }

    fn value(&mut self, ended: bool) {
        self.value_before = ended;
        self.word = "";
    }

    /// Goes on to this place. What was passed is one piece.
    fn push(&mut self, part: ScriptPart, end: usize) {
        self.found.push((part, self.at..end));
        self.at = end;
    }

    fn rest_of_line(&mut self) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let end = self.at + rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
        self.push(ScriptPart::Comment, end);
    }

    fn identifier(&mut self, rest: &'a str) {
        let other =
            |ch: char| !(ch.is_alphanumeric() || matches!(ch, '_' | '$' | '#' | '\u{200c}' | '\u{200d}'));
        let length = match rest.find(other) {
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            Some(length) => length,
            // A place inside a character, behind a backslash, has no rest.
            None => rest.len().max(1),
        };
        self.word = rest.get(..length).unwrap_or_default();
        self.value_before = !BEFORE_VALUES.contains(&self.word);
        self.push(ScriptPart::Word, self.at + length);
    }

    fn mark(&mut self, byte: u8) {
        let word = self.word;
        self.push(ScriptPart::Mark, self.at + 1);
        match byte {
            b'(' => self.open.push(Open::Round { begins: matches!(word, "if" | "while" | "for" | "with") }),
            b'{' | b'[' => self.open.push(Open::Other),
            b')' => {
                let begins = matches!(self.open.pop(), Some(Open::Round { begins: true }));
                return self.value(!begins);
            }
            b']' => {
                self.open.pop();
                return self.value(true);
            }
            b'}' if self.open.pop() == Some(Open::Inserted) => return self.template(),
            // Behind `x++` a slash divides, as behind `x`.
            b'+' | b'-' if self.value_before && self.code.as_bytes().get(self.at) == Some(&byte) => {
                self.push(ScriptPart::Mark, self.at + 1);
                return self.value(true);
            }
            _ => {}
        }
        self.value(false);
    }

    /// The text of a template up to its end, or up to what is inserted.
    fn template(&mut self) {
        let bytes = self.code.as_bytes();
        let start = self.at;
        while let Some(byte) = bytes.get(self.at).copied() {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.found.push((ScriptPart::Text, start..self.at));
                    self.at += 1;
                    return self.value(true);
                }
                b'$' if bytes.get(self.at + 1) == Some(&b'{') => {
                    self.found.push((ScriptPart::Text, start..self.at));
                    self.at += 2;
                    self.open.push(Open::Inserted);
                    return self.value(false);
                }
                _ => self.at += 1,
            }
        }
    }
}

fn past(text: &str, from: usize, end: &str) -> usize {
    let found = text.get(from..).and_then(|rest| rest.find(end));
    found.map_or(text.len(), |found| from + found + end.len())
}

/// Behind the string that begins here. One without an end ends with its line.
fn past_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes.get(start).copied();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if Some(byte) == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind the regular expression that begins here. A slash in square brackets does not end it.
fn past_pattern(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    let mut in_class = false;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spans: &[Range<usize>], text: &str) -> Vec<String> {
        spans.iter().map(|span| text.get(span.clone()).unwrap().to_owned()).collect()
    }

    #[test]
    fn comments_of_scripts_are_told_from_strings_templates_and_patterns() {
        for (code, comments) in [
            ("var a=1 // one\nvar b", vec!["// one"]),
            ("/* two */ a /* three", vec!["/* two */", "/* three"]),
            ("const u = 'https://a.b/c'; // real", vec!["// real"]),
            (r#"const s = "a \" // no"; x"#, vec![]),
            ("const t = `// no ${ f('`') /* yes */ } /* no */`; // end", vec!["/* yes */", "// end"]),
            ("const t = `${`// no`}`", vec![]),
            ("x = a / b // c", vec!["// c"]),
            ("x = /[/]'\\/\\/* no/g; y // yes", vec!["// yes"]),
            ("return /'/.test(a) // yes", vec!["// yes"]),
            ("if (a) /\"/.test(b) // yes", vec!["// yes"]),
            ("f(a) / 2 // yes", vec!["// yes"]),
            ("a[0] / 2 / 3 // yes", vec!["// yes"]),
            ("i++ / 2 // yes", vec!["// yes"]),
            ("a = 'open\n// yes", vec!["// yes"]),
            ("<!-- old\ncode()", vec!["<!-- old"]),
            ("é = 1 // ü", vec!["// ü"]),
            ("`never ends ${", vec![]),
            ("'\\", vec![]),
        ] {
            assert_eq!(of(&script_comments(code), code), comments, "{code}");
        }
    }

    #[test]
    fn the_pieces_of_a_script_are_names_texts_and_marks() {
        use ScriptPart::{Comment, Mark, Text, Word};
        let code = "const a = `b ${c.d} e` + \"f\"; // g";
        let pieces: Vec<(ScriptPart, &str)> =
            script_parts(code).into_iter().map(|(part, span)| (part, code.get(span).unwrap())).collect();
        assert_eq!(
            pieces,
            [
                (Word, "const"),
                (Word, "a"),
                (Mark, "="),
                (Text, "b "),
                (Word, "c"),
                (Mark, "."),
                (Word, "d"),
                (Mark, "}"),
                (Text, " e"),
                (Mark, "+"),
                (Text, "\"f\""),
                (Mark, ";"),
                (Comment, "// g"),
            ]
        );
    }

    #[test]
    fn comments_of_style_sheets_are_told_from_strings_and_addresses() {
        for (css, comments) in [
            ("p{color:red}/* a */ i{}", vec!["/* a */"]),
            ("p::before{content:'/* no */'}/* b", vec!["/* b"]),
            ("p{background:url(data:x/*no*/y)}", vec![]),
            ("p{background:url('a') /* c */}", vec!["/* c */"]),
        ] {
            assert_eq!(of(&style_comments(css), css), comments, "{css}");
        }
    }
}
