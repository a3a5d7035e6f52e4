//! A page in its parts as a document: the order and the levels of its Markdown, the words as they are.

use jury_core::content::page::{Cta, Item, Page, Section};

use super::document::{Block, BlockKind, DraftDocument, Group, Link, PagePart, Value};

pub(super) fn read(page: &Page) -> DraftDocument<'_> {
    let mut reader = Reader { document: DraftDocument::default(), part: PagePart::Opening, section: 0 };
    reader.document.title = Value::new(&page.title);
    reader.document.description = Value::new(&page.description);
    reader.document.name = Value::new(&page.name);
    // Without a headline there is no heading, not an empty one.
    reader.some(BlockKind::Heading(1), &page.hero.headline);
    reader.some(BlockKind::Paragraph, &page.hero.subheadline);
    if let Some(cta) = &page.hero.cta {
        reader.action(cta);
    }
    if let Some(note) = &page.hero.note {
        reader.some(BlockKind::Note, note);
    }
    for section in &page.sections {
        reader.section(section);
    }
    reader.document
}

struct Reader<'a> {
    document: DraftDocument<'a>,
    part: PagePart,
    section: usize,
}

impl<'a> Reader<'a> {
    fn push(&mut self, kind: BlockKind, text: &'a str) -> usize {
        self.document.blocks.push(Block::whole(kind, self.part, self.section, text));
        self.document.blocks.len() - 1
    }

    fn some(&mut self, kind: BlockKind, text: &'a str) {
        if !text.trim().is_empty() {
            self.push(kind, text);
        }
    }

    fn action(&mut self, cta: &'a Cta) {
        let block = self.push(BlockKind::Action, &cta.label);
        let link = Link { text: cta.label.clone(), href: cta.href.clone(), block, action: true };
        self.document.links.push(link);
    }

    fn items(&mut self, heading: &str, intro: &'a str, items: &'a [Item]) {
        self.some(BlockKind::Paragraph, intro);
        let first = self.document.blocks.len();
        for item in items {
            self.push(BlockKind::Heading(3), &item.title);
            self.some(BlockKind::Paragraph, &item.text);
        }
        if !items.is_empty() {
            let group = Group { items: items.len(), heading: heading.to_owned(), first, list: false };
            self.document.groups.push(group);
        }
    }

    fn section(&mut self, section: &'a Section) {
        self.section += 1;
        self.part = match section {
            Section::Text { .. } => PagePart::Text,
            Section::Features { .. } => PagePart::Features,
            Section::Steps { .. } => PagePart::Steps,
            Section::Alternatives { .. } => PagePart::Alternatives,
            Section::Proof { .. } => PagePart::Proof,
            Section::Faq { .. } => PagePart::Faq,
            Section::Action { .. } => PagePart::Action,
        };
        self.push(BlockKind::Heading(2), section.heading());
        match section {
            Section::Text { paragraphs, .. } => {
                for text in paragraphs {
                    self.some(BlockKind::Paragraph, text);
                }
            }
            Section::Features { heading, intro, items }
            | Section::Steps { heading, intro, items }
            | Section::Alternatives { heading, intro, items } => self.items(heading, intro, items),
            Section::Proof { quotes, .. } => {
                for quote in quotes {
                    self.some(BlockKind::Quote, &quote.text);
                    self.some(BlockKind::Source, &quote.source);
                }
            }
            Section::Faq { items, .. } => {
                for item in items {
                    self.push(BlockKind::Heading(3), &item.question);
                    self.some(BlockKind::Paragraph, &item.answer);
                }
            }
            Section::Action { text, cta, .. } => {
                self.some(BlockKind::Paragraph, text);
                self.action(cta);
            }
        }
    }
}
