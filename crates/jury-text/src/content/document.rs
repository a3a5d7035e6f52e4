//! A draft as the critics look at it: what is read, in order, with its part in the whole, its words and sentences, and the
//! way back to the words of the draft.
//!
//! A page is taken in its parts; Markdown is read into the same. Nothing here has an opinion.

use std::ops::Range;

use jury_core::content::Draft;

use super::prose::{self, Word};
use super::{markdown, page};

/// The most characters of a quotation. It ends between words.
const LONGEST_QUOTE: usize = 240;

/// A draft, read once.
#[derive(Debug, Default)]
pub struct DraftDocument<'a> {
    /// What search results show as the title.
    pub title: Option<Value<'a>>,
    /// What search results show under it.
    pub description: Option<Value<'a>>,
    /// What the product is called.
    pub name: Option<Value<'a>>,
    /// What is read, in order.
    pub blocks: Vec<Block<'a>>,
    /// Lists, and groups of features or steps.
    pub groups: Vec<Group>,
    /// Links, those of calls to action among them.
    pub links: Vec<Link>,
    /// The images, in their order.
    pub images: Vec<Image>,
    /// Fields that a reader has to fill in.
    pub fields: usize,
    /// Text in HTML: no part of the copy, and read by people all the same.
    pub(crate) html: Vec<(String, Range<usize>, &'a str)>,
    /// The blocks from the heading of the first level to the first of the second.
    pub hero: Range<usize>,
    pub(crate) words: Vec<Word>,
    pub(crate) sentences: Vec<Sentence>,
}

/// A value that is not part of the copy: what it says, and how the draft spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value<'a> {
    raw: &'a str,
}

/// A piece of copy.
#[derive(Debug)]
pub struct Block<'a> {
    /// Whether it is a heading, a paragraph or another kind.
    pub kind: BlockKind,
    /// The part of the page it belongs to.
    pub part: PagePart,
    /// What is read: without markup.
    pub text: String,
    /// The number of its section: how many headings of the second level stand before it, with its own.
    pub section: usize,
    /// Where its words are in the document.
    pub(crate) words: Range<usize>,
    origin: &'a str,
    /// Pieces of the text and where they stand in the origin.
    runs: Vec<Run>,
}

#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) text: Range<usize>,
    pub(super) origin: Range<usize>,
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading of this level.
    Heading(u8),
    /// A paragraph of running text.
    Paragraph,
    /// An entry of a list, or a cell of a table.
    Item,
    /// A quote of a person.
    Quote,
    /// The source of a quote.
    Source,
    /// A call to action: a paragraph that is one link.
    Action,
    /// What stands beside a call to action.
    Note,
}

/// Which part of a page a block belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the sections of a page")]
pub enum PagePart {
    Opening,
    Text,
    Features,
    Steps,
    Alternatives,
    Proof,
    Faq,
    Action,
}

/// Things of a kind that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The number of items.
    pub items: usize,
    /// The heading above them.
    pub heading: String,
    /// The block of the first of them.
    pub first: usize,
    /// Entries of a list, not titles with texts.
    pub list: bool,
}

/// A link in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The words of the link.
    pub text: String,
    /// The address that it leads to.
    pub href: String,
    /// The block that it is in.
    pub block: usize,
    /// It is a call to action.
    pub action: bool,
}

/// An image in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// What stands for it.
    pub alt: String,
    /// Where it comes from.
    pub source: String,
}

/// A sentence: a piece of a block.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    pub(crate) block: usize,
    pub(crate) range: Range<usize>,
    pub(crate) words: Range<usize>,
}

impl<'a> DraftDocument<'a> {
    /// Reads a draft. Every draft is one.
    pub fn read(draft: &'a Draft) -> Self {
        let mut document = match draft {
            Draft::Page(found) => page::read(found),
            Draft::Text(text) => markdown::read(text),
        };
        document.settle();
        document
    }

    /// The headings, by their blocks.
    pub fn headings(&self) -> impl Iterator<Item = (u8, usize, &Block<'a>)> {
        self.blocks.iter().enumerate().filter_map(|(at, block)| match block.kind {
            BlockKind::Heading(level) => Some((level, at, block)),
            BlockKind::Paragraph
            | BlockKind::Item
            | BlockKind::Quote
            | BlockKind::Source
            | BlockKind::Action
            | BlockKind::Note => None,
        })
    }

    /// The calls to action, in order.
    pub fn actions(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(|link| link.action)
    }

    /// The questions of the part with questions and answers.
    pub fn questions(&self) -> impl Iterator<Item = &Block<'a>> {
        self.headings()
            .filter(|(level, _, block)| *level > 2 && block.part == PagePart::Faq)
            .map(|(_, _, block)| block)
    }

    /// Whether a part answers questions or objections.
    pub fn has_questions(&self) -> bool {
        self.blocks.iter().any(|block| block.part == PagePart::Faq)
            || self
                .headings()
                .filter(|(level, _, block)| *level > 1 && block.text.trim_end().ends_with('?'))
                .count()
                >= 2
    }

    /// How many words people would count.
    pub fn word_count(&self) -> usize {
        prose::count(&self.words)
    }

    pub(crate) fn block(&self, at: usize) -> Option<&Block<'a>> {
        self.blocks.get(at)
    }

    pub(crate) fn words_of(&self, range: &Range<usize>) -> &[Word] {
        self.words.get(range.clone()).unwrap_or_default()
    }

    pub(crate) fn block_words(&self, block: &Block<'_>) -> &[Word] {
        self.words_of(&block.words)
    }

    /// What search results show, as a document of its own: it is no part of the copy and has no place in its measures,
    /// and it may not promise what the copy may not.
    pub(crate) fn head(&self) -> Self {
        let values = [(BlockKind::Heading(1), self.title), (BlockKind::Paragraph, self.description)];
        let mut head = Self::default();
        for (kind, value) in values {
            head.blocks.extend(value.map(|value| Block::whole(kind, PagePart::Opening, 0, value.text())));
        }
        head.settle();
        head
    }

    /// Text in HTML, as a document of its own: it has no place in the measures of the copy, and it may not promise what the
    /// copy may not.
    pub(crate) fn markup(&self) -> Self {
        let mut markup = Self::default();
        for (text, origin, draft) in &self.html {
            let runs = vec![Run { text: 0..text.len(), origin: origin.clone() }];
            let kind = BlockKind::Paragraph;
            markup.blocks.push(Block::within(kind, PagePart::Text, 0, text.clone(), draft, runs));
        }
        markup.settle();
        markup
    }

    /// The words of the hero.
    pub(crate) fn hero_words(&self) -> &[Word] {
        let blocks = self.blocks.get(self.hero.clone()).unwrap_or_default();
        match (blocks.first(), blocks.last()) {
            (Some(first), Some(last)) => self.words_of(&(first.words.start..last.words.end)),
            _ => &[],
        }
    }

    /// Sentences of running text, headings and entries of lists; not labels and not the names of people.
    pub(crate) fn prose(&self) -> impl Iterator<Item = &Sentence> {
        let read = |sentence: &&Sentence| {
            self.block(sentence.block)
                .is_some_and(|block| !matches!(block.kind, BlockKind::Action | BlockKind::Source))
        };
        self.sentences.iter().filter(read)
    }

    /// The words of the draft that a sentence consists of.
    pub(crate) fn quote_sentence(&self, sentence: &Sentence) -> Option<&'a str> {
        self.block(sentence.block)?.quote(sentence.range.clone())
    }

    /// The words of the draft from one word of a block to another.
    pub(crate) fn quote_words(&self, block: usize, words: &[Word]) -> Option<&'a str> {
        let (first, last) = (words.first()?, words.last()?);
        self.block(block)?.quote(first.range.start..last.range.end)
    }

    /// The sentence that a word stands in.
    pub(crate) fn sentence_at(&self, word: usize) -> Option<&Sentence> {
        let at = self.sentences.partition_point(|sentence| sentence.words.end <= word);
        self.sentences.get(at).filter(|sentence| sentence.words.contains(&word))
    }

    /// Finds the hero, words and sentences when all blocks are there.
    fn settle(&mut self) {
        let level = |wanted: u8| self.headings().find(|(level, ..)| *level == wanted).map(|(_, at, _)| at);
        let start = level(1).unwrap_or_default();
        let first_section =
            self.headings().find(|(level, at, _)| *level >= 2 && *at >= start).map(|(_, at, _)| at);
        self.hero = start..first_section.unwrap_or(self.blocks.len());
        for (at, block) in self.blocks.iter_mut().enumerate() {
            let found = prose::words(&block.text);
            let offset = self.words.len();
            let mut next = 0;
            for range in prose::sentences(&block.text) {
                let first = next;
                while found.get(next).is_some_and(|word| word.range.start < range.end) {
                    next += 1;
                }
                self.sentences.push(Sentence { block: at, range, words: offset + first..offset + next });
            }
            block.words = offset..offset + found.len();
            self.words.extend(found);
        }
    }
}

impl<'a> Value<'a> {
    /// A value, if there is anything in it.
    pub(super) fn new(raw: &'a str) -> Option<Self> {
        let raw = raw.trim();
        (!raw.is_empty()).then_some(Self { raw })
    }

    /// What it says, as the draft spells it.
    pub fn text(self) -> &'a str {
        self.raw
    }
}

impl<'a> Block<'a> {
    /// A block that is its own origin, word for word.
    pub(super) fn whole(kind: BlockKind, part: PagePart, section: usize, text: &'a str) -> Self {
        let all = 0..text.len();
        let runs = vec![Run { text: all.clone(), origin: all }];
        Self { kind, part, text: text.to_owned(), section, words: 0..0, origin: text, runs }
    }

    /// A block that was read out of a larger text.
    pub(super) fn within(
        kind: BlockKind,
        part: PagePart,
        section: usize,
        text: String,
        origin: &'a str,
        runs: Vec<Run>,
    ) -> Self {
        Self { kind, part, text, section, words: 0..0, origin, runs }
    }

    /// The words of the draft that stand for a piece of the text, cut between words when they are many.
    pub(crate) fn quote(&self, range: Range<usize>) -> Option<&'a str> {
        let start = self.runs.get(self.runs.partition_point(|run| run.text.end <= range.start))?;
        let end =
            self.runs.get(self.runs.partition_point(|run| run.text.start < range.end).checked_sub(1)?)?;
        let from = (start.origin.start + range.start.saturating_sub(start.text.start)).min(start.origin.end);
        let to = if range.end >= end.text.end {
            end.origin.end
        } else {
            (end.origin.start + range.end.saturating_sub(end.text.start)).min(end.origin.end)
        };
        shorten(self.origin.get(from..to)?)
    }

    /// The whole text, as a quote.
    pub(crate) fn quote_all(&self) -> Option<&'a str> {
        self.quote(0..self.text.len())
    }
}

/// The beginning of a text, as long as a quotation may be.
pub(crate) fn shorten(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let Some((end, _)) = text.char_indices().nth(LONGEST_QUOTE) else { return Some(text) };
    let cut = text.get(..end)?;
    let between = cut.rfind(char::is_whitespace).filter(|at| *at * 2 > end).unwrap_or(end);
    cut.get(..between).map(str::trim_end)
}
