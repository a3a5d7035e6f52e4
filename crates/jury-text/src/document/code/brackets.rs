//! Quotations, comments and brackets of programming languages. What is between them is nobody's business here.

use super::{Cursor, Fault};

/// How a language quotes and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    Script,
    Go,
    Sql,
}

/// The first quotation or bracket that does not close, or closes what is not open.
pub(super) fn check(code: &str, language: Language) -> Option<Fault> {
    // A session with its prompts has output between the lines.
    if language == Language::Python && code.lines().any(|line| line.trim_start().starts_with(">>>")) {
        return None;
    }
    let mut scanner =
        Scanner { cursor: Cursor::new(code, 0), language, open: Vec::new(), last: ' ', endless: 0 };
    scanner.run().err()
}

struct Scanner {
    cursor: Cursor,
    language: Language,
    /// Brackets that are open, with their lines.
    open: Vec<(char, usize)>,
    /// The last character that is not white space, which tells a division from an expression.
    last: char,
    /// Up to here no regular expression ends.
    endless: usize,
}

impl Scanner {
    fn run(&mut self) -> Result<(), Fault> {
        while let Some(character) = self.cursor.next() {
            if self.comment(character) {
                continue;
            }
            match character {
                '(' | '[' | '{' => self.open.push((character, self.cursor.line)),
                ')' | ']' | '}' => self.close(character)?,
                '"' | '\'' | '`' => self.quotation(character)?,
                'r' | 'b' if self.language == Language::Rust && self.is_raw() => self.raw()?,
                '$' if self.language == Language::Sql && self.cursor.peek(0) == Some('$') => {
                    self.dollars()?;
                }
                '/' if self.language == Language::Script && self.begins_expression() => self.expression(),
                _ => {}
            }
            if !character.is_whitespace() {
                self.last = character;
            }
        }
        match self.open.last() {
            Some((bracket, line)) => Err(Fault::at(*line, format!("'{bracket}' is not closed"))),
            None => Ok(()),
        }
    }

    fn close(&mut self, character: char) -> Result<(), Fault> {
        let wanted = match character {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        match self.open.pop() {
            Some((open, _)) if open == wanted => Ok(()),
            Some((open, line)) => Err(Fault::at(
                self.cursor.line,
                format!("'{character}' closes '{open}' of line {} of the block", line + 1),
            )),
            None => Err(Fault::at(self.cursor.line, format!("'{character}' closes nothing"))),
        }
    }

    /// Skips a comment that begins with this character.
    fn comment(&mut self, first: char) -> bool {
        let second = self.cursor.peek(0);
        let line = match self.language {
            Language::Rust | Language::Script | Language::Go => first == '/' && second == Some('/'),
            Language::Python => first == '#',
            Language::Sql => first == '-' && second == Some('-'),
        };
        if line {
            while self.cursor.peek(0).is_some_and(|character| character != '\n') {
                self.cursor.next();
            }
            return true;
        }
        if self.language == Language::Python || first != '/' || second != Some('*') {
            return false;
        }
        self.cursor.next();
        let mut depth = 1;
        while depth > 0 {
            match (self.cursor.next(), self.cursor.peek(0)) {
                (Some('*'), Some('/')) => {
                    self.cursor.next();
                    depth -= 1;
                }
                (Some('/'), Some('*')) if self.language == Language::Rust => {
                    self.cursor.next();
                    depth += 1;
                }
                (Some(_), _) => {}
                (None, _) => break,
            }
        }
        true
    }

    fn quotation(&mut self, mark: char) -> Result<(), Fault> {
        let start = self.cursor.line;
        match (self.language, mark) {
            // A lifetime is no quotation.
            (Language::Rust, '\'') => {
                if self.cursor.peek(0) == Some('\\') {
                    self.cursor.next();
                    self.cursor.next();
                    while self.cursor.peek(0).is_some_and(|c| c != '\'' && c != '\n') {
                        self.cursor.next();
                    }
                    self.cursor.next();
                } else if self.cursor.peek(1) == Some('\'') {
                    self.cursor.next();
                    self.cursor.next();
                }
                return Ok(());
            }
            (Language::Rust | Language::Python | Language::Sql, '`') if self.language != Language::Sql => {
                return Ok(());
            }
            (Language::Go, '`') => return self.until('`', false, start),
            (Language::Python, _)
                if self.cursor.peek(0) == Some(mark) && self.cursor.peek(1) == Some(mark) =>
            {
                self.cursor.next();
                self.cursor.next();
                return self.triple(mark, start);
            }
            (Language::Sql, _) => return self.until(mark, false, start),
            (Language::Script, '`') => return self.template(start),
            _ => {}
        }
        // Rust has strings over several lines; in the others they end with the line.
        self.until(mark, self.language != Language::Rust, start)
    }

    fn until(&mut self, mark: char, one_line: bool, start: usize) -> Result<(), Fault> {
        let escapes = self.language != Language::Sql && !(self.language == Language::Go && mark == '`');
        while let Some(character) = self.cursor.next() {
            match character {
                '\\' if escapes => {
                    self.cursor.next();
                }
                '\n' if one_line => break,
                _ if character == mark => return Ok(()),
                _ => {}
            }
        }
        Err(Fault::at(start, format!("{mark} opens a quotation that does not end")))
    }

    fn triple(&mut self, mark: char, start: usize) -> Result<(), Fault> {
        while let Some(character) = self.cursor.next() {
            if character == '\\' {
                self.cursor.next();
            } else if character == mark
                && self.cursor.peek(0) == Some(mark)
                && self.cursor.peek(1) == Some(mark)
            {
                self.cursor.next();
                self.cursor.next();
                return Ok(());
            }
        }
        Err(Fault::at(start, "three quotation marks open a text that does not end"))
    }

    /// A template of JavaScript; what is in `${…}` may hold templates of its own.
    fn template(&mut self, start: usize) -> Result<(), Fault> {
        let mut depth = 0_usize;
        while let Some(character) = self.cursor.next() {
            match character {
                '\\' => {
                    self.cursor.next();
                }
                '$' if self.cursor.peek(0) == Some('{') => {
                    self.cursor.next();
                    depth += 1;
                }
                '{' if depth > 0 => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '`' if depth == 0 => return Ok(()),
                _ => {}
            }
        }
        Err(Fault::at(start, "` opens a template that does not end"))
    }

    /// `r"`, `r#"`, `br#"`, and not the end of a name.
    fn is_raw(&self) -> bool {
        let before = self.cursor.at.checked_sub(2).and_then(|at| self.cursor.characters.get(at));
        if before.is_some_and(|c| c.is_alphanumeric() || *c == '_') {
            return false;
        }
        let mut ahead = usize::from(
            self.cursor.characters.get(self.cursor.at - 1) == Some(&'b') && self.cursor.peek(0) == Some('r'),
        );
        if self.cursor.characters.get(self.cursor.at - 1) == Some(&'b') && ahead == 0 {
            return false;
        }
        while self.cursor.peek(ahead) == Some('#') {
            ahead += 1;
        }
        self.cursor.peek(ahead) == Some('"')
    }

    fn raw(&mut self) -> Result<(), Fault> {
        let start = self.cursor.line;
        let mut hashes = 0;
        while let Some(character) = self.cursor.next() {
            match character {
                '#' => hashes += 1,
                '"' => break,
                _ => {}
            }
        }
        while let Some(character) = self.cursor.next() {
            if character == '"' && (0..hashes).all(|ahead| self.cursor.peek(ahead) == Some('#')) {
                self.cursor.at += hashes;
                return Ok(());
            }
        }
        Err(Fault::at(start, "a raw string does not end"))
    }

    fn dollars(&mut self) -> Result<(), Fault> {
        let start = self.cursor.line;
        self.cursor.next();
        while let Some(character) = self.cursor.next() {
            if character == '$' && self.cursor.peek(0) == Some('$') {
                self.cursor.next();
                return Ok(());
            }
        }
        Err(Fault::at(start, "$$ opens a text that does not end"))
    }

    fn begins_expression(&self) -> bool {
        matches!(self.last, '(' | ',' | '=' | ':' | '[' | '!' | '&' | '|' | '?' | '{' | '}' | ';')
            && self.cursor.peek(0) != Some(' ')
    }

    /// A regular expression, if it ends in its line. A line in which one does not end is not searched again for each
    /// of its slashes.
    fn expression(&mut self) {
        let (at, line) = (self.cursor.at, self.cursor.line);
        if at < self.endless {
            return;
        }
        let mut class = false;
        while let Some(character) = self.cursor.next() {
            match character {
                '\\' => {
                    self.cursor.next();
                }
                '[' => class = true,
                ']' => class = false,
                '/' if !class => return,
                '\n' => break,
                _ => {}
            }
        }
        self.endless = self.cursor.at;
        (self.cursor.at, self.cursor.line) = (at, line);
    }
}
