//! The Markdown of a page: front matter, the headline with what stands under it, then a section for each heading.

use jury_core::content::Page;
use jury_core::content::page::{Cta, Hero};

use super::section::{self, Part};
use super::{NotADraft, Remark, front, links};
use crate::markdown::blocks::{self, Block, Kind};

/// Reads a page from its JSON.
pub(super) fn page(text: &str, remarks: &mut Vec<Remark>) -> Result<Page, NotADraft> {
    let front = front::split(text)?;
    let blocks = blocks::blocks(front.body, front.body_line)?;
    let first = blocks.iter().position(|block| matches!(block.kind, Kind::Heading { level: 1, .. }));
    let Some(first) = first else {
        let line = blocks.first().map_or(front.body_line, |block| block.line);
        return Err(at(line, "a page needs a headline: begin with a line `# ` and what the page says first"));
    };
    let (before, rest) = blocks.split_at(first);
    if let Some(block) = before.iter().find(|block| matches!(block.kind, Kind::Heading { .. })) {
        return Err(at(block.line, "a heading stands before the headline: put the line with one `#` first"));
    }
    let Some((headline, rest)) = rest.split_first() else {
        return Err(at(front.body_line, "a page needs a headline"));
    };
    let Kind::Heading { text: heading, .. } = &headline.kind else {
        return Err(at(headline.line, "a page needs a headline"));
    };
    if heading.is_empty() {
        return Err(at(headline.line, "the headline is empty: write it behind the `#`"));
    }
    let under =
        rest.iter().position(|block| matches!(block.kind, Kind::Heading { .. })).unwrap_or(rest.len());
    let (under, parts) = rest.split_at(under);

    let hero = hero(heading, before, under, remarks);
    let mut page = Page { hero, ..Page::default() };
    meta(&mut page, &front, headline.line, remarks);
    for part in cut(parts, remarks) {
        section::read(&part, &mut page.sections, remarks);
    }
    Ok(page)
}

fn at(line: u32, what: &str) -> NotADraft {
    NotADraft::At { line, what: what.to_owned() }
}

/// Name, title and description: from the front matter, and the title from the headline when nobody gave one.
fn meta(page: &mut Page, front: &front::Front<'_>, headline: u32, remarks: &mut Vec<Remark>) {
    let mut title = None;
    let mut name = None;
    for entry in &front.entries {
        let value = entry.value.clone();
        match entry.key.as_str() {
            "name" | "product" | "site" | "brand" => name = Some(value),
            "title" | "meta-title" | "seo-title" | "metatitle" => title = Some(value),
            "description" | "meta-description" | "metadescription" => page.description = value,
            key => remarks.push(Remark {
                line: entry.line,
                what: format!("`{key}` is no part of a page and was left out; it takes `name`, `title` and `description`"),
            }),
        }
    }
    if title.is_none() {
        let what = "no `title` in the front matter: the headline was taken for it";
        remarks.push(Remark { line: headline, what: what.to_owned() });
    }
    page.title = title.unwrap_or_else(|| page.hero.headline.clone());
    page.name = name.unwrap_or_else(|| {
        let behind =
            page.title.rsplit_once(" | ").map(|(_, name)| name.trim().to_owned()).unwrap_or_default();
        let what = if behind.is_empty() {
            "no `name` in the front matter: the page has none; add `name: ` and what the product is called"
                .to_owned()
        } else {
            format!("no `name` in the front matter: taken from the title: {behind}")
        };
        remarks.push(Remark { line: headline, what });
        behind
    });
}

/// What is seen first: paragraphs are the line under the headline, the first link alone is the call to action, a quote
/// is the note beside it.
fn hero(headline: &str, before: &[Block], under: &[Block], remarks: &mut Vec<Remark>) -> Hero {
    let mut lines: Vec<String> = Vec::new();
    let mut note: Vec<String> = Vec::new();
    let mut cta: Option<Cta> = None;
    for block in before {
        let what = "text before the headline was put under it; write it there, or under a heading of its own";
        remarks.push(Remark { line: block.line, what: what.to_owned() });
    }
    for block in under.iter().chain(before) {
        match &block.kind {
            Kind::Paragraph(text) => {
                let found = links::alone(text).map(|one| vec![one]).or_else(|| links::several(text));
                let Some(found) = found else {
                    if !lines.is_empty() {
                        let what = "more than one paragraph under the headline: all of them are one; give the others a heading (`## `)";
                        remarks.push(Remark { line: block.line, what: what.to_owned() });
                    }
                    lines.push(text.clone());
                    continue;
                };
                for link in found {
                    if cta.is_none() {
                        cta = Some(link);
                    } else {
                        let what = format!(
                            "a second call to action under the headline is only text: {}",
                            link.label
                        );
                        remarks.push(Remark { line: block.line, what });
                        lines.push(in_brackets(&link));
                    }
                }
            }
            Kind::Quote { paragraphs, .. } => note.extend(paragraphs.iter().flatten().cloned()),
            Kind::Heading { .. } | Kind::List { .. } | Kind::Raw(_) => {
                let what = "only a paragraph, a link and a quote stand under the headline; this was put into the paragraph";
                remarks.push(Remark { line: block.line, what: what.to_owned() });
                lines.push(block.source());
            }
        }
    }
    let note = (!note.is_empty()).then(|| note.join(" "));
    Hero { headline: headline.to_owned(), subheadline: lines.join("\n\n"), cta, note }
}

/// A link as text: alone in its paragraph it would be taken for the call to action the next time.
pub(super) fn in_brackets(link: &Cta) -> String {
    format!("([{}]({}))", link.label, link.href)
}

/// The blocks under each heading of the second level.
fn cut(blocks: &[Block], remarks: &mut Vec<Remark>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for block in blocks {
        let Kind::Heading { level, text } = &block.kind else {
            if let Some(part) = parts.last_mut() {
                part.blocks.push(block.clone());
            }
            continue;
        };
        match parts.last_mut() {
            Some(part) if *level > 2 && !part.ends_with(*level) => part.blocks.push(block.clone()),
            _ => {
                if *level != 2 {
                    let what = match level {
                        1 => "a second headline: taken as the heading of a section; write `## `",
                        _ => "no heading of the second level above this one: taken as one; write `## `",
                    };
                    remarks.push(Remark { line: block.line, what: what.to_owned() });
                }
                parts.push(Part::new(block.line, *level, text, remarks));
            }
        }
    }
    parts
}
