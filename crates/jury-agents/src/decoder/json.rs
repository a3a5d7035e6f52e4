//! Looking into a line of JSON without building anything.
//!
//! A line is checked once, from end to end; after that, a value is only the place where it begins, and looking
//! something up skips what lies before it. Several programs repeat the whole answer in each line: their lines
//! cost one pass over the bytes and no memory. What has an unexpected type is absent, never an error.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::utf8::REPLACEMENT;

/// How deep values may lie in each other. A deeper line is not read.
const DEPTH: u32 = 128;

/// A value in a line that is known to be well formed. The slice goes on to the end of the line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Json<'a>(&'a str);

/// A string, with the halves of characters at its ends: programs that count in UTF-16 cut characters in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text<'a> {
    /// The second half of a character, at the beginning.
    pub(super) head: Option<u16>,
    /// What lies between the quotes, unescaped.
    pub(super) body: Cow<'a, str>,
    /// The first half of a character, at the end.
    pub(super) tail: Option<u16>,
}

impl<'a> Text<'a> {
    pub(super) fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Self { head: None, body: text.into(), tail: None }
    }
}

impl<'a> Json<'a> {
    /// The object that this line is, if it is one and nothing else.
    pub(super) fn line(line: &'a str) -> Option<Self> {
        let line = line.trim_ascii();
        let mut scan = Scan::of(line);
        if scan.peek()? != b'{' {
            return None;
        }
        scan.value(DEPTH)?;
        scan.peek().is_none().then_some(Self(line))
    }

    /// The value of a member of this object.
    pub(super) fn get(self, name: &str) -> Option<Self> {
        let mut scan = Scan::of(self.0);
        scan.expect(b'{')?;
        scan.blank();
        while scan.peek()? == b'"' {
            let key = scan.string()?;
            scan.blank();
            scan.expect(b':')?;
            scan.blank();
            if key == name.as_bytes() {
                return self.from(scan.at);
            }
            scan.value(DEPTH)?;
            scan.blank();
            if scan.peek()? == b',' {
                scan.at += 1;
                scan.blank();
            }
        }
        None
    }

    /// The value that begins at this byte.
    fn from(self, at: usize) -> Option<Self> {
        self.0.get(at..).map(Self)
    }

    /// The value at the end of this path of names, joined by dots. The empty path leads nowhere.
    pub(super) fn at(self, path: &str) -> Option<Self> {
        if path.is_empty() {
            return None;
        }
        path.split('.').try_fold(self, Self::get)
    }

    /// The elements of this array; none if it is no array.
    pub(super) fn elements(self) -> impl Iterator<Item = Self> {
        let mut scan = Scan::of(self.0);
        let mut open = scan.expect(b'[').is_some();
        std::iter::from_fn(move || {
            scan.blank();
            if !open || scan.peek()? == b']' {
                open = false;
                return None;
            }
            let element = self.from(scan.at)?;
            scan.value(DEPTH)?;
            scan.blank();
            if scan.peek()? == b',' {
                scan.at += 1;
            }
            Some(element)
        })
    }

    /// The string, exactly as it was written.
    pub(super) fn text(self) -> Option<Text<'a>> {
        self.written().map(unescape)
    }

    /// The inside of the string, as it is written.
    fn written(self) -> Option<&'a str> {
        let length = Scan::of(self.0).string()?.len();
        self.0.get(1..=length)
    }

    /// The string, without halves of characters.
    pub(super) fn str(self) -> Option<Cow<'a, str>> {
        self.text().map(|text| text.body)
    }

    /// Whether it is this string.
    pub(super) fn is(self, text: &str) -> bool {
        self.written().is_some_and(|own| own == text || (own.contains('\\') && unescape(own).body == text))
    }

    pub(super) fn is_null(self) -> bool {
        self.0.starts_with("null")
    }

    pub(super) fn is_false(self) -> bool {
        self.0.starts_with("false")
    }

    pub(super) fn is_true(self) -> bool {
        self.0.starts_with("true")
    }

    /// The number, if it is one.
    pub(super) fn number(self) -> Option<f64> {
        let end = self.0.bytes().position(|byte| !is_number(byte)).unwrap_or(self.0.len());
        self.0.get(..end)?.parse().ok()
    }

    /// The number, as a count.
    pub(super) fn count(self) -> Option<u64> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked, and it is whole"
        )]
        self.number().filter(|number| *number >= 0.0 && *number < 1e15).map(|number| number as u64)
    }

    /// The status of a service, as a number or as its digits.
    pub(super) fn status(self) -> Option<u16> {
        let digits = self.str();
        let number = digits.map_or_else(|| self.count(), |digits| digits.parse().ok());
        number.and_then(|number| u16::try_from(number).ok()).filter(|status| (100..600).contains(status))
    }

    /// The bytes of this value as they stand in the line.
    pub(super) fn raw(self) -> Option<&'a str> {
        let mut scan = Scan::of(self.0);
        scan.value(DEPTH)?;
        self.0.get(..scan.at)
    }
}

/// A way through a line.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn of(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: u32) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'{' => self.members(depth.checked_sub(1)?),
            b'[' => {
                let depth = depth.checked_sub(1)?;
                self.at += 1;
                self.blank();
                if self.expect(b']').is_some() {
                    return Some(());
                }
                loop {
                    self.value(depth)?;
                    self.blank();
                    if self.expect(b',').is_none() {
                        return self.expect(b']');
                    }
                    self.blank();
                }
            }
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            b'-' | b'0'..=b'9' => {
                while self.peek().is_some_and(is_number) {
                    self.at += 1;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn members(&mut self, depth: u32) -> Option<()> {
        self.at += 1;
        self.blank();
        if self.expect(b'}').is_some() {
            return Some(());
        }
        loop {
            self.string()?;
            self.blank();
            self.expect(b':')?;
            self.blank();
            self.value(depth)?;
            self.blank();
            if self.expect(b',').is_none() {
                return self.expect(b'}');
            }
            self.blank();
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    /// The inside of a string, as it is written.
    fn string(&mut self) -> Option<&'a [u8]> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            self.at += ordinary(self.bytes.get(self.at..)?);
            if self.peek()? == b'"' {
                break;
            }
            // A backslash, and whatever follows it.
            self.at += 2;
        }
        let inside = self.bytes.get(start..self.at);
        self.at += 1;
        inside
    }
}

/// How many bytes come before the first quote or backslash. Most strings are short, so the search begins eight
/// bytes at a time, without a call.
fn ordinary(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
    const BACKSLASHES: u64 = u64::from_le_bytes([b'\\'; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    // Where a byte is zero, its highest bit is set; bits above the first such byte may be wrong.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8).take(8) {
        let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + memchr2(b'"', b'\\', rest).unwrap_or(rest.len())
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// The text that is written like this inside a string.
fn unescape(written: &str) -> Text<'_> {
    let Some(first) = memchr(b'\\', written.as_bytes()) else {
        return Text::plain(written);
    };
    let mut text = String::with_capacity(written.len());
    let (mut head, mut half) = (None, None);
    let mut rest = written;
    let mut next = Some(first);
    while let Some(at) = next {
        let (before, escape) = rest.split_at(at);
        if !before.is_empty() {
            settle(&mut half, &mut text);
            text.push_str(before);
        }
        let code = escape.as_bytes().get(1).copied().unwrap_or(b'\\');
        let mut length = 2;
        let unit = if code == b'u' {
            length = 6;
            escape.get(2..6).and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or(0xFFFD)
        } else {
            simple(code)
        };
        match (half.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => text.extend(join(high, unit)),
            (lone, 0xD800..=0xDBFF) => {
                half = lone;
                settle(&mut half, &mut text);
                half = Some(unit);
            }
            (None, 0xDC00..=0xDFFF) if text.is_empty() && head.is_none() => head = Some(unit),
            (lone, _) => {
                half = lone;
                settle(&mut half, &mut text);
                text.push(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        rest = escape.get(length..).unwrap_or_default();
        next = memchr(b'\\', rest.as_bytes());
    }
    if !rest.is_empty() {
        settle(&mut half, &mut text);
        text.push_str(rest);
    }
    Text { head, body: text.into(), tail: half }
}

/// A half whose other half did not follow stands for no character.
fn settle(half: &mut Option<u16>, text: &mut String) {
    if half.take().is_some() {
        text.push_str(REPLACEMENT);
    }
}

/// The character of these two halves.
pub(super) fn join(high: u16, low: u16) -> Option<char> {
    char::decode_utf16([high, low]).next()?.ok()
}

fn simple(code: u8) -> u16 {
    match code {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => 0x0A,
        b'r' => 0x0D,
        b't' => 0x09,
        other => other.into(),
    }
}
