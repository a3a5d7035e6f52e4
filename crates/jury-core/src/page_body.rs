//! Whether the body of an artifact is a page: markup that a browser would show as the work, and all of it.
//!
//! A body that is no page was never reviewed as one, whatever the panel says. This is no validator: it accepts what HTML lets
//! an author leave out, and pages that are put together carelessly. It refuses what is something else (words, markup that is
//! written in character references, nothing at all) and what was cut off.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::encoded_markup::is_encoded;
use crate::line::has_words;
use crate::markup::{MarkupPiece, OPTIONAL, Scanner, Tag, VOID};

/// The bytes of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageBody<'a> {
    /// The page, without a fence around it.
    pub bytes: &'a [u8],
    /// A code fence stood around it.
    pub fenced: bool,
}

/// Why a body is no page, for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAPage(String);

/// Elements whose content is text up to their end.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

/// Elements in which a slash closes a tag.
const FOREIGN: &[&str] = &["svg", "math"];

/// Elements that show something without a word in them, or that may make the page.
const SHOWS: &[&str] = &[
    "img", "picture", "svg", "canvas", "video", "audio", "object", "embed", "iframe", "input", "button",
    "select", "textarea", "script", "hr", "meter", "progress",
];

/// Elements of which at least one is on every page: those that hold content, and those that show it.
const CONTENT: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "blockquote",
    "body",
    "center",
    "code",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "html",
    "i",
    "label",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "small",
    "span",
    "strong",
    "summary",
    "table",
    "td",
    "th",
    "tr",
    "u",
    "ul",
];

const IN_REFERENCES: &str = "its markup is written in character references";

/// The page in this body. Linear in its length.
pub fn page_body(body: &[u8]) -> Result<PageBody<'_>, NotAPage> {
    let (bytes, fenced) = match without_fence(body) {
        Some(inside) => (inside, true),
        None => (body, false),
    };
    let text = String::from_utf8_lossy(bytes);
    match check(&text) {
        Ok(()) => Ok(PageBody { bytes, fenced }),
        Err(why) => Err(NotAPage(why.into_owned())),
    }
}

/// What stands in a code fence, if the body is one fenced block and nothing else.
fn without_fence(body: &[u8]) -> Option<&[u8]> {
    let body = trimmed(body);
    let mark = *body.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = body.iter().take_while(|byte| **byte == mark).count();
    let line_end = memchr::memchr(b'\n', body)?;
    let info = body.get(length..line_end)?;
    let inside = body.get(line_end + 1..)?;
    let closing = inside.iter().rev().take_while(|byte| **byte == mark).count();
    let content = inside.get(..inside.len().checked_sub(closing)?)?;
    let own_line = content.last().is_none_or(|byte| matches!(byte, b'\n' | b' ' | b'\t' | b'>'));
    let is_fence =
        length >= 3 && closing >= length && own_line && !info.contains(&b'<') && !info.contains(&mark);
    is_fence.then_some(content)
}

fn trimmed(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii()
}

fn check(page: &str) -> Result<(), Cow<'static, str>> {
    let mut reader = Reader { page, ..Reader::default() };
    reader.read()?;
    let Reader { content, shows, ended, open, texts, .. } = reader;
    if !content {
        return Err(Cow::Borrowed(if page.contains("&lt;") {
            IN_REFERENCES
        } else {
            "there is no element of HTML in it"
        }));
    }
    // A page may show source code, and has words of its own then.
    if texts.source && !texts.words {
        return Err(Cow::Borrowed(IN_REFERENCES));
    }
    if !shows {
        return Err(Cow::Borrowed("there is nothing on it"));
    }
    if !ended && let Some((name, _)) = open.iter().find(|(_, count)| **count > 0) {
        return Err(Cow::Owned(format!("it ends before <{name}> is closed")));
    }
    Ok(())
}

#[derive(Default)]
struct Reader<'a> {
    page: &'a str,
    /// An element that a page is made of was seen.
    content: bool,
    /// Something to look at was seen.
    shows: bool,
    /// The end of the document or of its body was seen.
    ended: bool,
    /// How many elements of a name are open that cannot do without their end.
    open: BTreeMap<String, u32>,
    /// How deep in drawings and formulas the reader is.
    foreign: u32,
    /// Where in the document the reader is.
    part: Part,
    /// The elements around that show source code, by name, the innermost last.
    code: Vec<String>,
    texts: Texts,
}

/// What the texts of a page are.
#[derive(Default)]
struct Texts {
    /// A part of a page is shown as source code.
    source: bool,
    /// There are words that are no source code.
    words: bool,
}

#[derive(Default, PartialEq, Eq)]
enum Part {
    Head,
    #[default]
    Body,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Cow<'static, str>> {
        let mut scanner = Scanner::new(self.page);
        let mut text_start = 0;
        let mut first = true;
        let mut behind = false;
        while let Some(piece) = scanner.next() {
            let (start, end) = match &piece {
                MarkupPiece::Start(tag) | MarkupPiece::End(tag) => (tag.span.start, tag.span.end),
                MarkupPiece::Comment(span) | MarkupPiece::Declaration(span) => (span.start, span.end),
            };
            if first && self.has_words(&(text_start..start)) {
                return Err(Cow::Borrowed(
                    if self.page.get(..start).is_some_and(|text| text.contains("&lt;")) {
                        IN_REFERENCES
                    } else {
                        "words stand in front of its first tag"
                    },
                ));
            }
            self.words(text_start..start, behind)?;
            text_start = end;
            match piece {
                MarkupPiece::Comment(span) => self.closed(&span, "-->", "a comment")?,
                MarkupPiece::Declaration(span) => self.closed(&span, ">", "a declaration")?,
                MarkupPiece::End(tag) => {
                    whole(&tag)?;
                    first = false;
                    behind |= tag.name == "html";
                    self.close(&tag.name);
                }
                MarkupPiece::Start(tag) => {
                    whole(&tag)?;
                    first = false;
                    text_start = self.begin(&tag, &mut scanner)?.unwrap_or(end);
                }
            }
        }
        self.words(text_start..self.page.len(), behind)
    }

    fn has_words(&self, span: &Range<usize>) -> bool {
        let text = self.page.get(span.clone()).unwrap_or_default();
        text.contains(|ch: char| !ch.is_whitespace() && ch != '\u{feff}')
    }

    fn words(&mut self, span: Range<usize>, behind: bool) -> Result<(), Cow<'static, str>> {
        if !self.has_words(&span) {
            return Ok(());
        }
        if behind {
            return Err(Cow::Borrowed("words stand behind its end"));
        }
        self.shows |= self.part == Part::Body;
        let text =
            self.page.get(span).filter(|_| self.foreign == 0 && self.part == Part::Body).unwrap_or_default();
        let encoded = is_encoded(text);
        if encoded && self.code.is_empty() {
            return Err(Cow::Borrowed(IN_REFERENCES));
        }
        self.texts.source |= encoded;
        self.texts.words |= self.code.is_empty() && has_words(text);
        Ok(())
    }

    fn closed(&self, span: &Range<usize>, end: &str, what: &str) -> Result<(), Cow<'static, str>> {
        if self.page.get(span.clone()).is_some_and(|text| text.ends_with(end)) {
            Ok(())
        } else {
            Err(Cow::Owned(format!("it ends inside {what}")))
        }
    }

    /// Takes a start tag. Where its content ends, if that is text.
    fn begin(
        &mut self,
        tag: &Tag<'_>,
        scanner: &mut Scanner<'_>,
    ) -> Result<Option<usize>, Cow<'static, str>> {
        let name = tag.name.as_str();
        let is_foreign = FOREIGN.contains(&name);
        self.shows |= SHOWS.contains(&name)
            && !(self.part == Part::Head && name == "script" && tag.attribute("src").is_none());
        self.content |= CONTENT.contains(&name) || SHOWS.contains(&name);
        match name {
            "head" => self.part = Part::Head,
            "body" => self.part = Part::Body,
            _ => {}
        }
        if VOID.contains(&name) || (tag.self_closed && (is_foreign || self.foreign > 0)) {
            return Ok(None);
        }
        if is_foreign {
            self.foreign += 1;
        }
        if self.foreign == 0 && RAW.contains(&name) {
            let text = scanner.raw_text(name);
            if text.end == self.page.len() {
                return Err(Cow::Owned(format!("it ends inside <{name}>")));
            }
            return Ok(Some(text.end));
        }
        // Deeper than this nobody shows code, and the list is gone through for every tag.
        let nested = self.code.iter().any(|open| open == name);
        if self.code.len() < MOST_CODE && (nested || shows_code(tag)) {
            self.code.push(name.to_owned());
        }
        if !OPTIONAL.contains(&name) {
            *self.open.entry(name.to_owned()).or_default() += 1;
        }
        Ok(None)
    }

    fn close(&mut self, name: &str) {
        self.ended |= matches!(name, "html" | "body");
        if name == "head" {
            self.part = Part::Body;
        }
        if FOREIGN.contains(&name) {
            self.foreign = self.foreign.saturating_sub(1);
        }
        if let Some(last) = self.code.iter().rposition(|open| open == name) {
            self.code.truncate(last);
        }
        if let Some(count) = self.open.get_mut(name) {
            *count = count.saturating_sub(1);
        }
    }
}

/// Whether an element is there to show source code: by its name, or by what its author calls it.
fn shows_code(tag: &Tag<'_>) -> bool {
    if matches!(tag.name.as_str(), "html" | "body" | "main") {
        return false;
    }
    if matches!(tag.name.as_str(), "pre" | "code" | "kbd" | "samp" | "var" | "listing" | "plaintext") {
        return true;
    }
    let called = ["class", "id", "style", "data-lang", "data-language"]
        .into_iter()
        .filter_map(|name| tag.attribute(name));
    let mut words = called.flat_map(|value| value.split(|ch: char| !ch.is_ascii_alphabetic()));
    words.any(|word| CODE_WORDS.iter().any(|code| word.eq_ignore_ascii_case(code)))
}

/// What authors call the boxes in which they show source code.
const CODE_WORDS: [&str; 13] = [
    "code",
    "codeblock",
    "snippet",
    "syntax",
    "highlight",
    "hljs",
    "prism",
    "shiki",
    "editor",
    "terminal",
    "console",
    "markup",
    "monospace",
];

/// How many elements that show code may stand inside each other.
const MOST_CODE: usize = 32;

fn whole(tag: &Tag<'_>) -> Result<(), Cow<'static, str>> {
    if tag.whole {
        return Ok(());
    }
    let name: String = tag.name.chars().take(40).collect();
    Err(Cow::Owned(format!("it ends inside the tag <{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(body: &str) -> String {
        match page_body(body.as_bytes()) {
            Ok(PageBody { bytes, fenced: true }) => {
                format!("fenced: {}", String::from_utf8_lossy(bytes).trim())
            }
            Ok(PageBody { fenced: false, .. }) => "page".to_owned(),
            Err(why) => why.to_string(),
        }
    }

    #[test]
    fn what_html_lets_an_author_leave_out_is_a_page() {
        for page in [
            "<!doctype html><html lang=en><head><title>a</title><body><p>One<p>Two<ul><li>x<li>y</ul>",
            "<p>Soup</p>",
            "\u{feff}\n<!-- made by hand --><!doctype html>\n<main><h1>Soup</h1></main>",
            "<div><p>careless<div></body></html>\n",
            "<!doctype html><html><body><script>if (a[b[0]]>1) document.write('</p>')</script></body></html>",
            "<svg viewBox='0 0 1 1'><path d='M0 0'/><title>x</title></svg>",
            "<html><head><script src=app.js></script></head><body><div id=root></div></body></html>",
            "<p>Escape it: &lt;html&gt;</p>",
            "<p>&lt;b&gt;Bold&lt;/b&gt; is bold</p>",
            "<p>&lt;p&gt; begins a paragraph</p>",
            "<p>Write &lt;p&gt;Soup&lt;/p&gt; for a paragraph</p>",
            "<h1>Tags</h1><pre><code>&lt;main&gt;&lt;h1&gt;Soup&lt;/h1&gt;&lt;/main&gt;</code></pre>",
            "<p>So:<div class='code-block'><div>&lt;p&gt;Soup&lt;/p&gt;</div>\n<div>&lt;p&gt;Bread&lt;/p&gt;</div></div>",
            "<table><tr><td>1<td>2<tr><td>3</table>",
            "<img src=a.png alt=Soup>",
            "<p>3 < 4</p>",
            "<p>x</p></html><!-- end --><script>1</script>",
        ] {
            assert_eq!(verdict(page), "page", "{page}");
        }
    }

    #[test]
    fn what_is_no_page_is_told_why() {
        for (body, why) in [
            ("hello world", "there is no element of HTML in it"),
            ("", "there is no element of HTML in it"),
            ("&lt;!doctype html&gt;&lt;p&gt;Soup&lt;/p&gt;", "its markup is written in character references"),
            ("{\"page\": \"x < y\"}", "there is no element of HTML in it"),
            ("&lt;p&gt; <p>Soup</p>", "its markup is written in character references"),
            (
                "<body>&lt;main>&lt;h1>Soup&lt;/h1>&lt;p>Hot</p></body>",
                "its markup is written in character references",
            ),
            (
                "<h1>Soup</h1>\n&#60;p&#62;Hot and good&#60;/p&#62;",
                "its markup is written in character references",
            ),
            (
                "<div>&amp;lt;ul&amp;gt;&amp;lt;li&amp;gt;Hot&amp;lt;/li&amp;gt;</div>",
                "its markup is written in character references",
            ),
            (
                "<pre>x</pre><div>\\u003csection class=a\\u003eHot soup\\u003c/section\\u003e</div>",
                "its markup is written in character references",
            ),
            (
                "<body><pre>&lt;main>&lt;h1>Soup&lt;/h1>&lt;/main></pre></body>",
                "its markup is written in character references",
            ),
            (
                "<body class=code>&lt;main>&lt;h1>Soup&lt;/h1></body>",
                "its markup is written in character references",
            ),
            ("<note><to>Soup</to></note>", "there is no element of HTML in it"),
            ("Here is the page: <p>Soup</p>", "words stand in front of its first tag"),
            ("<html><p>Soup</p></html> Hope it helps!", "words stand behind its end"),
            (
                "<!doctype html><html><head><title>Soup</title></head><body></body></html>",
                "there is nothing on it",
            ),
            ("<p>Soup</p><a href=\"/b", "it ends inside the tag <a"),
            ("<p>Soup</p><script>if (a[b[0", "it ends inside <script>"),
            ("<p>Soup</p><style>p { color", "it ends inside <style>"),
            ("<p>Soup</p><!-- and", "it ends inside a comment"),
            ("<!doctype html><body><main><h1>Soup", "it ends before <h1> is closed"),
            ("```html\n<p>Soup</p>", "words stand in front of its first tag"),
        ] {
            assert_eq!(verdict(body), why, "{body}");
        }
    }

    #[test]
    fn a_fence_around_a_page_comes_off() {
        for fenced in ["```html\n<p>Soup</p>\n```", "\n~~~~\n<p>Soup</p>\n~~~~\n", "```\n<p>Soup</p>```"] {
            assert_eq!(verdict(fenced), "fenced: <p>Soup</p>", "{fenced}");
        }
    }

    #[test]
    fn a_page_that_opens_and_closes_without_end_is_read_in_one_go() {
        let page = format!("{}{}<p>x</p>", "<div>".repeat(200_000), "</span>".repeat(200_000));
        assert_eq!(verdict(&page), "it ends before <div> is closed");
    }
}
