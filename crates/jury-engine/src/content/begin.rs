//! The beginning of a run: who asked for what, and the draft that a person may have brought along.

use jiff::Timestamp;
use jury_core::content::event::{ContentQueued, ContentStarted, Drafted};
use jury_core::content::{ContentEvent, ContentRequest, ContentState, DocType, Draft, Form, Writer};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::legible::has_words;
use jury_core::line;
use jury_core::run::Wait;
use jury_core::unit::Round;
use jury_store::{NewRun, Owner, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::cast::ContentCast;
use super::effects::Claimed;
use super::worker::{Worker, words};
use crate::EngineError;
use crate::log::Observer;

/// A run of the content pipeline to be driven.
#[derive(Debug, Clone)]
pub struct ContentJob {
    /// The id of the run.
    pub run: RunId,
    /// The project that the run belongs to.
    pub project: ProjectId,
    /// Where its drafts are kept.
    pub artifact: ArtifactId,
    /// What is asked of it.
    pub request: ContentRequest,
    /// A person's draft, if there is one.
    pub draft: Option<PersonsDraft>,
    /// The agent and the publisher of the run.
    pub cast: ContentCast,
}

/// A draft that a person hands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsDraft {
    /// The draft that was handed in.
    pub draft: Draft,
    /// What was guessed when it was read.
    pub remarks: Vec<String>,
}

impl From<Draft> for PersonsDraft {
    fn from(draft: Draft) -> Self {
        Self { draft, remarks: Vec::new() }
    }
}

/// What keeps a request from being carried out, if anything does. Whoever takes requests says so before there is a run.
pub fn problem(request: &ContentRequest) -> Option<String> {
    let recipe = &request.recipe;
    let missing: Vec<&str> =
        request.foundation.missing(&recipe.author_context_docs).map(DocType::as_str).collect();
    if !missing.is_empty() {
        return Some(format!("the idea {} has no {}", request.idea, missing.join(".md, no ") + ".md"));
    }
    if request.advisor(recipe.author_advisor.as_str()).is_none() {
        return Some(format!("there is no advisor '{}', who is to write", recipe.author_advisor));
    }
    if request.publish && recipe.form != Form::Page {
        return Some(format!("a {} is no page, so it cannot become a site", recipe.content_type));
    }
    if let Some(topic) = &request.topic {
        if !has_words(topic) {
            return Some("the topic has no words; write some, or leave it out".to_owned());
        }
        if topic.len() > ContentRequest::LONGEST_TOPIC {
            return Some(format!("the topic is longer than {} bytes; cut it", ContentRequest::LONGEST_TOPIC));
        }
        if request.agent.is_none() {
            return Some(
                "a topic does not go with the house, which writes from the documents alone".to_owned(),
            );
        }
    }
    if request.agent.is_none() && request.model.is_some() {
        return Some("a model does not go with the house, which measures and has none".to_owned());
    }
    if let Some(address) = request.base_url.as_deref().filter(|address| !is_address(address)) {
        let shown = line::cut(address, 80);
        return Some(format!("'{shown}' cannot be the address of a site: https://example.com/ could"));
    }
    if request.remote.as_deref().is_some_and(|remote| remote.trim().is_empty() || remote.starts_with('-')) {
        return Some("the remote is no address that git knows".to_owned());
    }
    None
}

/// Whether a site can have this address: a host and perhaps a path, and nothing that would have to be escaped.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '~' | ':' | '/' | '[' | ']');
    rest.is_some_and(|rest| {
        rest.len() <= 500
            && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
            && rest.chars().all(plain)
    })
}

/// Drives a run until it has ended or waits for somebody, and returns its state.
///
/// The observer sees every record after it was appended. Cancelling the token pauses the run: everything that has arrived
/// is kept. When this returns, no process of an agent is left.
pub async fn run_content(
    store: &Store,
    owner: &Owner,
    job: ContentJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<ContentState, EngineError> {
    let cast = job.cast.clone();
    let mut claimed = ask(store, owner, job, &cast, observer, interrupt).await?;
    let driven = claimed.drive(None).await;
    let released = claimed.release().await;
    driven?;
    Ok(released?)
}

/// Puts a run into the log that is to be done by tools, one by one: it has begun, and nobody drives it.
pub async fn begin_content(
    store: &Store,
    owner: &Owner,
    job: ContentJob,
    observer: Observer<'_>,
) -> Result<ContentState, EngineError> {
    let cast = job.cast.clone();
    let claimed = ask(store, owner, job, &cast, observer, CancellationToken::new()).await?;
    Ok(claimed.release().await?)
}

/// Asks for a run, takes it and writes down that it began.
async fn ask<'a>(
    store: &'a Store,
    owner: &'a Owner,
    job: ContentJob,
    cast: &'a ContentCast,
    observer: Observer<'a>,
    interrupt: CancellationToken,
) -> Result<Claimed<'a>, EngineError> {
    let ContentJob { run, project, artifact, request, draft, .. } = job;
    let now = Timestamp::now();
    let queued = ContentEvent::Queued(queued(project, artifact, &request));
    let new = NewRun::<ContentState> { run, queued, request: Some(request) };
    store.enqueue(new, Some(owner.id()), now).await?;
    observer(&store.records(run).await?);
    store.claim(run, owner.id(), now).await?;
    let begun = async {
        let mut claimed = Claimed::load(store, owner, run, cast, observer, interrupt).await?;
        let events = claimed.worker()?.begun(draft).await?;
        claimed.append(events).await?;
        Ok(claimed)
    }
    .await;
    if begun.is_err() {
        store.let_go(run, Some(owner.id()), Wait::Resume).await.ok();
    }
    begun
}

/// The first event of a run.
pub(crate) fn queued(project: ProjectId, artifact: ArtifactId, request: &ContentRequest) -> ContentQueued {
    ContentQueued {
        project_id: project,
        artifact_id: artifact,
        idea_id: request.idea.clone(),
        content_type: request.recipe.content_type.clone(),
        agent: request.agent.clone(),
    }
}

impl Worker<'_> {
    /// That the run began, and with what, all at once: a person's draft cannot be lost in between.
    pub(super) async fn begun(
        &mut self,
        draft: Option<PersonsDraft>,
    ) -> Result<Vec<ContentEvent>, StoreError> {
        let request = &self.request;
        let author = &request.recipe.author_advisor;
        let name = request.advisor(author.as_str()).map(|advisor| advisor.name.clone());
        let started = ContentStarted {
            idea_id: request.idea.clone(),
            recipe: request.recipe.clone(),
            author: name.unwrap_or_else(|| author.to_string()),
            agent: request.agent.clone(),
            docs: request.foundation.listed(),
            publish: request.publish,
            evidence: Some(request.evidence),
            started_at: Timestamp::now(),
        };
        let mut events = vec![ContentEvent::RunStarted(started)];
        if let Some(draft) = draft {
            events.push(self.handed_in(Round(1), draft).await?);
        }
        Ok(events)
    }

    /// Keeps a person's draft and says so.
    pub(super) async fn handed_in(
        &mut self,
        round: Round,
        draft: PersonsDraft,
    ) -> Result<ContentEvent, StoreError> {
        let PersonsDraft { draft, remarks } = draft;
        let (words, blob) = (words(&draft), self.keep(round, &draft).await?);
        Ok(ContentEvent::Drafted(Drafted {
            round,
            draft: blob,
            writer: Writer::Person,
            words,
            remarks,
            usage: None,
        }))
    }
}
