//! Tells words, numbers, texts, marks and comments apart, in thirteen languages with one reader. It never fails: what it cannot
//! place is a mark.

use super::dialect::Dialect;

/// What a piece of a program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::diff) enum Kind {
    Word,
    Number,
    /// A text, without its quotes.
    Text,
    /// An operator or a bracket.
    Mark,
    /// A whole line for a preprocessor.
    Directive,
}

/// A piece of a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::diff) struct Token {
    pub(in crate::diff) kind: Kind,
    pub(in crate::diff) text: String,
    /// The line that it begins on, from zero.
    pub(in crate::diff) line: usize,
    /// A space or a line break stands before it.
    pub(super) apart: bool,
}

impl Token {
    pub(in crate::diff) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }

    pub(in crate::diff) fn is_value(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Text)
    }
}

/// A comment, and the line that it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::diff) struct Comment {
    pub(in crate::diff) text: String,
    pub(in crate::diff) line: usize,
}

const MARKS: [&str; 34] = [
    "===", "!==", "<=>", "...", "**=", "<<=", ">>=", "&&=", "||=", "??=", "==", "!=", "<=", ">=", "=>", "->",
    "&&", "||", "::", "?.", "??", ":=", "+=", "-=", "*=", "/=", "%=", "..", "**", "=~", "!~", "|>", "++",
    "--",
];

pub(super) fn read(dialect: Dialect, text: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut reader = Reader {
        dialect,
        text,
        at: 0,
        line: 0,
        apart: true,
        tokens: Vec::new(),
        comments: Vec::new(),
        heredocs: Vec::new(),
    };
    while reader.step() {}
    (reader.tokens, reader.comments)
}

struct Reader<'t> {
    dialect: Dialect,
    text: &'t str,
    at: usize,
    line: usize,
    apart: bool,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    /// The words that end the long texts which begin on this line.
    heredocs: Vec<String>,
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, text: impl Into<String>, line: usize) {
        let apart = std::mem::take(&mut self.apart);
        self.tokens.push(Token { kind, text: text.into(), line, apart });
    }

    /// Moves on by so many bytes, and gives them.
    fn take(&mut self, bytes: usize) -> &'t str {
        let part = self.rest().get(..bytes).unwrap_or_else(|| self.rest());
        self.at += part.len();
        self.line += part.bytes().filter(|byte| *byte == b'\n').count();
        part
    }

    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        if first == '\n' {
            self.take(1);
            self.apart = true;
            self.skip_heredocs();
            return true;
        }
        if first.is_whitespace() {
            self.take(first.len_utf8());
            self.apart = true;
            return true;
        }
        if self.comment(rest, first) || self.directive(rest, first) || self.literal(rest, first) {
            return true;
        }
        let names_dollar = self.dialect.dollar_names();
        if first.is_ascii_digit() {
            let mut before = ' ';
            let length: usize = rest
                .chars()
                .take_while(|c| {
                    let exponent =
                        matches!(before, 'e' | 'E') && matches!(c, '+' | '-') && !rest.starts_with("0x");
                    let point = *c == '.' && before != '.';
                    before = *c;
                    is_word(*c) || point || exponent
                })
                .map(char::len_utf8)
                .sum();
            let number = rest.get(..length).unwrap_or_default().trim_end_matches('.');
            // `0..9` is two numbers.
            let number = number.split("..").next().unwrap_or(number);
            let line = self.line;
            self.take(number.len());
            self.push(Kind::Number, number.replace('_', ""), line);
            return true;
        }
        let begins = is_word(first)
            || (first == '$' && names_dollar)
            || (first == '@' && self.dialect == Dialect::Ruby);
        if begins {
            let mut length: usize = rest
                .chars()
                .enumerate()
                .take_while(|(index, c)| {
                    is_word(*c) || (*c == '$' && names_dollar) || (*index == 0 && *c == '@')
                })
                .map(|(_, c)| c.len_utf8())
                .sum();
            if self.dialect == Dialect::Ruby
                && rest
                    .get(length..)
                    .is_some_and(|tail| tail.starts_with(['?', '!']) && !tail.starts_with("!="))
            {
                length += 1;
            }
            let line = self.line;
            let word = self.take(length);
            self.push(Kind::Word, word, line);
            return true;
        }
        let line = self.line;
        let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
        let length = mark.map_or(first.len_utf8(), |mark| mark.len());
        let mark = self.take(length);
        self.push(Kind::Mark, mark, line);
        true
    }

    fn comment(&mut self, rest: &str, first: char) -> bool {
        let to_end = |rest: &str| rest.find('\n').unwrap_or(rest.len());
        let (begin, length) = if first == '/' && self.dialect.slash_comments() && rest.starts_with("//") {
            (2, to_end(rest))
        } else if first == '/' && self.dialect.slash_comments() && rest.starts_with("/*") {
            let end =
                if self.dialect == Dialect::Rust { nested(rest) } else { rest.find("*/").map(|end| end + 2) };
            (2, end.unwrap_or(rest.len()))
        } else if first == '#'
            && self.dialect.hash_comments()
            && self.apart
            && !(self.dialect == Dialect::Php && rest.starts_with("#["))
        {
            (1, to_end(rest))
        } else if first == '<' && rest.starts_with("<!--") && self.dialect == Dialect::Settings {
            (4, rest.find("-->").map_or(rest.len(), |end| end + 3))
        } else {
            return false;
        };
        let line = self.line;
        let said = self.take(length).get(begin..).unwrap_or_default();
        for (offset, text) in said.trim_end_matches("*/").trim_end_matches("-->").lines().enumerate() {
            self.comments.push(Comment {
                text: text.trim().trim_start_matches(['*', '/', '!']).trim().to_owned(),
                line: line + offset,
            });
        }
        self.apart = true;
        true
    }

    /// A line for the preprocessor, and what it switches off.
    fn directive(&mut self, rest: &str, first: char) -> bool {
        let begins =
            self.tokens.last().is_none_or(|last| last.line < self.line || last.kind == Kind::Directive);
        if first != '#' || !self.dialect.directives() || !begins {
            return false;
        }
        let line = self.line;
        let mut length = 0;
        for text in rest.split_inclusive('\n') {
            length += text.len();
            if !text.trim_end().ends_with('\\') {
                break;
            }
        }
        let said = self.take(length).trim().to_owned();
        self.apart = true;
        let condition = said.trim_start_matches('#').trim();
        let dead = matches!(condition, "if 0" | "if false" | "if (0)");
        self.push(Kind::Directive, said.clone(), line);
        if dead {
            let mut depth = 0_usize;
            let mut skipped = 0;
            for text in self.rest().split_inclusive('\n') {
                let word = text.trim().trim_start_matches('#').trim();
                if text.trim_start().starts_with('#') {
                    if word.starts_with("if") {
                        depth += 1;
                    } else if depth == 0 && (word.starts_with("endif") || word.starts_with("else")) {
                        break;
                    } else if word.starts_with("endif") {
                        depth -= 1;
                    }
                }
                skipped += text.len();
            }
            let line = self.line;
            let lost = self.take(skipped);
            for (offset, text) in lost.lines().enumerate() {
                self.comments.push(Comment { text: text.trim().to_owned(), line: line + offset });
            }
        }
        true
    }

    fn skip_heredocs(&mut self) {
        for end in std::mem::take(&mut self.heredocs) {
            let line = self.line;
            let mut length = 0;
            let mut last = 0;
            for text in self.rest().split_inclusive('\n') {
                let here = text.trim().trim_end_matches([';', ',', ')']);
                length += text.len();
                if here == end {
                    last = text.len();
                    break;
                }
            }
            let text = self.take(length);
            let text = text.get(..text.len() - last).unwrap_or_default().to_owned();
            self.push(Kind::Text, text, line);
            self.apart = true;
        }
    }

    fn heredoc(&mut self, rest: &str) -> bool {
        let fits = match self.dialect {
            Dialect::Shell => rest.starts_with("<<") && !rest.starts_with("<<<"),
            Dialect::Ruby => rest.starts_with("<<~") || rest.starts_with("<<-"),
            Dialect::Php => rest.starts_with("<<<"),
            Dialect::Rust
            | Dialect::Python
            | Dialect::Script
            | Dialect::Go
            | Dialect::Java
            | Dialect::Kotlin
            | Dialect::C
            | Dialect::Cpp
            | Dialect::CSharp
            | Dialect::Settings => false,
        };
        if !fits {
            return false;
        }
        let name = rest.trim_start_matches('<').trim_start_matches(['~', '-']).trim_start_matches(' ');
        let name = name.trim_start_matches(['"', '\'', '\\']);
        let end: String = name.chars().take_while(|c| is_word(*c)).collect();
        if !end.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return false;
        }
        let quoted = rest.len() - name.len();
        let tail = name.get(end.len()..).unwrap_or_default();
        let close = usize::from(tail.starts_with(['"', '\'']));
        self.take(quoted + end.len() + close);
        self.heredocs.push(end);
        true
    }

    fn literal(&mut self, rest: &str, first: char) -> bool {
        if first == '<' {
            return self.heredoc(rest);
        }
        if first == '/' && matches!(self.dialect, Dialect::Script | Dialect::Ruby) {
            return self.pattern(rest);
        }
        let prefix: usize = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic()).take(3).count();
        let prefix = rest.get(..prefix).unwrap_or_default();
        let behind = rest.get(prefix.len()..).unwrap_or_default();
        let raw = match self.dialect {
            Dialect::Rust if matches!(prefix, "r" | "br" | "cr") && behind.starts_with(['"', '#']) => {
                let hashes = behind.bytes().take_while(|byte| *byte == b'#').count();
                let opened = behind.get(hashes..).is_some_and(|tail| tail.starts_with('"'));
                opened.then(|| (prefix.len() + hashes + 1, format!("\"{}", "#".repeat(hashes)), false))
            }
            Dialect::Cpp if prefix == "R" && behind.starts_with('"') => {
                let open = behind.find('(').unwrap_or(1);
                let name = behind.get(1..open).unwrap_or_default().to_owned();
                Some((prefix.len() + open + 1, format!("){name}\""), false))
            }
            Dialect::CSharp if rest.starts_with("\"\"\"") => Some((3, "\"\"\"".to_owned(), false)),
            Dialect::CSharp if rest.starts_with("$\"\"\"") => Some((4, "\"\"\"".to_owned(), false)),
            Dialect::CSharp if rest.starts_with("@\"") => Some((2, "\"".to_owned(), false)),
            Dialect::CSharp if rest.starts_with("$@\"") || rest.starts_with("@$\"") => {
                Some((3, "\"".to_owned(), false))
            }
            Dialect::CSharp if rest.starts_with("$\"") => Some((2, "\"".to_owned(), true)),
            Dialect::Java | Dialect::Kotlin if rest.starts_with("\"\"\"") => {
                Some((3, "\"\"\"".to_owned(), false))
            }
            Dialect::Go if first == '`' => Some((1, "`".to_owned(), false)),
            Dialect::Script if first == '`' => Some((1, "`".to_owned(), true)),
            Dialect::Python
                if prefix.bytes().all(|byte| b"rRbBfFuU".contains(&byte))
                    && behind.starts_with(['"', '\'']) =>
            {
                let quote = behind.get(..1).unwrap_or_default();
                let three = quote.repeat(3);
                let escapes = !prefix.contains(['r', 'R']);
                if behind.starts_with(&three) {
                    Some((prefix.len() + 3, three, escapes))
                } else {
                    Some((prefix.len() + 1, quote.to_owned(), true))
                }
            }
            Dialect::Settings if rest.starts_with("\"\"\"") || rest.starts_with("'''") => {
                Some((3, rest.get(..3).unwrap_or_default().to_owned(), false))
            }
            Dialect::Rust if prefix == "b" && behind.starts_with('"') => Some((2, "\"".to_owned(), true)),
            _ if first == '"' => Some((1, "\"".to_owned(), true)),
            Dialect::Rust if first == '\'' => {
                // `'a'` and `'\n'` are texts, `'a` is a name.
                let mut next = rest.chars().skip(1);
                let (one, two) = (next.next(), next.next());
                (one == Some('\\') || two == Some('\'')).then(|| (1, "'".to_owned(), true))
            }
            _ if first == '\'' => Some((1, "'".to_owned(), self.dialect != Dialect::Shell)),
            Dialect::Rust
            | Dialect::Python
            | Dialect::Script
            | Dialect::Go
            | Dialect::Java
            | Dialect::Kotlin
            | Dialect::C
            | Dialect::Cpp
            | Dialect::CSharp
            | Dialect::Ruby
            | Dialect::Php
            | Dialect::Shell
            | Dialect::Settings => None,
        };
        let Some((open, close, escapes)) = raw else { return false };
        let body = rest.get(open..).unwrap_or_default();
        let long = close.len() > 1
            || matches!(close.as_str(), "`")
            || matches!(self.dialect, Dialect::Rust | Dialect::Php | Dialect::Shell | Dialect::Ruby)
            || rest.starts_with(['@', '$']);
        let Some(end) = closing(body, &close, escapes, long, self.dialect == Dialect::Script && first == '`')
        else {
            return false;
        };
        let line = self.line;
        self.take(open + end + close.len());
        let said = body.get(..end).unwrap_or_default().to_owned();
        self.push(Kind::Text, said, line);
        true
    }

    /// A regular expression, where a value can stand.
    fn pattern(&mut self, rest: &str) -> bool {
        let value_stands = self.tokens.last().is_none_or(|last| match last.kind {
            Kind::Mark => !matches!(last.text.as_str(), ")" | "]" | "}" | "++" | "--"),
            Kind::Word => {
                matches!(
                    last.text.as_str(),
                    "return"
                        | "typeof"
                        | "case"
                        | "in"
                        | "of"
                        | "when"
                        | "if"
                        | "unless"
                        | "and"
                        | "or"
                        | "match"
                ) || (self.dialect == Dialect::Ruby && self.apart && !rest.starts_with("/ "))
            }
            Kind::Number | Kind::Text => false,
            Kind::Directive => true,
        });
        // `</p>` is an element.
        if !value_stands || self.tokens.last().is_some_and(|last| last.is("<")) {
            return false;
        }
        let mut in_class = false;
        let mut escaped = false;
        let mut end = None;
        for (index, character) in rest.char_indices().skip(1) {
            match character {
                '\n' => return false,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    end = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end.filter(|end| *end > 1) else { return false };
        let flags =
            rest.get(end + 1..).unwrap_or_default().bytes().take_while(u8::is_ascii_alphabetic).count();
        let line = self.line;
        let text = self.take(end + 1 + flags).to_owned();
        self.push(Kind::Text, text, line);
        true
    }
}

/// Where a text ends; none if it does not end where it must.
fn closing(body: &str, close: &str, escapes: bool, long: bool, filled: bool) -> Option<usize> {
    let mut escaped = false;
    let mut depth = 0_usize;
    let mut before = ' ';
    for (index, character) in body.char_indices() {
        if escaped {
            escaped = false;
            before = ' ';
            continue;
        }
        if character == '\\' && escapes {
            escaped = true;
            continue;
        }
        if character == '\n' && !long {
            return None;
        }
        // `${ … }` in a template can have a text with the same mark in it.
        if filled && character == '{' && (before == '$' || depth > 0) {
            depth += 1;
        } else if filled && character == '}' && depth > 0 {
            depth -= 1;
        } else if depth == 0 && body.get(index..).is_some_and(|rest| rest.starts_with(close)) {
            return Some(index);
        }
        before = character;
    }
    None
}

/// The end of a block comment that may have others in it.
fn nested(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += tail.chars().next()?.len_utf8();
        }
    }
    None
}
