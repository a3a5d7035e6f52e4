//! One line of a file told apart into code, comment and literals. What goes on over lines (block comments, long texts) is
//! carried along. There is no parser behind it: a hunk is a fragment, and a fragment seldom parses.

use super::path::Language;

/// The parts of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The code. A literal is only its quotes.
    pub(super) code: String,
    /// What its comments say.
    pub(super) comment: String,
    /// What its texts say.
    pub(super) literals: Vec<String>,
}

impl Parts {
    /// There is nothing but a comment.
    pub(super) fn is_comment(&self) -> bool {
        self.code.trim().is_empty() && !self.comment.trim().is_empty()
    }
}

/// What a line leaves open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Open {
    #[default]
    Nothing,
    BlockComment,
    /// A text over lines, until this byte three times or, in scripts and Go, once.
    Long(u8),
}

/// Tells one line apart.
pub(super) fn parts(language: Language, text: &str, open: &mut Open) -> Parts {
    let mut parts = Parts::default();
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let slashes = language.has_braces();
    let hash = language.comment() == Some("#");
    let mut literal = String::new();
    let mut index = 0;
    if *open == Open::Nothing && slashes {
        // A hunk may begin within a block comment; its lines have stars.
        let trimmed = text.trim_start();
        if trimmed == "*" || trimmed.starts_with("* ") || trimmed.starts_with("*/") {
            trimmed.trim_start_matches(['*', '/', ' ']).clone_into(&mut parts.comment);
            return parts;
        }
    }
    while index < characters.len() {
        let character = at(index);
        match *open {
            Open::BlockComment => {
                if character == '*' && at(index + 1) == '/' {
                    *open = Open::Nothing;
                    index += 1;
                } else {
                    parts.comment.push(character);
                }
            }
            Open::Long(quote) => {
                let quote = char::from(quote);
                let closes = quote == '`' || (at(index + 1) == quote && at(index + 2) == quote);
                if character == quote && closes {
                    index += if quote == '`' { 0 } else { 2 };
                    *open = Open::Nothing;
                    parts.code.push('"');
                    parts.literals.push(std::mem::take(&mut literal));
                } else {
                    literal.push(character);
                }
            }
            Open::Nothing => match character {
                '/' if slashes && at(index + 1) == '/' => {
                    parts.comment.extend(characters.iter().skip(index + 2));
                    break;
                }
                '/' if slashes && at(index + 1) == '*' => {
                    *open = Open::BlockComment;
                    index += 1;
                }
                '#' if hash && (index == 0 || language == Language::Python || at(index - 1) == ' ') => {
                    parts.comment.extend(characters.iter().skip(index + 1));
                    break;
                }
                '"' | '\''
                    if language == Language::Python
                        && at(index + 1) == character
                        && at(index + 2) == character =>
                {
                    *open = Open::Long(if character == '"' { b'"' } else { b'\'' });
                    parts.code.push('"');
                    index += 2;
                }
                '`' if matches!(language, Language::Script | Language::Go) => {
                    *open = Open::Long(b'`');
                    parts.code.push('"');
                }
                '\'' if language == Language::Rust && at(index + 2) != '\'' && at(index + 1) != '\\' => {
                    // A lifetime.
                    parts.code.push('\'');
                }
                '"' | '\'' => {
                    let mut value = String::new();
                    index += 1;
                    while index < characters.len() && at(index) != character {
                        if at(index) == '\\' {
                            value.push('\\');
                            index += 1;
                        }
                        value.push(at(index));
                        index += 1;
                    }
                    parts.code.push_str("\"\"");
                    parts.literals.push(value);
                }
                _ => parts.code.push(character),
            },
        }
        index += 1;
    }
    if !literal.is_empty() {
        parts.literals.push(literal);
    }
    parts
}

/// A name may go on with this.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Has the text this word, with nothing before and behind that would make it part of another?
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.strip_prefix(word).unwrap_or_default();
        let opens = word.starts_with(is_word) && before.ends_with(is_word);
        let goes_on = word.ends_with(is_word) && after.starts_with(is_word);
        !opens && !goes_on
    })
}

/// The words of a text, names and numbers alike.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty())
}

/// The numbers in a line of code, as they are written.
pub(super) fn numbers(code: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut current = String::new();
    let mut before = ' ';
    for character in code.chars().chain([' ']) {
        let begins = current.is_empty() && character.is_ascii_digit() && !is_word(before);
        let exponent = matches!(before, 'e' | 'E') && matches!(character, '-' | '+');
        let goes_on = !current.is_empty() && (is_word(character) || character == '.' || exponent);
        if begins || goes_on {
            current.push(character);
        } else if !current.is_empty() {
            let number = std::mem::take(&mut current);
            numbers.push(number.trim_end_matches('.').replace('_', ""));
        }
        before = character;
    }
    numbers
}

/// The value of a number, without the suffixes of languages.
pub(super) fn value(number: &str) -> Option<f64> {
    let plain = number.split("f64").next().unwrap_or(number).split("f32").next().unwrap_or(number);
    plain.trim_end_matches(['d', 'f', 'L', 'l', 'D', 'F']).parse().ok()
}
