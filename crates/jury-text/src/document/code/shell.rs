//! Shell as far as quotations, here-documents, brackets and pairs of words go.

use super::{Cursor, Fault};

pub(super) fn check(code: &str) -> Option<Fault> {
    let prompted = code.lines().any(|line| {
        line.starts_with("$ ") || line.starts_with("% ") || line.starts_with("> ") || line.starts_with("# $")
    });
    if !prompted {
        return script(code, 0);
    }
    // Commands with their output: only the commands are shell, each of its own.
    let mut command: Option<(usize, String)> = None;
    for (index, line) in code.lines().enumerate() {
        let begins = line.strip_prefix("$ ").or_else(|| line.strip_prefix("% "));
        match (begins, &mut command) {
            (_, Some((_, text))) if text.ends_with('\\') || text.contains("<<") => {
                text.push('\n');
                text.push_str(line);
            }
            (Some(rest), before) => {
                let done = before.replace((index, rest.to_owned()));
                if let Some(fault) = done.and_then(|(line, text)| script(&text, line)) {
                    return Some(fault);
                }
            }
            (None, _) => {}
        }
    }
    command.and_then(|(line, text)| script(&text, line))
}

fn script(code: &str, first: usize) -> Option<Fault> {
    let mut scanner = Scanner { cursor: Cursor::new(code, first), open: Vec::new(), documents: Vec::new() };
    scanner.run().err()
}

struct Scanner {
    cursor: Cursor,
    open: Vec<(&'static str, usize)>,
    /// Words that end here-documents, in the order in which they were named.
    documents: Vec<(String, usize)>,
}

impl Scanner {
    fn run(&mut self) -> Result<(), Fault> {
        // Where a command may begin, and with it a word that opens or closes something.
        let mut command = true;
        let mut before = '\n';
        while let Some(character) = self.cursor.next() {
            match character {
                '\\' => {
                    self.cursor.next();
                }
                '\'' => self.quotation('\'', false)?,
                '"' => self.quotation('"', true)?,
                '`' => self.quotation('`', true)?,
                '#' if before.is_whitespace() || before == ';' => self.rest_of_line(),
                '\n' => self.here_documents()?,
                '<' if self.cursor.peek(0) == Some('<')
                    && self.cursor.peek(1) != Some('<')
                    && before != '<'
                    && before != '(' =>
                {
                    self.begin_document();
                }
                '$' if self.cursor.peek(0) == Some('\'') => {
                    self.cursor.next();
                    self.quotation('\'', true)?;
                }
                '$' if self.cursor.peek(0) == Some('(') => {
                    self.cursor.next();
                    self.open.push(("$(", self.cursor.line));
                }
                '$' if self.cursor.peek(0) == Some('{') => {
                    self.cursor.next();
                    self.open.push(("${", self.cursor.line));
                }
                '(' => self.open.push(("(", self.cursor.line)),
                ')' => self.close_bracket()?,
                '}' if self.open.last().is_some_and(|(open, _)| *open == "${") => {
                    self.open.pop();
                }
                _ if command && character.is_ascii_alphabetic() => {
                    let word = self.word(character);
                    self.pair(&word)?;
                    before = 'x';
                    command =
                        matches!(word.as_str(), "then" | "else" | "do" | "if" | "while" | "until" | "elif");
                    continue;
                }
                _ => {}
            }
            if matches!(character, '\n' | ';' | '|' | '&' | '(') {
                command = true;
            } else if !character.is_whitespace() {
                command = false;
            }
            before = character;
        }
        if let Some((word, line)) = self.documents.first() {
            return Err(Fault::at(*line, format!("the here-document {word} does not end")));
        }
        match self.open.last() {
            Some((what, line)) => Err(Fault::at(*line, format!("'{what}' is not closed"))),
            None => Ok(()),
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(next) =
            self.cursor.peek(0).filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '='))
        {
            word.push(next);
            self.cursor.next();
        }
        word
    }

    /// `if … fi`, `do … done`, `case … esac`.
    fn pair(&mut self, word: &str) -> Result<(), Fault> {
        let (open, closes) = match word {
            "if" => ("if", false),
            "do" => ("do", false),
            "case" => ("case", false),
            "fi" => ("if", true),
            "done" => ("do", true),
            "esac" => ("case", true),
            _ => return Ok(()),
        };
        if !closes {
            self.open.push((open, self.cursor.line));
            return Ok(());
        }
        match self.open.pop() {
            Some((found, _)) if found == open => Ok(()),
            Some((found, line)) => Err(Fault::at(
                self.cursor.line,
                format!("'{word}' closes '{found}' of line {} of the block", line + 1),
            )),
            None => Err(Fault::at(self.cursor.line, format!("'{word}' closes nothing"))),
        }
    }

    fn close_bracket(&mut self) -> Result<(), Fault> {
        match self.open.last() {
            Some(("(" | "$(", _)) => {
                self.open.pop();
                Ok(())
            }
            // The end of a pattern.
            Some(("case", _)) => Ok(()),
            Some((open, line)) => Err(Fault::at(
                self.cursor.line,
                format!("')' closes '{open}' of line {} of the block", line + 1),
            )),
            None => Err(Fault::at(self.cursor.line, "')' closes nothing")),
        }
    }

    fn quotation(&mut self, mark: char, escapes: bool) -> Result<(), Fault> {
        let start = self.cursor.line;
        let mut depth = 0_usize;
        while let Some(character) = self.cursor.next() {
            match character {
                '\\' if escapes => {
                    self.cursor.next();
                }
                '$' if escapes && self.cursor.peek(0) == Some('(') => {
                    self.cursor.next();
                    depth += 1;
                }
                '(' if depth > 0 => depth += 1,
                ')' if depth > 0 => depth -= 1,
                _ if character == mark && depth == 0 => return Ok(()),
                _ => {}
            }
        }
        Err(Fault::at(start, format!("{mark} opens a quotation that does not end")))
    }

    fn rest_of_line(&mut self) {
        while self.cursor.peek(0).is_some_and(|character| character != '\n') {
            self.cursor.next();
        }
    }

    fn begin_document(&mut self) {
        self.cursor.next();
        while self.cursor.peek(0).is_some_and(|c| c == '-' || c == ' ') {
            self.cursor.next();
        }
        let quoted = self.cursor.peek(0).filter(|c| matches!(c, '\'' | '"'));
        if quoted.is_some() {
            self.cursor.next();
        }
        let mut word = String::new();
        while let Some(next) = self.cursor.peek(0).filter(|c| c.is_alphanumeric() || *c == '_') {
            word.push(next);
            self.cursor.next();
        }
        if quoted.is_some() {
            self.cursor.next();
        }
        // `1 << 2` in arithmetic.
        if word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') {
            self.documents.push((word, self.cursor.line));
        }
    }

    fn here_documents(&mut self) -> Result<(), Fault> {
        for (word, line) in std::mem::take(&mut self.documents) {
            let mut ended = false;
            while self.cursor.at < self.cursor.characters.len() {
                let mut text = String::new();
                while let Some(character) = self.cursor.next().filter(|c| *c != '\n') {
                    text.push(character);
                }
                if text.trim() == word {
                    ended = true;
                    break;
                }
            }
            if !ended {
                return Err(Fault::at(line, format!("the here-document {word} does not end")));
            }
        }
        Ok(())
    }
}
