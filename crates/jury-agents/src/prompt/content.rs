//! What models are asked in the content pipeline: who reviews, a draft, a critique, a revision, a look.
//!
//! There are five templates, built in; a file of the same name in `./prompts/content/` takes the place of each. A template has
//! two blocks: `system` has what the user and their files say (personas, expertise, rules), `user` the material. Everything
//! that a document, a draft or a critic says stands between lines with a number that occurs nowhere in it, and nowhere else.

use std::path::Path;

use jury_core::content::brand::{SCHEMA as BRAND_SCHEMA, TOOL as BRAND_TOOL};
use jury_core::content::page::SCHEMA as PAGE_SCHEMA;
use jury_core::content::select::MOST_ELECTED;
use jury_core::content::submit::{SCHEMA as SUBMIT_SCHEMA, TOOL};
use jury_core::content::{Advisor, ContentIssue, DocType, Draft, Form, Foundation, IdeaId, Recipe};
use jury_core::unit::Round;
use minijinja::value::Serde;
use serde::Serialize;

use super::fence::legible;
use super::judge::nonce;
use super::{PromptError, Source, environment};
use crate::api::ModelPrompt;

macro_rules! templates {
    ($($field:ident = $name:literal),+ $(,)?) => {
        /// The templates of the content pipeline.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct ContentTemplate {
            $($field: Source,)+
        }

        impl ContentTemplate {
            /// The names of the files that take the place of the built-in ones, under `./prompts/`.
            pub const NAMES: &[&str] = &[$($name),+];

            /// Those that come with the program.
            pub fn built_in() -> Self {
                Self { $($field: Source::built_in(include_str!(concat!("../../../../prompts/", $name))),)+ }
            }

            /// Those in this folder, and the built-in ones where there are none.
            pub fn load(folder: &Path) -> Result<Self, PromptError> {
                Ok(Self {
                    $($field: Source::load(folder, $name, include_str!(concat!("../../../../prompts/", $name)))?,)+
                })
            }
        }
    };
}

templates! {
    selection = "content/selection.md.j2",
    author = "content/author.md.j2",
    critic = "content/critic.md.j2",
    reviser = "content/reviser.md.j2",
    brand = "content/brand.md.j2",
}

/// The most of one document that is shown, in characters.
const LONGEST_DOCUMENT: usize = 60_000;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentPrompt {
    /// Who it is and by which rules: what the user says.
    pub system: String,
    /// The material and how to answer.
    pub user: String,
}

impl ContentPrompt {
    /// Both as one text, for an agent that takes one.
    pub fn whole(&self) -> String {
        format!("{}\n\n{}", self.system, self.user)
    }

    /// The lines between which a draft is to stand, where it is asked for so: a template of the user's own may not do that.
    /// The last ones count, because material stands before what is asked.
    pub fn marks(&self) -> Option<DraftMarks> {
        let (_, rest) = self.user.rsplit_once("</DRAFT ")?;
        let (number, _) = rest.split_once('>')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        let marks = DraftMarks { open: format!("<DRAFT {number}>"), close: format!("</DRAFT {number}>") };
        (is_number && self.user.contains(&marks.open)).then_some(marks)
    }

    /// The same for a service.
    pub fn prompt(&self) -> ModelPrompt {
        let mut prompt = ModelPrompt::new(self.user.clone());
        prompt.system.clone_from(&self.system);
        prompt
    }
}

/// The lines that a draft begins behind and ends before. Their number is in nothing that the author was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftMarks {
    /// The line before it.
    pub open: String,
    /// The line behind it.
    pub close: String,
}

/// Whom a model may choose.
#[derive(Debug, Clone, Copy)]
pub struct Selecting<'a> {
    /// What the piece is and needs.
    pub recipe: &'a Recipe,
    /// The advisors that can review.
    pub candidates: &'a [&'a Advisor],
}

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Writing<'a> {
    /// What the piece is.
    pub recipe: &'a Recipe,
    /// The advisor that writes.
    pub author: &'a Advisor,
    /// The idea that the content is about.
    pub idea: &'a IdeaId,
    /// Its documents; the author sees those of the recipe.
    pub foundation: &'a Foundation,
    /// What this piece is about, if somebody said so.
    pub topic: Option<&'a str>,
}

/// What is to be reviewed.
#[derive(Debug, Clone, Copy)]
pub struct Critiquing<'a> {
    /// What the piece is.
    pub recipe: &'a Recipe,
    /// The advisor that reviews.
    pub critic: &'a Advisor,
    /// The documents of the idea; the critic sees its own.
    pub foundation: &'a Foundation,
    /// What this piece is about, if somebody said so.
    pub topic: Option<&'a str>,
    /// For whom it is written, from the positioning; for a critic that does not see that document.
    pub audience: Option<&'a str>,
    /// The draft that it reads.
    pub draft: &'a Draft,
    /// In which round; the first for a critic who has not read an earlier version.
    pub round: Round,
    /// What the same critic raised before, as far as it is open.
    pub earlier: &'a [&'a ContentIssue],
}

/// What is to be revised.
#[derive(Debug, Clone, Copy)]
pub struct Revising<'a> {
    /// What the piece is.
    pub recipe: &'a Recipe,
    /// The advisor that writes.
    pub author: &'a Advisor,
    /// The documents of the idea; the author sees those of the recipe.
    pub foundation: &'a Foundation,
    /// What this piece is about, if somebody said so.
    pub topic: Option<&'a str>,
    /// The draft as it is.
    pub draft: &'a Draft,
    /// What to mend and what to leave alone: [`jury_core::content::Brief::text`].
    pub brief: &'a str,
}

/// What is to get a look.
#[derive(Debug, Clone, Copy)]
pub struct Branding<'a> {
    /// The documents of the idea.
    pub foundation: &'a Foundation,
    /// What will stand on the site.
    pub draft: &'a Draft,
}

impl ContentTemplate {
    /// Asks who reviews. [`jury_core::content::select::read_choice`] reads the answer.
    pub fn selection(&self, selecting: Selecting<'_>) -> Result<ContentPrompt, PromptError> {
        let Selecting { recipe, candidates } = selecting;
        let candidates = candidates.iter().map(|advisor| CandidateLine {
            id: advisor.id.to_string(),
            name: line(&advisor.name),
            expertise: line(advisor.evaluation_expertise.as_deref().unwrap_or_default()),
            leaves: advisor.does_not_evaluate.as_deref().map(line),
        });
        let context = SelectionContext {
            content_type: recipe.content_type.to_string(),
            needs: line(&recipe.evaluation_needs),
            candidates: candidates.collect(),
            named: recipe.named_critics.iter().map(ToString::to_string).collect(),
            most: MOST_ELECTED,
        };
        render(&self.selection, "content/selection.md.j2", &context)
    }

    /// Asks for the first draft: a page as JSON, anything else as Markdown.
    pub fn author(&self, writing: Writing<'_>) -> Result<ContentPrompt, PromptError> {
        let Writing { recipe, author, idea, foundation, topic } = writing;
        let documents = documents(foundation.of(&recipe.author_context_docs));
        let mut context = AuthorContext::of(recipe, author, documents);
        context.idea = Some(idea.to_string());
        context.topic = topic.map(block);
        context.number();
        render(&self.author, "content/author.md.j2", &context)
    }

    /// Asks for a revision, in the form of the draft.
    pub fn reviser(&self, revising: Revising<'_>) -> Result<ContentPrompt, PromptError> {
        let Revising { recipe, author, foundation, topic, draft, brief } = revising;
        let documents = documents(foundation.of(&recipe.author_context_docs));
        let mut context = AuthorContext::of(recipe, author, documents);
        // A page comes back as what it is kept as, so that is what its author sees.
        let whole = String::from_utf8(draft.bytes()).unwrap_or_default();
        context.draft = Some(block(&whole));
        context.brief = Some(block(brief));
        context.topic = topic.map(block);
        context.number();
        render(&self.reviser, "content/reviser.md.j2", &context)
    }

    /// Asks for a critique. [`jury_core::content::submit`] checks the answer.
    pub fn critic(&self, critiquing: Critiquing<'_>) -> Result<ContentPrompt, PromptError> {
        let Critiquing { recipe, critic, foundation, topic, audience, draft, round, earlier } = critiquing;
        let mut context = CriticContext {
            nonce: String::new(),
            what: what(recipe.form),
            critic: line(&critic.name),
            expertise: prose(critic.evaluation_expertise.as_deref().unwrap_or_default()),
            leaves: critic.does_not_evaluate.as_deref().map(line),
            emphasis: recipe.evaluation_emphasis.as_deref().map(prose),
            round: round.0,
            documents: documents(foundation.of(&critic.context_docs)),
            topic: topic.map(block),
            audience: audience.filter(|_| !sees_positioning(critic)).map(block),
            missing: foundation.missing(&critic.context_docs).map(ToString::to_string).collect(),
            draft: block(&draft.markdown()),
            earlier: earlier
                .iter()
                .map(|issue| EarlierLine {
                    id: issue.id.to_string(),
                    severity: jury_core::severity::THREE.word(issue.severity),
                    description: line(&issue.description),
                })
                .collect(),
            tool: TOOL,
            schema: SUBMIT_SCHEMA.trim_end(),
        };
        let mut contents: Vec<&str> = context.documents.iter().map(|own| own.text.as_str()).collect();
        contents.push(&context.draft);
        contents.extend([&context.topic, &context.audience].into_iter().flatten().map(String::as_str));
        contents.extend(context.earlier.iter().map(|own| own.description.as_str()));
        context.nonce = nonce(&contents);
        render(&self.critic, "content/critic.md.j2", &context)
    }

    /// Asks for a look, as JSON without a place for copy.
    pub fn brand(&self, branding: Branding<'_>) -> Result<ContentPrompt, PromptError> {
        let mut context = BrandContext {
            nonce: String::new(),
            documents: documents(branding.foundation.iter().filter(|(kind, _)| is_visual(kind))),
            draft: block(&branding.draft.markdown()),
            tool: BRAND_TOOL,
            schema: BRAND_SCHEMA.trim_end(),
        };
        let mut contents: Vec<&str> = context.documents.iter().map(|own| own.text.as_str()).collect();
        contents.push(&context.draft);
        context.nonce = nonce(&contents);
        render(&self.brand, "content/brand.md.j2", &context)
    }
}

/// Whether a critic reads the whole of the document that says for whom a piece is written.
fn sees_positioning(critic: &Advisor) -> bool {
    critic.context_docs.iter().any(|kind| kind.as_str() == "positioning")
}

/// The documents that say something about how things look, or for whom.
fn is_visual(kind: &DocType) -> bool {
    matches!(kind.as_str(), "design" | "brand" | "brand-voice" | "positioning")
}

fn render(source: &Source, name: &str, context: &impl Serialize) -> Result<ContentPrompt, PromptError> {
    let mut environment = environment();
    let mut asked = || {
        environment.add_template(name, &source.text)?;
        let template = environment.get_template(name)?;
        let mut rendered = template.render_captured(Serde(context))?;
        rendered.with_state_mut(|state| {
            let system = state.render_block("system")?;
            Ok(ContentPrompt { system, user: state.render_block("user")? })
        })
    };
    asked().map_err(|error: minijinja::Error| source.failed(name, &error))
}

/// What a draft of this form is, in a sentence.
fn what(form: Form) -> &'static str {
    match form {
        Form::Page => "the copy of a landing page",
        Form::Article => "an article",
        Form::Post => "a post for social media",
    }
}

fn kind(form: Form) -> &'static str {
    match form {
        Form::Page => "page",
        Form::Article => "article",
        Form::Post => "post",
    }
}

/// What somebody else wrote, for a block.
fn block(text: &str) -> String {
    legible(text.trim_matches(['\n', '\r']))
}

/// What the user wrote, as it is.
fn prose(text: &str) -> String {
    legible(text.trim())
}

/// A text on one line.
fn line(text: &str) -> String {
    legible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn documents<'a>(all: impl Iterator<Item = (&'a DocType, &'a str)>) -> Vec<DocumentBlock> {
    all.map(|(kind, text)| {
        let text = block(text);
        let left = text.chars().count().saturating_sub(LONGEST_DOCUMENT);
        let text = if left == 0 {
            text
        } else {
            let shown: String = text.chars().take(LONGEST_DOCUMENT).collect();
            format!("{shown}\n(the rest, {left} characters, is left out)")
        };
        DocumentBlock { kind: kind.to_string(), text }
    })
    .collect()
}

#[derive(Debug, Serialize)]
struct DocumentBlock {
    kind: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct CandidateLine {
    id: String,
    name: String,
    expertise: String,
    leaves: Option<String>,
}

/// Everything that the template of a selection can name.
#[derive(Debug, Serialize)]
struct SelectionContext {
    content_type: String,
    needs: String,
    candidates: Vec<CandidateLine>,
    named: Vec<String>,
    most: usize,
}

/// Everything that the templates of a draft and of a revision can name.
#[derive(Debug, Serialize)]
struct AuthorContext {
    nonce: String,
    author: String,
    what: &'static str,
    kind: &'static str,
    persona: Option<String>,
    framework: Option<String>,
    documents: Vec<DocumentBlock>,
    idea: Option<String>,
    topic: Option<String>,
    draft: Option<String>,
    brief: Option<String>,
    schema: Option<&'static str>,
}

impl AuthorContext {
    fn of(recipe: &Recipe, author: &Advisor, documents: Vec<DocumentBlock>) -> Self {
        Self {
            nonce: String::new(),
            author: line(&author.name),
            what: what(recipe.form),
            kind: kind(recipe.form),
            persona: author.persona.as_deref().map(prose),
            framework: recipe.author_framework.as_deref().map(prose),
            documents,
            idea: None,
            topic: None,
            draft: None,
            brief: None,
            schema: (recipe.form == Form::Page).then_some(PAGE_SCHEMA.trim_end()),
        }
    }

    fn number(&mut self) {
        let mut contents: Vec<&str> = self.documents.iter().map(|own| own.text.as_str()).collect();
        contents.extend([&self.topic, &self.draft, &self.brief].into_iter().flatten().map(String::as_str));
        self.nonce = nonce(&contents);
    }
}

#[derive(Debug, Serialize)]
struct EarlierLine {
    id: String,
    severity: &'static str,
    description: String,
}

/// Everything that the template of a critique can name.
#[derive(Debug, Serialize)]
struct CriticContext {
    nonce: String,
    what: &'static str,
    critic: String,
    expertise: String,
    leaves: Option<String>,
    emphasis: Option<String>,
    round: u32,
    documents: Vec<DocumentBlock>,
    topic: Option<String>,
    audience: Option<String>,
    missing: Vec<String>,
    draft: String,
    earlier: Vec<EarlierLine>,
    tool: &'static str,
    schema: &'static str,
}

/// Everything that the template of a look can name.
#[derive(Debug, Serialize)]
struct BrandContext {
    nonce: String,
    documents: Vec<DocumentBlock>,
    draft: String,
    tool: &'static str,
    schema: &'static str,
}
