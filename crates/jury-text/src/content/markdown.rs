//! Markdown as a document: one pass of the parser, and for every piece of text the place that it came from.

use std::ops::Range;

use jury_core::markup::{MarkupPiece, Scanner};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::document::{Block, BlockKind, DraftDocument, Group, Image, Link, PagePart, Run};
use super::front_matter;

/// What stands behind the heading of a section that is of a kind: `## Questions {faq}`.
const MARKS: &[(&str, PagePart)] = &[
    ("{features}", PagePart::Features),
    ("{steps}", PagePart::Steps),
    ("{alternatives}", PagePart::Alternatives),
    ("{proof}", PagePart::Proof),
    ("{faq}", PagePart::Faq),
    ("{action}", PagePart::Action),
];

pub(super) fn read(text: &str) -> DraftDocument<'_> {
    let front = front_matter::read(text);
    let mut reader = Reader::new(text, front.end);
    let body = text.get(front.end..).unwrap_or_default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        reader.event(event, range);
    }
    reader.flush();
    reader.close_group();
    let mut document = reader.document;
    (document.name, document.title, document.description) = (front.name, front.title, front.description);
    document
}

/// A list that is open.
struct Open {
    items: usize,
    first: Option<usize>,
}

struct Reader<'a> {
    document: DraftDocument<'a>,
    origin: &'a str,
    /// Where the text begins in the draft.
    offset: usize,
    kind: Option<BlockKind>,
    text: String,
    runs: Vec<Run>,
    part: PagePart,
    section: usize,
    heading: String,
    /// Titles of the third level in a section of features or steps: how many, and the first.
    titles: Option<(usize, usize)>,
    lists: Vec<Open>,
    quotes: usize,
    /// The quotation that is open has had its words.
    quoted: bool,
    code: bool,
    /// A comment in HTML is open.
    comment: bool,
    /// A link that is open: where its text begins and where it leads.
    link: Option<(usize, String)>,
    /// Links of the block that is open.
    links: Vec<(Range<usize>, String)>,
    image: Option<Image>,
    pictures: usize,
}

impl<'a> Reader<'a> {
    fn new(origin: &'a str, offset: usize) -> Self {
        Self {
            document: DraftDocument::default(),
            origin,
            offset,
            kind: None,
            text: String::new(),
            runs: Vec::new(),
            part: PagePart::Opening,
            section: 0,
            heading: String::new(),
            titles: None,
            lists: Vec::new(),
            quotes: 0,
            quoted: false,
            code: false,
            comment: false,
            link: None,
            links: Vec::new(),
            image: None,
            pictures: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.say(&text, range),
            Event::Code(text) => self.say(&text, range),
            Event::SoftBreak | Event::HardBreak => self.say(" ", range),
            Event::Html(html) => {
                self.html(&html);
                self.text_of(&html, range);
            }
            Event::InlineHtml(html) => self.html(&html),
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "most tags only mark words up")]
    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.open(BlockKind::Heading(level as u8)),
            // The first paragraph of an entry is the entry.
            Tag::Paragraph if self.kind == Some(BlockKind::Item) && self.text.trim().is_empty() => {}
            Tag::Paragraph => {
                let kind = if self.lists.is_empty() { self.paragraph() } else { BlockKind::Item };
                self.open(kind);
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
                self.quoted = false;
            }
            Tag::List(_) => {
                self.flush();
                self.lists.push(Open { items: 0, first: None });
            }
            Tag::Item => {
                self.flush();
                if let Some(list) = self.lists.last_mut() {
                    list.items += 1;
                }
                self.open(BlockKind::Item);
            }
            Tag::TableCell => self.open(BlockKind::Item),
            Tag::CodeBlock(_) => {
                self.flush();
                self.code = true;
            }
            Tag::Link { dest_url, .. } => self.link = Some((self.text.len(), dest_url.to_string())),
            Tag::Image { dest_url, .. } => {
                self.image = Some(Image { alt: String::new(), source: dest_url.to_string() });
            }
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "most tags only mark words up")]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::TableCell | TagEnd::Item => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.flush();
                if let Some(Open { items, first: Some(first) }) = self.lists.pop() {
                    let heading = self.heading.clone();
                    self.document.groups.push(Group { items, heading, first, list: true });
                }
            }
            TagEnd::CodeBlock => self.code = false,
            TagEnd::Link => {
                if let Some((start, href)) = self.link.take() {
                    self.links.push((start..self.text.len(), href));
                }
            }
            TagEnd::Image => {
                self.document.images.extend(self.image.take());
                self.pictures += 1;
            }
            _ => {}
        }
    }

    /// What a paragraph is where it stands.
    fn paragraph(&mut self) -> BlockKind {
        if self.quotes == 0 {
            return BlockKind::Paragraph;
        }
        if self.part == PagePart::Opening && self.section == 0 {
            return BlockKind::Note;
        }
        let kind = if self.quoted { BlockKind::Source } else { BlockKind::Quote };
        self.quoted = true;
        kind
    }

    fn open(&mut self, kind: BlockKind) {
        self.flush();
        self.kind = Some(kind);
    }

    fn say(&mut self, text: &str, range: Range<usize>) {
        if self.code {
            return;
        }
        if let Some(image) = &mut self.image {
            image.alt.push_str(text);
            return;
        }
        if self.kind.is_none() {
            self.kind = Some(BlockKind::Paragraph);
        }
        let start = self.text.len();
        self.text.push_str(text);
        let origin = self.offset + range.start..self.offset + range.end;
        self.runs.push(Run { text: start..self.text.len(), origin });
    }

    fn html(&mut self, html: &str) {
        let lower = html.to_ascii_lowercase();
        for piece in Scanner::new(&lower) {
            let MarkupPiece::Start(tag) = piece else { continue };
            let value = |name: &str| tag.attribute(name).unwrap_or_default().to_owned();
            match tag.name.as_str() {
                "input" => {
                    let silent = ["hidden", "submit", "button", "reset", "image"];
                    self.document.fields += usize::from(!silent.contains(&value("type").as_str()));
                }
                "select" | "textarea" => self.document.fields += 1,
                "img" => self.document.images.push(Image { alt: value("alt"), source: value("src") }),
                _ => {}
            }
        }
    }

    /// Keeps what people read of a line of HTML.
    fn text_of(&mut self, html: &str, range: Range<usize>) {
        let mut text = String::new();
        let mut rest = html;
        while !rest.is_empty() {
            if self.comment {
                let Some((_, behind)) = rest.split_once("-->") else { break };
                self.comment = false;
                rest = behind;
            } else if let Some(behind) = rest.strip_prefix("<!--") {
                self.comment = true;
                rest = behind;
            } else if rest.starts_with('<') {
                text.push(' ');
                rest = rest.split_once('>').map_or("", |(_, behind)| behind);
            } else {
                let end = rest.find('<').unwrap_or(rest.len());
                let (said, behind) = rest.split_at(end);
                text.push_str(said);
                rest = behind;
            }
        }
        for (name, sign) in [
            ("&quot;", "\""),
            ("&ldquo;", "“"),
            ("&rdquo;", "”"),
            ("&mdash;", "—"),
            ("&ndash;", "–"),
            ("&nbsp;", " "),
            ("&amp;", "&"),
        ] {
            text = text.replace(name, sign);
        }
        let text = text.trim();
        if !text.is_empty() {
            let origin = self.offset + range.start..self.offset + range.end;
            self.document.html.push((text.to_owned(), origin, self.origin));
        }
    }

    fn flush(&mut self) {
        let Some(kind) = self.kind.take() else { return };
        let text = std::mem::take(&mut self.text);
        let runs = std::mem::take(&mut self.runs);
        let links = std::mem::take(&mut self.links);
        let pictures = std::mem::take(&mut self.pictures);
        self.link = None;
        let is_heading = matches!(kind, BlockKind::Heading(_));
        if text.trim().is_empty() && (!is_heading || pictures > 0) && links.is_empty() {
            return;
        }
        let at = self.document.blocks.len();
        let (text, mark) = unmarked(text, is_heading);
        let mut kind = kind;
        if let BlockKind::Heading(level) = kind {
            self.heading(level, &text, mark, at);
        }
        if let [(range, href)] = links.as_slice()
            && kind == BlockKind::Paragraph
            && !href.is_empty()
            && text.get(range.clone()).is_some_and(|label| label.trim().len() == text.trim().len())
        {
            kind = BlockKind::Action;
        }
        if let Some(list) = self.lists.last_mut() {
            list.first.get_or_insert(at);
        }
        for (range, href) in links {
            let label = text.get(range).unwrap_or_default().trim().to_owned();
            self.document.links.push(Link {
                text: label,
                href,
                block: at,
                action: kind == BlockKind::Action,
            });
        }
        self.document.blocks.push(Block::within(kind, self.part, self.section, text, self.origin, runs));
    }

    fn heading(&mut self, level: u8, text: &str, mark: Option<PagePart>, at: usize) {
        match level {
            0 | 1 => {}
            2 => {
                self.close_group();
                self.section += 1;
                self.part = mark.unwrap_or_else(|| part(text));
            }
            _ => {
                if matches!(self.part, PagePart::Features | PagePart::Steps | PagePart::Alternatives) {
                    self.titles = Some(self.titles.map_or((1, at), |(count, first)| (count + 1, first)));
                }
            }
        }
        if level == 2 {
            text.clone_into(&mut self.heading);
        }
    }

    /// The titles of a section of features are a group of their own.
    fn close_group(&mut self) {
        if let Some((items, first)) = self.titles.take() {
            let heading = self.heading.clone();
            self.document.groups.push(Group { items, heading, first, list: false });
        }
    }
}

/// A heading without the mark behind it.
fn unmarked(mut text: String, is_heading: bool) -> (String, Option<PagePart>) {
    if is_heading {
        for (mark, part) in MARKS {
            if let Some(rest) = text.trim_end().strip_suffix(mark) {
                let length = rest.trim_end().len();
                text.truncate(length);
                return (text, Some(*part));
            }
        }
    }
    (text, None)
}

/// What a section is by its heading.
fn part(heading: &str) -> PagePart {
    let heading = heading.to_lowercase();
    let asks = ["faq", "frequently asked", "questions", "q&a"];
    if asks.iter().any(|word| heading.contains(word)) { PagePart::Faq } else { PagePart::Text }
}
