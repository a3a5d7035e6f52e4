//! A piece of prose: a paragraph, a heading, an entry of a list or a cell of a table, as a reader sees it, with the
//! way back to the source.

use std::ops::Range;

use super::cut;

/// What a passage is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Paragraph,
    Heading,
    /// The first paragraph of a list entry.
    Item,
    Cell {
        table: usize,
        row: usize,
        column: usize,
    },
}

/// What a part of a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Code,
    Link,
    Strong,
}

/// A piece of prose.
#[derive(Debug)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The heading it stands under, counted from 1; 0 before the first.
    pub(super) section: usize,
    /// In a block quotation.
    pub(super) quoted: bool,
    /// The list it is an entry of.
    pub(super) list: Option<usize>,
    /// Parts by what they are, each in order and apart from each other.
    code: Vec<Range<usize>>,
    links: Vec<Range<usize>>,
    strong: Vec<Range<usize>>,
    /// Where runs of the text begin, here and in the source.
    map: Vec<(usize, usize)>,
    /// The first byte in the source.
    pub(super) start: usize,
}

impl Passage {
    pub(super) fn new(kind: Kind, section: usize, start: usize) -> Self {
        Self {
            kind,
            text: String::new(),
            section,
            quoted: false,
            list: None,
            code: Vec::new(),
            links: Vec::new(),
            strong: Vec::new(),
            map: Vec::new(),
            start,
        }
    }

    /// Adds what stands in the source at `offset`.
    pub(super) fn push(&mut self, text: &str, offset: usize) {
        self.map.push((self.text.len(), offset));
        self.text.push_str(text);
    }

    /// The place in the source of a place in the text.
    pub(super) fn source(&self, at: usize) -> usize {
        let index = self.map.partition_point(|(here, _)| *here <= at);
        match index.checked_sub(1).and_then(|index| self.map.get(index)) {
            Some((here, there)) => there + (at - here),
            None => self.start,
        }
    }

    /// Whether a place is in a part of that kind.
    pub(super) fn is(&self, mark: Mark, at: usize) -> bool {
        let parts = self.parts(mark);
        let index = parts.partition_point(|range| range.start <= at);
        index.checked_sub(1).and_then(|index| parts.get(index)).is_some_and(|range| range.contains(&at))
    }

    /// The parts of that kind.
    pub(super) fn parts(&self, mark: Mark) -> &[Range<usize>] {
        match mark {
            Mark::Code => &self.code,
            Mark::Link => &self.links,
            Mark::Strong => &self.strong,
        }
    }

    /// Says what the text from `start` on is.
    pub(super) fn mark(&mut self, mark: Mark, start: usize) {
        let range = start..self.text.len();
        let parts = match mark {
            Mark::Code => &mut self.code,
            Mark::Link => &mut self.links,
            Mark::Strong => &mut self.strong,
        };
        // One within another ends first; the outer one is what counts.
        while parts.last().is_some_and(|last| last.start >= range.start) {
            parts.pop();
        }
        if !range.is_empty() {
            parts.push(range);
        }
    }

    /// Whether a place is in a code span or in quotation marks: there a word is talked about and not used.
    pub(super) fn is_mentioned(&self, range: &Range<usize>) -> bool {
        // Quotations are short. A window keeps the cost of long passages linear.
        const WINDOW: usize = 240;
        if self.is(Mark::Code, range.start) {
            return true;
        }
        let mut from = range.start.saturating_sub(WINDOW);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let mut to = (range.end + WINDOW).min(self.text.len());
        while !self.text.is_char_boundary(to) {
            to -= 1;
        }
        let before = cut(&self.text, from..range.start);
        let after = cut(&self.text, range.end..to);
        let opens = |pair: (char, char)| {
            let open = before.rfind(pair.0);
            let gap = open.map(|open| cut(before, open..before.len()));
            let closed = gap.is_some_and(|gap| gap.chars().skip(1).any(|character| character == pair.1));
            open.is_some() && !closed && after.contains(pair.1)
        };
        if opens(('“', '”')) || opens(('‘', '’')) || opens(('«', '»')) || opens(('„', '“')) {
            return true;
        }
        // A straight mark opens and closes alike: an odd number before and one after.
        before.matches('"').count() % 2 == 1 && after.contains('"')
    }

    /// Its sentences, as ranges of the text.
    pub(super) fn sentences(&self) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut start = 0;
        let mut characters = self.text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let ends = match character {
                '\n' => true,
                // Words are looked at only where one ends, so that each is looked at once.
                '.' | '?' | '!' => {
                    characters.peek().is_none_or(|(_, next)| next.is_whitespace())
                        && !self.is(Mark::Code, at)
                        && !self.goes_on(start, at)
                }
                _ => false,
            };
            if ends {
                let end = at + character.len_utf8();
                ranges.push(start..end);
                start = end;
            }
        }
        if !cut(&self.text, start..self.text.len()).trim().is_empty() {
            ranges.push(start..self.text.len());
        }
        ranges
    }

    /// Whether a sentence goes on behind the mark at `at`: it ends an abbreviation, and a small letter follows.
    fn goes_on(&self, start: usize, at: usize) -> bool {
        let rest = cut(&self.text, at + 1..self.text.len()).trim_start();
        if !rest.starts_with(char::is_lowercase) {
            return false;
        }
        let before = cut(&self.text, start..at);
        let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        last.contains('.')
            || matches!(last, "etc" | "vs" | "cf" | "approx" | "no" | "No" | "min" | "max" | "incl")
    }
}
