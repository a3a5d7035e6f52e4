//! Measuring a document: looks at what lies around it, and leaves the rest to the house.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use jury_core::critic::{Measure, Measurement, Spot};
use jury_text::document::{self, Document, Surroundings};

/// The longest file beside the document whose headings are looked at.
const LONGEST: u64 = 16 << 20;

/// Measures one thing in a document that stands in this folder.
pub(super) fn measure(check: Measure, bytes: &[u8], dir: &Path) -> Result<Measurement, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("the document is not UTF-8 from byte {}", error.valid_up_to()))?;
    let is_about_links = matches!(check, Measure::DeadLink | Measure::DeadAnchor);
    let surroundings = if is_about_links { around(text, dir) } else { Surroundings::Unknown };
    let found = document::measure(&Document::read(text, &surroundings), check);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let places = found.affected.iter().map(|finding| Spot {
        line: Some(count(finding.line)),
        text: format!("{}: {}", finding.text, finding.suggestion),
    });
    Ok(Measurement {
        checked: count(found.examined),
        affected: count(found.affected.len()),
        what: "places".to_owned(),
        figures: BTreeMap::new(),
        places: places.collect(),
    })
}

/// What is there of that which the document names. Nothing is read but Markdown files that it links to.
fn around(text: &str, dir: &Path) -> Surroundings {
    let mut paths = BTreeSet::new();
    let mut anchors = BTreeMap::new();
    for target in Surroundings::targets(text) {
        let path = dir.join(&target);
        let Ok(there) = fs::metadata(&path) else { continue };
        let is_markdown =
            path.extension().is_some_and(|extension| extension == "md" || extension == "markdown");
        if is_markdown
            && there.is_file()
            && there.len() <= LONGEST
            && let Ok(text) = fs::read_to_string(&path)
        {
            anchors.insert(target.clone(), Surroundings::anchors_of(&text));
        }
        paths.insert(target);
    }
    Surroundings::Known { paths, anchors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_looked_for_beside_the_document() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("other.md"), "# There\n").unwrap();
        let text = "# A\n\n[a](other.md#there) [b](other.md#gone) [c](nothing.md)\n";
        let links = measure(Measure::DeadLink, text.as_bytes(), dir.path()).unwrap();
        assert_eq!((links.checked, links.affected), (3, 1), "{links:?}");
        let anchors = measure(Measure::DeadAnchor, text.as_bytes(), dir.path()).unwrap();
        assert_eq!(anchors.affected, 1, "{anchors:?}");
        assert_eq!(anchors.places[0].line, Some(3));
        assert!(measure(Measure::CodeBlock, b"\xff", dir.path()).unwrap_err().contains("byte 0"));
    }
}
