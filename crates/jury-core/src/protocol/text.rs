//! Text as it may leave the parser: decoded, on one line, without ANSI sequences or control characters.
//!
//! Everything works in place and only ever shrinks, so a text needs no memory beyond the bytes it came in.
//! Artifact bodies never come here: they keep their bytes.

use std::borrow::Cow;

/// A text that is whole: entities decoded, cleaned, invalid UTF-8 replaced.
pub(super) fn clean(raw: &[u8]) -> Cow<'_, str> {
    if raw.iter().all(|byte| matches!(byte, b'!'..=b'%' | b'\''..=b'~')) {
        // Nothing to decode and nothing to strip: the usual attribute.
        return as_text(raw);
    }
    let mut bytes = raw.to_vec();
    decode_entities(&mut bytes, 0);
    strip(&mut bytes);
    Cow::Owned(as_text(&bytes).into_owned())
}

/// The bytes as text, invalid ones replaced.
pub(super) fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    // Much faster than asking for the replacement at once, and almost always enough.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Decodes the five XML entities and numeric references from this index on. What is none of them stays.
pub(super) fn decode_entities(bytes: &mut Vec<u8>, from: usize) {
    let Some(first) = memchr::memchr(b'&', &bytes[from..]) else {
        return;
    };
    let mut read = from + first;
    let mut write = read;
    while read < bytes.len() {
        if bytes[read] == b'&'
            && let Some((character, length)) = entity(&bytes[read..])
        {
            // A reference is longer than what it stands for, so the write never overtakes the read.
            let mut encoded = [0; 4];
            let encoded = character.encode_utf8(&mut encoded).as_bytes();
            bytes[write..write + encoded.len()].copy_from_slice(encoded);
            write += encoded.len();
            read += length;
        } else {
            bytes[write] = bytes[read];
            write += 1;
            read += 1;
        }
    }
    bytes.truncate(write);
}

/// The character a reference stands for, and how long the reference is.
fn entity(bytes: &[u8]) -> Option<(char, usize)> {
    let end = bytes.iter().take(12).position(|byte| *byte == b';')?;
    let name = bytes.get(1..end)?;
    let character = match name {
        b"lt" => '<',
        b"gt" => '>',
        b"amp" => '&',
        b"quot" => '"',
        b"apos" => '\'',
        _ => {
            let digits = std::str::from_utf8(name.strip_prefix(b"#")?).ok()?;
            let (digits, radix) = digits.strip_prefix(['x', 'X']).map_or((digits, 10), |hex| (hex, 16));
            // A sign is no digit, whatever the conversion accepts.
            if !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, radix).ok()?)?
        }
    };
    Some((character, end + 1))
}

/// Removes ANSI sequences and control characters, folds white space to single spaces and trims the ends.
pub(super) fn strip(bytes: &mut Vec<u8>) {
    if is_plain(bytes) {
        return;
    }
    // Invalid bytes are replaced first: without what is stripped between them, two could become a character.
    if let Cow::Owned(valid) = as_text(bytes) {
        *bytes = valid.into_bytes();
    }
    let mut read = 0;
    let mut write = 0;
    let mut space_due = false;
    while read < bytes.len() {
        let byte = bytes[read];
        if byte.is_ascii_whitespace() || byte == 0x0b {
            space_due = write > 0;
            read += 1;
            continue;
        }
        // U+2028 and U+2029 end a line as much as a line feed does.
        if matches!(bytes[read..], [0xe2, 0x80, 0xa8 | 0xa9, ..]) {
            space_due = write > 0;
            read += 3;
            continue;
        }
        let skipped = match byte {
            0x1b => escape_length(&bytes[read..]),
            // U+009B, the one-character form of ESC [.
            0xc2 if bytes.get(read + 1) == Some(&0x9b) => 2 + parameters_length(&bytes[read + 2..]),
            0xc2 if matches!(bytes.get(read + 1), Some(0x80..=0x9f)) => 2,
            0x00..=0x1f | 0x7f => 1,
            _ => 0,
        };
        if skipped > 0 {
            read += skipped;
            continue;
        }
        if space_due {
            // At least one white space byte was read and not written, so there is room.
            bytes[write] = b' ';
            write += 1;
            space_due = false;
        }
        bytes[write] = bytes[read];
        write += 1;
        read += 1;
    }
    bytes.truncate(write);
}

/// Whether there is nothing to strip: words in ASCII with single spaces between them. Looks at every byte
/// instead of stopping early, which lets the compiler look at many at once.
fn is_plain(bytes: &[u8]) -> bool {
    let control = bytes.iter().fold(0, |any, byte| any | u8::from(!matches!(byte, b' '..=b'~')));
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let double = pairs.fold(0, |any, (one, two)| any | (u8::from(*one == b' ') & u8::from(*two == b' ')));
    control | double == 0 && bytes.first() != Some(&b' ') && bytes.last() != Some(&b' ')
}

/// Removes ANSI sequences, and nothing else.
pub(super) fn strip_sequences(bytes: &mut Vec<u8>) {
    let Some(mut read) = memchr::memchr(0x1b, bytes) else { return };
    let mut write = read;
    while read < bytes.len() {
        if bytes[read] == 0x1b {
            read += escape_length(&bytes[read..]);
        } else {
            bytes[write] = bytes[read];
            write += 1;
            read += 1;
        }
    }
    bytes.truncate(write);
}

/// How long the escape sequence at the start of these bytes is.
fn escape_length(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        None => 1,
        Some(b'[') => 2 + parameters_length(&bytes[2..]),
        // OSC, DCS, SOS, PM, APC: up to BEL or ESC \.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let body = &bytes[2..];
            match memchr::memchr2(0x07, 0x1b, body) {
                Some(end) if body[end] == 0x07 => 2 + end + 1,
                Some(end) if body.get(end + 1) == Some(&b'\\') => 2 + end + 2,
                Some(end) => 2 + end,
                None => bytes.len(),
            }
        }
        Some(_) => {
            let intermediates = bytes[1..].iter().take_while(|byte| matches!(byte, 0x20..=0x2f)).count();
            let last = usize::from(matches!(bytes.get(1 + intermediates), Some(0x30..=0x7e)));
            1 + intermediates + last
        }
    }
}

/// How long the parameters and the final byte of a control sequence are.
fn parameters_length(bytes: &[u8]) -> usize {
    let parameters = bytes.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    parameters + usize::from(matches!(bytes.get(parameters), Some(0x40..=0x7e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_and_control_characters_go_and_white_space_folds() {
        assert_eq!(clean(b"  \x1b[31;1mred\x1b[0m\n\t CTA \x07"), "red CTA");
        assert_eq!(clean(b"\x1b]8;;http://x\x07link\x1b]8;;\x1b\\ end"), "link end");
        assert_eq!(clean("a\u{9b}31mb\u{85}c".as_bytes()), "abc");
        assert_eq!(clean(b"a\x00b\x7fc\x1b"), "abc");
        assert_eq!(clean("a\u{2028}b \u{2029} c\u{2027}".as_bytes()), "a b c\u{2027}");
        assert_eq!(clean(b"\x1b(Bplain"), "plain");
        assert_eq!(clean(b"open \x1b]0;title without end"), "open");
        assert_eq!(clean(b"cut \x1b]0;title\x1b[31m short"), "cut short");
    }

    #[test]
    fn entities_are_decoded_once_and_what_is_none_stays() {
        assert_eq!(clean(b"a &lt;b&gt; &amp;lt; &quot;&apos;"), "a <b> &lt; \"'");
        assert_eq!(
            clean(b"&#x1F600; &#65; &nbsp; & &#xD800; &#1114112;"),
            "\u{1F600} A &nbsp; & &#xD800; &#1114112;"
        );
        assert_eq!(clean(b"&#27;[31mred"), "red");
    }

    #[test]
    fn invalid_utf8_becomes_the_replacement_character() {
        assert_eq!(clean(b"a \xff b"), "a \u{fffd} b");
        assert_eq!(clean(b"\xc2\x1b[m\x9b31m \xc2\x00\x85"), "\u{fffd}\u{fffd}31m \u{fffd}\u{fffd}");
    }
}
