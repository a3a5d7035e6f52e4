//! The registry of advisors: what its file looks like, what is wrong with one, and the one that comes with the program.
//!
//! The file is TOML. This crate has the shape and the rules; whoever has a TOML reader turns the text into
//! a [`AdvisorRegistryFile`] and hands both over: `toml::from_str::<AdvisorRegistryFile>(text)?.check(text)?`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::{Advisor, AdvisorId};
use super::idea::DocType;
use crate::toml_lines::{Mistake, TomlLines};

/// The registry that comes with the program.
pub const BUILT_IN: &str = include_str!("../../../../advisors/registry.toml");

/// The most advisors that one file may have.
pub const MOST_ADVISORS: usize = 100;
/// The most documents that an advisor or an author sees.
pub const MOST_DOCS: usize = 20;
/// The longest name, in characters.
const LONGEST_NAME: usize = 80;
/// The longest expertise, and the longest of what is left to others, in characters.
pub const LONGEST_EXPERTISE: usize = 4_000;
/// The longest persona and the longest framework, in characters.
pub const LONGEST_INSTRUCTIONS: usize = 20_000;

/// Everybody who may write or review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AdvisorRegistry {
    advisors: Vec<Advisor>,
}

impl AdvisorRegistry {
    /// These advisors. Of several with one id the first counts.
    pub fn new(advisors: impl IntoIterator<Item = Advisor>) -> Self {
        let mut seen = BTreeSet::new();
        let advisors = advisors.into_iter().filter(|advisor| seen.insert(advisor.id.clone())).collect();
        Self { advisors }
    }

    /// The advisor with this id.
    pub fn get(&self, id: &AdvisorId) -> Option<&Advisor> {
        self.advisors.iter().find(|advisor| advisor.id == *id)
    }

    /// The advisors, in the order of the file.
    pub fn advisors(&self) -> &[Advisor] {
        &self.advisors
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Advisor> {
        self.advisors.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.advisors.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.advisors.is_empty()
    }

    /// Who could review what this author writes: whoever has an expertise, but never the author. The role does not matter.
    pub fn candidates(&self, author: &AdvisorId) -> Vec<&Advisor> {
        self.advisors.iter().filter(|advisor| advisor.can_review() && advisor.id != *author).collect()
    }
}

/// The file as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdvisorRegistryFile {
    #[serde(default, rename = "advisor")]
    advisors: Vec<Entry>,
}

/// An advisor as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    id: String,
    name: String,
    role: String,
    evaluation_expertise: Option<String>,
    does_not_evaluate: Option<String>,
    #[serde(default)]
    context_docs: Vec<String>,
    persona: Option<String>,
    measured_by: Option<String>,
}

impl AdvisorRegistryFile {
    /// The registry, if the file can be used. The text is for the lines of what is wrong.
    pub fn check(self, text: &str) -> Result<AdvisorRegistry, Mistake> {
        if self.advisors.is_empty() {
            let what = "there is no advisor: write one, in an [[advisor]]".to_owned();
            return Err(Mistake { line: 1, what });
        }
        checked(self.advisors, "advisor", text).map(|advisors| AdvisorRegistry { advisors })
    }
}

/// Advisors in tables of this name, each by the rules and none twice.
pub(super) fn checked(entries: Vec<Entry>, table: &str, text: &str) -> Result<Vec<Advisor>, Mistake> {
    let place = TomlLines::of(text);
    if entries.len() > MOST_ADVISORS {
        let what = format!("{} in a [[{table}]]: at most {MOST_ADVISORS}", entries.len());
        return Err(Mistake { line: 1, what });
    }
    let mut seen = BTreeSet::new();
    let mut advisors = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let at = |key: &str| place.entry(table, index, key);
        let advisor = entry.check(&at)?;
        // Two ids that differ in their case alone would be one to whoever answers with them.
        if !seen.insert(advisor.id.as_str().to_ascii_lowercase()) {
            return Err(Mistake { line: at("id"), what: format!("{} is there twice", advisor.id) });
        }
        advisors.push(advisor);
    }
    Ok(advisors)
}

impl Entry {
    fn check(self, at: &dyn Fn(&str) -> usize) -> Result<Advisor, Mistake> {
        let wrong = |key: &str, what: String| Mistake { line: at(key), what };
        let id: AdvisorId = self.id.parse().map_err(|error| wrong("id", format!("id {error}")))?;
        if id.as_str().eq_ignore_ascii_case(AdvisorId::measured().as_str()) {
            let what = format!("id '{id}' is the name of what is measured beside the panel: choose another");
            return Err(wrong("id", what));
        }
        let name = self.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            let what = format!("{id}: a name is one line of at most {LONGEST_NAME} characters");
            return Err(wrong("name", what));
        }
        let word = |key: &str, error: &dyn std::fmt::Display| wrong(key, format!("{id}: {key} {error}"));
        let role = self.role.parse().map_err(|error| word("role", &error))?;
        let measured_by = match &self.measured_by {
            Some(text) => Some(text.parse().map_err(|error| word("measured_by", &error))?),
            None => None,
        };
        let text = |key: &str, text: Option<String>, longest: usize| {
            optional(text, longest).map_err(|what| wrong(key, format!("{id}: {key} {what}")))
        };
        let evaluation_expertise =
            text("evaluation_expertise", self.evaluation_expertise, LONGEST_EXPERTISE)?;
        let does_not_evaluate = text("does_not_evaluate", self.does_not_evaluate, LONGEST_EXPERTISE)?;
        let persona = text("persona", self.persona, LONGEST_INSTRUCTIONS)?;
        let context_docs = docs(self.context_docs)
            .map_err(|what| wrong("context_docs", format!("{id}: context_docs {what}")))?;
        if measured_by.is_some() && evaluation_expertise.is_none() {
            let what = format!(
                "{id}: measured_by needs an evaluation_expertise: without one, nobody chooses it to review"
            );
            return Err(wrong("measured_by", what));
        }
        Ok(Advisor {
            id,
            name,
            role,
            evaluation_expertise,
            does_not_evaluate,
            context_docs,
            persona,
            measured_by,
        })
    }
}

/// A text that may be left out, but not left empty.
pub(super) fn optional(text: Option<String>, longest: usize) -> Result<Option<String>, String> {
    let Some(text) = text else { return Ok(None) };
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty: write it, or leave it out".to_owned());
    }
    if text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t')) {
        return Err("has control characters: take them out".to_owned());
    }
    let length = text.chars().count();
    if length > longest {
        return Err(format!("has {length} characters: at most {longest}"));
    }
    Ok(Some(text.to_owned()))
}

/// Names of documents, each once, in lower case as those of the files are.
pub(super) fn docs(names: Vec<String>) -> Result<Vec<DocType>, String> {
    if names.len() > MOST_DOCS {
        return Err(format!("names {} documents: at most {MOST_DOCS}", names.len()));
    }
    let mut all: Vec<DocType> = Vec::with_capacity(names.len());
    for name in names {
        let kind: DocType = name.parse().map_err(|error| format!("{error}"))?;
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(format!("'{name}': write it in small letters, as '{}'", name.to_ascii_lowercase()));
        }
        if all.contains(&kind) {
            return Err(format!("'{kind}' is there twice"));
        }
        all.push(kind);
    }
    Ok(all)
}
