//! Ideas by name, their documents, and what somebody who asks for content comes to: the folder of ideas, the registry and
//! the recipes, as they are at the moment.

use std::io::ErrorKind;
use std::path::PathBuf;

use jury_core::content::{ContentRequest, Form, Foundation, IdeaId};
use jury_core::evidence::EvidenceMode;
use jury_core::id::AgentId;
use jury_engine::content::{PersonsDraft, list_ideas, problem, read_foundation};
use jury_server::{
    ContentStartRequest, KnownAdvisors, KnownRecipe, Library, LibraryError, ResolvedContentRequest,
};
use jury_text::content::read;

use crate::refusal::Refusal;
use crate::registry;

/// The ideas under a folder.
pub(crate) struct Folder {
    dir: PathBuf,
    /// What is made of measured facts, by the settings of the moment.
    evidence: Box<dyn Fn() -> EvidenceMode + Send + Sync>,
}

impl Folder {
    pub(crate) fn new(dir: PathBuf, evidence: impl Fn() -> EvidenceMode + Send + Sync + 'static) -> Self {
        Self { dir, evidence: Box::new(evidence) }
    }
}

/// A person's file as a draft. What is wrong has its line.
fn draft(bytes: &[u8], form: Form) -> Result<PersonsDraft, String> {
    let (draft, remarks) = read::draft(bytes, form).map_err(|error| error.to_string())?;
    let remarks =
        remarks.into_iter().map(|remark| format!("line {}: {}", remark.line, remark.what)).collect();
    Ok(PersonsDraft { draft, remarks })
}

fn broken(refusal: Refusal) -> LibraryError {
    LibraryError::Broken(refusal.message)
}

impl Library for Folder {
    fn ideas(&self, most: usize) -> Result<Vec<IdeaId>, LibraryError> {
        match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(LibraryError::Broken(format!("cannot read {}: {error}", self.dir.display())))
            }
            Ok(_) | Err(_) => {
                Ok(list_ideas(&self.dir).into_iter().map(|(idea, _)| idea).take(most).collect())
            }
        }
    }

    fn documents(&self, idea: &IdeaId) -> Result<Option<Foundation>, LibraryError> {
        let folder = self.dir.join(idea.as_str());
        if !folder.is_dir() {
            return Ok(None);
        }
        read_foundation(&folder).map(Some).map_err(|error| LibraryError::Unusable(error.to_string()))
    }

    fn advisors(&self) -> Result<KnownAdvisors, LibraryError> {
        let known = registry::advisors().map_err(broken)?;
        let file = known.file.map(|path| path.display().to_string());
        Ok(KnownAdvisors { file, advisors: known.registry.advisors().to_vec() })
    }

    fn recipes(&self) -> Result<Vec<KnownRecipe>, LibraryError> {
        let advisors = registry::advisors().map_err(broken)?;
        let one = |name: &String| {
            let loaded = registry::recipe(name, &advisors.registry).map_err(broken)?;
            let file = loaded.file.map(|path| path.display().to_string());
            Ok(KnownRecipe { file, recipe: loaded.recipe })
        };
        registry::names().iter().map(one).collect()
    }

    fn resolve(&self, start: ContentStartRequest) -> Result<ResolvedContentRequest, LibraryError> {
        let foundation =
            self.documents(&start.idea)?.ok_or_else(|| LibraryError::NoSuchIdea(start.idea.clone()))?;
        let advisors = registry::advisors().map_err(broken)?;
        let names = registry::names();
        if !names.iter().any(|name| name == start.content_type.as_str()) {
            return Err(LibraryError::Unusable(format!(
                "contentType: there is no recipe '{}'; there are {}",
                start.content_type,
                names.join(", ")
            )));
        }
        let recipe =
            registry::recipe(start.content_type.as_str(), &advisors.registry).map_err(broken)?.recipe;
        let draft = start.draft.as_ref().map(|text| self.draft(text, recipe.form)).transpose()?;
        let request = ContentRequest {
            idea: start.idea,
            publish: start.publish.unwrap_or(recipe.publish),
            recipe,
            advisors: advisors.registry.advisors().to_vec(),
            foundation,
            topic: start.topic,
            agent: start.agent.filter(|agent| *agent != AgentId::house()),
            model: start.model,
            remote: None,
            base_url: None,
            evidence: (self.evidence)(),
            concurrency: ContentRequest::CONCURRENCY,
            call_seconds: ContentRequest::CALL_SECONDS,
            retries: ContentRequest::RETRIES,
            max_cost_usd: start.max_cost_usd,
            max_tokens: start.max_tokens,
        };
        if let Some(problem) = problem(&request) {
            return Err(LibraryError::Unusable(problem));
        }
        Ok(ResolvedContentRequest { request, draft })
    }

    fn draft(&self, text: &str, form: Form) -> Result<PersonsDraft, LibraryError> {
        draft(text.as_bytes(), form).map_err(LibraryError::BadDraft)
    }
}
