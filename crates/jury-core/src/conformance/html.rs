//! Whether a text is well-formed HTML: every tag is whole, and every end has its beginning.
//!
//! It is not a validator. It accepts whatever HTML lets an author leave out (the ends of paragraphs, list items
//! and cells, void elements, a `<` that begins no tag) and refuses what a page only has when it was cut off or
//! put together wrongly.

use std::fmt;

/// The first thing that is wrong with a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Flaw {
    /// What.
    pub what: String,
    /// In which line, from 1.
    pub line: usize,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {})", self.what, self.line)
    }
}

/// Elements without an end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Elements whose end may be left out.
const OPTIONAL: &[&str] = &[
    "body", "caption", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p", "rp", "rt",
    "tbody", "td", "tfoot", "th", "thead", "tr",
];

/// Elements whose content is text up to their end.
const RAW: &[&str] = &["script", "style", "textarea", "title"];

/// Elements in which a slash closes a tag.
const FOREIGN: &[&str] = &["svg", "math"];

/// The longest name that is quoted in a message.
const QUOTED: usize = 40;

/// Checks a page. Linear in its length.
pub fn check(page: &str) -> Result<(), Flaw> {
    let mut reader = Reader { page, at: 0, open: Vec::new(), elements: 0 };
    reader.read()?;
    if reader.elements == 0 {
        return Err(Flaw { what: "there is no element in it".to_owned(), line: 1 });
    }
    match reader.open.iter().find(|(name, _)| !OPTIONAL.contains(&name.as_str())) {
        Some((name, at)) => Err(reader.flaw(format!("<{name}> is never closed"), *at)),
        None => Ok(()),
    }
}

struct Reader<'a> {
    page: &'a str,
    at: usize,
    /// What is open, and where it began.
    open: Vec<(String, usize)>,
    elements: usize,
}

impl Reader<'_> {
    fn flaw(&self, what: String, at: usize) -> Flaw {
        let before = self.page.as_bytes().get(..at).unwrap_or_default();
        Flaw { what, line: memchr::memchr_iter(b'\n', before).count() + 1 }
    }

    fn rest(&self) -> &str {
        self.page.get(self.at..).unwrap_or_default()
    }

    fn read(&mut self) -> Result<(), Flaw> {
        while let Some(found) = memchr::memchr(b'<', self.rest().as_bytes()) {
            let at = self.at + found;
            self.at = at + 1;
            match self.rest().as_bytes() {
                [b'!', b'-', b'-', ..] => self.skip_past("-->", at, "a comment is never closed")?,
                [b'!' | b'?', ..] => self.skip_past(">", at, "a declaration is never closed")?,
                [b'/', next, ..] if next.is_ascii_alphabetic() => {
                    self.at += 1;
                    let (name, _) = self.tag(at)?;
                    self.close(&name, at)?;
                }
                [next, ..] if next.is_ascii_alphabetic() => {
                    let (name, slash) = self.tag(at)?;
                    self.elements += 1;
                    self.begin(name, slash, at)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_past(&mut self, end: &str, at: usize, what: &str) -> Result<(), Flaw> {
        let found = memchr::memmem::find(self.rest().as_bytes(), end.as_bytes());
        let found = found.ok_or_else(|| self.flaw(what.to_owned(), at))?;
        self.at += found + end.len();
        Ok(())
    }

    /// The rest of a tag from its name on. Its name, and whether it ends with a slash.
    fn tag(&mut self, at: usize) -> Result<(String, bool), Flaw> {
        let bytes = self.rest().as_bytes();
        let length = bytes
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<'))
            .unwrap_or(bytes.len());
        let name = String::from_utf8_lossy(bytes.get(..length).unwrap_or_default()).to_ascii_lowercase();
        let shown: String = name.chars().take(QUOTED).collect();
        let (mut quote, mut slash, mut value) = (None, false, false);
        for (index, &byte) in bytes.iter().enumerate().skip(length) {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'>') => {
                    self.at += index + 1;
                    return Ok((name, slash));
                }
                // A quote is one only where a value begins.
                (None, b'"' | b'\'') if value => quote = Some(byte),
                (None, b'<') => return Err(self.flaw(format!("the tag <{shown} is not closed"), at)),
                (None, _) => slash = byte == b'/',
            }
            value = byte == b'=' || (value && byte.is_ascii_whitespace());
        }
        Err(self.flaw(format!("the page ends inside the tag <{shown}"), at))
    }

    fn begin(&mut self, name: String, slash: bool, at: usize) -> Result<(), Flaw> {
        let foreign = self.open.iter().any(|(name, _)| FOREIGN.contains(&name.as_str()));
        if VOID.contains(&name.as_str()) || (slash && (foreign || FOREIGN.contains(&name.as_str()))) {
            return Ok(());
        }
        if !foreign && RAW.contains(&name.as_str()) {
            return self.raw(&name, at);
        }
        self.open.push((name, at));
        Ok(())
    }

    /// Passes over the text of a raw element and its end.
    fn raw(&mut self, name: &str, at: usize) -> Result<(), Flaw> {
        loop {
            let never = format!("<{name}> is never closed");
            self.skip_past("</", at, &never)?;
            let here = self.rest().as_bytes().get(..name.len()).unwrap_or_default();
            if here.eq_ignore_ascii_case(name.as_bytes()) {
                return self.skip_past(">", at, &never);
            }
        }
    }

    fn close(&mut self, name: &str, at: usize) -> Result<(), Flaw> {
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
