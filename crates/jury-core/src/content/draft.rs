//! Drafts: what is reviewed, in the form of its recipe, and as the bytes that are kept.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::page::Page;

/// How a page is kept and named in events.
pub const PAGE_MIME: &str = "application/json";
/// How a text is kept and named in events.
pub const TEXT_MIME: &str = "text/markdown; charset=utf-8";
/// The largest draft that is accepted, in bytes.
pub const LARGEST_DRAFT: usize = 512 * 1024;

/// The content that is reviewed: an article or a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Draft {
    /// A landing page in its parts.
    Page(Box<Page>),
    /// An article or a post: Markdown.
    Text(String),
}

/// Who made a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The model that plays the author.
    Model,
    /// Put together from the documents, without a model.
    Template,
    /// Safe corrections, without a model.
    Repairs,
    /// A person handed it in.
    Person,
}

impl Draft {
    /// The bytes that are kept: JSON for a page, the text itself otherwise.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Page(page) => serde_json::to_vec_pretty(page).unwrap_or_default(),
            Self::Text(text) => text.clone().into_bytes(),
        }
    }

    /// What the bytes are.
    pub fn mime(&self) -> &'static str {
        match self {
            Self::Page(_) => PAGE_MIME,
            Self::Text(_) => TEXT_MIME,
        }
    }

    /// What was kept, read back. None when the bytes are no draft.
    pub fn read(bytes: &[u8], mime: &str) -> Option<Self> {
        if mime == PAGE_MIME {
            return serde_json::from_slice(bytes).ok().map(|page| Self::Page(Box::new(page)));
        }
        String::from_utf8(bytes.to_vec()).ok().map(Self::Text)
    }

    /// As people and critics read it.
    pub fn markdown(&self) -> String {
        match self {
            Self::Page(page) => page.markdown(),
            Self::Text(text) => text.clone(),
        }
    }
}
