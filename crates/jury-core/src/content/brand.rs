//! The look of a site: colours and type, and nothing that could be read. Copy cannot leak in, because there is no place
//! for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::lenient_json;

/// The name of the tool that a look is handed in by.
pub const TOOL: &str = "submit_brand";

/// What the tool is for, for a model.
pub const PURPOSE: &str = "Hands in the look of the site.";

/// The longest answer that is read.
const LONGEST_ANSWER_BYTES: usize = 64 * 1024;
/// The most places in an answer where a look may begin.
const MOST_PLACES: usize = 64;

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

/// The look in an answer that is a text: one JSON object, with prose or a fence around it or not. Two different ones are
/// none: the content may have brought one along.
pub fn read(text: &str) -> Result<SiteBrand, String> {
    if text.len() > LONGEST_ANSWER_BYTES {
        return Err(format!("the answer is longer than {LONGEST_ANSWER_BYTES} bytes"));
    }
    let mut found: Option<SiteBrand> = None;
    let mut problem: Option<String> = None;
    let mut rest = text;
    for _ in 0..MOST_PLACES {
        let Some(start) = rest.find('{') else { break };
        rest = rest.get(start..).unwrap_or_default();
        let length = match lenient_json::first_value::<SiteBrand>(rest) {
            Some(Ok((brand, _))) if found.as_ref().is_some_and(|known| *known != brand) => {
                return Err("there are two looks in the answer: hand in one".to_owned());
            }
            Some(Ok((brand, length))) => {
                found = Some(brand);
                length
            }
            Some(Err(error)) => {
                let said = error.to_string();
                let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
                problem.get_or_insert_with(|| what.to_owned());
                1
            }
            None => break,
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    let nothing = || "there is no JSON object with theme, colors, typography and radius in it".to_owned();
    found.ok_or_else(|| problem.unwrap_or_else(nothing))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn look(primary: &str) -> String {
        let colors = json!({"primary": primary, "primaryLight": "#eeeeee", "background": "#ffffff",
            "backgroundElevated": "#f5f5f5", "textPrimary": "#111111", "textSecondary": "#333333",
            "textMuted": "#444444", "accent": "#aa3300", "border": "#777777"});
        let fonts = json!({"headingFont": "serif", "bodyFont": "serif", "monoFont": "monospace"});
        json!({"theme": "light", "colors": colors, "typography": fonts, "radius": 4}).to_string()
    }

    #[test]
    fn a_look_is_found_in_prose_and_anything_else_is_none() {
        let one = look("#113355");
        for said in [
            one.clone(),
            format!("Here it is:\n```json\n{one}\n```\nI hope it helps."),
            format!("{one}{one}"),
        ] {
            assert_eq!(read(&said).map(|brand| brand.colors.primary).as_deref(), Ok("#113355"), "{said}");
        }
        let with_copy = one.replace("\"radius\"", "\"tagline\":\"Buy now\",\"radius\"");
        for (said, why) in [
            ("blue, and something with serifs".to_owned(), "there is no JSON object"),
            ("{}".to_owned(), "missing field"),
            (with_copy, "unknown field `tagline`"),
            (one.replace("\"light\"", "\"sunny\""), "unknown variant `sunny`"),
            (format!("{one} or {}", look("#551133")), "there are two looks"),
            (" ".repeat(LONGEST_ANSWER_BYTES + 1), "the answer is longer than"),
        ] {
            let refused = read(&said).expect_err("it is no look");
            assert!(refused.starts_with(why), "{said}: {refused}");
        }
    }
}
