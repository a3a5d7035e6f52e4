//! What there is to write about and with: ideas and their documents, advisors, recipes.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jury_core::content::{Advisor, ContentType, DocRef, IdeaId, Recipe};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContentSummary, look_up};
use crate::answer::json;
use crate::error::{ApiError, ErrorBody};
use crate::library::LibraryError;
use crate::server::Shared;

/// The most ideas in one answer.
const MOST_IDEAS: usize = 200;
/// The most runs that are looked at.
const MOST_RUNS: u32 = 1000;

/// The ideas there are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ideas {
    /// The ideas, in the order of names.
    ideas: Vec<Idea>,
}

/// An idea, with its documents.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentIdea)]
pub(crate) struct Idea {
    /// The name that requests use.
    #[serde(rename = "ideaId")]
    id: IdeaId,
    /// Its documents; none when there is no folder any more.
    documents: Vec<DocRef>,
    /// Why its documents cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trouble: Option<String>,
    /// The newest run of each kind of content, the newest first.
    runs: Vec<ContentSummary>,
}

/// The ideas with their documents and their newest runs.
#[utoipa::path(
    get, path = "/api/content-pipeline", operation_id = "listIdeas", tag = "content",
    responses(
        (status = 200, body = Ideas),
        (status = 500, body = ErrorBody, description = "The folder of the ideas cannot be read")
    )
)]
pub(crate) async fn ideas(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let mut runs: BTreeMap<IdeaId, Vec<ContentSummary>> = BTreeMap::new();
    let mut seen: BTreeSet<(IdeaId, ContentType)> = BTreeSet::new();
    for row in shared.store.content_runs(None, None, MOST_RUNS).await? {
        let Some(run) = ContentSummary::of(&row) else { continue };
        if seen.insert((run.idea_id.clone(), run.content_type.clone())) {
            runs.entry(run.idea_id.clone()).or_default().push(run);
        }
    }
    let ideas = look_up(&shared, move |library| {
        let mut names: BTreeSet<IdeaId> = library.ideas(MOST_IDEAS)?.into_iter().collect();
        names.extend(runs.keys().cloned());
        let one = |id: IdeaId| {
            // One that cannot be read hides no other.
            let (documents, trouble) = match library.documents(&id) {
                Ok(documents) => (documents.map(|docs| docs.listed()).unwrap_or_default(), None),
                Err(LibraryError::Unusable(what) | LibraryError::Broken(what)) => (Vec::new(), Some(what)),
                Err(LibraryError::NoSuchIdea(_) | LibraryError::BadDraft(_)) => (Vec::new(), None),
            };
            let runs = runs.remove(&id).unwrap_or_default();
            Idea { id, documents, trouble, runs }
        };
        Ok(names.into_iter().take(MOST_IDEAS).map(one).collect())
    })
    .await?;
    Ok(json(StatusCode::OK, &Ideas { ideas }))
}

/// Everybody who may write or review.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Advisors {
    /// The file that they come from; null for those that come with the program.
    #[schema(required)]
    file: Option<String>,
    /// In the order of the file.
    advisors: Vec<Advisor>,
}

/// Everybody who may write or review, as the registry has them now.
#[utoipa::path(
    get, path = "/api/content/advisors", operation_id = "listAdvisors", tag = "content",
    responses(
        (status = 200, body = Advisors),
        (status = 500, body = ErrorBody, description = "The registry cannot be used; the message names the file and the line")
    )
)]
pub(crate) async fn advisors(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let known = look_up(&shared, |library| library.advisors()).await?;
    Ok(json(StatusCode::OK, &Advisors { file: known.file, advisors: known.advisors }))
}

/// The recipes there are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Recipes {
    /// Those that come with the program, or take their place, then the user's others.
    recipes: Vec<RecipeView>,
}

/// A recipe and where it comes from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecipeView {
    /// The file that it comes from; null for one that comes with the program.
    #[schema(required)]
    file: Option<String>,
    /// The recipe as it was read.
    recipe: Recipe,
}

/// How each kind of content is made and reviewed, as the files say it now.
#[utoipa::path(
    get, path = "/api/content/recipes", operation_id = "listRecipes", tag = "content",
    responses(
        (status = 200, body = Recipes),
        (status = 500, body = ErrorBody, description = "A recipe cannot be used; the message names the file and the line")
    )
)]
pub(crate) async fn recipes(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let known = look_up(&shared, |library| library.recipes()).await?;
    let recipes = known.into_iter().map(|one| RecipeView { file: one.file, recipe: one.recipe }).collect();
    Ok(json(StatusCode::OK, &Recipes { recipes }))
}
