//! The documents of an idea by what their headings and labels say, whoever wrote them and in whatever order.

use jury_core::content::page::{Cta, Item, PageQuestion, Quote};
use jury_core::content::{Foundation, IdeaId};
use jury_core::front_matter::FrontMatter;

use super::sentences::{capital, plain, public};
use crate::content::read::section::{self, spaced};
use crate::markdown::blocks::{self, Block, Kind};
use crate::markdown::line;

/// What a document may call its parts.
pub(super) const ALTERNATIVES: &[&str] = &[
    "competitive alternatives",
    "alternatives",
    "competitors",
    "competition",
    "what people use today",
    "instead",
];
pub(super) const ATTRIBUTES: &[&str] = &[
    "unique attributes",
    "attributes",
    "differentiators",
    "differentiation",
    "key features",
    "features",
    "capabilities",
];
pub(super) const VALUE: &[&str] = &["value", "value proposition", "value themes", "benefits", "outcomes"];
pub(super) const CUSTOMER: &[&str] = &[
    "target customer",
    "best fit customers",
    "customer",
    "customers",
    "target audience",
    "audience",
    "who it is for",
];
pub(super) const CATEGORY: &[&str] = &["market category", "category", "market frame"];
pub(super) const WHY_NOW: &[&str] = &["why now", "timing", "trends", "the shift"];
pub(super) const STEPS: &[&str] = &["how it works", "how it starts", "steps"];
const ACTION: &[&str] =
    &["call to action", "primary call to action", "calls to action", "cta", "primary cta"];
const QUESTIONS: &[&str] =
    &["frequently asked questions", "faq", "faqs", "questions and answers", "questions", "objections"];
const PROOF: &[&str] = &["testimonials", "customer quotes", "social proof", "proof", "what customers say"];

/// Parts within a part that are not for readers.
const ASIDE: &[&str] = &[
    "not for",
    "anti",
    "who it is not for",
    "notes",
    "open questions",
    "evidence",
    "sources",
    "assumptions",
    "internal",
];

/// What a document may call its own subject in its first heading.
const SUBJECTS: &[&str] =
    &["positioning", "brand voice", "seo strategy", "strategy", "design", "social media strategy"];

/// The documents, in the order in which they are asked.
pub(super) struct Library<'a> {
    docs: Vec<Doc<'a>>,
    idea: &'a IdeaId,
}

struct Doc<'a> {
    kind: &'a str,
    text: String,
    blocks: Vec<Block>,
}

impl<'a> Library<'a> {
    pub(super) fn open(idea: &'a IdeaId, foundation: &'a Foundation) -> Self {
        let mut docs: Vec<Doc<'a>> = foundation
            .iter()
            .map(|(kind, text)| {
                let text = text.replace("\r\n", "\n");
                let (_, body) = FrontMatter::split(text.trim_start_matches('\u{feff}'));
                // A comment without an end is no reason to lose a document.
                let blocks = blocks::blocks(body, 1)
                    .or_else(|_| blocks::blocks(&body.replace("<!--", ""), 1))
                    .unwrap_or_default();
                Doc { kind: kind.as_str(), text: body.to_owned(), blocks }
            })
            .collect();
        docs.sort_by_key(|doc| doc.kind != "positioning");
        Self { docs, idea }
    }

    /// What the product is called: by a label, by the first heading of a document, or else as the idea is.
    pub(super) fn name(&self) -> String {
        if let Some(name) = self.label(&["product", "product name", "name", "brand name"]) {
            return name;
        }
        let of_heading = self.docs.iter().find_map(|doc| {
            let Kind::Heading { level: 1, text } = &doc.blocks.first()?.kind else { return None };
            let (before, behind) = text.split_once(": ").or_else(|| text.split_once(" – "))?;
            let is_subject = |text: &str| SUBJECTS.contains(&spaced(text).as_str());
            match (is_subject(before), is_subject(behind)) {
                (true, false) => Some(plain(behind)),
                (false, true) => Some(plain(before)),
                _ => None,
            }
        });
        of_heading.unwrap_or_else(|| {
            let words = self.idea.as_str().split(['-', '_', '.']).filter(|word| !word.is_empty());
            words.map(capital).collect::<Vec<_>>().join(" ")
        })
    }

    /// What stands under a heading of one of these names. What only positions the product is looked for in the document
    /// that does so, when there is one.
    pub(super) fn part(&self, names: &[&str]) -> Vec<Block> {
        let positioning = self.docs.iter().filter(|doc| doc.kind == "positioning").count();
        let docs = if positioning > 0 { positioning } else { self.docs.len() };
        let docs = || self.docs.iter().take(docs);
        let labelled = || names.iter().find_map(|name| docs().find_map(|doc| doc.raw_label(name)));
        docs()
            .find_map(|doc| doc.parts(names).into_iter().next())
            // `**Market category:** …` in place of a heading.
            .or_else(|| labelled().map(|text| vec![Block { line: 1, kind: Kind::Paragraph(text) }]))
            .unwrap_or_default()
    }

    fn parts_of_all(&self, names: &[&str]) -> impl Iterator<Item = Vec<Block>> {
        self.docs.iter().flat_map(|doc| doc.parts(names)).collect::<Vec<_>>().into_iter()
    }

    /// The value of a label: `Label: value` on a line or in a list, or the first line under a heading of that name.
    pub(super) fn label(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.docs.iter().find_map(|doc| doc.label(name)))
    }

    /// The same in the documents about search, where a title is that of a page.
    pub(super) fn search_label(&self, names: &[&str]) -> Option<String> {
        let docs = || self.docs.iter().filter(|doc| doc.kind.contains("seo"));
        names.iter().find_map(|name| docs().find_map(|doc| doc.label(name)))
    }

    /// The keyword that the piece is to be found by.
    pub(super) fn keyword(&self) -> Option<String> {
        let names = ["primary keyword", "main keyword", "target keyword", "focus keyphrase", "keyword"];
        let value = self.label(&names)?;
        let value = value.split(['(', ',', ';']).next().unwrap_or_default();
        let value = value.trim().trim_matches(['"', '“', '”', '\'', '.']).trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// Where a reader is asked to go, and what takes a worry away beside it.
    pub(super) fn action(&self) -> (Option<Cta>, Option<String>) {
        for part in self.parts_of_all(ACTION) {
            let cta = part.iter().find_map(|block| link_in(&block.source()));
            let note = part.iter().find_map(|block| match &block.kind {
                Kind::Quote { paragraphs, .. } => Some(plain(&paragraphs.concat().join(" "))),
                Kind::Heading { .. } | Kind::Paragraph(_) | Kind::List { .. } | Kind::Raw(_) => None,
            });
            if cta.is_some() {
                return (cta, note.or_else(|| self.label(&["reassurance", "risk reversal"])));
            }
        }
        let labelled = ACTION.iter().find_map(|name| self.docs.iter().find_map(|doc| doc.raw_label(name)));
        (labelled.and_then(|value| link_in(&value)), self.label(&["reassurance", "risk reversal"]))
    }

    /// Questions that have answers.
    pub(super) fn questions(&self) -> Vec<PageQuestion> {
        for part in self.parts_of_all(QUESTIONS) {
            let items = section::questions(&part).items.into_iter();
            let answered = items.filter(|item| item.title.ends_with('?') && !item.text.trim().is_empty());
            let all: Vec<PageQuestion> = answered
                .map(|item| PageQuestion { question: plain(&item.title), answer: plain(&item.text) })
                .take(7)
                .collect();
            if !all.is_empty() {
                return all;
            }
        }
        Vec::new()
    }

    /// What others said, word for word, with their names.
    pub(super) fn quotes(&self) -> Vec<Quote> {
        for part in self.parts_of_all(PROOF) {
            let quotes = part.iter().filter_map(|block| match &block.kind {
                Kind::Quote { paragraphs, .. } => Some(section::quote(paragraphs, false)),
                Kind::Heading { .. } | Kind::Paragraph(_) | Kind::List { .. } | Kind::Raw(_) => None,
            });
            let named: Vec<Quote> = quotes.filter(|quote| !quote.source.is_empty()).take(3).collect();
            if !named.is_empty() {
                return named;
            }
        }
        Vec::new()
    }

    /// The items of a list under a heading of one of these names, in any document.
    pub(super) fn list(&self, names: &[&str]) -> Vec<String> {
        let lists = self.parts_of_all(names).map(|part| {
            let of = |block: &Block| match &block.kind {
                Kind::List { items, .. } => items.clone(),
                Kind::Heading { .. } | Kind::Paragraph(_) | Kind::Quote { .. } | Kind::Raw(_) => Vec::new(),
            };
            part.iter().flat_map(of).map(|item| plain(&item)).collect::<Vec<_>>()
        });
        lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
    }
}

impl Doc<'_> {
    /// What stands under each heading that has one of these names, the best name first.
    fn parts(&self, names: &[&str]) -> Vec<Vec<Block>> {
        let mut found: Vec<(usize, Vec<Block>)> = Vec::new();
        for (index, block) in self.blocks.iter().enumerate() {
            let Kind::Heading { level: 2.., text } = &block.kind else { continue };
            let heading = spaced(text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
            if is_aside(&heading) {
                continue;
            }
            let exact = names.iter().position(|name| heading == *name);
            let within =
                || names.iter().position(|name| format!(" {heading} ").contains(&format!(" {name} ")));
            if let Some(rank) = exact.or_else(|| within().map(|at| at + names.len())) {
                found.push((rank, self.under(index)));
            }
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, part)| part).filter(|part| !part.is_empty()).collect()
    }

    /// What stands under the heading at this place, without what is set aside.
    fn under(&self, heading: usize) -> Vec<Block> {
        let Some(Kind::Heading { level: top, .. }) = self.blocks.get(heading).map(|block| &block.kind) else {
            return Vec::new();
        };
        let mut part = Vec::new();
        let mut aside: Option<usize> = None;
        for block in self.blocks.iter().skip(heading + 1) {
            if let Kind::Heading { level, text } = &block.kind {
                if level <= top {
                    break;
                }
                if aside.is_none_or(|aside| *level <= aside) {
                    aside = is_aside(&spaced(text)).then_some(*level);
                }
            }
            if aside.is_none() {
                part.push(block.clone());
            }
        }
        part
    }

    fn label(&self, name: &str) -> Option<String> {
        self.raw_label(name).map(|value| plain(&value)).filter(|value| !value.is_empty())
    }

    fn raw_label(&self, name: &str) -> Option<String> {
        let labelled = |text: &str| {
            let (label, value) = text.split_once(':')?;
            (spaced(label) == name).then(|| value.trim_start_matches('*').trim().to_owned())
        };
        let in_lists = self.blocks.iter().find_map(|block| match &block.kind {
            Kind::List { items, .. } => items.iter().find_map(|item| labelled(item)),
            Kind::Heading { .. } | Kind::Paragraph(_) | Kind::Quote { .. } | Kind::Raw(_) => None,
        });
        // What is bold begins a paragraph; what is not may be one line of several such labels.
        let in_bold = || {
            self.blocks.iter().find_map(|block| match &block.kind {
                Kind::Paragraph(text) if text.starts_with("**") => labelled(text),
                Kind::Heading { .. }
                | Kind::Paragraph(_)
                | Kind::List { .. }
                | Kind::Quote { .. }
                | Kind::Raw(_) => None,
            })
        };
        let on_a_line =
            || self.text.lines().filter(|line| !line.starts_with([' ', '-', '#'])).find_map(labelled);
        let under_heading = || {
            let index = self.blocks.iter().position(
                |block| matches!(&block.kind, Kind::Heading { text, .. } if spaced(text) == name),
            )?;
            match &self.under(index).first()?.kind {
                Kind::Paragraph(text) => Some(text.clone()),
                Kind::List { items, .. } => items.first().cloned(),
                Kind::Quote { paragraphs, .. } => paragraphs.first().map(|lines| lines.join(" ")),
                Kind::Heading { .. } | Kind::Raw(_) => None,
            }
        };
        in_lists.or_else(in_bold).or_else(on_a_line).or_else(under_heading).filter(|value| !value.is_empty())
    }
}

fn is_aside(heading: &str) -> bool {
    ASIDE.iter().any(|name| format!(" {heading} ").contains(&format!(" {name} ")))
}

/// The first link within a text.
fn link_in(text: &str) -> Option<Cta> {
    text.match_indices("](").find_map(|(close, _)| {
        let start = text.get(..close)?.rfind(['[', ']', '\n'])?;
        let label = plain(text.get(start..close)?.strip_prefix('[')?);
        let (href, _) = text.get(close + 2..)?.split_once(')')?;
        let href = href.trim();
        let is_link = !label.is_empty() && !href.is_empty() && !href.contains(char::is_whitespace);
        (is_link && !text.get(..start)?.ends_with('!')).then(|| Cta { label, href: href.to_owned() })
    })
}

/// The paragraphs of a part that can stand before a reader; each item of a list is one.
pub(super) fn paragraphs(part: &[Block]) -> Vec<String> {
    let mut all = Vec::new();
    for block in part {
        match &block.kind {
            Kind::Paragraph(text) => all.push(public(text)),
            Kind::List { items, .. } => {
                all.extend(items.iter().map(|item| public(&spoken(&section::listed(item)))));
            }
            Kind::Heading { .. } | Kind::Quote { .. } | Kind::Raw(_) => {}
        }
    }
    all.retain(|text| !text.is_empty());
    all
}

/// An item as running text.
pub(super) fn spoken(item: &Item) -> String {
    match (item.title.trim(), item.text.trim()) {
        (title, "") => title.to_owned(),
        ("", text) => text.to_owned(),
        (title, text) if title.ends_with(['.', '?', '!', ':']) => format!("{title} {text}"),
        (title, text) => format!("{title}. {text}"),
    }
}

/// What stands before the items of a part, and the items, as they can stand before a reader.
pub(super) fn items(part: &[Block]) -> (String, Vec<Item>) {
    let section::Divided { before, mut items, .. } = section::items(part);
    let intro = paragraphs(&before).join("\n\n");
    if items.is_empty() {
        items = before.iter().flat_map(rows).collect();
    }
    let items = items.into_iter().map(|item| Item {
        title: plain(&item.title).trim_end_matches('.').to_owned(),
        text: item
            .text
            .split("\n\n")
            .map(public)
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n"),
    });
    (intro, items.filter(|item| !item.title.is_empty()).take(7).collect())
}

/// The rows of a table without its head: the first cell is a title, the others are its text.
fn rows(block: &Block) -> Vec<Item> {
    let Kind::Raw(raw) = &block.kind else { return Vec::new() };
    let mut lines = raw.lines().skip_while(|row| !line::is_table_rule(row));
    if lines.next().is_none() || !raw.starts_with('|') {
        return Vec::new();
    }
    let row = |row: &str| {
        let mut cells = line::cells(row).into_iter().filter(|cell| !cell.is_empty());
        let title = cells.next()?.to_owned();
        let closed =
            |cell: &str| if cell.ends_with(['.', '?', '!']) { cell.to_owned() } else { format!("{cell}.") };
        Some(Item { title, text: cells.map(closed).collect::<Vec<_>>().join(" ") })
    };
    lines.filter_map(row).collect()
}
