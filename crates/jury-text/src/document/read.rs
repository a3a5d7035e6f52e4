//! Markdown into what the checks look at: headings, passages, links, definitions, code. One pass of the parser; no
//! opinions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::identifiers::{self, Ids};
use super::nearby_files::NearbyFiles;
use super::passage::{Kind, Mark, Passage};
use super::slug::Slugs;
use super::{cut, links};

/// A document, read once and measured as often as one likes.
#[derive(Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) surroundings: &'a NearbyFiles,
    pub(super) headings: Vec<Heading>,
    pub(super) passages: Vec<Passage>,
    pub(super) links: Vec<Link>,
    pub(super) broken: Vec<Broken>,
    pub(super) definitions: Vec<Definition>,
    pub(super) footnotes: Vec<Definition>,
    /// How often each footnote is referred to.
    pub(super) notes: BTreeMap<String, usize>,
    pub(super) blocks: Vec<Block>,
    pub(super) html: Vec<Html>,
    pub(super) lists: Vec<List>,
    pub(super) anchors: BTreeSet<String>,
    /// There is a title in the metadata or as HTML.
    pub(super) titled: bool,
    line_starts: Vec<usize>,
    ids: OnceLock<Ids>,
}

/// Counts the characters of a line once, however many places are on it.
pub(super) struct Positions<'d, 'a> {
    document: &'d Document<'a>,
    line: usize,
    offset: usize,
    column: usize,
}

impl Positions<'_, '_> {
    /// Line and column, both from 1. Offsets must not fall within a line.
    pub(super) fn of(&mut self, offset: usize) -> (usize, usize) {
        let text = self.document.text;
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.document.line(offset);
        if line != self.line || offset < self.offset {
            let start = self.document.line_starts.get(line - 1).copied().unwrap_or_default();
            (self.line, self.offset, self.column) = (line, start, 1);
        }
        self.column += cut(text, self.offset..offset).chars().count();
        self.offset = offset;
        (self.line, self.column)
    }
}

#[derive(Debug)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) text: String,
    pub(super) offset: usize,
    /// The heading above it, counted from 1; 0 when there is none.
    pub(super) parent: usize,
    /// It has an image, which may be its text.
    pub(super) pictured: bool,
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) target: String,
    /// The label of a reference.
    pub(super) label: Option<String>,
    pub(super) offset: usize,
    pub(super) text: String,
}

/// A reference without a definition.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) label: String,
    pub(super) span: Range<usize>,
    /// `[label]` alone, which is text as often as not.
    pub(super) shortcut: bool,
}

#[derive(Debug)]
pub(super) struct Definition {
    pub(super) label: String,
    pub(super) offset: usize,
    pub(super) target: String,
}

/// A block of code.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) language: Option<String>,
    pub(super) code: String,
    pub(super) offset: usize,
    /// Where its lines begin in the source.
    pub(super) lines: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Html {
    pub(super) text: String,
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) struct List {
    pub(super) items: usize,
    pub(super) offset: usize,
    /// The passage before it.
    pub(super) after: Option<usize>,
}

impl<'a> Document<'a> {
    /// Reads a document. Every text is one.
    pub fn read(text: &'a str, surroundings: &'a NearbyFiles) -> Self {
        let mut document = Self {
            text,
            surroundings,
            headings: Vec::new(),
            passages: Vec::new(),
            links: Vec::new(),
            broken: Vec::new(),
            definitions: Vec::new(),
            footnotes: Vec::new(),
            notes: BTreeMap::new(),
            blocks: Vec::new(),
            html: Vec::new(),
            lists: Vec::new(),
            anchors: BTreeSet::new(),
            titled: false,
            line_starts: std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
                .collect(),
            ids: OnceLock::new(),
        };
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
            | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        let mut broken: BTreeMap<usize, Broken> = BTreeMap::new();
        let callback = |link: BrokenLink<'_>| {
            let shortcut = !matches!(link.link_type, LinkType::Reference | LinkType::Collapsed);
            let label = link.reference.to_string();
            broken.insert(link.span.start, Broken { label, span: link.span, shortcut });
            None
        };
        let parser = Parser::new_with_broken_link_callback(text, options, Some(callback));
        let mut definitions: Vec<Definition> = parser
            .reference_definitions()
            .iter()
            .map(|(label, definition)| Definition {
                label: label.to_owned(),
                offset: definition.span.start,
                target: definition.dest.to_string(),
            })
            .collect();
        // They come out of a hash table.
        definitions.sort_by_key(|definition| definition.offset);
        let mut reader = Reader::new(&mut document);
        for (event, range) in parser.into_offset_iter() {
            reader.event(event, range);
        }
        reader.flush();
        document.definitions = definitions;
        document.broken = broken.into_values().collect();
        document.name_headings();
        document
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset.min(self.text.len())).max(1)
    }

    /// Lines and columns of offsets that rise.
    pub(super) fn positions(&self) -> Positions<'_, 'a> {
        Positions { document: self, line: 0, offset: 0, column: 1 }
    }

    /// The ids of the document, read when somebody asks for the first time.
    pub(super) fn ids(&self) -> &Ids {
        self.ids.get_or_init(|| identifiers::read(self))
    }

    /// The heading that a passage stands under.
    pub(super) fn heading(&self, section: usize) -> Option<&Heading> {
        section.checked_sub(1).and_then(|index| self.headings.get(index))
    }

    /// The headings above a section, the nearest first.
    pub(super) fn path(&self, section: usize) -> impl Iterator<Item = (usize, &Heading)> {
        let mut next = section;
        std::iter::from_fn(move || {
            let here = next;
            let heading = self.heading(here)?;
            next = heading.parent;
            Some((here, heading))
        })
    }

    fn name_headings(&mut self) {
        let mut slugs = Slugs::default();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (index, heading) in self.headings.iter_mut().enumerate() {
            // `## Name {#id}` is how generators of pages set an id.
            let mut text = heading.text.trim();
            if let Some((before, id)) = text.strip_suffix('}').and_then(|text| text.rsplit_once("{#")) {
                self.anchors.insert(id.trim().to_owned());
                text = before.trim_end();
            }
            self.anchors.insert(slugs.give(text));
            let text = text.to_owned();
            heading.text = text;
            while open.last().is_some_and(|(level, _)| *level >= heading.level) {
                open.pop();
            }
            heading.parent = open.last().map_or(0, |(_, index)| *index);
            open.push((heading.level, index + 1));
        }
        for html in &self.html {
            self.anchors.extend(links::ids(&html.text));
        }
    }
}

/// What is open while events arrive.
struct Reader<'r, 'a> {
    document: &'r mut Document<'a>,
    passage: Option<Passage>,
    /// Open lists, innermost last, and whether the entry that is open has had a passage.
    lists: Vec<(usize, bool)>,
    quotes: usize,
    images: usize,
    metadata: bool,
    block: Option<Block>,
    /// Where the open link begins, in the passage, and its place among the links.
    link: Option<(usize, usize)>,
    strong: Option<usize>,
    table: usize,
    row: usize,
    column: usize,
}

impl<'r, 'a> Reader<'r, 'a> {
    fn new(document: &'r mut Document<'a>) -> Self {
        Self {
            document,
            passage: None,
            lists: Vec::new(),
            quotes: 0,
            images: 0,
            metadata: false,
            block: None,
            link: None,
            strong: None,
            table: 0,
            row: 0,
            column: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(end) => self.end(end),
            Event::Text(text) => self.text(&text, range),
            Event::Code(code) => self.code(&code, &range),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html, range.start),
            Event::SoftBreak => self.push(" ", range.start),
            Event::HardBreak => self.push("\n", range.start),
            Event::FootnoteReference(label) => {
                *self.document.notes.entry(label.to_string()).or_default() += 1;
            }
            Event::Rule => self.flush(),
            Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                let first = self.lists.last().is_some_and(|(_, had)| !had);
                if first && self.passage.as_ref().is_some_and(|passage| passage.text.is_empty()) {
                    return;
                }
                self.flush();
                self.open(if first { Kind::Item } else { Kind::Paragraph }, range.start);
            }
            Tag::Heading { level, .. } => {
                self.flush();
                self.document.headings.push(Heading {
                    level: level as usize,
                    text: String::new(),
                    offset: range.start,
                    parent: 0,
                    pictured: false,
                });
                self.open(Kind::Heading, range.start);
            }
            Tag::List(_) => {
                self.flush();
                let after = self.document.passages.len().checked_sub(1);
                self.document.lists.push(List { items: 0, offset: range.start, after });
                self.lists.push((self.document.lists.len() - 1, true));
            }
            Tag::Item => {
                self.flush();
                if let Some((list, had)) = self.lists.last_mut() {
                    *had = false;
                    if let Some(list) = self.document.lists.get_mut(*list) {
                        list.items += 1;
                    }
                }
                self.open(Kind::Item, range.start);
            }
            Tag::Table(_) => {
                self.flush();
                self.table += 1;
                self.row = 0;
            }
            Tag::TableHead | Tag::TableRow => self.column = 0,
            Tag::TableCell => {
                self.flush();
                let kind = Kind::Cell { table: self.table, row: self.row, column: self.column };
                self.open(kind, range.start);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.to_string()),
                    CodeBlockKind::Indented => None,
                };
                let (code, lines) = (String::new(), Vec::new());
                self.block = Some(Block { language, code, offset: range.start, lines });
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::FootnoteDefinition(label) => {
                self.flush();
                let label = label.to_string();
                let target = String::new();
                self.document.footnotes.push(Definition { label, offset: range.start, target });
            }
            Tag::Link { link_type, dest_url, id, .. } => {
                if let Some(index) = self.add_link(link_type, &dest_url, &id, range.start) {
                    let start = self.passage.as_ref().map_or(0, |passage| passage.text.len());
                    self.link = Some((start, index));
                }
            }
            Tag::Image { link_type, dest_url, id, .. } => {
                self.add_link(link_type, &dest_url, &id, range.start);
                self.images += 1;
                if let (Some(passage), Some(heading)) = (&self.passage, self.document.headings.last_mut())
                    && passage.kind == Kind::Heading
                {
                    heading.pictured = true;
                }
            }
            Tag::Strong => self.strong = self.passage.as_ref().map(|passage| passage.text.len()),
            Tag::MetadataBlock(_) => {
                self.flush();
                self.metadata = true;
            }
            Tag::HtmlBlock => self.flush(),
            Tag::Emphasis
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) => self.flush(),
            TagEnd::TableCell => {
                self.flush();
                self.column += 1;
            }
            TagEnd::TableHead | TagEnd::TableRow => self.row += 1,
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::CodeBlock => self.document.blocks.extend(self.block.take()),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::FootnoteDefinition => self.flush(),
            TagEnd::MetadataBlock(_) => self.metadata = false,
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            TagEnd::Link => {
                if let (Some((start, index)), Some(passage)) = (self.link.take(), &mut self.passage) {
                    if let Some(link) = self.document.links.get_mut(index) {
                        cut(&passage.text, start..passage.text.len()).clone_into(&mut link.text);
                    }
                    passage.mark(Mark::Link, start);
                }
            }
            TagEnd::Strong => {
                if let (Some(start), Some(passage)) = (self.strong.take(), &mut self.passage) {
                    passage.mark(Mark::Strong, start);
                }
            }
            TagEnd::Table
            | TagEnd::HtmlBlock
            | TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition => {}
        }
    }

    /// Text as it stands in the source, so that places in it lead back.
    fn text(&mut self, text: &str, range: Range<usize>) {
        if let Some(block) = &mut self.block {
            // A block at the margin arrives whole, one in a list or a quotation line by line.
            let whole = cut(self.document.text, range.clone()) == text;
            if block.code.is_empty() || block.code.ends_with('\n') {
                block.lines.push(range.start);
            }
            let within =
                memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).filter(|at| *at < text.len());
            block.lines.extend(within.map(|at| if whole { range.start + at } else { range.start }));
            block.code.push_str(text);
        } else if self.metadata {
            self.document.titled |= text.lines().any(|line| line.starts_with("title"));
        } else if self.images == 0 {
            let start = range.start;
            let verbatim = cut(self.document.text, range);
            if verbatim.is_empty() || verbatim.len() != text.len() {
                self.push(text, start);
            } else {
                self.push(verbatim, start);
            }
        }
    }

    fn code(&mut self, code: &str, range: &Range<usize>) {
        if self.images > 0 {
            return;
        }
        let source = cut(self.document.text, range.clone());
        let within = source.len() - source.trim_start_matches('`').len();
        let start = self.passage.as_ref().map_or(0, |passage| passage.text.len());
        self.push(code, range.start + within);
        if let Some(passage) = &mut self.passage {
            passage.mark(Mark::Code, start.min(passage.text.len()));
        }
    }

    fn html(&mut self, html: &str, offset: usize) {
        let lower = html.to_ascii_lowercase();
        self.document.titled |= lower.contains("<h1");
        if lower.starts_with("<br") {
            self.push("\n", offset);
        }
        self.document.links.extend(links::in_html(html, offset));
        // A block arrives line by line.
        match self.document.html.last_mut() {
            Some(last) if last.offset + last.text.len() == offset => last.text.push_str(html),
            _ => self.document.html.push(Html { text: html.to_owned(), offset }),
        }
    }

    fn add_link(&mut self, kind: LinkType, target: &str, label: &str, offset: usize) -> Option<usize> {
        if matches!(kind, LinkType::Autolink | LinkType::Email) {
            return None;
        }
        let label = (kind != LinkType::Inline).then(|| label.to_owned());
        let (target, text) = (target.to_owned(), String::new());
        self.document.links.push(Link { target, label, offset, text });
        Some(self.document.links.len() - 1)
    }

    fn push(&mut self, text: &str, offset: usize) {
        if self.passage.is_none() {
            if text.trim().is_empty() {
                return;
            }
            self.open(Kind::Paragraph, offset);
        }
        if let Some(passage) = &mut self.passage {
            passage.push(text, offset);
        }
    }

    fn open(&mut self, kind: Kind, start: usize) {
        let mut passage = Passage::new(kind, self.document.headings.len(), start);
        passage.quoted = self.quotes > 0;
        if kind == Kind::Item {
            passage.list = self.lists.last().map(|(list, _)| *list);
        }
        self.passage = Some(passage);
    }

    fn flush(&mut self) {
        let Some(passage) = self.passage.take() else { return };
        // A link that a passage ends in is as broken as the passage.
        self.link = None;
        self.strong = None;
        if passage.kind == Kind::Heading
            && let Some(heading) = self.document.headings.last_mut()
        {
            passage.text.clone_into(&mut heading.text);
        }
        if passage.text.trim().is_empty() && passage.kind != Kind::Heading {
            // Empty cells keep their place in the table by their number.
            return;
        }
        if passage.kind == Kind::Item
            && let Some((_, had)) = self.lists.last_mut()
        {
            *had = true;
        }
        self.document.passages.push(passage);
    }
}
