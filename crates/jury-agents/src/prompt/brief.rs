//! The briefs with which agents are tested: ten small pages of ten kinds.

/// A brief of the conformance suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConformanceBrief {
    /// Its name: that of its file.
    pub name: &'static str,
    text: &'static str,
}

macro_rules! briefs {
    ($($name:literal),+ $(,)?) => {
        &[$(ConformanceBrief {
            name: $name,
            text: include_str!(concat!("../../../../prompts/briefs/", $name, ".md")),
        }),+]
    };
}

/// Every brief of a cycle.
pub const BRIEFS: &[ConformanceBrief] = briefs![
    "01-bakery",
    "02-saas-landing",
    "03-event",
    "04-contact-form",
    "05-pricing",
    "06-dashboard",
    "07-article",
    "08-portfolio",
    "09-onboarding",
    "10-not-found",
];

/// What divides a brief from its draft.
const DRAFT: &str = "\n## Draft\n";

impl ConformanceBrief {
    /// What is asked for.
    pub fn text(&self) -> &'static str {
        self.text.split_once(DRAFT).map_or(self.text, |(text, _)| text).trim()
    }

    /// A page to begin with, for a panel that reviews and does not write.
    pub fn draft(&self) -> &'static str {
        let block = self.text.split_once(DRAFT).map_or("", |(_, block)| block);
        let page = block.split_once("```html\n").map_or("", |(_, page)| page);
        page.split_once("```").map_or(page, |(page, _)| page)
    }
}
