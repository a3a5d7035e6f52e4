//! The checks for documents: a positive and a negative each, and what holds for any text.

mod fixtures;
mod hostile;
mod properties;

use jury_text::document::{Check, CheckMeasurement, Document, NearbyFiles, measure};

/// One check over one text; `there.md` exists and has a heading `Part one`.
fn measured(text: &str, check: Check) -> CheckMeasurement {
    let surroundings = NearbyFiles::Known {
        paths: ["there.md", "img/x.png"].map(str::to_owned).into(),
        anchors: [("there.md".to_owned(), NearbyFiles::anchors_of("# There\n\n## Part one\n"))].into(),
    };
    measure(&Document::read(text, &surroundings), check)
}

/// The lines that a check objects to.
fn lines(text: &str, check: Check) -> Vec<usize> {
    measured(text, check).affected.iter().map(|finding| finding.line).collect()
}
