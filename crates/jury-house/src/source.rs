//! The page as text: where each tag, comment and style block stands, so that a repair can change a few
//! bytes and leave every other one alone. This is a light reader, not a parser; what it cannot line up
//! with the measured page is simply not repaired.

use std::ops::Range;

use jury_eye::{NodeId, Snapshot};

/// One start tag.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    /// Lower-case name.
    pub(crate) name: String,
    /// From `<` to behind `>`.
    pub(crate) span: Range<usize>,
    /// Attributes with the place of each.
    pub(crate) attributes: Vec<Attribute>,
    /// Whether the tag ends in `/>`.
    pub(crate) self_closed: bool,
}

/// One attribute of a start tag.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    /// Lower-case name.
    pub(crate) name: String,
    /// The value as written, character references included.
    pub(crate) raw: String,
    /// From the name to behind the value and its quotes.
    pub(crate) span: Range<usize>,
    /// The value without its quotes; empty for an attribute without one.
    pub(crate) value: Range<usize>,
}

/// Where the parts of a page stand.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Start tags outside SVG content and templates, in order.
    pub(crate) tags: Vec<Tag>,
    /// Comments, from `<!--` to behind `-->`.
    pub(crate) comments: Vec<Range<usize>>,
    /// The content of each `style` element.
    pub(crate) styles: Vec<Range<usize>>,
    /// The content of elements that hold no markup, styles included.
    pub(crate) raw_texts: Vec<Range<usize>>,
    line_starts: Vec<usize>,
    by_node: Vec<Option<usize>>,
}

impl Tag {
    /// The attribute with this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Where another attribute can be put: behind the name.
    pub(crate) fn insertion_point(&self) -> usize {
        self.span.start + 1 + self.name.len()
    }
}

impl Source {
    /// Reads the text alone.
    pub(crate) fn read(html: &str) -> Self {
        let mut source = Self {
            tags: Vec::new(),
            comments: Vec::new(),
            styles: Vec::new(),
            raw_texts: Vec::new(),
            line_starts: std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', html.as_bytes()).map(|at| at + 1))
                .collect(),
            by_node: Vec::new(),
        };
        Reader { html, at: 0 }.read_into(&mut source);
        source
    }

    /// Reads the text and finds the tag of every element in the snapshot.
    pub(crate) fn aligned(html: &str, snapshot: &Snapshot) -> Self {
        let mut source = Self::read(html);
        source.by_node = align(&source.tags, snapshot);
        source
    }

    /// The tag an element came from, when it could be found.
    pub(crate) fn tag(&self, node: NodeId) -> Option<&Tag> {
        let index = (*self.by_node.get(node.index())?)?;
        self.tags.get(index)
    }

    /// The line of a byte, from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset)
    }
}

/// Walks both lists in step. Elements without a tag (implied `tbody`) and tags without an element
/// (dropped by the parser) are passed over; a tag belongs to an element when name and attributes agree.
fn align(tags: &[Tag], snapshot: &Snapshot) -> Vec<Option<usize>> {
    /// How many tags may have been dropped in a row before an element is given up instead.
    const LOOK_AHEAD: usize = 12;
    let mut next = 0;
    snapshot
        .nodes
        .iter()
        .map(|node| {
            let fits = |tag: &Tag| {
                tag.name == node.tag
                    && tag.attributes.len() == node.attributes.len()
                    && tag.attributes.iter().zip(&node.attributes).all(|(written, (name, value))| {
                        written.name == *name
                            && (written.raw == *value || written.raw.contains(['&', '\r', '\0']))
                    })
            };
            let window = tags.get(next..tags.len().min(next + LOOK_AHEAD))?;
            let found = window.iter().position(fits)?;
            // An implied element must not swallow the tag of the same name further down.
            if found > 0 && node.attributes.is_empty() && may_be_implied(&node.tag) {
                return None;
            }
            next += found + 1;
            Some(next - 1)
        })
        .collect()
}

fn may_be_implied(tag: &str) -> bool {
    matches!(tag, "html" | "head" | "body" | "tbody" | "colgroup" | "tr" | "p")
}

struct Reader<'a> {
    html: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn read_into(&mut self, source: &mut Source) {
        let bytes = self.html.as_bytes();
        let (mut svg_depth, mut template_depth) = (0_usize, 0_usize);
        while let Some(offset) = memchr::memchr(b'<', bytes.get(self.at..).unwrap_or_default()) {
            let start = self.at + offset;
            let rest = self.html.get(start..).unwrap_or_default();
            if rest.starts_with("<!--") {
                let end = rest
                    .get(4..)
                    .and_then(|body| body.find("-->"))
                    .map_or(self.html.len(), |end| start + 4 + end + 3);
                source.comments.push(start..end);
                self.at = end;
                continue;
            }
            let closing = rest.starts_with("</");
            let name_start = start + if closing { 2 } else { 1 };
            if !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
                self.at = start + 1;
                continue;
            }
            if closing {
                let name = self.name_at(name_start);
                self.at = memchr::memchr(b'>', bytes.get(start..).unwrap_or_default())
                    .map_or(bytes.len(), |end| start + end + 1);
                match name.as_str() {
                    "svg" => svg_depth = svg_depth.saturating_sub(1),
                    "template" => template_depth = template_depth.saturating_sub(1),
                    _ => {}
                }
                continue;
            }
            let tag = self.start_tag(start, name_start);
            self.at = tag.span.end;
            let name = tag.name.clone();
            let self_closed = tag.self_closed;
            if svg_depth == 0 && template_depth == 0 {
                source.tags.push(tag);
            }
            match name.as_str() {
                "svg" if !self_closed => svg_depth += 1,
                "template" => template_depth += 1,
                "script" | "style" | "textarea" | "title" | "xmp" | "iframe" | "noembed" | "noframes"
                    if svg_depth == 0 || name == "script" || name == "style" =>
                {
                    let body = self.at..self.raw_text_end(&name);
                    self.at = body.end;
                    source.raw_texts.push(body.clone());
                    if name == "style" && svg_depth == 0 {
                        source.styles.push(body);
                    }
                }
                _ => {}
            }
        }
    }

    fn name_at(&self, start: usize) -> String {
        self.html
            .get(start..)
            .unwrap_or_default()
            .chars()
            .take_while(|ch| !ch.is_ascii_whitespace() && !matches!(ch, '>' | '/'))
            .collect::<String>()
            .to_ascii_lowercase()
    }

    fn raw_text_end(&self, name: &str) -> usize {
        let mut from = self.at;
        while let Some(offset) = self.html.get(from..).and_then(|rest| rest.find("</")) {
            let candidate = from + offset;
            if self
                .html
                .get(candidate + 2..candidate + 2 + name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name))
            {
                return candidate;
            }
            from = candidate + 2;
        }
        self.html.len()
    }

    fn start_tag(&self, start: usize, name_start: usize) -> Tag {
        let bytes = self.html.as_bytes();
        let byte = |at: usize| bytes.get(at).copied();
        let name = self.name_at(name_start);
        let mut at = name_start + name.len();
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut self_closed = false;
        loop {
            while byte(at).is_some_and(|ch| ch.is_ascii_whitespace()) {
                at += 1;
            }
            match byte(at) {
                None => break,
                Some(b'>') => {
                    at += 1;
                    break;
                }
                Some(b'/') => {
                    self_closed = byte(at + 1) == Some(b'>');
                    at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let name_from = at;
            at += 1;
            while byte(at).is_some_and(|ch| !ch.is_ascii_whitespace() && !matches!(ch, b'=' | b'>' | b'/')) {
                at += 1;
            }
            let name_to = at;
            let mut look = at;
            while byte(look).is_some_and(|ch| ch.is_ascii_whitespace()) {
                look += 1;
            }
            let mut value = name_to..name_to;
            if byte(look) == Some(b'=') {
                at = look + 1;
                while byte(at).is_some_and(|ch| ch.is_ascii_whitespace()) {
                    at += 1;
                }
                if let Some(quote @ (b'"' | b'\'')) = byte(at) {
                    let from = at + 1;
                    let to = memchr::memchr(quote, bytes.get(from..).unwrap_or_default())
                        .map_or(bytes.len(), |end| from + end);
                    value = from..to;
                    at = (to + 1).min(bytes.len());
                } else {
                    let from = at;
                    while byte(at).is_some_and(|ch| !ch.is_ascii_whitespace() && ch != b'>') {
                        at += 1;
                    }
                    value = from..at;
                }
            }
            let attribute_name = self.html.get(name_from..name_to).unwrap_or_default().to_ascii_lowercase();
            // The parser keeps the first of two attributes with the same name.
            if !attributes.iter().any(|known| known.name == attribute_name) {
                attributes.push(Attribute {
                    name: attribute_name,
                    raw: self.html.get(value.clone()).unwrap_or_default().to_owned(),
                    span: name_from..at,
                    value,
                });
            }
        }
        Tag { name, span: start..at, attributes, self_closed }
    }
}

#[cfg(test)]
mod tests {
    use jury_eye::{Viewport, look};

    use super::*;

    fn aligned(html: &str) -> Vec<(String, Option<String>)> {
        let snapshot = look(html, Viewport::DESKTOP).expect("measurable");
        let source = Source::aligned(html, &snapshot);
        snapshot
            .nodes
            .iter()
            .map(|node| {
                let text = source.tag(node.id).and_then(|tag| html.get(tag.span.clone()));
                (node.tag.clone(), text.map(str::to_owned))
            })
            .collect()
    }

    #[test]
    fn implied_elements_have_no_tag_and_the_others_keep_theirs() {
        let found =
            aligned("<p class=a>x<table><tr><td>1</table><svg><g><path/></g></svg><b title='a>b'>y</b>");
        let pairs: Vec<(&str, Option<&str>)> =
            found.iter().map(|(tag, text)| (tag.as_str(), text.as_deref())).collect();
        assert_eq!(
            pairs,
            [
                ("html", None),
                ("head", None),
                ("body", None),
                ("p", Some("<p class=a>")),
                ("table", Some("<table>")),
                ("tbody", None),
                ("tr", Some("<tr>")),
                ("td", Some("<td>")),
                ("svg", Some("<svg>")),
                ("b", Some("<b title='a>b'>")),
            ]
        );
    }

    #[test]
    fn comments_styles_and_lines_are_found() {
        let html = "<!-- <p> -->\n<style>\np{}</style>\n<script>'<p>'</script>\n<p>";
        let source = Source::read(html);
        assert_eq!(source.comments, vec![0..12]);
        assert_eq!(
            source.styles.iter().map(|span| html.get(span.clone())).collect::<Vec<_>>(),
            [Some("\np{}")]
        );
        assert_eq!(source.tags.iter().map(|tag| source.line(tag.span.start)).collect::<Vec<_>>(), [2, 4, 5]);
    }
}
