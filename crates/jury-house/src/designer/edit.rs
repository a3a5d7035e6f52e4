//! Small changes to a text, applied together.

use std::ops::Range;

/// Whether a repair is meant to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visible {
    /// Nothing may move.
    No,
    /// Text may come, go or move.
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

    /// An insertion.
    pub(crate) fn insert(
        check: &'static str,
        at: usize,
        text: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self::one(check, at..at, text, reason)
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

/// Applies repairs that do not get in each other's way; returns the text and what was applied.
pub(crate) fn apply(html: &str, repairs: &[Repair]) -> (String, Vec<Repair>) {
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    let mut applied = Vec::new();
    for repair in repairs {
        let collides = repair.edits.iter().any(|(span, text)| {
            edits.iter().any(|(taken, other)| {
                let overlap = span.start < taken.end && taken.start < span.end;
                let inside = |point: &Range<usize>, range: &Range<usize>| {
                    point.is_empty() && range.start < point.start && point.start < range.end
                };
                let same_insertion = span == taken && span.is_empty() && *other == text.as_str();
                let same_place = span == taken && !span.is_empty();
                overlap || inside(span, taken) || inside(taken, span) || same_insertion || same_place
            })
        });
        let valid = repair.edits.iter().all(|(span, _)| html.get(span.clone()).is_some());
        if !collides && valid {
            edits.extend(repair.edits.iter().map(|(span, text)| (span.clone(), text.as_str())));
            applied.push(repair.clone());
        }
    }
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
