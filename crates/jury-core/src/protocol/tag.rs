//! Tags: where one ends, whatever the chunks, and what its attributes say.

use std::borrow::Cow;

use super::element::{Element, Markup, NameBytes};
use super::text;

/// The most bytes that a tag may have, if the largest block is not smaller still.
pub(super) const LONGEST_TAG_BYTES: u64 = 16 * 1024;

/// Collects the bytes of a tag until the `>` that ends it. A `>` in a quoted value does not.
///
/// A known element that begins or ends inside a tag shows that the tag was never finished: the stream broke
/// off, or a quote is missing. Reading on would swallow what follows.
#[derive(Debug, Default)]
pub(super) struct TagBuffer {
    raw: Vec<u8>,
    quote: Option<u8>,
    /// The last byte that is not white space was `=`: a quote now opens a value. Elsewhere it is a typo.
    after_equals: bool,
    /// The bytes behind a `<` in the tag.
    inner: Option<NameBytes>,
}

/// What a piece of input did to a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More bytes are needed.
    Going,
    /// The tag has ended.
    Whole,
    /// It is not one: another known element stands in it, whose `<` is this many bytes before the next one.
    Broken { by: Markup, length: u64 },
}

impl TagBuffer {
    /// Starts with the bytes behind `<` that are already known.
    pub(super) fn start(&mut self, known: &[u8]) {
        self.raw.clear();
        self.raw.extend_from_slice(known);
        self.quote = None;
        self.after_equals = known.last() == Some(&b'=');
        self.inner = None;
    }

    /// Takes bytes up to and including the `>` that ends the tag, or up to the end of the name that shows
    /// that it is none.
    pub(super) fn take(&mut self, input: &[u8]) -> (usize, Progress) {
        for (index, &byte) in input.iter().enumerate() {
            // Most bytes only go on with a name or a value.
            if self.inner.is_none() && !is_mark(byte) {
                self.after_equals = false;
                continue;
            }
            if (byte == b'<' || self.inner.is_some())
                && let Some(broken) = self.look_inside(byte)
            {
                return (index, broken);
            }
            match self.quote {
                Some(quote) if byte == quote => self.quote = None,
                Some(_) => {}
                None if byte == b'>' => {
                    self.raw.extend_from_slice(&input[..index]);
                    text::strip_sequences(&mut self.raw);
                    return (index + 1, Progress::Whole);
                }
                None if self.after_equals && matches!(byte, b'"' | b'\'') => {
                    self.quote = Some(byte);
                    self.after_equals = false;
                }
                None if byte.is_ascii_whitespace() => {}
                None => self.after_equals = byte == b'=',
            }
        }
        self.raw.extend_from_slice(input);
        (input.len(), Progress::Going)
    }

    /// Follows the name behind a `<` in the tag.
    fn look_inside(&mut self, byte: u8) -> Option<Progress> {
        if let Some(name) = &mut self.inner {
            let by = name.push(byte);
            match by {
                Markup::Unknown => return None,
                // A value may mention the tag; only one that goes on with attributes is the agent beginning again.
                Markup::Open(Element::CritiqueRun) if !byte.is_ascii_whitespace() => {}
                Markup::Open(_) | Markup::Close(_) => {
                    let length = name.as_slice().len() as u64;
                    return Some(Progress::Broken { by, length });
                }
                Markup::Foreign | Markup::Comment | Markup::Cdata | Markup::Think(_) | Markup::Thought(_) => {
                }
            }
        }
        self.inner = (byte == b'<').then(NameBytes::default);
        None
    }

    /// Whether the tag has no body: `<DIM … />`.
    pub(super) fn is_self_closing(&self) -> bool {
        self.raw.last() == Some(&b'/')
    }

    /// The attributes, in the order in which they stand.
    pub(super) fn attributes(&self) -> Attributes<'_> {
        let name_end = self
            .raw
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || (*byte == b'/' && self.raw.first() != Some(&b'/')))
            .unwrap_or(self.raw.len());
        Attributes { rest: &self.raw[name_end..] }
    }
}

/// Whether a byte can change where a tag ends: white space, a quote, a sign. One `matches!`, because that is a single
/// test of a bit.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'"' | b'\'' | b'<' | b'=' | b'>')
}

/// The attributes of a tag. The first one of a name counts.
#[derive(Debug, Clone)]
pub(super) struct Attributes<'a> {
    rest: &'a [u8],
}

impl<'a> Attributes<'a> {
    /// The value of this attribute, decoded and clean.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.clone()
            .find(|(key, _)| key.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| text::clean(value))
    }

    /// The value of this attribute as a finite number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(|value| decimal(value.trim()))
    }

    /// How many must-fixes are counted, under any joining of the name. A count that cannot be read says that there is one, and
    /// of two counts the larger holds: what is not plain must not count as none.
    pub(super) fn must_fixes(&self) -> Option<f64> {
        let counts = self.clone().filter(|(key, _)| counts_must_fixes(key)).map(|(_, value)| {
            let text = text::clean(value);
            let text = text.trim();
            let none = ["none", "no", "nil", "zero", "false"];
            match decimal(text) {
                Some(number) if number >= 0.0 => number,
                None if none.iter().any(|word| text.eq_ignore_ascii_case(word)) => 0.0,
                Some(_) | None => 1.0,
            }
        });
        counts.reduce(f64::max)
    }

    /// The value of this attribute as a whole number.
    pub(super) fn whole(&self, name: &str) -> Option<u32> {
        self.get(name).and_then(|value| value.trim().parse().ok())
    }
}

/// Whether an attribute of this name counts must-fixes: how the words are joined, and one or several, makes no difference.
fn counts_must_fixes(key: &[u8]) -> bool {
    let mut letters: Vec<u8> =
        key.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    for ending in [&b"count"[..], b"s", b"e"] {
        if let Some(shorter) = letters.strip_suffix(ending) {
            letters = shorter.to_vec();
        }
    }
    matches!(letters.as_slice(), b"mustfix" | b"blocker")
}

/// A number as people write scores: digits, a sign, a point. Not `1e1`, `0x9`, `inf` or `9,5`.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.bytes().any(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok().filter(|number: &f64| number.is_finite()) } else { None }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let ignorable =
            |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'=' | b'"' | b'\'');
        let start = self.rest.iter().position(|byte| !ignorable(byte))?;
        let rest = &self.rest[start..];
        let key_end = rest.iter().position(ignorable).unwrap_or(rest.len());
        let (key, rest) = rest.split_at(key_end);
        let rest = rest.trim_ascii_start();
        let Some(rest) = rest.strip_prefix(b"=") else {
            self.rest = rest;
            return Some((key, b""));
        };
        let rest = rest.trim_ascii_start();
        let (value, rest) = if let Some(&quote @ (b'"' | b'\'')) = rest.first() {
            let body = &rest[1..];
            // Values are short: calling a search costs more than it saves.
            let end = body.iter().position(|byte| *byte == quote).unwrap_or(body.len());
            (&body[..end], body.get(end + 1..).unwrap_or_default())
        } else {
            let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let (value, rest) = rest.split_at(end);
            // The slash of `<DIM score=5/>` belongs to the tag.
            (if rest.is_empty() { value.strip_suffix(b"/").unwrap_or(value) } else { value }, rest)
        };
        self.rest = rest;
        Some((key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(raw: &str) -> Vec<(String, String)> {
        let mut buffer = TagBuffer::default();
        buffer.start(b"");
        assert_eq!(buffer.take(raw.as_bytes()), (raw.len(), Progress::Whole));
        buffer
            .attributes()
            .map(|(key, value)| (String::from_utf8_lossy(key).into_owned(), text::clean(value).into_owned()))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn any_quotes_any_white_space_any_order() {
        assert_eq!(
            attributes("DIM\r\n score = '6'\tname=\"type\" extra>"),
            pairs(&[("score", "6"), ("name", "type"), ("extra", "")])
        );
        assert_eq!(attributes("DIM name=a score=5/>"), pairs(&[("name", "a"), ("score", "5")]));
        assert_eq!(attributes("DIM/>"), pairs(&[]));
    }

    #[test]
    fn a_bracket_in_quotes_does_not_end_the_tag_and_a_stray_quote_does_not_begin_a_value() {
        assert_eq!(attributes("DIM name=\"a > b\" score='4'>"), pairs(&[("name", "a > b"), ("score", "4")]));
        assert_eq!(attributes("DIM name=it's score=4>"), pairs(&[("name", "it's"), ("score", "4")]));
    }

    #[test]
    fn a_known_element_inside_a_tag_breaks_it_however_it_is_cut() {
        let broken = |text: &str| {
            let mut progress = Vec::new();
            for cut in 0..=text.len() {
                let mut buffer = TagBuffer::default();
                buffer.start(b"DIM");
                let (first, second) = text.as_bytes().split_at(cut);
                let (taken, mut found) = buffer.take(first);
                let mut all = taken;
                if found == Progress::Going {
                    let (taken, later) = buffer.take(second);
                    (all, found) = (first.len() + taken, later);
                }
                progress.push((all, found));
            }
            progress.dedup();
            progress
        };
        let by = |by, length| Progress::Broken { by, length };
        assert_eq!(broken(" name=\"x>t</DIM><DIM name=\"y\">"), [(15, by(Markup::Close(Element::Dim), 5))]);
        assert_eq!(broken(" name='<<SHIP >'>"), [(13, by(Markup::Open(Element::Ship), 5))]);
        assert_eq!(broken(" a < b <i> '<CRITIQUE_RUN>"), [(10, Progress::Whole)]);
        assert_eq!(broken(" a='<CRITIQUE_RUN>'>"), [(20, Progress::Whole)]);
    }

    #[test]
    fn escape_sequences_in_a_tag_are_not_part_of_it() {
        assert_eq!(attributes("DIM\x1b[0m \x1b[33mname\x1b[0m=\"a\"\x1b[m>"), pairs(&[("name", "a")]));
    }

    #[test]
    fn entities_in_values_are_decoded() {
        assert_eq!(attributes("DIM name=\"a &amp; b &#x41;\">"), pairs(&[("name", "a & b A")]));
    }

    #[test]
    fn decimals_are_what_people_write() {
        assert_eq!(decimal("7.5"), Some(7.5));
        assert_eq!(decimal("-3"), Some(-3.0));
        for bad in ["", ".", "-", "9,5", "9/10", "n/a", "0x9", "1e1", "inf", "NaN", "1.2.3"] {
            assert_eq!(decimal(bad), None, "{bad}");
        }
    }
}
