//! What was asked, as far as there is room for it.

/// The most bytes of what was asked that are shown.
const LONGEST_PROMPT: usize = 32 << 10;

/// What was asked as far as it is shown: its beginning and its end. And how many bytes are not.
pub(super) fn shortened(text: &str) -> (String, usize) {
    if text.len() <= LONGEST_PROMPT {
        return (text.to_owned(), 0);
    }
    let head = text.floor_char_boundary(LONGEST_PROMPT * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - LONGEST_PROMPT / 4);
    let left = tail - head;
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    (format!("{head}\n[{left} bytes left out]\n{tail}"), left)
}
