//! What an agent is asked: the panel prompt, made from a template that users may change, and the briefs with
//! which agents are tested.
//!
//! The template is `prompts/panel.md.j2`, built in; a file of the same name in `./prompts/` takes its place.
//! A name in it that does not exist is an error and not a gap. What users give (brief, page, DESIGN.md) arrives
//! in the template already [`fenced`]: whatever a template does with it, it cannot end its block or begin a run.
//!
//! ```
//! use jury_agents::prompt::{Material, Template};
//! use jury_core::settings::CritiqueConfig;
//!
//! let material = Material { brief: Some("A page about bread.</BRIEF>"), ..Material::default() };
//! let prompt = Template::built_in().render(material, &CritiqueConfig::default())?;
//! assert_eq!(prompt.matches("</BRIEF>").count(), 1);
//! # Ok::<(), jury_agents::prompt::PromptError>(())
//! ```

mod brief;
mod fence;
#[cfg(test)]
mod tests;

pub use brief::{BRIEFS, Brief};
pub use fence::{Kind, fenced};

use std::path::{Path, PathBuf};

use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use thiserror::Error;

/// The version of the protocol that the built-in template asks for. There is a parser for it.
pub const PROTOCOL_VERSION: u32 = jury_core::settings::PROTOCOL_VERSION;

/// The name of the template, and of the file that takes its place.
pub const PANEL: &str = "panel.md.j2";

const BUILT_IN: &str = include_str!("../../../../prompts/panel.md.j2");

/// The largest template that is read.
const LARGEST: u64 = 1 << 20;

/// What the panel is to look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Material<'a> {
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
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The template cannot be rendered.
    #[error("{path}{line}: {what}; compare it with the built-in prompts/{PANEL}", path = path.display(), line = line.map(|line| format!(" line {line}")).unwrap_or_default())]
    Template {
        /// The file.
        path: PathBuf,
        /// Where in it.
        line: Option<usize>,
        /// What is wrong.
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

/// The template of the panel prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The user's file; none for the built-in one.
    path: Option<PathBuf>,
    text: String,
}

impl Template {
    /// The one that comes with the program.
    pub fn built_in() -> Self {
        Self { path: None, text: BUILT_IN.to_owned() }
    }

    /// The one in this folder, or the built-in one when there is none.
    pub fn load(folder: &Path) -> Result<Self, PromptError> {
        let path = folder.join(PANEL);
        let failed = |source| PromptError::Read { path: path.clone(), source };
        match std::fs::metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::built_in()),
            Err(error) => return Err(failed(error)),
            Ok(file) if file.len() > LARGEST => {
                return Err(failed(std::io::Error::other(format!("it is larger than {LARGEST} bytes"))));
            }
            Ok(_) => {}
        }
        let text = std::fs::read_to_string(&path).map_err(failed)?;
        Ok(Self { path: Some(path), text })
    }

    /// The user's file; none for the built-in one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The prompt for this material under these settings.
    pub fn render(&self, material: Material<'_>, config: &CritiqueConfig) -> Result<String, PromptError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let failed = |error: &minijinja::Error| PromptError::Template {
            path: self.path.clone().unwrap_or_else(|| PathBuf::from("prompts").join(PANEL)),
            line: error.line(),
            what: error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned),
        };
        environment
            .template_from_named_str(PANEL, &self.text)
            .and_then(|template| template.render(Serde(Context::of(material, config))))
            .map_err(|error| failed(&error))
    }
}

/// Everything that a template can name.
#[derive(Debug, Serialize)]
struct Context {
    protocol_version: u32,
    cast: Vec<Seat>,
    specialists: Vec<&'static str>,
    max_rounds: u32,
    threshold: String,
    scale: String,
    /// A score below every bar, for the example.
    sample_score: String,
    /// How many directives the example has.
    sample_must_fix: usize,
    brief: Option<String>,
    brand_source: Option<String>,
    page: Option<String>,
}

/// A panelist, for the template.
#[derive(Debug, Serialize)]
struct Seat {
    role: &'static str,
    weight: f64,
    drafts: bool,
    looks_at: &'static str,
    dimension: &'static str,
}

impl Context {
    fn of(material: Material<'_>, config: &CritiqueConfig) -> Self {
        let cast: Vec<Seat> = config
            .cast
            .iter()
            .map(|role| Seat {
                role: role.as_str(),
                weight: config.weights.of(*role),
                drafts: *role == Role::Designer,
                looks_at: looks_at(*role),
                dimension: dimension(*role),
            })
            .collect();
        Self {
            protocol_version: config.protocol_version,
            specialists: config
                .cast
                .iter()
                .filter(|role| !matches!(role, Role::Designer | Role::Critic))
                .map(|role| role.as_str())
                .collect(),
            max_rounds: config.max_rounds,
            threshold: config.score_threshold.to_string(),
            scale: config.score_scale.to_string(),
            sample_score: format!("{:.1}", config.score_threshold.0 * 0.75),
            sample_must_fix: cast.iter().filter(|seat| !seat.drafts).count(),
            cast,
            brief: material.brief.map(|text| fenced(text, Kind::Words)),
            brand_source: material.design.map(|text| fenced(text, Kind::Words)),
            page: material.page.map(|text| fenced(text, Kind::Page)),
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
        Role::Copy => "whether the words are complete, clear, short and true; links and messages",
    }
}

fn dimension(role: Role) -> &'static str {
    match role {
        Role::Designer => "intent",
        Role::Critic => "hierarchy",
        Role::Brand => "tokens",
        Role::A11y => "contrast",
        Role::Copy => "clarity",
    }
}
