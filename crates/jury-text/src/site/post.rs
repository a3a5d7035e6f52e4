//! An approved article or post as a page of the site: its title and its description are its own words, and its text is
//! taken apart once more, so that the page can be held against it.

use jiff::civil::Date;
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::assemble::Post;
use super::escape::{is_safe, normal, slug};
use super::markdown::{events, plain};
use crate::content::document::Value;
use crate::content::front_matter;

/// The longest title that is made of a first sentence, in characters.
const LONGEST_TITLE: usize = 100;
/// The longest description that is made of a paragraph, in characters.
const LONGEST_DESCRIPTION: usize = 160;

/// Something of a text that is read in one go.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    pub(super) text: String,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// The heading of the whole text.
    Title,
    Heading,
    Paragraph,
    /// A part of a list, a table, code.
    Other,
}

impl Post {
    /// The page of a text that came out on a day. None when there are no words in it.
    pub fn of(markdown: &str, date: Date) -> Option<Self> {
        let front = front_matter::read(markdown);
        let body = markdown.get(front.end..).unwrap_or_default().trim_start_matches(['\n', '\r']);
        let pieces = pieces(body);
        let first = pieces.iter().find(|piece| piece.kind == PieceKind::Title);
        let plain = |value: Option<Value<'_>>| {
            value.map(|value| normal(value.text())).filter(|text| !text.is_empty())
        };
        let named = plain(front.title);
        let title = first
            .map(|piece| piece.text.clone())
            .or_else(|| named.clone())
            .or_else(|| pieces.first().map(|piece| shortened(sentence(&piece.text), LONGEST_TITLE)))?;
        let told = pieces.iter().find(|piece| piece.kind == PieceKind::Paragraph && piece.text != title);
        let told = told.map_or_else(|| title.clone(), |piece| shortened(&piece.text, LONGEST_DESCRIPTION));
        Some(Self {
            slug: slug(&title),
            search_title: named.filter(|named| *named != title),
            description: plain(front.description).unwrap_or(told),
            title,
            markdown: body.to_owned(),
            date,
        })
    }
}

/// How many pieces of an article are held against its page.
pub fn pieces_of(post: &Post) -> usize {
    pieces(&post.markdown).len()
}

/// The beginning of a text, up to the end of a sentence, or else of a word.
fn shortened(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let (mut whole, mut rest) = (0, text);
    while let Some(length) = Some(sentence(rest).len()).filter(|length| whole + length <= end && *length > 0)
    {
        whole += length;
        rest = text.get(whole..).unwrap_or_default();
        let spaces = rest.len() - rest.trim_start().len();
        whole += spaces;
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
    }
    let start = text.get(..end).unwrap_or(text);
    let cut = if whole > 0 { whole.min(end) } else { start.rfind(' ').unwrap_or(end) };
    text.get(..cut).unwrap_or(text).trim_end().to_owned()
}

/// The first sentence of a text.
fn sentence(text: &str) -> &str {
    let end = text.char_indices().find(|(at, ch)| {
        matches!(ch, '.' | '?' | '!') && text.get(at + 1..).is_some_and(|rest| rest.starts_with(' '))
    });
    end.and_then(|(at, _)| text.get(..=at)).unwrap_or(text)
}

/// What is read of a text, piece by piece, with single spaces between words.
#[expect(clippy::wildcard_enum_match_arm, reason = "what ends a piece is everything else")]
pub(super) fn pieces(markdown: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut kind, mut text) = (PieceKind::Other, String::new());
    // Where open links lead, and how much there was before them.
    let mut links: Vec<(Option<String>, usize)> = Vec::new();
    for event in events(markdown) {
        if let Some(more) = plain(&event) {
            text.push_str(more);
            continue;
        }
        let next = match event {
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => continue,
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let leads = links.is_empty() && is_safe(&dest_url);
                links.push((leads.then(|| dest_url.to_string()), text.len()));
                continue;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                // A link without words says where it leads, but in a heading.
                let is_heading = matches!(kind, PieceKind::Title | PieceKind::Heading);
                if let Some((Some(address), began)) = links.pop()
                    && text.len() == began
                    && !is_heading
                {
                    text.push_str(&address);
                }
                continue;
            }
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) if found.is_empty() => {
                PieceKind::Title
            }
            Event::Start(Tag::Heading { .. }) => PieceKind::Heading,
            Event::Start(Tag::Paragraph) => PieceKind::Paragraph,
            _ => PieceKind::Other,
        };
        let said = normal(&std::mem::take(&mut text));
        if !said.is_empty() {
            found.push(Piece { kind, text: said });
        }
        kind = next;
    }
    let said = normal(&text);
    if !said.is_empty() {
        found.push(Piece { kind, text: said });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(markdown: &str) -> Post {
        Post::of(markdown, jiff::civil::date(2026, 5, 4)).expect("a post")
    }

    #[test]
    fn a_title_and_a_description_are_words_of_the_text() {
        let post = of(
            "---\ntitle: \"Found by this\"\ndescription: What it is about.\n---\n\n# The headline\n\nWords.\n",
        );
        assert_eq!((post.title.as_str(), post.slug.as_str()), ("The headline", "the-headline"));
        assert_eq!(post.search_title.as_deref(), Some("Found by this"));
        assert_eq!(
            (post.description.as_str(), post.markdown.as_str()),
            ("What it is about.", "# The headline\n\nWords.\n")
        );
        let post = of("---\ntitle: The headline\n---\n# The headline\n\nWords of it.\n");
        assert_eq!((post.search_title, post.description.as_str()), (None, "Words of it."));
        let post = of("The tag fell off. Now what?\n\nPlan it.\n\n#bikeshop\n");
        assert_eq!(
            (post.title.as_str(), post.description.as_str()),
            ("The tag fell off.", "The tag fell off. Now what?")
        );
        assert_eq!(of("Only this.\n").description, "Only this.");
        assert_eq!(
            Post::of("---\ntitle: x\n---\n\n", jiff::civil::date(2026, 5, 4))
                .map(|post| post.title)
                .as_deref(),
            Some("x")
        );
        assert_eq!(Post::of("\n \n", jiff::civil::date(2026, 5, 4)), None);
    }

    #[test]
    fn a_text_is_taken_apart_as_it_is_read() {
        let text = "# A\n\nOne *two*\nthree `four` [](https://a.example/) <b>x</b>.\n\n- five\n  - six\n- [seven](#x)\n\n| a | b |\n|---|---|\n| c | d |\n\n> nine\n\n```\nten\n```\n";
        let found: Vec<String> = pieces(text).into_iter().map(|piece| piece.text).collect();
        let wanted = [
            "A",
            "One two three four https://a.example/ <b>x</b>.",
            "five",
            "six",
            "seven",
            "a",
            "b",
            "c",
            "d",
            "nine",
            "ten",
        ];
        assert_eq!(found, wanted);
    }
}
