//! Whether a text is well-formed HTML: every tag is whole, and every end has its beginning.
//!
//! It is not a validator. It accepts whatever HTML lets an author leave out (the ends of paragraphs, list items
//! and cells, void elements, a `<` that begins no tag) and refuses what a page only has when it was cut off or
//! put together wrongly.

use std::fmt;
use std::ops::Range;

use crate::markup::{Attribute, MarkupPiece, OPTIONAL, Scanner, Tag, VOID};

/// The first thing that is wrong with a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct HtmlFlaw {
    /// The flaw, for a person.
    pub what: String,
    /// In which line, from 1.
    pub line: usize,
}

impl fmt::Display for HtmlFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {})", self.what, self.line)
    }
}

/// Elements whose content is text up to their end.
const RAW: &[&str] = &["script", "style", "textarea", "title"];

/// Elements in which a slash closes a tag.
const FOREIGN: &[&str] = &["svg", "math"];

/// The longest name that is quoted in a message.
const QUOTED: usize = 40;

/// Checks a page. Linear in its length.
pub fn check(page: &str) -> Result<(), HtmlFlaw> {
    let mut reader = Reader { page, open: Vec::new(), elements: 0 };
    reader.read()?;
    if reader.elements == 0 {
        return Err(HtmlFlaw { what: "there is no element in it".to_owned(), line: 1 });
    }
    match reader.open.iter().find(|(name, _)| !OPTIONAL.contains(&name.as_str())) {
        Some((name, at)) => Err(reader.flaw(format!("<{name}> is never closed"), *at)),
        None => Ok(()),
    }
}

struct Reader<'a> {
    page: &'a str,
    /// What is open, and where it began.
    open: Vec<(String, usize)>,
    elements: usize,
}

impl Reader<'_> {
    fn flaw(&self, what: String, at: usize) -> HtmlFlaw {
        let before = self.page.as_bytes().get(..at).unwrap_or_default();
        HtmlFlaw { what, line: memchr::memchr_iter(b'\n', before).count() + 1 }
    }

    fn read(&mut self) -> Result<(), HtmlFlaw> {
        let mut scanner = Scanner::new(self.page);
        while let Some(piece) = scanner.next() {
            match piece {
                MarkupPiece::Comment(span) => self.closed(span, "-->", "a comment is never closed")?,
                MarkupPiece::Declaration(span) => self.closed(span, ">", "a declaration is never closed")?,
                MarkupPiece::End(tag) => {
                    self.whole(&tag)?;
                    self.close(&tag.name, tag.span.start)?;
                }
                MarkupPiece::Start(tag) => {
                    self.whole(&tag)?;
                    self.elements += 1;
                    self.begin(tag, &mut scanner)?;
                }
            }
        }
        Ok(())
    }

    fn closed(&self, span: Range<usize>, end: &str, what: &str) -> Result<(), HtmlFlaw> {
        let start = span.start;
        let ends = self.page.get(span).is_some_and(|text| text.ends_with(end));
        if ends { Ok(()) } else { Err(self.flaw(what.to_owned(), start)) }
    }

    /// Whether a tag ends before the next one begins. A `<` may only stand in quotes.
    fn whole(&self, tag: &Tag<'_>) -> Result<(), HtmlFlaw> {
        let shown =
            || tag.name.split('<').next().unwrap_or_default().chars().take(QUOTED).collect::<String>();
        let bare = |attribute: &Attribute<'_>| {
            let before = attribute.value.start.checked_sub(1).and_then(|at| self.page.as_bytes().get(at));
            let quoted = matches!(before, Some(b'"' | b'\''));
            attribute.name.contains('<') || (!quoted && attribute.raw.contains('<'))
        };
        if tag.name.contains('<') || tag.attributes.iter().any(bare) {
            return Err(self.flaw(format!("the tag <{} is not closed", shown()), tag.span.start));
        }
        if !tag.whole {
            return Err(self.flaw(format!("the page ends inside the tag <{}", shown()), tag.span.start));
        }
        Ok(())
    }

    fn begin(&mut self, tag: Tag<'_>, scanner: &mut Scanner<'_>) -> Result<(), HtmlFlaw> {
        let Tag { name, span, .. } = tag;
        let slash = self.page.get(span.clone()).is_some_and(|tag| tag.ends_with("/>"));
        let foreign = self.open.iter().any(|(name, _)| FOREIGN.contains(&name.as_str()));
        if VOID.contains(&name.as_str()) || (slash && (foreign || FOREIGN.contains(&name.as_str()))) {
            return Ok(());
        }
        if !foreign && RAW.contains(&name.as_str()) && scanner.raw_text(&name).end == self.page.len() {
            return Err(self.flaw(format!("<{name}> is never closed"), span.start));
        }
        self.open.push((name, span.start));
        Ok(())
    }

    fn close(&mut self, name: &str, at: usize) -> Result<(), HtmlFlaw> {
        if VOID.contains(&name) {
            // `</br>` is read as `<br>`.
            return Ok(());
        }
        let shown: String = name.chars().take(QUOTED).collect();
        let Some(index) = self.open.iter().rposition(|(open, _)| open == name) else {
            return Err(self.flaw(format!("</{shown}> closes nothing"), at));
        };
        let due = self.open.iter().skip(index + 1).rfind(|(open, _)| !OPTIONAL.contains(&open.as_str()));
        if let Some((due, _)) = due {
            return Err(self.flaw(format!("</{shown}> stands where </{due}> is due"), at));
        }
        self.open.truncate(index);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(page: &str) -> String {
        check(page).map_or_else(|flaw| flaw.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn what_html_lets_an_author_leave_out_is_fine() {
        for page in [
            "<!doctype html><html lang=en><head><title>a < b</title><body><p>One<p>Two<ul><li>x<li>y</ul>",
            "<table><tr><td>1<td>2<tr><td>3</table>",
            "<p>3 < 4 <br> <img src=x alt='a > b'/> <input></p>",
            "<svg viewBox='0 0 1 1'><path d='M0 0'/><g><circle/></g></svg>",
            "<script>if (a</b/.test('</p>')) {}</script><style>a > b {}</style><!-- <div> -->",
            "<DIV>x</div>",
            "<p title=\"it's\" data-x=a'b>y</p>",
            "<a href=/docs/>x</a>",
        ] {
            assert_eq!(flaw(page), "fine", "{page}");
        }
    }

    #[test]
    fn what_was_cut_off_or_put_together_wrongly_is_not() {
        assert_eq!(flaw(""), "there is no element in it (line 1)");
        assert_eq!(flaw("just words"), "there is no element in it (line 1)");
        assert_eq!(flaw("<main>\n<p>x"), "<main> is never closed (line 1)");
        assert_eq!(flaw("<p>x</div>"), "</div> closes nothing (line 1)");
        assert_eq!(flaw("<b>\n<i></b></i>"), "</b> stands where </i> is due (line 2)");
        assert_eq!(flaw("<p>a\n<a href=\"x"), "the page ends inside the tag <a (line 2)");
        assert_eq!(flaw("<p>a<div <p>"), "the tag <div is not closed (line 1)");
        assert_eq!(flaw("<style>a {"), "<style> is never closed (line 1)");
        assert_eq!(flaw("<!-- x <p>"), "a comment is never closed (line 1)");
        assert_eq!(flaw("<p>x</p>\n```\n</html>"), "</html> closes nothing (line 3)");
    }
}
