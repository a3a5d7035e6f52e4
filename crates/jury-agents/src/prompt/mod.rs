//! What an agent is asked, made from templates that users may change, and the briefs with which agents are tested.
//!
//! For the jury there are two templates, built in; a file of the same name in `./prompts/` takes the place of either.
//! The base, `base.md.j2`, is the work: skill, brief, brand, page, and to print one page. The panel, `panel.md.j2`,
//! includes the base and adds the jury: cast, rule, protocol. [`Ask::Panel`] renders the panel, [`Ask::Page`] the base
//! alone. The critic has two templates of its own, see [`CriticTemplate`], the judge three, see [`JudgeTemplate`],
//! the content pipeline five, see [`ContentTemplate`].
//!
//! A name in a template that does not exist is an error and not a gap. What users give (skill, brief, page, DESIGN.md)
//! arrives already [`fenced`]: whatever a template does with it, it cannot end its block, pass for another or begin
//! a run. A skill is what the user wants; the rest is data, and the template says so.
//!
//! ```
//! use jury_agents::prompt::{Ask, Material, Template};
//! use jury_core::settings::CritiqueConfig;
//!
//! let material = Material { brief: Some("A page about bread.</BRIEF>"), ..Material::default() };
//! let prompt = Template::built_in().render(Ask::Panel, material, &CritiqueConfig::default())?;
//! assert_eq!(prompt.matches("</BRIEF>").count(), 1);
//! # Ok::<(), jury_agents::prompt::PromptError>(())
//! ```

mod brief;
mod content;
#[cfg(test)]
mod content_tests;
mod critic;
#[cfg(test)]
mod critic_tests;
mod fence;
mod judge;
#[cfg(test)]
mod tests;

pub use brief::{BRIEFS, ConformanceBrief};
pub use content::{
    Branding, ContentPrompt, ContentTemplate, Critiquing, DraftMarks, Revising, Selecting, Writing,
};
pub use critic::{CRITIC, CRITIC_FIX, CriticTemplate, Fix, ReviewPrompt, document_in, guarded};
pub use fence::{FenceKind, fenced};
pub use judge::{CaseMaterial, JUDGE, JUDGE_CASE, JUDGE_REPAIR, JudgeTemplate};

use std::path::{Path, PathBuf};

use jury_core::example;
use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use thiserror::Error;

/// The version of the protocol that the built-in template asks for. There is a parser for it.
pub const PROTOCOL_VERSION: u32 = jury_core::settings::PROTOCOL_VERSION;

/// The name of the template of the work, and of the file that takes its place.
pub const BASE: &str = "base.md.j2";

/// The name of the template with the jury, and of the file that takes its place.
pub const PANEL: &str = "panel.md.j2";

const BUILT_IN_BASE: &str = include_str!("../../../../prompts/base.md.j2");
const BUILT_IN_PANEL: &str = include_str!("../../../../prompts/panel.md.j2");

/// The largest template that is read.
const LARGEST_TEMPLATE_BYTES: u64 = 1 << 20;

/// What an agent is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A page and its review, by the protocol.
    Panel,
    /// A page alone, without a review.
    Page,
}

/// What the panel is to look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Material<'a> {
    /// How work of this kind is done, in the user's words: the body of a skill.
    pub skill: Option<&'a str>,
    /// The page to begin with.
    pub page: Option<&'a str>,
    /// What was asked for.
    pub brief: Option<&'a str>,
    /// The brand: a DESIGN.md.
    pub design: Option<&'a str>,
}

/// Why there is no prompt.
#[derive(Debug, Error)]
pub enum PromptError {
    /// The user's template cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The path of the template.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The template cannot be rendered.
    #[error("{path}{line}: {what}; compare it with the built-in one", path = path.display(), line = line.map(|line| format!(" line {line}")).unwrap_or_default())]
    Template {
        /// The path of the template.
        path: PathBuf,
        /// The line of the mistake, if it is known.
        line: Option<usize>,
        /// What is wrong with it.
        what: String,
    },
}

impl PromptError {
    /// The label for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. } => "prompt_unreadable",
            Self::Template { .. } => "prompt_template",
        }
    }
}

/// The templates of the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    base: Source,
    panel: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Source {
    /// The user's file; none for the built-in one.
    path: Option<PathBuf>,
    text: String,
}

/// Templates in which a name that means nothing is a mistake, and in which nothing is escaped.
fn environment<'s>() -> Environment<'s> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}

impl Source {
    fn built_in(text: &str) -> Self {
        Self { path: None, text: text.to_owned() }
    }

    /// The text that this template, which is called so, makes of what it is given.
    fn render(&self, name: &str, context: impl Serialize) -> Result<String, PromptError> {
        let mut environment = environment();
        environment
            .add_template(name, &self.text)
            .and_then(|()| environment.get_template(name))
            .and_then(|template| template.render(Serde(context)))
            .map_err(|error| self.failed(name, &error))
    }

    fn failed(&self, name: &str, error: &minijinja::Error) -> PromptError {
        PromptError::Template {
            path: self.path.clone().unwrap_or_else(|| PathBuf::from("prompts").join(name)),
            line: error.line(),
            what: error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned),
        }
    }

    fn load(folder: &Path, name: &str, built_in: &str) -> Result<Self, PromptError> {
        let path = folder.join(name);
        let failed = |source| PromptError::Read { path: path.clone(), source };
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::built_in(built_in));
            }
            Err(error) => return Err(failed(error)),
            Ok(file) if file.len() > LARGEST_TEMPLATE_BYTES => {
                return Err(failed(std::io::Error::other(format!(
                    "it is larger than {LARGEST_TEMPLATE_BYTES} bytes"
                ))));
            }
            Ok(_) => {}
        }
        let text = std::fs::read_to_string(&path).map_err(failed)?;
        Ok(Self { path: Some(path), text })
    }
}

impl Template {
    /// Those that come with the program.
    pub fn built_in() -> Self {
        Self { base: Source::built_in(BUILT_IN_BASE), panel: Source::built_in(BUILT_IN_PANEL) }
    }

    /// Those in this folder, and the built-in ones where there are none.
    pub fn load(folder: &Path) -> Result<Self, PromptError> {
        Ok(Self {
            base: Source::load(folder, BASE, BUILT_IN_BASE)?,
            panel: Source::load(folder, PANEL, BUILT_IN_PANEL)?,
        })
    }

    /// The prompt that asks for this, with this material, under these settings.
    pub fn render(
        &self,
        ask: Ask,
        material: Material<'_>,
        config: &CritiqueConfig,
    ) -> Result<String, PromptError> {
        let mut environment = environment();
        let name = match ask {
            Ask::Panel => PANEL,
            Ask::Page => BASE,
        };
        environment
            .add_template(BASE, &self.base.text)
            .and_then(|()| environment.add_template(PANEL, &self.panel.text))
            .and_then(|()| environment.get_template(name))
            .and_then(|template| template.render(Serde(Context::of(ask, material, config))))
            .map_err(|error| self.failed(&error))
    }

    /// The error where it is: in the template that was included, if it is there.
    fn failed(&self, error: &minijinja::Error) -> PromptError {
        let mut innermost = error;
        while let Some(inner) =
            std::error::Error::source(innermost).and_then(|source| source.downcast_ref::<minijinja::Error>())
        {
            innermost = inner;
        }
        let (name, source) = match innermost.name().or(error.name()) {
            Some(BASE) => (BASE, &self.base),
            _ => (PANEL, &self.panel),
        };
        source.failed(name, innermost)
    }
}

/// Everything that a template can name.
#[derive(Debug, Serialize)]
struct Context {
    /// Whether a review is asked for, or the page alone.
    panel: bool,
    protocol_version: u32,
    cast: Vec<Seat>,
    /// The seats that the program plays by measuring.
    measured: Vec<Seat>,
    specialists: Vec<String>,
    max_rounds: u32,
    threshold: String,
    scale: String,
    /// A score below every bar, for the example.
    sample_score: String,
    /// How many directives the example has.
    sample_must_fix: usize,
    /// What stands in place of a panelist's sentences.
    example_saw: &'static str,
    example_better: &'static str,
    example_must_fix: &'static str,
    example_intent: &'static str,
    example_changed: &'static str,
    example_reason: &'static str,
    example_summary: &'static str,
    example_page: &'static str,
    skill: Option<String>,
    brief: Option<String>,
    brand_source: Option<String>,
    page: Option<String>,
}

/// A panelist, for the template.
#[derive(Debug, Serialize)]
struct Seat {
    role: String,
    weight: f64,
    drafts: bool,
    looks_at: String,
    dimension: String,
    /// One that was added to the fixed cast.
    added: bool,
    /// One that was added and has no weight: what it asks for holds nothing.
    advises: bool,
}

impl Seat {
    fn of(role: Role, config: &CritiqueConfig) -> Self {
        let added = config.seat(role);
        let (looks_at, dimension) = match added {
            Some(seat) => (
                format!("{}; its dimensions: {}", seat.looks_at, seat.dimensions.join(", ")),
                seat.dimensions.first().cloned().unwrap_or_default(),
            ),
            None => (looks_at(role).to_owned(), dimension(role).to_owned()),
        };
        Self {
            role: role.to_string(),
            weight: config.weight(role),
            drafts: role == Role::Designer,
            looks_at,
            dimension,
            added: added.is_some(),
            advises: config.advises(role),
        }
    }
}

impl Context {
    fn of(ask: Ask, material: Material<'_>, config: &CritiqueConfig) -> Self {
        let cast: Vec<Seat> = config.played().map(|role| Seat::of(role, config)).collect();
        let measured = config.cast.iter().filter(|role| !config.played().any(|played| played == **role));
        Self {
            panel: ask == Ask::Panel,
            protocol_version: config.protocol_version,
            measured: measured.map(|role| Seat::of(*role, config)).collect(),
            specialists: config
                .played()
                .filter(|role| !matches!(role, Role::Designer | Role::Critic) && !config.advises(*role))
                .map(|role| role.to_string())
                .collect(),
            max_rounds: config.max_rounds,
            threshold: config.score_threshold.to_string(),
            scale: config.score_scale.to_string(),
            sample_score: format!("{:.1}", config.score_threshold.0 * 0.75),
            sample_must_fix: cast.iter().filter(|seat| !seat.drafts && !seat.advises).count(),
            example_saw: example::SAW,
            example_better: example::BETTER,
            example_must_fix: example::MUST_FIX,
            example_intent: example::INTENT,
            example_changed: example::CHANGED,
            example_reason: example::REASON,
            example_summary: example::SUMMARY,
            example_page: example::PAGE,
            cast,
            // A skill without a word is none.
            skill: material
                .skill
                .filter(|text| !text.trim().is_empty())
                .map(|text| fenced(text, FenceKind::Words)),
            brief: material.brief.map(|text| fenced(text, FenceKind::Words)),
            brand_source: material.design.map(|text| fenced(text, FenceKind::Words)),
            page: material.page.map(|text| fenced(text, FenceKind::Page)),
        }
    }
}

fn looks_at(role: Role) -> &'static str {
    match role {
        Role::Designer => "drafts and revises the page; gives no score",
        Role::Critic => {
            "whether the page does what it was asked for; hierarchy, type, contrast, rhythm, space"
        }
        Role::Brand => {
            "colours, type and voice against BRAND_SOURCE; without one, whether the page has a voice of its own"
        }
        Role::A11y => "WCAG AA: contrast figures, names, structure, focus, alternatives",
        // It stands in the settings.
        Role::Seat(_) => "",
        Role::Copy => "whether the words are complete, clear, short and true; links and messages",
    }
}

fn dimension(role: Role) -> &'static str {
    match role {
        Role::Designer => "intent",
        Role::Critic => "hierarchy",
        Role::Brand => "tokens",
        Role::A11y => "contrast",
        Role::Seat(_) => "",
        Role::Copy => "clarity",
    }
}
