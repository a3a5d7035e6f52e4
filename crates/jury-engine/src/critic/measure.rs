//! Measuring a document: looks at what lies around it, and leaves the rest to the house.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jury_core::critic::{DocumentMeasurement, Measure, Spot};
use jury_text::document::{self, Document, NearbyFiles};

/// The longest file beside the document whose headings are looked at.
const LARGEST_FILE_BYTES: u64 = 16 << 20;

/// Where a document is, and who reads it.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    /// The folder that it stands in.
    pub(super) dir: PathBuf,
    /// What it is called.
    pub(super) name: String,
    /// A critic judges it as well. A critic can read a change or a program; who only counts finds nothing in them.
    pub(super) read_by_critic: bool,
}

/// Measures one thing in a document. What is no document is not measured: nothing would be found in it.
pub(super) fn measure(
    check: Measure,
    bytes: &[u8],
    place: &Surroundings,
) -> Result<DocumentMeasurement, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("the document is not UTF-8 from byte {}", error.valid_up_to()))?;
    let is_about_links = matches!(check, Measure::DeadLink | Measure::DeadAnchor);
    let surroundings = if is_about_links { around(text, &place.dir) } else { NearbyFiles::Unknown };
    let document = Document::read(text, &surroundings);
    let foreign = if place.read_by_critic { None } else { document::foreign_kind(&place.name, &document) };
    if let Some(why) =
        foreign.or_else(|| document::in_conflict(&document)).or_else(|| document::too_little(&document))
    {
        return Err(why);
    }
    let found = document::measure(&document, check);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let places = found.affected.iter().map(|finding| Spot {
        line: Some(count(finding.line)),
        text: format!("{}: {}", finding.text, finding.suggestion),
    });
    Ok(DocumentMeasurement {
        checked: count(found.examined),
        affected: count(found.affected.len()),
        what: "places".to_owned(),
        figures: BTreeMap::new(),
        places: places.collect(),
    })
}

/// What is there of that which the document names. Nothing is read but Markdown files that it links to.
fn around(text: &str, dir: &Path) -> NearbyFiles {
    let mut paths = BTreeSet::new();
    let mut anchors = BTreeMap::new();
    for target in NearbyFiles::targets(text) {
        let path = dir.join(&target);
        let Ok(there) = fs::metadata(&path) else { continue };
        let is_markdown =
            path.extension().is_some_and(|extension| extension == "md" || extension == "markdown");
        if is_markdown
            && there.is_file()
            && there.len() <= LARGEST_FILE_BYTES
            && let Ok(text) = fs::read_to_string(&path)
        {
            anchors.insert(target.clone(), NearbyFiles::anchors_of(&text));
        }
        paths.insert(target);
    }
    NearbyFiles::Known { paths, anchors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_looked_for_beside_the_document() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("other.md"), "# There\n").unwrap();
        let text = "# A\n\n[a](other.md#there) [b](other.md#gone) [c](nothing.md)\n";
        let place = |name: &str, read_by_critic| Surroundings {
            dir: dir.path().to_owned(),
            name: name.to_owned(),
            read_by_critic,
        };
        let links = measure(Measure::DeadLink, text.as_bytes(), &place("a.md", false)).unwrap();
        assert_eq!((links.checked, links.affected), (3, 1), "{links:?}");
        let anchors = measure(Measure::DeadAnchor, text.as_bytes(), &place("a.md", false)).unwrap();
        assert_eq!(anchors.affected, 1, "{anchors:?}");
        assert_eq!(anchors.places[0].line, Some(3));
        let source = measure(Measure::DeadLink, text.as_bytes(), &place("main.rs", false)).unwrap_err();
        assert!(source.contains("source code"), "{source}");
        assert!(measure(Measure::DeadLink, text.as_bytes(), &place("main.rs", true)).is_ok());
        let little = measure(Measure::DeadLink, b"x", &place("a.md", true)).unwrap_err();
        assert!(little.contains("1 word"), "{little}");
        assert!(measure(Measure::CodeBlock, b"\xff", &place("a.md", false)).unwrap_err().contains("byte 0"));
    }
}
