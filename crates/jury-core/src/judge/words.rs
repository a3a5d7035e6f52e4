//! Splits a line that names a program into words, without a shell.
//!
//! Blanks part words. Single quotes keep everything between them as it is; so do double quotes, in which a backslash keeps
//! a quote or a backslash; outside of quotes a backslash keeps the next character. Whatever a shell would carry out is
//! refused instead of being passed on as it stands: who wants pipes and variables puts them into a script.

use thiserror::Error;

/// The most words that a line may have.
const MOST_WORDS: usize = 200;

/// Why a line cannot be called without a shell.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadCommand {
    /// There is no word in it.
    #[error("it is empty; give a program and its arguments")]
    Empty,
    /// It is meant for a shell.
    #[error(
        "{0:?} is for a shell, and there is none; quote it with ' if it is meant as it stands, otherwise put the line into a script and name that"
    )]
    Shell(String),
    /// A quote does not end.
    #[error("a {0} is not closed")]
    Unclosed(char),
    /// It ends where a character must follow.
    #[error("there is nothing behind the last backslash")]
    Backslash,
    /// There are too many words.
    #[error("it has more than {MOST_WORDS} words; put it into a script and name that")]
    TooLong,
}

/// The program and its arguments.
pub fn split(line: &str) -> Result<Vec<String>, BadCommand> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    // Whether the word so far came from outside of quotes: `FOO=1` before a program is for a shell.
    let mut bare = true;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => end(&mut words, &mut word, &mut bare)?,
            '\'' => {
                bare = false;
                let text = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some('\'') => break,
                        Some(kept) => text.push(kept),
                        None => return Err(BadCommand::Unclosed('\'')),
                    }
                }
            }
            '"' => {
                bare = false;
                let text = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        Some('"') => break,
                        Some('\\') if matches!(characters.peek(), Some('"' | '\\')) => {
                            text.extend(characters.next());
                        }
                        // A shell would carry these out even here.
                        Some(sign @ ('$' | '`')) => return Err(BadCommand::Shell(sign.to_string())),
                        Some(kept) => text.push(kept),
                        None => return Err(BadCommand::Unclosed('"')),
                    }
                }
            }
            '\\' => {
                let kept = characters.next().ok_or(BadCommand::Backslash)?;
                word.get_or_insert_default().push(kept);
            }
            '$' if characters.peek() == Some(&'(') => return Err(BadCommand::Shell("$(".to_owned())),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' | '\n' | '\r' => {
                return Err(BadCommand::Shell(character.to_string()));
            }
            '~' | '#' if word.is_none() => return Err(BadCommand::Shell(character.to_string())),
            kept => word.get_or_insert_default().push(kept),
        }
    }
    end(&mut words, &mut word, &mut bare)?;
    if words.first().is_none_or(String::is_empty) { Err(BadCommand::Empty) } else { Ok(words) }
}

fn end(words: &mut Vec<String>, word: &mut Option<String>, bare: &mut bool) -> Result<(), BadCommand> {
    let bare = std::mem::replace(bare, true);
    let Some(word) = word.take() else { return Ok(()) };
    if words.len() >= MOST_WORDS {
        return Err(BadCommand::TooLong);
    }
    if words.is_empty() && bare && is_assignment(&word) {
        return Err(BadCommand::Shell(word));
    }
    words.push(word);
    Ok(())
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_anybody_would_read_them() {
        let split = |line: &str| split(line).unwrap();
        assert_eq!(split("judge --json"), ["judge", "--json"]);
        assert_eq!(split("  a\t 'b c'  \"d e\" "), ["a", "b c", "d e"]);
        assert_eq!(split(r#"a\ b 'it''s' "say \"x\\" ''"#), ["a b", "its", r#"say "x\"#, ""]);
        assert_eq!(split("a '$(x) | `y` ; *' b\\;c"), ["a", "$(x) | `y` ; *", "b;c"]);
        assert_eq!(split("env A=1 judge x#y a~b"), ["env", "A=1", "judge", "x#y", "a~b"]);
        assert_eq!(split(r#""a\b""#), [r"a\b"]);
        assert_eq!(split("'A=1'"), ["A=1"]);
    }

    #[test]
    fn what_a_shell_would_carry_out_is_refused() {
        for line in [
            "a | b",
            "a; b",
            "a && b",
            "a & ",
            "a > x",
            "a < x",
            "a $(b)",
            "a $HOME",
            "a `b`",
            "a *.json",
            "a ?",
            "a [b]",
            "(a)",
            "a\nb",
            "a \"$HOME\"",
            "a \"`b`\"",
            "~/judge",
            "a ~",
            "# a",
            "A=1 judge",
        ] {
            assert!(matches!(split(line), Err(BadCommand::Shell(_))), "{line}");
        }
        assert!(split("a | b").unwrap_err().to_string().contains("script"));
        assert_eq!(split(" "), Err(BadCommand::Empty));
        assert_eq!(split("'' a"), Err(BadCommand::Empty));
        assert_eq!(split("a 'b"), Err(BadCommand::Unclosed('\'')));
        assert_eq!(split("a \"b"), Err(BadCommand::Unclosed('"')));
        assert_eq!(split("a \\"), Err(BadCommand::Backslash));
        assert_eq!(split(&"a ".repeat(201)), Err(BadCommand::TooLong));
    }
}
