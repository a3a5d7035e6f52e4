//! What the daemon knows of the content pipeline before anybody asks for a run: ideas and their documents, advisors,
//! recipes, and how a person's file becomes a draft. Files may be edited, so it looks each time.

use jury_core::content::{Advisor, ContentRequest, ContentType, Form, Foundation, IdeaId, Recipe};
use jury_core::id::AgentId;
use jury_engine::content::PersonsDraft;

/// What somebody asks for, before it is looked up.
#[derive(Debug, Clone)]
pub struct ContentStartRequest {
    /// The idea that the content is about.
    pub idea: IdeaId,
    /// The kind of content to make.
    pub content_type: ContentType,
    /// A person's draft: Markdown, or the JSON of a page.
    pub draft: Option<String>,
    /// What the piece is about, if somebody said so.
    pub topic: Option<String>,
    /// Who writes and reviews; none for the built-in critics.
    pub agent: Option<AgentId>,
    /// The model, where the agent has several.
    pub model: Option<String>,
    /// Whether an approved draft becomes a site; what the recipe says if nobody does.
    pub publish: Option<bool>,
    /// The most it may cost, in US dollars.
    pub max_cost_usd: Option<f64>,
    /// The most tokens it may use.
    pub max_tokens: Option<u64>,
}

/// A start that can be carried out.
#[derive(Debug, Clone)]
pub struct ResolvedContentRequest {
    /// What is asked of the run.
    pub request: ContentRequest,
    /// The draft of the person, once read.
    pub draft: Option<PersonsDraft>,
}

/// The advisors, and the file that they come from; none for those that come with the program.
#[derive(Debug, Clone)]
pub struct KnownAdvisors {
    /// The file that they come from.
    pub file: Option<String>,
    /// The advisors, in the order of the file.
    pub advisors: Vec<Advisor>,
}

/// A recipe, and the file that it comes from; none for one that comes with the program.
#[derive(Debug, Clone)]
pub struct KnownRecipe {
    /// The file that it comes from.
    pub file: Option<String>,
    /// The recipe as it was read.
    pub recipe: Recipe,
}

/// Why it is not to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryError {
    /// There is no such idea.
    NoSuchIdea(IdeaId),
    /// What was asked for makes no sense as it is: the kind of content, the documents, the agent.
    Unusable(String),
    /// The draft is none. The text says why, and in which line.
    BadDraft(String),
    /// A file of whoever runs the daemon cannot be used. The text names it and the line.
    Broken(String),
}

/// Looks up ideas, advisors and recipes for the routes.
pub trait Library: Send + Sync {
    /// The ideas there are, by name, at most so many.
    fn ideas(&self, most: usize) -> Result<Vec<IdeaId>, LibraryError>;
    /// The documents of an idea; none when there is no such idea.
    fn documents(&self, idea: &IdeaId) -> Result<Option<Foundation>, LibraryError>;
    /// Everybody who may write or review.
    fn advisors(&self) -> Result<KnownAdvisors, LibraryError>;
    /// All recipes, by content type.
    fn recipes(&self) -> Result<Vec<KnownRecipe>, LibraryError>;
    /// What a start comes to.
    fn resolve(&self, start: ContentStartRequest) -> Result<ResolvedContentRequest, LibraryError>;
    /// A person's draft of this form.
    fn draft(&self, text: &str, form: Form) -> Result<PersonsDraft, LibraryError>;
}
