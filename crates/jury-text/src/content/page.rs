//! A page in its parts as a document: the order and the levels of its Markdown, the words as they are.

use jury_core::content::page::{Cta, Item, Page, Section};

use super::document::{Block, Document, Group, Kind, Link, Part, Value};

pub(super) fn read(page: &Page) -> Document<'_> {
    let mut reader = Reader { document: Document::default(), part: Part::Opening, section: 0 };
    reader.document.title = Value::new(&page.title);
    reader.document.description = Value::new(&page.description);
    reader.document.name = Value::new(&page.name);
    // Without a headline there is no heading, not an empty one.
    reader.some(Kind::Heading(1), &page.hero.headline);
    reader.some(Kind::Paragraph, &page.hero.subheadline);
    if let Some(cta) = &page.hero.cta {
        reader.action(cta);
    }
    if let Some(note) = &page.hero.note {
        reader.some(Kind::Note, note);
    }
    for section in &page.sections {
        reader.section(section);
    }
    reader.document
}

struct Reader<'a> {
    document: Document<'a>,
    part: Part,
    section: usize,
}

impl<'a> Reader<'a> {
    fn push(&mut self, kind: Kind, text: &'a str) -> usize {
        self.document.blocks.push(Block::whole(kind, self.part, self.section, text));
        self.document.blocks.len() - 1
    }

    fn some(&mut self, kind: Kind, text: &'a str) {
        if !text.trim().is_empty() {
            self.push(kind, text);
        }
    }

    fn action(&mut self, cta: &'a Cta) {
        let block = self.push(Kind::Action, &cta.label);
        let link = Link { text: cta.label.clone(), href: cta.href.clone(), block, action: true };
        self.document.links.push(link);
    }

    fn items(&mut self, heading: &str, intro: &'a str, items: &'a [Item]) {
        self.some(Kind::Paragraph, intro);
        let first = self.document.blocks.len();
        for item in items {
            self.push(Kind::Heading(3), &item.title);
            self.some(Kind::Paragraph, &item.text);
        }
        if !items.is_empty() {
            let group = Group { items: items.len(), heading: heading.to_owned(), first, list: false };
            self.document.groups.push(group);
        }
    }

    fn section(&mut self, section: &'a Section) {
        self.section += 1;
        self.part = match section {
            Section::Text { .. } => Part::Text,
            Section::Features { .. } => Part::Features,
            Section::Steps { .. } => Part::Steps,
            Section::Alternatives { .. } => Part::Alternatives,
            Section::Proof { .. } => Part::Proof,
            Section::Faq { .. } => Part::Faq,
            Section::Action { .. } => Part::Action,
        };
        self.push(Kind::Heading(2), section.heading());
        match section {
            Section::Text { paragraphs, .. } => {
                for text in paragraphs {
                    self.some(Kind::Paragraph, text);
                }
            }
            Section::Features { heading, intro, items }
            | Section::Steps { heading, intro, items }
            | Section::Alternatives { heading, intro, items } => self.items(heading, intro, items),
            Section::Proof { quotes, .. } => {
                for quote in quotes {
                    self.some(Kind::Quote, &quote.text);
                    self.some(Kind::Source, &quote.source);
                }
            }
            Section::Faq { items, .. } => {
                for item in items {
                    self.push(Kind::Heading(3), &item.question);
                    self.some(Kind::Paragraph, &item.answer);
                }
            }
            Section::Action { text, cta, .. } => {
                self.some(Kind::Paragraph, text);
                self.action(cta);
            }
        }
    }
}
