//! A document as a list of what it says, to be compared with another version of it.

use super::markers;
use super::nearby_files::NearbyFiles;
use super::passage::{Kind, Mark};
use super::read::Document;

/// A piece of prose, in the order of the text.
#[derive(Debug)]
pub(crate) struct OutlinePassage {
    /// It is a heading.
    pub(crate) heading: bool,
    /// As a reader sees it.
    pub(crate) text: String,
    /// The heading that it stands under; empty before the first.
    pub(crate) under: String,
    /// Its number in the list that it is an entry of, from 1.
    pub(crate) number: Option<usize>,
    /// Something in it is marked as unfinished.
    pub(crate) unfinished: bool,
    /// What is set as code in it.
    pub(crate) spans: Vec<String>,
}

/// A line of a block of code, or of the data before the text.
#[derive(Debug)]
pub(crate) struct OutlineCode {
    pub(crate) line: String,
    /// The heading that it stands under.
    pub(crate) under: String,
}

/// Where something leads.
#[derive(Debug)]
pub(crate) struct OutlineLink {
    pub(crate) text: String,
    pub(crate) target: String,
    /// The passage that it stands in, as far as it stands in one.
    pub(crate) passage: Option<usize>,
}

/// What a document says.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) passages: Vec<OutlinePassage>,
    pub(crate) code: Vec<OutlineCode>,
    pub(crate) links: Vec<OutlineLink>,
}

impl Outline {
    pub(crate) fn of(text: &str) -> Self {
        let document = Document::read(text, &NearbyFiles::Unknown);
        let starts: Vec<usize> = document.passages.iter().map(|passage| passage.start).collect();
        let before = |offset: usize| starts.partition_point(|start| *start <= offset).checked_sub(1);
        let unfinished = markers::unfinished(&document);
        let marked: std::collections::BTreeSet<usize> =
            unfinished.places.iter().filter_map(|place| before(place.offset)).collect();
        let under = |section: usize| {
            document.heading(section).map(|heading| heading.text.clone()).unwrap_or_default()
        };
        let mut outline = Self::default();
        let (mut list, mut number) = (None, 0);
        for (index, passage) in document.passages.iter().enumerate() {
            let is_item = passage.kind == Kind::Item;
            if is_item {
                number = if passage.list == list { number + 1 } else { 1 };
                list = passage.list;
            }
            let span = |range: &std::ops::Range<usize>| super::cut(&passage.text, range.clone()).to_owned();
            outline.passages.push(OutlinePassage {
                heading: passage.kind == Kind::Heading,
                text: passage.text.clone(),
                under: under(passage.section),
                number: is_item.then_some(number),
                unfinished: marked.contains(&index),
                spans: passage.parts(Mark::Code).iter().map(span).collect(),
            });
        }
        for html in document.html.iter().filter(|html| !html.text.trim_start().starts_with("<!--")) {
            let text = super::subject::without_tags(&html.text);
            if text.chars().any(char::is_alphanumeric) {
                let section = before(html.offset).and_then(|index| document.passages.get(index));
                outline.passages.push(OutlinePassage {
                    heading: false,
                    text,
                    under: section.map(|passage| under(passage.section)).unwrap_or_default(),
                    number: None,
                    unfinished: false,
                    spans: Vec::new(),
                });
            }
        }
        for line in front_matter(text) {
            outline.code.push(OutlineCode { line: line.trim().to_owned(), under: String::new() });
        }
        for block in &document.blocks {
            let section = before(block.offset).and_then(|index| document.passages.get(index));
            let under = section.map(|passage| under(passage.section)).unwrap_or_default();
            let is_marked = unfinished.places.iter().any(|place| place.offset == block.offset);
            for line in block.code.lines().map(str::trim).filter(|line| !line.is_empty() && !is_marked) {
                outline.code.push(OutlineCode { line: line.to_owned(), under: under.clone() });
            }
        }
        for link in &document.links {
            outline.links.push(OutlineLink {
                text: link.text.trim().to_owned(),
                target: link.target.clone(),
                passage: before(link.offset),
            });
        }
        for definition in &document.definitions {
            outline.links.push(OutlineLink {
                text: String::new(),
                target: definition.target.clone(),
                passage: None,
            });
        }
        outline
    }
}

/// The lines of the data before a text.
pub(crate) fn front_matter(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let fence = lines.next().map(str::trim_end).filter(|line| matches!(*line, "---" | "+++"));
    let is_closed = fence.is_some_and(|fence| lines.clone().any(|line| line.trim_end() == fence));
    let inside = lines.take_while(move |line| is_closed && Some(line.trim_end()) != fence);
    inside.filter(|line| !line.trim().is_empty())
}
