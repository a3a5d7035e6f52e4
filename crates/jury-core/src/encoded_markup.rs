//! Whether a text shows the source of a page: markup whose brackets are written in another way, so that a browser shows it.
//!
//! Pages speak of tags, and show them as examples. A text that *begins* with a tag of a block and closes that block is not
//! about markup, it is markup.

/// Ways to write `<`, in lower case.
const OPENING: [&str; 7] = ["&lt;", "&lt", "\\u003c", "\\x3c", "%3c", "\u{ff1c}", "\u{fe64}"];

/// Ways to write `>`, in lower case.
const CLOSING: [&str; 7] = ["&gt;", "&gt", "\\u003e", "\\x3e", "%3e", "\u{ff1e}", "\u{fe65}"];

/// Elements that parts of a page are made of. Those inside of a line are no part of a page by themselves.
const BLOCKS: [&str; 35] = [
    "html",
    "head",
    "body",
    "main",
    "header",
    "footer",
    "nav",
    "section",
    "article",
    "aside",
    "div",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "td",
    "th",
    "form",
    "figure",
    "blockquote",
    "title",
    "style",
    "button",
    "fieldset",
];

/// Whether this text, which stands between two tags, is markup of blocks.
pub(crate) fn is_encoded(text: &str) -> bool {
    // Most texts have no bracket in any way of writing.
    if !text.contains(['&', '\\', '%', '\u{ff1c}', '\u{fe64}']) {
        return false;
    }
    let plain = plain(text);
    let opens = block(plain.trim_start());
    // A declaration stands before the first block.
    let opens = opens.or_else(|| {
        let (declaration, rest) = plain.trim_start().strip_prefix("<!doctype")?.split_once('>')?;
        (!declaration.contains('<')).then(|| block(rest.trim_start())).flatten()
    });
    let Some(opens) = opens else { return false };
    // The block itself is closed, or another one inside of it.
    let mut ends = plain.match_indices("</").filter_map(|(at, _)| {
        let name = plain.get(at + 2..)?;
        name.get(..name.find(|ch: char| !ch.is_ascii_alphanumeric()).unwrap_or(name.len()))
    });
    ends.any(|name| name == opens || BLOCKS.contains(&name))
}

/// The block whose tag stands at the beginning.
fn block(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let name = rest.get(..rest.find(|ch: char| !ch.is_ascii_alphanumeric()).unwrap_or(rest.len()))?;
    BLOCKS.contains(&name).then_some(name)
}

/// The text in lower case with its brackets as they are, however often they were encoded.
fn plain(text: &str) -> String {
    let mut plain = text.to_lowercase();
    for _ in 0..2 {
        plain = plain.replace("&amp;", "&").replace("&#38;", "&").replace("&#x26;", "&");
    }
    let mut read = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some(ch) = rest.chars().next() {
        let spelled = |ways: &[&str]| ways.iter().find(|way| rest.starts_with(**way)).map(|way| way.len());
        let (length, ch) =
            if let Some((length, code)) = reference(rest).filter(|(_, code)| matches!(code, 60 | 62 | 47)) {
                (length, char::from(code))
            } else if let Some(length) = spelled(&OPENING) {
                (length, '<')
            } else if let Some(length) = spelled(&CLOSING) {
                (length, '>')
            } else {
                (ch.len_utf8(), ch)
            };
        read.push(ch);
        rest = rest.get(length..).unwrap_or_default();
    }
    read
}

/// The numeric reference at the beginning, if it is one to a character of ASCII.
fn reference(text: &str) -> Option<(usize, u8)> {
    let number = text.strip_prefix("&#")?;
    let (digits, radix) = match number.strip_prefix('x') {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    let count = digits.find(|ch: char| !ch.is_digit(radix)).unwrap_or(digits.len());
    let code = u8::from_str_radix(digits.get(..count)?.trim_start_matches('0'), radix).ok()?;
    let semicolon = usize::from(digits.get(count..)?.starts_with(';'));
    Some((text.len() - digits.len() + count + semicolon, code))
}
