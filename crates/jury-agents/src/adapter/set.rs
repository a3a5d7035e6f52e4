//! All adapters that there are: those of the program, and those of the user.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::file::{Source, Written};
use super::{Adapter, AdapterError};

/// The files that come with the program.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("adapters/", $name, ".toml"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/adapters/", $name, ".toml")),
        )),*]
    };
}

const BUILT_IN: [(&str, &str); 25] = built_in![
    "aider",
    "claude",
    "claude-acp",
    "cline",
    "cn",
    "codex",
    "codex-acp",
    "codex-app-server",
    "command",
    "copilot",
    "copilot-acp",
    "cursor-agent",
    "gemini",
    "gemini-acp",
    "goose",
    "goose-acp",
    "kimi",
    "kimi-acp",
    "llm",
    "opencode",
    "opencode-acp",
    "pi",
    "qwen",
    "qwen-acp",
    "vibe",
];

/// Adapters by their names.
#[derive(Debug, Clone)]
pub struct Adapters {
    all: BTreeMap<String, Adapter>,
}

impl Adapters {
    /// Those of the program alone.
    pub fn built_in() -> Result<Self, AdapterError> {
        Self::load(&[])
    }

    /// Those of the program, then the `*.toml` files of these folders, in order. A later one takes the place of
    /// an earlier one of the same name. A folder that does not exist has none.
    pub fn load(user_dirs: &[PathBuf]) -> Result<Self, AdapterError> {
        let mut adapters = Self { all: BTreeMap::new() };
        adapters.add(BUILT_IN.into_iter().map(|(file, text)| Source { file, text }))?;
        for dir in user_dirs {
            let files = files(dir)?;
            adapters.add(files.iter().map(|(file, text)| Source { file, text }))?;
        }
        Ok(adapters)
    }

    /// Adds what these files describe. Within them the order does not matter.
    fn add<'a>(&mut self, sources: impl Iterator<Item = Source<'a>>) -> Result<(), AdapterError> {
        let mut open: Vec<(Source<'a>, Written)> = Vec::new();
        for source in sources {
            let written = source.parse()?;
            let same = |(_, other): &&(Source<'a>, Written)| other.id.get_ref() == written.id.get_ref();
            if let Some((other, _)) = open.iter().find(same) {
                let problem = format!("'{}' is the name of {} too", written.id.get_ref(), other.file);
                return Err(source.error(Some(written.id.span()), problem));
            }
            open.push((source, written));
        }
        // Each pass completes those whose base is complete; when none is left that can be, something is wrong.
        while !open.is_empty() {
            let names: Vec<String> = open.iter().map(|(_, written)| written.id.get_ref().clone()).collect();
            let waits = |written: &Written| {
                written.extends.as_ref().is_some_and(|base| {
                    // A file may extend the one it takes the place of.
                    base.get_ref() != written.id.get_ref() && names.contains(base.get_ref())
                })
            };
            let (waiting, ready): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(_, written)| waits(written));
            if ready.is_empty() {
                let problem = "the adapters extend one another in a circle".to_owned();
                let Some((source, written)) = waiting.first() else {
                    break;
                };
                return Err(source.error(written.extends.as_ref().map(toml::Spanned::span), problem));
            }
            for (source, written) in ready {
                let base = match &written.extends {
                    None => None,
                    Some(name) => Some(self.all.get(name.get_ref()).ok_or_else(|| {
                        let problem = format!("there is no agent '{}' to extend", name.get_ref());
                        source.error(Some(name.span()), problem)
                    })?),
                };
                let adapter = written.complete(base, source)?;
                self.all.insert(adapter.id.clone(), adapter);
            }
            open = waiting;
        }
        Ok(())
    }

    /// The adapter of this name.
    pub fn get(&self, id: &str) -> Result<&Adapter, AdapterError> {
        self.all.get(id).ok_or_else(|| AdapterError::Unknown {
            id: id.to_owned(),
            known: self.all.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        })
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Adapter> {
        self.all.values()
    }

    /// An agent that is nothing but a command: its prompt on stdin, its answer on stdout, nothing else known.
    pub fn command(&self, id: &str, words: &[String]) -> Result<Adapter, AdapterError> {
        let mut adapter = self.get("command")?.clone();
        id.clone_into(&mut adapter.id);
        id.clone_into(&mut adapter.title);
        let mut words = words.iter().cloned();
        adapter.detect.command = words.next().unwrap_or_default();
        // Braces in a command of somebody's own mean what they mean to them.
        adapter.literal_args = words.collect();
        Ok(adapter)
    }
}

/// The adapter files of a folder, by name.
fn files(dir: &Path) -> Result<Vec<(String, String)>, AdapterError> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(AdapterError::Read { path: dir.to_owned(), source }),
    };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path)
                .map_err(|source| AdapterError::Read { path: path.clone(), source })?;
            Ok((path.display().to_string(), text))
        })
        .collect()
}
