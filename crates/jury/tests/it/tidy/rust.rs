//! Rust as far as the rules need it: code, comments and literals told apart, line by line.

/// One line of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The code. A literal is only its quotes.
    pub(super) code: String,
    /// What its comments say, without the slashes.
    pub(super) comment: String,
    /// A string goes on in the next line.
    pub(super) in_literal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    LineComment,
    BlockComment(u32),
    Text,
    /// So many `#` close it.
    RawText(usize),
}

/// The lines of a file.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mut state = State::Code;
    let mut index = 0;
    while index < characters.len() {
        let character = at(index);
        index += 1;
        if character == '\n' {
            if state == State::LineComment {
                state = State::Code;
            }
            line.in_literal = matches!(state, State::Text | State::RawText(_));
            lines.push(std::mem::take(&mut line));
            continue;
        }
        state = match (state, character) {
            (State::Code, '/') if at(index) == '/' => {
                index += 1;
                State::LineComment
            }
            (State::Code, '/') if at(index) == '*' => {
                index += 1;
                State::BlockComment(1)
            }
            (State::Code, '"') => {
                line.code.push('"');
                State::Text
            }
            (State::Code, 'r') if !ends_in_name(&line.code) && opens_raw(&characters, index).is_some() => {
                let hashes = opens_raw(&characters, index).unwrap_or_default();
                index += hashes + 1;
                line.code.push_str("r\"");
                State::RawText(hashes)
            }
            (State::Code, '\'') => {
                line.code.push('\'');
                index = after_character(&characters, index);
                State::Code
            }
            (State::Code, _) => {
                line.code.push(character);
                State::Code
            }
            (State::LineComment, _) => {
                line.comment.push(character);
                State::LineComment
            }
            (State::BlockComment(depth), '*') if at(index) == '/' => {
                index += 1;
                if depth == 1 { State::Code } else { State::BlockComment(depth - 1) }
            }
            (State::BlockComment(depth), '/') if at(index) == '*' => {
                index += 1;
                State::BlockComment(depth + 1)
            }
            (State::BlockComment(depth), _) => {
                line.comment.push(character);
                State::BlockComment(depth)
            }
            (State::Text, '\\') => {
                // What is escaped does not end the text; a line break still ends the line.
                if at(index) != '\n' {
                    index += 1;
                }
                State::Text
            }
            (State::Text, '"') => {
                line.code.push('"');
                State::Code
            }
            (State::RawText(hashes), '"') if (0..hashes).all(|offset| at(index + offset) == '#') => {
                index += hashes;
                line.code.push('"');
                State::Code
            }
            (State::Text | State::RawText(_), _) => state,
        };
    }
    if line != Line::default() {
        lines.push(line);
    }
    lines
}

/// How many `#` stand between an `r` and the quote that opens its text, if one does.
fn opens_raw(characters: &[char], index: usize) -> Option<usize> {
    let hashes = characters.iter().skip(index).take_while(|character| **character == '#').count();
    (characters.get(index + hashes) == Some(&'"')).then_some(hashes)
}

/// Behind a quote: the index after a character literal, or the same index when it is a lifetime.
fn after_character(characters: &[char], index: usize) -> usize {
    if characters.get(index) == Some(&'\\') {
        let rest = characters.iter().skip(index + 2);
        return index + 3 + rest.take_while(|character| **character != '\'').count();
    }
    if characters.get(index + 1) == Some(&'\'') { index + 2 } else { index }
}

/// Whether an `r` now would go on with a name. `br"` and `cr"` are texts too.
fn ends_in_name(code: &str) -> bool {
    let name: Vec<char> = code.chars().rev().take_while(|character| is_name(*character)).collect();
    !name.is_empty() && name != ['b'] && name != ['c']
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Whether code names this path, such as `sqlx` or `std::fs`, and not merely something that contains it.
pub(super) fn names(code: &str, path: &str) -> bool {
    let whole = code.match_indices(path).any(|(start, found)| {
        let before = code.get(..start).and_then(|before| before.chars().next_back());
        let after = code.get(start + found.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    });
    whole || path.split_once("::").is_some_and(|(root, rest)| imports_in_a_group(code, root, rest))
}

/// `use std::{env, fs};` names `std::fs` too.
fn imports_in_a_group(code: &str, root: &str, rest: &str) -> bool {
    code.split_once(&format!("use {root}::{{")).is_some_and(|(_, group)| names(group, rest))
}

#[test]
fn code_comments_and_literals_are_told_apart() {
    let text = "let a = \"// no\"; // yes\nlet b = r#\"a \"quoted\" /*\"#; /* c */ 'x'; '\\''; &'a str\n\"one\ntwo\";\n";
    let seen: Vec<(String, String, bool)> =
        lines(text).into_iter().map(|line| (line.code, line.comment, line.in_literal)).collect();
    let line = |code: &str, comment: &str, open| (code.to_owned(), comment.to_owned(), open);
    assert_eq!(
        seen,
        [
            line("let a = \"\"; ", " yes", false),
            line("let b = r\"\";  '; '; &'a str", " c ", false),
            line("\"", "", true),
            line("\";", "", false),
        ]
    );
}

#[test]
fn paths_are_found_whole_and_in_groups() {
    assert!(names("use sqlx::Row as _;", "sqlx"));
    assert!(!names("let my_sqlx = 1;", "sqlx"));
    assert!(names("use std::{env, fs};", "std::fs"));
    assert!(!names("use std::{fmt, io};", "std::fs"));
    assert!(!names("std::fsx::y()", "std::fs"));
}
