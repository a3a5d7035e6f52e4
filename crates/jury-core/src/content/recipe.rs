//! Recipes: what a kind of content is made of, who writes it, and what review it needs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::idea::DocType;
pub use crate::id::ContentType;
use crate::outcome::{UnknownWord, words};

/// How a kind of content is made and reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recipe {
    /// What it makes: `website`, `blog-post`, `social-post` or a name of the user's.
    pub content_type: ContentType,
    /// What a draft is.
    pub form: Form,
    /// The advisor that writes the drafts.
    pub author_advisor: AdvisorId,
    /// The documents that the author gets to see. Without one of them there is no run.
    pub author_context_docs: Vec<DocType>,
    /// Instructions for the author beside its own: how this kind of content is put together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author_framework: Option<String>,
    /// What review it needs, in prose. Critics are chosen by it.
    pub evaluation_needs: String,
    /// What to look at most, beside each critic's own expertise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_emphasis: Option<String>,
    /// Critics that are always in.
    #[serde(default)]
    pub named_critics: Vec<AdvisorId>,
    /// The mean of the scores that is needed, from 1 to 10.
    pub min_aggregate_score: f64,
    /// The rounds of revision that are allowed.
    pub max_revision_rounds: u32,
    /// Whether an approved draft becomes a site, in the second phase of the same run.
    #[serde(default)]
    pub publish: bool,
}

/// What a draft is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A page in its parts, see [`super::page::Page`].
    Page,
    /// An article in Markdown.
    Article,
    /// A post of a few lines.
    Post,
}

words!(Form { Page = "page", Article = "article", Post = "post" });
