//! The pieces of a draft that may be corrected, one by one. What others said is not among them.

use std::ops::Range;

use jury_core::content::page::{Cta, Section};
use jury_core::content::{Draft, Page};
use jury_core::front_matter::FrontMatter;

use crate::markdown::blocks::{self, Kind};

/// What a piece is: a full stop belongs behind a sentence and not behind a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Title,
    Description,
    Heading,
    Label,
    Prose,
}

/// Goes through the pieces in order. `visit` may change the text; it says whether it did.
pub(super) fn each(draft: &mut Draft, visit: &mut dyn FnMut(Place, &mut String) -> bool) -> bool {
    match draft {
        Draft::Page(page) => of_page(page, visit),
        Draft::Text(text) => of_text(text, visit),
    }
}

fn of_page(page: &mut Page, visit: &mut dyn FnMut(Place, &mut String) -> bool) -> bool {
    let mut changed = false;
    let mut at = |place: Place, text: &mut String| changed |= visit(place, text);
    at(Place::Title, &mut page.title);
    at(Place::Description, &mut page.description);
    at(Place::Heading, &mut page.hero.headline);
    at(Place::Prose, &mut page.hero.subheadline);
    if let Some(cta) = &mut page.hero.cta {
        at(Place::Label, &mut cta.label);
    }
    if let Some(note) = &mut page.hero.note {
        at(Place::Prose, note);
    }
    for section in &mut page.sections {
        match section {
            Section::Text { heading, paragraphs } => {
                at(Place::Heading, heading);
                paragraphs.iter_mut().filter(|text| is_prose(text)).for_each(|text| at(Place::Prose, text));
            }
            Section::Features { heading, intro, items }
            | Section::Steps { heading, intro, items }
            | Section::Alternatives { heading, intro, items } => {
                at(Place::Heading, heading);
                at(Place::Prose, intro);
                for item in items {
                    at(Place::Heading, &mut item.title);
                    at(Place::Prose, &mut item.text);
                }
            }
            Section::Proof { heading, .. } => at(Place::Heading, heading),
            Section::Faq { heading, items } => {
                at(Place::Heading, heading);
                for item in items {
                    at(Place::Heading, &mut item.question);
                    at(Place::Prose, &mut item.answer);
                }
            }
            Section::Action { heading, text, cta } => {
                at(Place::Heading, heading);
                at(Place::Prose, text);
                at(Place::Label, &mut cta.label);
            }
        }
    }
    changed
}

/// Quotations, code and tables within plain text are left alone.
fn is_prose(paragraph: &str) -> bool {
    !paragraph.starts_with(['>', '`', '~', '|'])
}

/// The calls to action of a page.
pub(super) fn actions(page: &mut Page) -> Vec<&mut Cta> {
    let of_sections = page.sections.iter_mut().filter_map(|section| match section {
        Section::Action { cta, .. } => Some(cta),
        Section::Text { .. }
        | Section::Features { .. }
        | Section::Steps { .. }
        | Section::Alternatives { .. }
        | Section::Proof { .. }
        | Section::Faq { .. } => None,
    });
    page.hero.cta.iter_mut().chain(of_sections).collect()
}

fn of_text(text: &mut String, visit: &mut dyn FnMut(Place, &mut String) -> bool) -> bool {
    let mut out = String::with_capacity(text.len());
    let mut changed = false;
    let (front, body) = FrontMatter::split(text);
    for line in front.split_inclusive('\n') {
        changed |= of_front_line(line, &mut out, visit);
    }
    let Ok(found) = blocks::blocks(body, 1) else {
        return false;
    };
    // The lines of each block, and what stands between them as it is.
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    let starts: Vec<usize> = found.iter().map(|block| block.line as usize - 1).collect();
    let mut next = 0;
    for (index, block) in found.iter().enumerate() {
        let start = starts.get(index).copied().unwrap_or(next);
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let of = |range: Range<usize>| lines.get(range).unwrap_or_default().concat();
        out.push_str(&of(next..start));
        let source = of(start..end);
        next = end;
        let place = match &block.kind {
            Kind::Heading { .. } => Place::Heading,
            Kind::Paragraph(_) | Kind::List { .. } => Place::Prose,
            Kind::Quote { .. } | Kind::Raw(_) => {
                out.push_str(&source);
                continue;
            }
        };
        // The marks of a heading, and the empty lines behind a block, are no part of what it says.
        let marks = source.len() - source.trim_start_matches(['#', ' ', '\t']).len();
        let marks = if place == Place::Heading { marks } else { 0 };
        let (before, rest) = source.split_at(marks);
        let words = rest.trim_end();
        let behind = rest.get(words.len()..).unwrap_or_default();
        let mut words = words.to_owned();
        changed |= visit(place, &mut words);
        out.push_str(before);
        out.push_str(&words);
        out.push_str(behind);
    }
    out.push_str(&lines.get(next..).unwrap_or_default().concat());
    if changed {
        *text = out;
    }
    changed
}

fn of_front_line(line: &str, out: &mut String, visit: &mut dyn FnMut(Place, &mut String) -> bool) -> bool {
    let place = |key: &str| match key.trim().to_lowercase().as_str() {
        "title" => Some(Place::Title),
        "description" => Some(Place::Description),
        _ => None,
    };
    if let Some((key, value)) = line.split_once(':')
        && let Some(place) = place(key)
    {
        let value = value.trim();
        let mut said = serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned());
        // A value in other quotes, or one that goes on below, is left as it is.
        if !value.starts_with(['\'', '>', '|', '[', '{']) && !said.is_empty() && visit(place, &mut said) {
            out.push_str(key);
            out.push_str(": ");
            out.push_str(&serde_json::to_string(&said).unwrap_or_default());
            out.push('\n');
            return true;
        }
    }
    out.push_str(line);
    false
}
