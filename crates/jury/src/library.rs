//! Ideas by name, their documents, and what somebody who asks for content comes to: the folder of ideas, the registry and
//! the recipes, as they are at the moment.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jury_core::content::draft::LARGEST_DRAFT;
use jury_core::content::idea::LARGEST_DOC;
use jury_core::content::{ContentRequest, DocType, Form, Foundation, IdeaId};
use jury_core::id::AgentId;
use jury_engine::content::PersonsDraft;
use jury_house::content::read;
use jury_server::{ContentWish, Fulfilled, KnownAdvisors, KnownRecipe, Library, LibraryError};

use crate::refusal::Refusal;
use crate::registry;

/// The most documents of an idea.
const MOST_DOCS: usize = 100;

/// The ideas under a folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    dir: PathBuf,
}

impl Folder {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir }
    }
}

/// The documents in the folder of an idea; none when there is no such folder. What is wrong names the file.
pub(crate) fn documents(folder: &Path) -> Result<Option<Foundation>, String> {
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(folder, &error)),
    };
    let mut docs: BTreeMap<DocType, String> = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(folder, &error))?.path();
        let is_markdown = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_ascii_lowercase);
        // A name that is none of ours is somebody else's file.
        let Some(kind) = stem.filter(|_| is_markdown).and_then(|stem| stem.parse::<DocType>().ok()) else {
            continue;
        };
        let file = std::fs::metadata(&path).map_err(|error| failed(&path, &error))?;
        if !file.is_file() {
            continue;
        }
        if file.len() > LARGEST_DOC {
            return Err(failed(&path, &format!("it is larger than {LARGEST_DOC} bytes; shorten it")));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
        if docs.insert(kind.clone(), text).is_some() {
            return Err(failed(&path, &format!("there are two documents called {kind}; rename one")));
        }
        if docs.len() > MOST_DOCS {
            return Err(failed(folder, &format!("it has more than {MOST_DOCS} documents; take some out")));
        }
    }
    Ok(Some(Foundation::new(docs)))
}

/// A person's file as a draft. What is wrong has its line.
pub(crate) fn draft(bytes: &[u8], form: Form) -> Result<PersonsDraft, String> {
    if bytes.len() > LARGEST_DRAFT {
        return Err(format!("it has {} bytes and may have {LARGEST_DRAFT}: shorten it", bytes.len()));
    }
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
        let entries = match std::fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => {
                return Err(LibraryError::Broken(format!("cannot read {}: {error}", self.dir.display())));
            }
        };
        let mut ideas: Vec<IdeaId> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.path().is_dir())
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        ideas.sort();
        ideas.truncate(most);
        Ok(ideas)
    }

    fn documents(&self, idea: &IdeaId) -> Result<Option<Foundation>, LibraryError> {
        documents(&self.dir.join(idea.as_str())).map_err(LibraryError::Unusable)
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

    fn fulfil(&self, wish: ContentWish) -> Result<Fulfilled, LibraryError> {
        let foundation =
            self.documents(&wish.idea)?.ok_or_else(|| LibraryError::NoSuchIdea(wish.idea.clone()))?;
        let advisors = registry::advisors().map_err(broken)?;
        let names = registry::names();
        if !names.iter().any(|name| name == wish.content_type.as_str()) {
            return Err(LibraryError::Unusable(format!(
                "contentType: there is no recipe '{}'; there are {}",
                wish.content_type,
                names.join(", ")
            )));
        }
        let recipe = registry::recipe(wish.content_type.as_str(), &advisors.registry).map_err(broken)?.recipe;
        let draft = wish.draft.as_ref().map(|text| self.draft(text, recipe.form)).transpose()?;
        let request = ContentRequest {
            idea: wish.idea,
            publish: wish.publish.unwrap_or(recipe.publish),
            recipe,
            advisors: advisors.registry.advisors().to_vec(),
            foundation,
            agent: wish.agent.filter(|agent| *agent != AgentId::house()),
            model: wish.model,
            remote: None,
            base_url: None,
            concurrency: ContentRequest::CONCURRENCY,
            call_seconds: ContentRequest::CALL_SECONDS,
            retries: ContentRequest::RETRIES,
            max_cost_usd: wish.max_cost_usd,
            max_tokens: wish.max_tokens,
        };
        if let Some(problem) = jury_engine::content::problem(&request) {
            return Err(LibraryError::Unusable(problem));
        }
        Ok(Fulfilled { request, draft })
    }

    fn draft(&self, text: &str, form: Form) -> Result<PersonsDraft, LibraryError> {
        draft(text.as_bytes(), form).map_err(LibraryError::BadDraft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_the_markdown_files_of_a_folder_by_their_names() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(documents(&dir.path().join("none")), Ok(None));
        for (name, text) in
            [("positioning.md", "P"), ("DESIGN.md", "D"), ("notes.txt", "x"), (".hidden.md", "x")]
        {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        std::fs::create_dir(dir.path().join("folder.md")).unwrap();
        let docs = documents(dir.path()).unwrap().unwrap();
        let all: Vec<(&str, &str)> = docs.iter().map(|(kind, text)| (kind.as_str(), text)).collect();
        assert_eq!(all, [("design", "D"), ("positioning", "P")]);
        std::fs::write(dir.path().join("design.md"), "again").unwrap();
        assert!(documents(dir.path()).unwrap_err().contains("two documents called design"));
        std::fs::remove_file(dir.path().join("design.md")).unwrap();
        std::fs::write(dir.path().join("strategy.md"), [0xff, 0xfe]).unwrap();
        assert!(documents(dir.path()).unwrap_err().contains("strategy.md"));
    }
}
