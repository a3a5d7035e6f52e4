//! Text for one line of a message, a list or a terminal: what others wrote, without what a terminal might obey, and
//! not for ever.

use std::fmt::Display;

use crate::legible;

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

/// Whether a text has a word in it: two letters in a row, or one of a script that puts no space between words. Digits, marks,
/// characters that cannot be seen, and tags and character references of somebody's markup are no words.
pub fn has_words(text: &str) -> bool {
    let mut before = false;
    let mut rest = text;
    while let Some(ch) = rest.chars().next() {
        if let Some(length) = markup_length(rest) {
            before = false;
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let letter = ch.is_alphabetic() && !legible::is_unseen(ch);
        if letter && (before || is_word_alone(ch)) {
            return true;
        }
        before = letter;
        rest = rest.get(ch.len_utf8()..).unwrap_or_default();
    }
    false
}

/// The length of the tag or the character reference at the beginning.
fn markup_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (inside, end): (fn(&u8) -> bool, u8) = match (bytes.first()?, bytes.get(1)?) {
        (b'<', next) if next.is_ascii_alphabetic() || matches!(next, b'/' | b'!') => {
            (|byte| *byte != b'>', b'>')
        }
        (b'&', next) if next.is_ascii_alphabetic() || *next == b'#' => {
            (|byte| byte.is_ascii_alphanumeric() || *byte == b'#', b';')
        }
        _ => return None,
    };
    let length = 1 + bytes.iter().skip(1).take_while(|byte| inside(byte)).count();
    (bytes.get(length) == Some(&end)).then_some(length + 1)
}

/// Whether one letter may be a word: Thai, Chinese, Japanese, Korean.
fn is_word_alone(ch: char) -> bool {
    matches!(ch, '\u{e00}'..='\u{e7f}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// `1 page`, `2 pages`. Whatever is counted in a sentence goes through here.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, several: &str) -> String {
    let noun = if number == N::from(1) { one } else { several };
    format!("{number} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_marks_and_what_cannot_be_seen_are_no_words() {
        for text in [
            "ok",
            "Calm.",
            "标题",
            "好",
            "عنوان",
            "Überschrift",
            "3 links",
            "<main> has no label",
            "a < be",
            "R&D is named",
        ] {
            assert!(has_words(text), "{text}");
        }
        for text in [
            "",
            " \n",
            "-",
            "…",
            "8.6/10",
            "n/a",
            "x",
            "\u{200b}\u{200b}",
            "\u{3164}\u{3164}",
            "&nbsp;&nbsp;",
            "<br/>",
            "<!-- none -->",
            "👍",
            "*** - ***",
            "&#8203;",
        ] {
            assert!(!has_words(text), "{text}");
        }
    }

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
        assert_eq!(
            (counted(1_u64, "run", "runs"), counted(2_u32, "run", "runs")),
            ("1 run".to_owned(), "2 runs".to_owned())
        );
    }
}
