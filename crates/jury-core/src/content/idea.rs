//! Ideas and their foundation documents: what everything that is written is checked against.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::id::{DocType, IdeaId};

use crate::artifact::Digest;
use crate::legible::has_words;

/// The largest document that is read.
pub const LARGEST_DOC: u64 = 256 * 1024;

/// The documents of an idea, by kind: the names of their files without the ending.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Foundation {
    docs: BTreeMap<DocType, String>,
}

impl Foundation {
    /// A foundation of these documents.
    pub fn new(docs: impl IntoIterator<Item = (DocType, String)>) -> Self {
        Self { docs: docs.into_iter().collect() }
    }

    /// The same with one more document.
    #[must_use]
    pub fn with(mut self, kind: DocType, text: &str) -> Self {
        self.docs.insert(kind, text.to_owned());
        self
    }

    /// The text of a document.
    pub fn get(&self, kind: &str) -> Option<&str> {
        self.docs.iter().find(|(known, _)| known.as_str() == kind).map(|(_, text)| text.as_str())
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&DocType, &str)> {
        self.docs.iter().map(|(kind, text)| (kind, text.as_str()))
    }

    /// Those of these kinds that are there, in this order.
    pub fn of<'a>(&'a self, kinds: &'a [DocType]) -> impl Iterator<Item = (&'a DocType, &'a str)> {
        kinds.iter().filter_map(|kind| self.docs.get(kind).map(|text| (kind, text.as_str())))
    }

    /// Those of these kinds that are not there, or have no word in them.
    pub fn missing<'a>(&'a self, kinds: &'a [DocType]) -> impl Iterator<Item = &'a DocType> {
        kinds.iter().filter(|kind| self.docs.get(kind).is_none_or(|text| !has_words(text)))
    }

    /// What was there, for the log.
    pub fn listed(&self) -> Vec<DocRef> {
        let one = |(kind, text): (&DocType, &String)| DocRef {
            kind: kind.clone(),
            sha256: Digest::of(text.as_bytes()),
            words: text.split_whitespace().count() as u64,
        };
        self.docs.iter().map(one).collect()
    }
}

/// A document that was there when a run began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocRef {
    /// The type of the document.
    pub kind: DocType,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// How long it is.
    pub words: u64,
}
