//! Ideas on disk: a folder with Markdown files, each a foundation document.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jury_core::content::idea::LARGEST_DOC;
use jury_core::content::{DocType, Foundation, IdeaId};
use thiserror::Error;

/// The most documents of an idea.
const MOST_DOCS: usize = 100;

/// Why an idea cannot be read. One line: what, where, what to do.
#[derive(Debug, Error)]
pub enum IdeaError {
    /// There is no such folder.
    #[error("there is no folder {}; an idea is a folder with Markdown files such as positioning.md", .0.display())]
    NoSuchFolder(PathBuf),
    /// The folder has a name that is none.
    #[error("the folder {} cannot be the name of an idea: {}", .0.display(), .1)]
    NotAName(PathBuf, String),
    /// There is nothing in it.
    #[error("{} has no Markdown file; put the idea's documents there, such as positioning.md", .0.display())]
    Empty(PathBuf),
    /// A document that cannot be used.
    #[error("{}: {}", .0.display(), .1)]
    Document(PathBuf, String),
}

/// The name of the idea in this folder.
pub fn idea_id(folder: &Path) -> Result<IdeaId, IdeaError> {
    let whole = std::fs::canonicalize(folder).map_err(|_| IdeaError::NoSuchFolder(folder.to_owned()))?;
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.parse::<IdeaId>().map_err(|error| IdeaError::NotAName(folder.to_owned(), error.to_string()))
}

/// The documents in this folder: its Markdown files, by their names in lower case without the ending.
pub fn read_foundation(folder: &Path) -> Result<Foundation, IdeaError> {
    let entries = std::fs::read_dir(folder).map_err(|_| IdeaError::NoSuchFolder(folder.to_owned()))?;
    let mut docs: BTreeMap<DocType, (PathBuf, String)> = BTreeMap::new();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let is_markdown = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
        if !is_markdown || stem.starts_with('.') || !path.is_file() {
            continue;
        }
        let wrong = |what: String| IdeaError::Document(path.clone(), what);
        let kind: DocType = stem.parse().map_err(|error: jury_core::id::IdError| wrong(error.to_string()))?;
        if docs.len() >= MOST_DOCS {
            return Err(wrong(format!("there are more than {MOST_DOCS} documents; an idea has fewer")));
        }
        if let Some((other, _)) = docs.get(&kind) {
            return Err(wrong(format!("{} is the same document; remove one of them", other.display())));
        }
        let text = read(&path).map_err(wrong)?;
        docs.insert(kind, (path, text));
    }
    if docs.is_empty() {
        return Err(IdeaError::Empty(folder.to_owned()));
    }
    Ok(Foundation::new(docs.into_iter().map(|(kind, (_, text))| (kind, text))))
}

fn read(path: &Path) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?.len();
    if size > LARGEST_DOC {
        return Err(format!("is larger than {} KiB; shorten it", LARGEST_DOC / 1024));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        if error.kind() == ErrorKind::InvalidData {
            "is not UTF-8; convert it first".to_owned()
        } else {
            format!("cannot be read: {error}")
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}

/// The ideas in a folder, by name; what is no idea is left out.
pub fn list_ideas(folder: &Path) -> Vec<(IdeaId, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut ideas: Vec<(IdeaId, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .filter_map(|path| Some((path.file_name()?.to_str()?.parse().ok()?, path)))
        .collect();
    ideas.sort();
    ideas
}
