//! The tags of a source text, found without building a tree: enough to know what a page asks for before the engine
//! sees it.

use jury_core::markup::{self, MarkupPiece, Scanner};

/// A start tag in the source.
pub(crate) struct Tag<'a> {
    pub(crate) name: String,
    markup: markup::Tag<'a>,
    /// Where the tag begins in the source.
    pub(crate) start: usize,
    /// What stands between a `style` tag and its end, with its place in the source; empty for other tags.
    pub(crate) content: &'a str,
    pub(crate) content_start: usize,
}

impl<'a> Tag<'a> {
    /// The value of an attribute as it is written; the first one counts.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.value(name)
    }

    /// The same, for as long as the source lives.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.markup.attribute(name)
    }

    /// Whether a list of words holds this one.
    pub(crate) fn has_word(&self, attribute: &str, word: &str) -> bool {
        self.attribute(attribute)
            .is_some_and(|value| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
    }
}

/// Every start tag of a page, in order. What stands in comments, scripts and text fields is none.
pub(crate) fn tags(html: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut scanner = Scanner::new(html);
    std::iter::from_fn(move || {
        loop {
            let MarkupPiece::Start(mut tag) = scanner.next()? else { continue };
            let mut content = tag.span.end..tag.span.end;
            if matches!(tag.name.as_str(), "script" | "style" | "textarea" | "title" | "xmp" | "template") {
                let raw = scanner.raw_text(&tag.name);
                if tag.name == "style" {
                    content = raw;
                }
            }
            return Some(Tag {
                name: std::mem::take(&mut tag.name),
                start: tag.span.start,
                content_start: content.start,
                content: html.get(content).unwrap_or_default(),
                markup: tag,
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_attributes() {
        let page = "<!-- <a> --><LINK rel = StyleSheet href='a b.css' disabled><script>'<img src=x>'</script>\
                    <img src=x.png/><style media=print>p{}</style><p title=\"a>b\">";
        let found: Vec<String> = tags(page)
            .map(|tag| {
                let pairs = tag.markup.attributes.iter().map(|one| (one.name.as_str(), one.raw));
                format!("{} {:?} {}", tag.name, pairs.collect::<Vec<_>>(), tag.content)
            })
            .collect();
        assert_eq!(
            found,
            [
                "link [(\"rel\", \"StyleSheet\"), (\"href\", \"a b.css\"), (\"disabled\", \"\")] ",
                "script [] ",
                "img [(\"src\", \"x.png/\")] ",
                "style [(\"media\", \"print\")] p{}",
                "p [(\"title\", \"a>b\")] ",
            ]
        );
    }

    #[test]
    fn broken_tags_end_with_the_page() {
        for page in ["<", "<a", "<a b", "<a b=", "<a b='c", "<style>", "<!--", "</", "<é>"] {
            assert!(tags(page).count() <= 1, "{page}");
        }
    }
}
