//! The page as text: where each tag, comment and style block stands, so that a repair can change a few
//! bytes and leave every other one alone. This is a light reader, not a parser; what it cannot line up
//! with the measured page is simply not repaired.

use std::collections::BTreeSet;
use std::ops::Range;

use jury_core::markup::{self, MarkupPiece, Scanner};
use jury_eye::{NodeId, Snapshot};

/// One start tag of the source.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    /// The name, in lower case.
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
    /// The name, in lower case.
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
    /// The content of each `script` element that is code.
    pub(crate) scripts: Vec<Range<usize>>,
    /// The content of elements that hold no markup, styles included.
    pub(crate) raw_texts: Vec<Range<usize>>,
    line_starts: Vec<usize>,
    by_node: Vec<Option<usize>>,
}

impl Tag {
    fn of(tag: markup::Tag<'_>) -> Self {
        // The parser keeps the first of two attributes with the same name.
        let mut seen = BTreeSet::new();
        let first = tag.attributes.iter().filter(|attribute| seen.insert(attribute.name.as_str()));
        let attributes = first
            .map(|attribute| Attribute {
                name: attribute.name.clone(),
                raw: attribute.raw.to_owned(),
                span: attribute.span.clone(),
                value: attribute.value.clone(),
            })
            .collect();
        Self { attributes, name: tag.name, span: tag.span, self_closed: tag.self_closed }
    }

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
            scripts: Vec::new(),
            raw_texts: Vec::new(),
            line_starts: std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', html.as_bytes()).map(|at| at + 1))
                .collect(),
            by_node: Vec::new(),
        };
        read_into(html, &mut source);
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

/// Whether the content of an element is text and no markup.
fn is_raw(name: &str, in_svg: bool) -> bool {
    matches!(name, "script" | "style")
        || (!in_svg && matches!(name, "textarea" | "title" | "xmp" | "iframe" | "noembed" | "noframes"))
}

/// Whether a `script` of this type is code, and not data or a template.
pub(crate) fn is_code(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| {
        let kind = kind.trim().to_ascii_lowercase();
        kind.is_empty()
            || kind == "module"
            || ["javascript", "ecmascript", "babel", "jsx", "typescript"]
                .iter()
                .any(|code| kind.contains(code))
    })
}

fn read_into(html: &str, source: &mut Source) {
    let mut scanner = Scanner::new(html);
    let (mut svg_depth, mut template_depth) = (0_usize, 0_usize);
    while let Some(piece) = scanner.next() {
        match piece {
            MarkupPiece::Comment(span) => source.comments.push(span),
            MarkupPiece::Declaration(_) => {}
            MarkupPiece::End(tag) => match tag.name.as_str() {
                "svg" => svg_depth = svg_depth.saturating_sub(1),
                "template" => template_depth = template_depth.saturating_sub(1),
                _ => {}
            },
            MarkupPiece::Start(tag) => {
                let in_svg = svg_depth > 0;
                if is_raw(&tag.name, in_svg) {
                    let body = scanner.raw_text(&tag.name);
                    source.raw_texts.push(body.clone());
                    if tag.name == "style" && !in_svg {
                        source.styles.push(body);
                    } else if tag.name == "script" && is_code(tag.attribute("type")) {
                        source.scripts.push(body);
                    }
                }
                svg_depth += usize::from(tag.name == "svg" && !tag.self_closed);
                let in_template = template_depth > 0;
                template_depth += usize::from(tag.name == "template");
                if !in_svg && !in_template {
                    source.tags.push(Tag::of(tag));
                }
            }
        }
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
