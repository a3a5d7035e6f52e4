//! What the content pipeline asks services for, in the shape that they are made to answer in.

use std::borrow::Cow;

use jury_core::content::submit::{self, Submitted};
use jury_core::content::{Page, SiteBrand, brand, page};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use crate::api::ModelQuestion;
use crate::prompt::ContentPrompt;

macro_rules! shaped {
    ($(#[$doc:meta])* $name:ident($of:ty) = $tool:expr, $schema:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $of);

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                $tool.into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                serde_json::from_str(&$schema).unwrap_or_default()
            }
        }
    };
}

shaped! {
    /// What a critic hands in; [`submit::check`] says whether it can be used.
    SubmitCritique(Submitted) = submit::TOOL, submit::SCHEMA
}

shaped! {
    /// A page that an author wrote.
    SubmitPage(Page) = "submit_page", page::SCHEMA
}

shaped! {
    /// A look that somebody designed.
    SubmitBrand(SiteBrand) = brand::TOOL, brand::SCHEMA
}

/// The critics that a model chose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct SubmitCritics {
    /// The ids of those who should review.
    pub advisors: Vec<String>,
}

impl SubmitCritics {
    /// As [`jury_core::content::select::read_choice`] reads it.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.advisors).unwrap_or_default()
    }
}

/// The question for a critique.
pub fn critique_question(asked: &ContentPrompt) -> ModelQuestion {
    ModelQuestion::new(submit::TOOL, submit::PURPOSE, asked.prompt())
}

/// The question for a page.
pub fn page_question(asked: &ContentPrompt) -> ModelQuestion {
    ModelQuestion::new("submit_page", "Hands in the whole page.", asked.prompt())
}

/// The question for critics.
pub fn critics_question(asked: &ContentPrompt) -> ModelQuestion {
    ModelQuestion::new("submit_critics", "Hands in the ids of those who should review.", asked.prompt())
}

/// The question for a look.
pub fn brand_question(asked: &ContentPrompt) -> ModelQuestion {
    ModelQuestion::new(brand::TOOL, brand::PURPOSE, asked.prompt())
}
