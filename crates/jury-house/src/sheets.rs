//! The style sheets of a page: those in it, and those beside it with everything they import.

use std::collections::BTreeSet;
use std::ops::Range;

use jury_eye::{Beside, Snapshot, references_of_css};
use jury_text::css::Sheet;

use crate::css::{self, Declaration};
use crate::source::{Source, Tag};

/// A page has no more style sheets than this; the rest is not read.
const MOST_SHEETS: usize = 100;

/// The declarations of `style` elements and `style` attributes, with their places in the page.
pub(crate) fn own(html: &str, source: &Source) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    for span in &source.styles {
        let found = css::declarations(html.get(span.clone()).unwrap_or_default(), span.start);
        let media = condition(style_tag(source, span));
        declarations.extend(found.into_iter().map(|declaration| under(media.as_deref(), declaration)));
    }
    for tag in &source.tags {
        if let Some(style) = tag.attribute("style") {
            declarations.extend(css::inline_declarations(&style.raw, style.value.start));
        }
    }
    declarations
}

/// The declarations of style sheets beside the page. They stand nowhere in it: their place is where the page asks for
/// them.
pub(crate) fn linked(html: &str, source: &Source, snapshot: &Snapshot, beside: &Beside) -> Vec<Declaration> {
    let mut reader = Reader { beside, seen: BTreeSet::new(), found: Vec::new() };
    if beside.is_empty() {
        return reader.found;
    }
    for node in snapshot.nodes.iter().filter(|node| node.tag == "link") {
        let says = |word: &str| {
            node.attribute("rel")
                .is_some_and(|rel| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
        };
        if !says("stylesheet") || says("alternate") || node.attribute("disabled").is_some() {
            continue;
        }
        let Some(name) = node.attribute("href").and_then(Beside::name_of) else { continue };
        let tag = source.tag(node.id);
        let at = tag.map_or(0, |tag| tag.span.start);
        reader.read(&name, at, condition(tag).as_deref());
    }
    for span in &source.styles {
        let media = condition(style_tag(source, span));
        let css = html.get(span.clone()).unwrap_or_default();
        // Before the rules of the sheet that imports it.
        reader.import("", css, span.start, media.as_deref());
    }
    reader.found.sort_by_key(|declaration| declaration.span.start);
    reader.found
}

/// Whether a style sheet in the page holds in every window on a screen.
pub(crate) fn is_unconditional(source: &Source, span: &Range<usize>) -> bool {
    condition(style_tag(source, span)).is_none()
}

fn style_tag<'a>(source: &'a Source, span: &Range<usize>) -> Option<&'a Tag> {
    let at = source.tags.partition_point(|tag| tag.span.end < span.start);
    source.tags.get(at).filter(|tag| tag.span.end == span.start)
}

/// The media a style sheet is meant for, when it is not for all.
fn condition(tag: Option<&Tag>) -> Option<String> {
    let media = tag?.attribute("media")?.raw.trim().to_ascii_lowercase();
    (!matches!(media.as_str(), "" | "all" | "screen")).then_some(media)
}

fn under(media: Option<&str>, mut declaration: Declaration) -> Declaration {
    if let Some(media) = media {
        let inner = std::mem::take(&mut declaration.within);
        declaration.within =
            if inner.is_empty() { format!("@media {media}") } else { format!("@media {media} {inner}") };
    }
    declaration
}

struct Reader<'a> {
    beside: &'a Beside,
    /// Names and conditions: a sheet for print may be one for the screen too.
    seen: BTreeSet<(String, Option<String>)>,
    found: Vec<Declaration>,
}

impl Reader<'_> {
    fn read(&mut self, name: &str, at: usize, media: Option<&str>) {
        let unknown =
            self.seen.len() < MOST_SHEETS && self.seen.insert((name.to_owned(), media.map(str::to_owned)));
        let bytes = self
            .beside
            .get(name)
            .or_else(|| self.beside.get(name.trim_start_matches('/')))
            .filter(|_| unknown);
        let Some(css) = bytes.map(String::from_utf8_lossy) else { return };
        self.import(name, &css, at, media);
        self.found.extend(css::declarations(&css, 0).into_iter().map(|declaration| {
            let declaration = under(media, declaration);
            Declaration { span: at..at, ..declaration }
        }));
    }

    /// Reads what a sheet of this name imports.
    fn import(&mut self, name: &str, css: &str, at: usize, media: Option<&str>) {
        let sheet = Sheet::read(css);
        let imports = sheet
            .statements
            .into_iter()
            .filter(|rule| rule.get(..7).is_some_and(|name| name.eq_ignore_ascii_case("@import")));
        for rule in imports.take(MOST_SHEETS) {
            if rule.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("print")) {
                continue;
            }
            for imported in references_of_css(name, &format!("{rule};")) {
                self.read(&imported, at, media);
            }
        }
    }
}
