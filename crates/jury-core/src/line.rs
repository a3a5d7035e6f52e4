//! Text for one line of a message, a list or a terminal: what others wrote, without what a terminal might obey, and
//! not for ever.

/// Without control characters, and without what is beyond so many characters.
pub fn cut(text: &str, most: usize) -> String {
    text.chars().filter(|character| !character.is_control()).take(most).collect()
}

/// The same; where something is left out, an ellipsis stands after the last character.
pub fn printable(text: &str, most: usize) -> String {
    let mut clean = text.chars().filter(|character| !character.is_control());
    let mut short: String = clean.by_ref().take(most).collect();
    if clean.next().is_some() {
        short.push('…');
    }
    short
}

/// With a space for every control character.
pub fn spaced(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// The words of a text with one space between them, whatever stood there.
pub fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of at most so many characters; the last of a longer one is an ellipsis.
pub fn fitted(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// A text told in a sentence: its words on one line, not more than so many characters of them.
pub fn shortened(text: &str, most: usize) -> String {
    fitted(&joined(text), most)
}

/// `1 page`, `2 pages`.
pub fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_harmless() {
        assert_eq!(cut("a\u{1b}[2Jb\nc", 4), "a[2J");
        assert_eq!(printable("a\u{1b}bcd\n", 4), "abcd");
        assert_eq!(printable("abcde", 4), "abcd…");
        assert_eq!(spaced("a\r\nb\tc"), "a  b c");
        assert_eq!(joined("  a \n\t b  "), "a b");
        assert_eq!((fitted("abcd", 4), fitted("abcde", 4)), ("abcd".to_owned(), "abc…".to_owned()));
        assert_eq!(
            [0, 1, 2].map(|number| counted(number, "page", "pages")),
            ["0 pages", "1 page", "2 pages"]
        );
    }
}
