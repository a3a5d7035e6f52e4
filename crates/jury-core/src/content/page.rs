//! The specification of a landing page: its copy in its parts. Markdown and HTML are renderings of it.
//!
//! It has no colours and no fonts: what a page looks like is its brand ([`super::brand::SiteBrand`]), which has no copy.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The JSON schema of a page, for services that constrain what they print and for prompts.
pub const SCHEMA: &str = include_str!("page.schema.json");

/// A landing page, before it becomes HTML.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Page {
    /// What the product is called.
    pub name: String,
    /// The title of the page, as search results show it.
    pub title: String,
    /// The description of the page, as search results show it.
    pub description: String,
    /// What is seen first.
    pub hero: Hero,
    /// What follows, in order.
    #[serde(default)]
    pub sections: Vec<Section>,
}

/// What is seen first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hero {
    /// The only heading of the first level.
    pub headline: String,
    /// What stands under it.
    pub subheadline: String,
    /// What a reader is asked to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cta: Option<Cta>,
    /// What takes a worry away beside it: "No credit card needed."
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A call to action.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cta {
    /// The text on the button.
    pub label: String,
    /// Where it leads: an address, `mailto:` or `#part`.
    pub href: String,
}

/// A part of a page, under a heading of the second level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Section {
    /// A heading with paragraphs.
    Text {
        /// The heading of the section.
        heading: String,
        /// The paragraphs below the heading.
        paragraphs: Vec<String>,
    },
    /// What the product does or is good for, each with a title.
    Features {
        /// The heading of the section.
        heading: String,
        /// What stands before them; may be empty.
        #[serde(default)]
        intro: String,
        /// The features, one card each.
        items: Vec<Item>,
    },
    /// What happens one after the other.
    Steps {
        /// The heading of the section.
        heading: String,
        /// What stands before them; may be empty.
        #[serde(default)]
        intro: String,
        /// The steps, in their order.
        items: Vec<Item>,
    },
    /// What people do instead, and how this differs.
    Alternatives {
        /// The heading of the section.
        heading: String,
        /// What stands before them; may be empty.
        #[serde(default)]
        intro: String,
        /// Each: the title is the alternative.
        items: Vec<Item>,
    },
    /// What others say, word for word.
    Proof {
        /// The heading of the section.
        heading: String,
        /// The quotes, in their order.
        quotes: Vec<Quote>,
    },
    /// Questions and their answers.
    Faq {
        /// The heading of the section.
        heading: String,
        /// The questions, in their order.
        items: Vec<PageQuestion>,
    },
    /// A call to action with its own heading.
    Action {
        /// The heading of the section.
        heading: String,
        /// What stands under it; may be empty.
        #[serde(default)]
        text: String,
        /// What a reader is asked to do.
        cta: Cta,
    },
}

/// A title with a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PageItem)]
pub struct Item {
    /// The title of the card or step.
    pub title: String,
    /// The text below the title.
    pub text: String,
}

/// A quote of a customer or a source.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = PageQuote)]
pub struct Quote {
    /// The words that are quoted.
    pub text: String,
    /// The person or source that said them.
    pub source: String,
}

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PageQuestion {
    /// The question as a reader asks it.
    pub question: String,
    /// The answer below the question.
    pub answer: String,
}

impl Section {
    /// The heading of any section.
    pub fn heading(&self) -> &str {
        match self {
            Self::Text { heading, .. }
            | Self::Features { heading, .. }
            | Self::Steps { heading, .. }
            | Self::Alternatives { heading, .. }
            | Self::Proof { heading, .. }
            | Self::Faq { heading, .. }
            | Self::Action { heading, .. } => heading,
        }
    }
}

impl Page {
    /// Every piece of copy that is shown, in order: what a site made of the page has to say word for word. The title and
    /// the description are not among them, nor where a link leads.
    pub fn copy(&self) -> Vec<&str> {
        let mut all: Vec<&str> = vec![&self.hero.headline, &self.hero.subheadline];
        all.extend(self.hero.cta.iter().map(|cta| cta.label.as_str()));
        all.extend(self.hero.note.as_deref());
        for section in &self.sections {
            all.push(section.heading());
            match section {
                Section::Text { paragraphs, .. } => all.extend(paragraphs.iter().map(String::as_str)),
                Section::Features { intro, items, .. }
                | Section::Steps { intro, items, .. }
                | Section::Alternatives { intro, items, .. } => {
                    all.push(intro);
                    all.extend(items.iter().flat_map(|item| [item.title.as_str(), item.text.as_str()]));
                }
                Section::Proof { quotes, .. } => {
                    all.extend(quotes.iter().flat_map(|quote| [quote.text.as_str(), quote.source.as_str()]));
                }
                Section::Faq { items, .. } => {
                    all.extend(items.iter().flat_map(|item| [item.question.as_str(), item.answer.as_str()]));
                }
                Section::Action { text, cta, .. } => all.extend([text.as_str(), cta.label.as_str()]),
            }
        }
        all.retain(|text| !text.trim().is_empty());
        all
    }

    /// The page as a person edits it: front matter with name, title and description, then the copy under its headings.
    /// `jury_text::content::read` reads it back.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        writeln!(
            out,
            "---\nname: {}\ntitle: {}\ndescription: {}\n---\n",
            quoted(&self.name),
            quoted(&self.title),
            quoted(&self.description)
        )
        .ok();
        writeln!(out, "# {}\n", self.hero.headline).ok();
        paragraph(&mut out, &self.hero.subheadline);
        if let Some(cta) = &self.hero.cta {
            link(&mut out, cta);
        }
        if let Some(note) = &self.hero.note {
            writeln!(out, "> {note}\n").ok();
        }
        for section in &self.sections {
            section.write(&mut out);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

impl Section {
    /// The kind, as it stands behind the heading: `## Heading {features}`. Plain text has none, unless it looks like
    /// something else.
    fn mark(&self) -> &'static str {
        match self {
            Self::Text { heading, paragraphs } => {
                let is_plain = |text: &String| text.starts_with(char::is_alphabetic) && !text.contains('\n');
                let says_itself = !heading.ends_with('}') && paragraphs.iter().all(is_plain);
                if says_itself { "" } else { " {text}" }
            }
            Self::Features { .. } => " {features}",
            Self::Steps { .. } => " {steps}",
            Self::Alternatives { .. } => " {alternatives}",
            Self::Proof { .. } => " {proof}",
            Self::Faq { .. } => " {faq}",
            Self::Action { .. } => " {action}",
        }
    }

    fn write(&self, out: &mut String) {
        writeln!(out, "## {}{}\n", self.heading(), self.mark()).ok();
        match self {
            Self::Text { paragraphs, .. } => paragraphs.iter().for_each(|text| paragraph(out, text)),
            Self::Features { intro, items, .. }
            | Self::Steps { intro, items, .. }
            | Self::Alternatives { intro, items, .. } => {
                paragraph(out, intro);
                for item in items {
                    writeln!(out, "### {}\n", item.title).ok();
                    paragraph(out, &item.text);
                }
            }
            Self::Proof { quotes, .. } => {
                for quote in quotes {
                    writeln!(out, "> {}\n>\n> {}\n", quote.text, quote.source).ok();
                }
            }
            Self::Faq { items, .. } => {
                for item in items {
                    writeln!(out, "### {}\n", item.question).ok();
                    paragraph(out, &item.answer);
                }
            }
            Self::Action { text, cta, .. } => {
                paragraph(out, text);
                link(out, cta);
            }
        }
    }
}

fn paragraph(out: &mut String, text: &str) {
    if !text.trim().is_empty() {
        writeln!(out, "{text}\n").ok();
    }
}

fn link(out: &mut String, cta: &Cta) {
    writeln!(out, "[{}]({})\n", cta.label, cta.href).ok();
}
