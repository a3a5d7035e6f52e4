//! The look of a site: colours and type, and nothing that could be read. Copy cannot leak in, because there is no place
//! for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The JSON schema of a brand, for services that constrain what they print and for prompts.
pub const SCHEMA: &str = include_str!("brand.schema.json");

/// A colour as `#rrggbb`.
pub type Hex = String;

/// What a site looks like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Brand)]
pub struct SiteBrand {
    /// Whether the page is light or dark.
    pub theme: Theme,
    /// The colours of text, ground and accent.
    pub colors: Colors,
    /// The fonts of headings and text.
    pub typography: Typography,
    /// How round corners are, in pixels.
    pub radius: u8,
}

/// Whether the page is light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BrandTheme)]
pub enum Theme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// Nine colours, each with its job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = BrandColors)]
#[expect(missing_docs, reason = "the names are what they are")]
pub struct Colors {
    pub primary: Hex,
    pub primary_light: Hex,
    pub background: Hex,
    pub background_elevated: Hex,
    pub text_primary: Hex,
    pub text_secondary: Hex,
    pub text_muted: Hex,
    pub accent: Hex,
    pub border: Hex,
}

/// Three stacks of fonts, each ending in a generic name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = BrandTypography)]
#[expect(missing_docs, reason = "the names are what they are")]
pub struct Typography {
    pub heading_font: String,
    pub body_font: String,
    pub mono_font: String,
}
