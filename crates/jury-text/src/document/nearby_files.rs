//! What lies around a document: which files there are and which anchors their headings have. Plain values; the
//! caller looks at the disk.

use std::collections::{BTreeMap, BTreeSet};

use super::read::Document;

/// What lies around a document. Paths are relative to its folder, without `.` and with `..` in front only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NearbyFiles {
    /// Nobody looked: links to other files are not examined.
    #[default]
    Unknown,
    /// Somebody looked for everything in [`NearbyFiles::targets`].
    Known {
        /// The files and folders that exist.
        paths: BTreeSet<String>,
        /// The anchors of the Markdown files among them.
        anchors: BTreeMap<String, BTreeSet<String>>,
    },
}

impl NearbyFiles {
    /// These files exist, and nothing is known about their headings.
    pub fn known<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self::Known { paths: paths.into_iter().map(Into::into).collect(), anchors: BTreeMap::new() }
    }

    /// The paths that a document names, for the caller to look for. One that ends in `.html` is also asked for
    /// with `.md`, because generators of pages turn one into the other.
    pub fn targets(text: &str) -> BTreeSet<String> {
        let document = Document::read(text, &Self::Unknown);
        let mut targets = BTreeSet::new();
        for link in &document.links {
            if let Some(path) = link.path() {
                if let Some(stem) = path.strip_suffix(".html") {
                    targets.insert(format!("{stem}.md"));
                }
                targets.insert(path);
            }
        }
        targets
    }

    /// The anchors of a Markdown file, for the surroundings of its siblings.
    pub fn anchors_of(text: &str) -> BTreeSet<String> {
        Document::read(text, &Self::Unknown).anchors
    }

    /// Whether a file is there, if anybody looked.
    pub(super) fn exists(&self, path: &str) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Known { paths, .. } => {
                let page = path.strip_suffix(".html").map(|stem| format!("{stem}.md"));
                Some(paths.contains(path) || page.is_some_and(|page| paths.contains(&page)))
            }
        }
    }

    /// The anchors of a file, if anybody looked.
    pub(super) fn anchors(&self, path: &str) -> Option<&BTreeSet<String>> {
        match self {
            Self::Unknown => None,
            Self::Known { anchors, .. } => anchors.get(path),
        }
    }
}
