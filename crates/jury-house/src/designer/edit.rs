//! Small changes to a text, applied together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How far a repair may be seen in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Visible {
    /// Nothing on the page may move.
    No,
    /// Boxes may move by a few pixels.
    Slightly,
    /// Boxes may come, go and move.
    Yes,
}

/// One repair: the bytes it changes and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Repair {
    /// The check it answers.
    pub(crate) check: &'static str,
    /// What is replaced with what; an empty range inserts.
    pub(crate) edits: Vec<(Range<usize>, String)>,
    /// What was done, for the designer's notes.
    pub(crate) reason: String,
    pub(crate) visible: Visible,
    /// Whether it puts words on the page that nobody wrote for this place.
    pub(crate) invents_words: bool,
}

impl Repair {
    /// A repair that changes one place and shows nothing.
    pub(crate) fn one(
        check: &'static str,
        span: Range<usize>,
        text: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            check,
            edits: vec![(span, text.into())],
            reason: reason.into(),
            visible: Visible::No,
            invents_words: false,
        }
    }

    /// A repair that inserts text.
    pub(crate) fn insert(
        check: &'static str,
        at: usize,
        text: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self::one(check, at..at, text, reason)
    }

    pub(crate) fn slightly_visible(mut self) -> Self {
        self.visible = Visible::Slightly;
        self
    }

    pub(crate) fn visible(mut self) -> Self {
        self.visible = Visible::Yes;
        self
    }

    pub(crate) fn inventing_words(mut self) -> Self {
        self.invents_words = true;
        self
    }
}

impl Repair {
    /// Whether it changes no colour and no box, so that everything is painted as it was.
    pub(crate) fn leaves_pixels(&self) -> bool {
        let colours = self.check.ends_with("contrast")
            || self.check.starts_with("brand/")
            || self.check == "critic/cta";
        self.visible == Visible::No && (!colours || self.keeps_styles())
    }

    /// Whether it writes the same in other words, so that every computed value stays what it was.
    pub(crate) fn keeps_styles(&self) -> bool {
        self.check == "brand/tokens"
    }
}

/// What tells a repair from others on the same text, wherever its lines have gone.
pub(crate) type Key = (&'static str, Visible, Vec<(String, String)>);

impl Repair {
    /// What it changes into what. The same change may be let go further when it was refused for moving things.
    pub(crate) fn key(&self, html: &str) -> Key {
        let around = |at: usize| {
            // An insertion is told by the text it is put in front of.
            let end = html.len().min(at + 48);
            let end = (end..=html.len()).find(|end| html.is_char_boundary(*end)).unwrap_or(html.len());
            html.get(at..end).unwrap_or_default().to_owned()
        };
        let edits = self
            .edits
            .iter()
            .map(|(span, text)| {
                let was = if span.is_empty() {
                    around(span.start)
                } else {
                    html.get(span.clone()).unwrap_or_default().to_owned()
                };
                (was, text.clone())
            })
            .collect();
        (self.check, self.visible, edits)
    }
}

/// The edits of repairs that were taken on already.
#[derive(Debug, Default)]
struct Taken {
    /// Replaced ranges by where they begin.
    ranges: BTreeMap<usize, usize>,
    insertions: BTreeSet<(usize, String)>,
}

impl Taken {
    fn collides(&self, span: &Range<usize>, text: &str) -> bool {
        let before = self.ranges.range(..span.start).next_back().is_some_and(|(_, end)| *end > span.start);
        if span.is_empty() {
            return before || self.insertions.contains(&(span.start, text.to_owned()));
        }
        let inside = || {
            self.insertions
                .range((span.start + 1, String::new())..)
                .next()
                .is_some_and(|(at, _)| *at < span.end)
        };
        before || self.ranges.range(span.clone()).next().is_some() || inside()
    }

    fn add(&mut self, span: &Range<usize>, text: &str) {
        if span.is_empty() {
            self.insertions.insert((span.start, text.to_owned()));
        } else {
            self.ranges.insert(span.start, span.end);
        }
    }
}

/// Applies repairs that do not get in each other's way; returns the text and what was applied.
pub(crate) fn apply(html: &str, repairs: &[Repair]) -> (String, Vec<Repair>) {
    let mut taken = Taken::default();
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    let mut applied = Vec::new();
    for repair in repairs {
        let valid = repair.edits.iter().all(|(span, _)| html.get(span.clone()).is_some());
        if valid && !repair.edits.iter().any(|(span, text)| taken.collides(span, text)) {
            for (span, text) in &repair.edits {
                taken.add(span, text);
                edits.push((span.clone(), text.as_str()));
            }
            applied.push(repair.clone());
        }
    }
    // Stable: of two insertions at one place the earlier repair comes first.
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut out = String::with_capacity(html.len() + 1_024);
    let mut at = 0;
    for (span, text) in edits {
        out.push_str(html.get(at..span.start).unwrap_or_default());
        out.push_str(text);
        at = span.end;
    }
    out.push_str(html.get(at..).unwrap_or_default());
    (out, applied)
}

/// Where bytes of a text are after edits were made to it.
pub(crate) struct Shift {
    /// The end of each edit in the old text, and how far everything from there on has moved.
    steps: Vec<(usize, isize)>,
}

impl Shift {
    pub(crate) fn of(repairs: &[Repair]) -> Self {
        let mut edits: Vec<(usize, isize)> = repairs
            .iter()
            .flat_map(|repair| &repair.edits)
            .map(|(span, text)| (span.end, signed(text.len()) - signed(span.len())))
            .collect();
        edits.sort_unstable();
        let mut moved = 0;
        for (_, by) in &mut edits {
            moved += *by;
            *by = moved;
        }
        Self { steps: edits }
    }

    /// The new place of a byte that no edit has touched.
    pub(crate) fn apply(&self, at: usize) -> usize {
        let index = self.steps.partition_point(|(end, _)| *end <= at);
        let by = index.checked_sub(1).and_then(|index| self.steps.get(index)).map_or(0, |(_, by)| *by);
        at.saturating_add_signed(by)
    }
}

#[expect(clippy::cast_possible_wrap, reason = "lengths inside one page, which is a few megabytes at most")]
pub(crate) fn signed(length: usize) -> isize {
    length as isize
}

/// Text made safe for an attribute in double quotes.
pub(crate) fn attribute_value(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_and_collisions_left_out() {
        let repairs = [
            Repair::one("a", 0..1, "X", "first"),
            Repair::one("a", 0..2, "Y", "collides"),
            Repair::insert("a", 3, "-", "between"),
            Repair::one("a", 90..91, "Z", "outside"),
        ];
        let (text, applied) = apply("abcd", &repairs);
        assert_eq!(text, "Xbc-d");
        assert_eq!(
            applied.iter().map(|repair| repair.reason.as_str()).collect::<Vec<_>>(),
            ["first", "between"]
        );
    }
}
