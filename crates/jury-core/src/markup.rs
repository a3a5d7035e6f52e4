//! The tags of an HTML source with their places, found without building a tree. Linear in the length of the source.
//!
//! It reads tags as a browser does and knows no elements: whose content is text and no markup is up to the caller, who
//! then passes over it with [`Scanner::raw_text`].

use std::ops::Range;

/// Elements without an end.
pub const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements whose end may be left out.
pub const OPTIONAL: &[&str] = &[
    "body", "colgroup", "dd", "dt", "head", "html", "li", "option", "p", "tbody", "td", "tfoot", "th",
    "thead", "tr",
];

/// What is not text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkupPiece<'a> {
    /// A start tag with its attributes.
    Start(Tag<'a>),
    /// An end tag, such as `</p>`.
    End(Tag<'a>),
    /// A comment, from `<!--` to behind `-->`.
    Comment(Range<usize>),
    /// A declaration, from `<!` or `<?` to behind `>`.
    Declaration(Range<usize>),
}

/// A start or end tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name of the element, in lower case.
    pub name: String,
    /// From `<` to behind `>`, or to the end of the source.
    pub span: Range<usize>,
    /// Attributes in order, also those that are there twice: the first one counts.
    pub attributes: Vec<Attribute<'a>>,
    /// It ends in `/>`, and the slash is no part of a value.
    pub self_closed: bool,
    /// It ends before the source does.
    pub whole: bool,
}

/// An attribute of a start tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name of the attribute, in lower case.
    pub name: String,
    /// The value as it is written, character references included; empty without one.
    pub raw: &'a str,
    /// From the name to behind the value and its quotes.
    pub span: Range<usize>,
    /// The value without its quotes.
    pub value: Range<usize>,
}

impl<'a> Tag<'a> {
    /// The value of an attribute as it is written.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.raw)
    }
}

/// Walks over a source.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Iterator for Scanner<'a> {
    type Item = MarkupPiece<'a>;

    fn next(&mut self) -> Option<MarkupPiece<'a>> {
        loop {
            let start = self.at + memchr::memchr(b'<', self.rest())?;
            self.at = start + 1;
            match self.rest() {
                // `<!-->` is a comment, too.
                [b'!', b'-', b'-', ..] => {
                    self.at += 1;
                    return Some(MarkupPiece::Comment(start..self.past("-->")));
                }
                [b'!' | b'?', ..] => return Some(MarkupPiece::Declaration(start..self.past(">"))),
                [b'/', first, ..] if first.is_ascii_alphabetic() => {
                    self.at += 1;
                    return Some(MarkupPiece::End(self.tag(start)));
                }
                [first, ..] if first.is_ascii_alphabetic() => {
                    return Some(MarkupPiece::Start(self.tag(start)));
                }
                _ => {}
            }
        }
    }
}

impl<'a> Scanner<'a> {
    /// Begins with a source.
    pub fn new(html: &'a str) -> Self {
        Self { html, at: 0 }
    }

    /// Passes over the content of an element of this name that holds no markup, up to its end tag or the end of the
    /// source.
    pub fn raw_text(&mut self, name: &str) -> Range<usize> {
        let start = self.at;
        loop {
            let Some(offset) = memchr::memmem::find(self.rest(), b"</") else {
                self.at = self.html.len();
                return start..self.at;
            };
            self.at += offset + 2;
            let (found, behind) = self.rest().split_at_checked(name.len()).unwrap_or_default();
            let ends = behind.first().is_none_or(|byte| is_space(*byte) || matches!(byte, b'>' | b'/'));
            if ends && found.eq_ignore_ascii_case(name.as_bytes()) {
                self.at -= 2;
                return start..self.at;
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.html.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    fn pass_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.byte().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    /// Goes to behind the next of these, or to the end.
    fn past(&mut self, end: &str) -> usize {
        let found = memchr::memmem::find(self.rest(), end.as_bytes());
        self.at = found.map_or(self.html.len(), |found| self.at + found + end.len());
        self.at
    }

    fn lower(&self, span: Range<usize>) -> String {
        self.html.get(span).unwrap_or_default().to_ascii_lowercase()
    }

    /// A tag from its name on.
    fn tag(&mut self, start: usize) -> Tag<'a> {
        let name_start = self.at;
        self.pass_while(|byte| !is_space(byte) && !matches!(byte, b'>' | b'/'));
        let name = self.lower(name_start..self.at);
        let mut tag =
            Tag { name, span: start..start, attributes: Vec::new(), self_closed: false, whole: false };
        loop {
            self.pass_while(is_space);
            match self.byte() {
                None => break,
                Some(b'>') => {
                    self.at += 1;
                    tag.whole = true;
                    break;
                }
                Some(b'/') => {
                    self.at += 1;
                    tag.self_closed = self.byte() == Some(b'>');
                }
                Some(_) => {
                    let attribute = self.attribute();
                    tag.attributes.push(attribute);
                }
            }
        }
        tag.span.end = self.at;
        tag
    }

    fn attribute(&mut self) -> Attribute<'a> {
        let start = self.at;
        self.at += 1;
        self.pass_while(|byte| !is_space(byte) && !matches!(byte, b'=' | b'>' | b'/'));
        let name_end = self.at;
        let name = self.lower(start..name_end);
        self.pass_while(is_space);
        if self.byte() != Some(b'=') {
            self.at = name_end;
            return Attribute { name, raw: "", span: start..name_end, value: name_end..name_end };
        }
        self.at += 1;
        self.pass_while(is_space);
        let quote = self.byte().filter(|byte| matches!(byte, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let from = self.at;
        match quote {
            Some(quote) => {
                let length = memchr::memchr(quote, self.rest()).unwrap_or(self.rest().len());
                self.at += length;
            }
            None => self.pass_while(|byte| !is_space(byte) && byte != b'>'),
        }
        let value = from..self.at;
        if quote.is_some() {
            self.at = (self.at + 1).min(self.html.len());
        }
        let raw = self.html.get(value.clone()).unwrap_or_default();
        Attribute { name, raw, span: start..self.at, value }
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> Vec<String> {
        let text = |span: Range<usize>| html.get(span).unwrap_or("?").to_owned();
        Scanner::new(html)
            .map(|piece| match piece {
                MarkupPiece::Start(tag) => {
                    let attributes: Vec<String> =
                        tag.attributes.iter().map(|one| format!("{}={}", one.name, one.raw)).collect();
                    format!("{} [{}] {}", tag.name, attributes.join(" "), text(tag.span))
                }
                MarkupPiece::End(tag) => format!("/{} {}", tag.name, text(tag.span)),
                MarkupPiece::Comment(span) | MarkupPiece::Declaration(span) => text(span),
            })
            .collect()
    }

    #[test]
    fn tags_are_read_with_their_places() {
        assert_eq!(
            shown(
                "<!doctype html><!-- <a> --><LINK rel = X href='a b' off>3 < 4</P><img src=x/><é><!--><b/>"
            ),
            [
                "<!doctype html>",
                "<!-- <a> -->",
                "link [rel=X href=a b off=] <LINK rel = X href='a b' off>",
                "/p </P>",
                "img [src=x/] <img src=x/>",
                "<!-->",
                "b [] <b/>",
            ]
        );
    }

    #[test]
    fn raw_text_ends_with_its_own_end() {
        let html = "<style>a</stylex></b></STYLE ><p>";
        let mut scanner = Scanner::new(html);
        scanner.next();
        assert_eq!(html.get(scanner.raw_text("style")), Some("a</stylex></b>"));
        assert!(matches!(scanner.next(), Some(MarkupPiece::End(tag)) if tag.name == "style"));
        assert!(matches!(scanner.next(), Some(MarkupPiece::Start(tag)) if tag.name == "p"));
        let mut open = Scanner::new("<style>é</styl");
        open.next();
        assert_eq!((open.raw_text("style"), open.next()), (7..15, None));
    }

    #[test]
    fn broken_tags_end_with_the_source() {
        for html in ["<a", "<a b", "<a b=", "<a b='c", "<a b= ", "<a /", "</a x"] {
            let pieces: Vec<MarkupPiece<'_>> = Scanner::new(html).collect();
            assert!(
                matches!(pieces.as_slice(), [MarkupPiece::Start(tag) | MarkupPiece::End(tag)] if !tag.whole && tag.span == (0..html.len())),
                "{html}: {pieces:?}"
            );
        }
        for html in ["", "<", "</", "< a", "</ a>", "<é>"] {
            assert_eq!(Scanner::new(html).next(), None, "{html}");
        }
    }
}
