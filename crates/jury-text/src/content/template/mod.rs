//! A first draft without a model: the documents of an idea, put into the form of a page, an article or a post.
//!
//! Sentences come out of the documents as they stand there. What is added are headings and joints that claim nothing. What
//! the documents do not have, the draft does not have either, and its critics say what is missing.

mod article;
mod library;
mod page;
pub(in crate::content) mod sentences;

use jury_core::content::{DocType, Draft, Form, Foundation, IdeaId, Recipe};

use library::Library;

/// Why no draft can be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotAssemble {
    /// Documents that the recipe asks for are not there.
    #[error("documents are missing or empty: {}: write them, or write the draft yourself", names(docs))]
    Missing {
        /// The documents that are missing.
        docs: Vec<DocType>,
    },
    /// The documents say nothing about the product.
    #[error(
        "no document has a heading that a draft can be made of: write `## Value` and `## Market category`, \
         or `## Target customer`, into positioning.md, or write the draft yourself"
    )]
    Nothing,
}

fn names(docs: &[DocType]) -> String {
    docs.iter().map(|doc| format!("{doc}.md")).collect::<Vec<_>>().join(", ")
}

/// A draft from the documents, the same for the same documents.
pub fn assemble(recipe: &Recipe, idea: &IdeaId, foundation: &Foundation) -> Result<Draft, CannotAssemble> {
    let docs: Vec<DocType> = foundation.missing(&recipe.author_context_docs).cloned().collect();
    if !docs.is_empty() {
        return Err(CannotAssemble::Missing { docs });
    }
    let library = Library::open(idea, foundation);
    let draft = match recipe.form {
        Form::Page => page::page(&library).map(|page| Draft::Page(Box::new(page))),
        Form::Article => article::article(&library).map(Draft::Text),
        Form::Post => article::post(&library).map(Draft::Text),
    };
    draft.ok_or(CannotAssemble::Nothing)
}
