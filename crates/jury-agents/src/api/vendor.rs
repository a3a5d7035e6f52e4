//! Who offers models, as data: where, in which format, with which key, at which price. A new vendor is a new
//! file in `vendors/`, not new code.

use serde::Deserialize;

use super::error::ApiError;

/// The files that come with the program.
const FILES: [&str; 10] = [
    include_str!("../../vendors/anthropic.toml"),
    include_str!("../../vendors/openai.toml"),
    include_str!("../../vendors/openrouter.toml"),
    include_str!("../../vendors/groq.toml"),
    include_str!("../../vendors/mistral.toml"),
    include_str!("../../vendors/deepseek.toml"),
    include_str!("../../vendors/together.toml"),
    include_str!("../../vendors/ollama.toml"),
    include_str!("../../vendors/llama-cpp.toml"),
    include_str!("../../vendors/lmstudio.toml"),
];

/// Somebody who offers models.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vendor {
    /// What settings call it.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// How it is spoken to.
    pub format: FormatName,
    /// Where it is, with the version and without a slash at the end.
    pub base_url: String,
    /// The environment variable that holds the key; a service without one needs none.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// The model when none is named.
    pub default_model: String,
    /// How a value of a given shape is asked for.
    pub structure: Structure,
    /// How an answer as text can be held to a grammar, where it can.
    #[serde(default)]
    pub constraint: Option<Constraint>,
    /// What the field is called that limits the answer.
    #[serde(default = "max_tokens")]
    pub max_tokens_field: String,
    /// Whether usage in a stream has to be asked for, and may be.
    #[serde(default)]
    pub stream_usage: bool,
    /// Whether tokens are counted in every piece of a stream when that is asked for, as llama.cpp does.
    #[serde(default)]
    pub token_timings: bool,
    /// Private hosts that this vendor is expected on.
    #[serde(default)]
    pub allow_hosts: Vec<String>,
    /// Prices by model; of several that fit, the longest name counts.
    #[serde(default)]
    pub prices: Vec<Price>,
}

/// The wire format of a vendor's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatName {
    /// The Messages API of Anthropic.
    Anthropic,
    /// Chat completions as `OpenAI` defined them.
    Openai,
}

/// How a service is made to answer in a given shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structure {
    /// It has to call a tool whose input has the shape.
    Tool,
    /// Its answer has to follow a JSON schema.
    JsonSchema,
    /// It is asked to, in words.
    Text,
}

/// How a service is made to follow a grammar while it writes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// It takes a grammar in GBNF, in a field of that name.
    Gbnf,
}

/// US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The name of the model, which fits its dated versions too. A star at the end fits everything that begins
    /// so.
    pub model: String,
    /// The price of tokens that the model reads.
    pub input: f64,
    /// The price of tokens that the model writes.
    pub output: f64,
    /// What it reads from its cache; like input when absent.
    #[serde(default)]
    pub cache_read: Option<f64>,
    /// What it writes to its cache; like input when absent.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

fn max_tokens() -> String {
    "max_tokens".to_owned()
}

impl Vendor {
    /// Everybody there is a file for.
    pub fn all() -> Result<Vec<Self>, ApiError> {
        FILES.iter().map(|text| Self::parse(text)).collect()
    }

    /// The vendor that settings call this.
    pub fn find(id: &str) -> Result<Self, ApiError> {
        let mut all = Self::all()?;
        if let Some(index) = all.iter().position(|vendor| vendor.id == id) {
            return Ok(all.swap_remove(index));
        }
        let known: Vec<&str> = all.iter().map(|vendor| vendor.id.as_str()).collect();
        Err(ApiError::UnknownVendor { id: id.to_owned(), known: known.join(", ") })
    }

    /// A vendor as a file describes it.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        toml::from_str(text).map_err(|error| {
            let id = text.lines().find_map(|line| line.trim().strip_prefix("id = ")).unwrap_or("?");
            let problem = error.message().to_owned();
            ApiError::VendorFile { id: id.trim_matches('"').to_owned(), problem }
        })
    }

    /// The price of a model.
    pub fn price(&self, model: &str) -> Option<&Price> {
        let fitting = self.prices.iter().filter(|price| fits(&price.model, model));
        fitting.max_by_key(|price| price.model.len())
    }
}

/// Whether a model is this one. `gpt-5-pro` is not a version of `gpt-5`, and costs ten times as much.
fn fits(name: &str, model: &str) -> bool {
    if let Some(start) = name.strip_suffix('*') {
        return model.starts_with(start);
    }
    let Some(version) = model.strip_prefix(name) else { return false };
    let date = version.strip_prefix(['-', '@', ':']).unwrap_or_default();
    let digits = date.chars().take_while(char::is_ascii_digit).count();
    version.is_empty() || date == "latest" || digits >= 4
}
