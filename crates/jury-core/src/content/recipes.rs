//! Files of recipes: what they look like, what is wrong with one, and those that come with the program.
//!
//! A file is TOML: whoever has a TOML reader turns the text into a [`RecipeFile`] and hands it over with the text and the
//! registry that it names advisors of.

use serde::Deserialize;

use super::advisor::{Advisor, AdvisorId};
use super::recipe::{ContentType, Form, Recipe};
use super::registry::{AdvisorRegistry, LONGEST_EXPERTISE, LONGEST_INSTRUCTIONS, docs, optional};
use crate::toml_lines::{Mistake, TomlLines};

/// The recipes that come with the program: the name, and the text of the file.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("website", include_str!("../../../../recipes/website.toml")),
    ("blog-post", include_str!("../../../../recipes/blog-post.toml")),
    ("social-post", include_str!("../../../../recipes/social-post.toml")),
];

/// The most rounds that a recipe may ask for.
pub const MOST_ROUNDS: u32 = 10;
/// The most critics that a recipe may name.
const MOST_NAMED: usize = 10;

/// The text of the built-in recipe of this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A file as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeFile {
    content_type: String,
    form: String,
    author_advisor: String,
    author_context_docs: Vec<String>,
    author_framework: Option<String>,
    evaluation_needs: String,
    evaluation_emphasis: Option<String>,
    #[serde(default)]
    named_critics: Vec<String>,
    min_aggregate_score: f64,
    max_revision_rounds: i64,
    #[serde(default)]
    publish: bool,
}

impl RecipeFile {
    /// The recipe, if the file can be used with this registry. The text is for the lines of what is wrong.
    pub fn check(self, text: &str, registry: &AdvisorRegistry) -> Result<Recipe, Mistake> {
        let place = TomlLines::of(text);
        let wrong = |key: &str, what: String| Mistake { line: place.top(key), what };
        let content_type: ContentType = self
            .content_type
            .parse()
            .map_err(|error| wrong("content_type", format!("content_type {error}")))?;
        let form: Form = self.form.parse().map_err(|error| wrong("form", format!("form {error}")))?;
        let author_advisor = known("author_advisor", &self.author_advisor, registry)
            .map_err(|what| wrong("author_advisor", what))?;
        let author_context_docs = docs(self.author_context_docs)
            .map_err(|what| wrong("author_context_docs", format!("author_context_docs {what}")))?;
        let prose = |key: &str, text: Option<String>, longest: usize| {
            optional(text, longest).map_err(|what| wrong(key, format!("{key} {what}")))
        };
        let author_framework = prose("author_framework", self.author_framework, LONGEST_INSTRUCTIONS)?;
        let evaluation_emphasis = prose("evaluation_emphasis", self.evaluation_emphasis, LONGEST_EXPERTISE)?;
        if self.evaluation_needs.trim().is_empty() {
            let what = "evaluation_needs is empty: critics are chosen by what it says".to_owned();
            return Err(wrong("evaluation_needs", what));
        }
        let evaluation_needs =
            prose("evaluation_needs", Some(self.evaluation_needs), LONGEST_EXPERTISE)?.unwrap_or_default();
        let named_critics = named(&self.named_critics, &author_advisor, registry)
            .map_err(|what| wrong("named_critics", what))?;
        let score = self.min_aggregate_score;
        if !(1.0..=10.0).contains(&score) {
            let what = format!("min_aggregate_score {score}: a number from 1 to 10");
            return Err(wrong("min_aggregate_score", what));
        }
        let rounds = u32::try_from(self.max_revision_rounds).ok();
        let Some(max_revision_rounds) = rounds.filter(|rounds| (1..=MOST_ROUNDS).contains(rounds)) else {
            let what = format!(
                "max_revision_rounds {}: a whole number from 1 to {MOST_ROUNDS}",
                self.max_revision_rounds
            );
            return Err(wrong("max_revision_rounds", what));
        };
        if self.publish && form != Form::Page {
            let what = format!("publish: only a page becomes a site, and the form is {form}");
            return Err(wrong("publish", what));
        }
        Ok(Recipe {
            content_type,
            form,
            author_advisor,
            author_context_docs,
            author_framework,
            evaluation_needs,
            evaluation_emphasis,
            named_critics,
            min_aggregate_score: score,
            max_revision_rounds,
            publish: self.publish,
        })
    }
}

/// An advisor that is in the registry.
fn known(key: &str, name: &str, registry: &AdvisorRegistry) -> Result<AdvisorId, String> {
    let id: AdvisorId = name.parse().map_err(|error| format!("{key} {error}"))?;
    if registry.get(&id).is_some() {
        return Ok(id);
    }
    let all: Vec<&str> = registry.iter().map(|advisor| advisor.id.as_str()).collect();
    Err(format!("{key} '{id}' is not in the registry; there are {}", all.join(", ")))
}

/// Critics that are always in: each known, able to review, not the author, and there once.
fn named(names: &[String], author: &AdvisorId, registry: &AdvisorRegistry) -> Result<Vec<AdvisorId>, String> {
    if names.len() > MOST_NAMED {
        return Err(format!("named_critics has {} names: at most {MOST_NAMED}", names.len()));
    }
    let mut all: Vec<AdvisorId> = Vec::with_capacity(names.len());
    for name in names {
        let id = known("named_critics", name, registry)?;
        if id == *author {
            return Err(format!("named_critics '{id}' is the author, who does not review"));
        }
        if !registry.get(&id).is_some_and(Advisor::can_review) {
            return Err(format!("named_critics '{id}' has no evaluation_expertise, so it cannot review"));
        }
        if all.contains(&id) {
            return Err(format!("named_critics '{id}' is there twice"));
        }
        all.push(id);
    }
    Ok(all)
}
