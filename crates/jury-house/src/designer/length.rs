//! Lengths as they are written, and the same place with another length in it.

use std::ops::Range;

use crate::css::Declaration;
use crate::page::Page;
use crate::rules::plain;

/// A length that says how many pixels it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Length {
    pub(super) pixels: f32,
    /// Where it stands in the page.
    pub(super) span: Range<usize>,
    /// Its place among the words of the value, and how many there are.
    pub(super) place: (usize, usize),
    /// How many pixels its unit is; absent for pixels themselves.
    unit: Option<f32>,
}

impl Length {
    /// Another length in the same unit: readers who have set their own size keep it.
    pub(super) fn with(&self, pixels: f32) -> String {
        match self.unit {
            None => format!("{pixels}px"),
            Some(unit) => format!("{}rem", (pixels / unit * 10_000.0).round() / 10_000.0),
        }
    }
}

/// The size one `rem` has on a page.
fn root_size(page: &Page<'_>) -> f32 {
    let root = page.snapshot.nodes.iter().find(|node| node.tag == "html");
    root.and_then(|root| root.style.as_ref()).map_or(16.0, |style| style.font_size).max(1.0)
}

/// The lengths of a declaration that are written in pixels or `rem`. A value with a function in it is left alone.
pub(super) fn lengths(page: &Page<'_>, declaration: &Declaration) -> Vec<Length> {
    let value = plain(&declaration.value);
    if value.contains('(') {
        return Vec::new();
    }
    let root = root_size(page);
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    let mut found = Vec::new();
    let mut from = 0;
    for (index, word) in words.iter().enumerate() {
        let Some(at) = value.get(from..).and_then(|rest| rest.find(word)).map(|at| from + at) else { break };
        from = at + word.len();
        let number =
            |suffix: &str| word.strip_suffix(suffix)?.parse::<f32>().ok().filter(|number| number.is_finite());
        let (pixels, unit) = match (number("px"), number("rem")) {
            (Some(pixels), _) => (pixels, None),
            (None, Some(number)) => (number * root, Some(root)),
            (None, None) => continue,
        };
        let start = declaration.span.start + at;
        found.push(Length { pixels, span: start..start + word.len(), place: (index, words.len()), unit });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Subject;

    #[test]
    fn lengths_keep_their_unit_and_their_place() {
        let html = "<style>html{font-size:10px}p{padding: 13px  1.3rem 2em !important}i{margin:calc(1px + 2px)}</style><p>a";
        let page = Page::measure(html.to_owned(), Subject::ALONE).expect("measurable");
        let found: Vec<Length> = page
            .declarations
            .iter()
            .filter(|one| one.property != "font-size")
            .flat_map(|one| lengths(&page, one))
            .collect();
        let seen: Vec<(&str, f32, String)> = found
            .iter()
            .map(|length| {
                (html.get(length.span.clone()).unwrap_or_default(), length.pixels, length.with(12.0))
            })
            .collect();
        assert_eq!(seen, [("13px", 13.0, "12px".to_owned()), ("1.3rem", 13.0, "1.2rem".to_owned())]);
    }
}
