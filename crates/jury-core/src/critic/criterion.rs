//! Criteria: what a document is asked, how much it matters, and what can be computed instead of being asked.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::id::checked_text;
use crate::outcome::{UnknownWord, words};
use crate::severity::{self, Severity};

/// The name of a criterion: capital letters, digits and `_`, such as `COMPLETENESS`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct CriterionId(String);

checked_text!(CriterionId);

/// A text that names no criterion.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not the name of a criterion: use capital letters, digits and '_', at most 40")]
pub struct NotACriterion(pub String);

/// The longest name of a criterion, in bytes.
const LONGEST_NAME: usize = 40;

impl CriterionId {
    /// What the failure scenario of a pass is filed under. No criterion has this name.
    pub const ADVERSARIAL: &'static str = "ADVERSARIAL";

    /// The name of the failure scenario, [`CriterionId::ADVERSARIAL`].
    pub fn adversarial() -> Self {
        Self(Self::ADVERSARIAL.to_owned())
    }

    /// Whether it is the failure scenario and not a criterion.
    pub fn is_adversarial(&self) -> bool {
        self.0 == Self::ADVERSARIAL
    }

    /// The name as people and models write it: case, spaces and dashes do not matter.
    pub fn from_written(text: &str) -> Option<Self> {
        let name: String = text
            .trim()
            .chars()
            .map(|c| if matches!(c, ' ' | '-') { '_' } else { c.to_ascii_uppercase() })
            .collect();
        name.parse().ok()
    }
}

impl FromStr for CriterionId {
    type Err = NotACriterion;

    fn from_str(text: &str) -> Result<Self, NotACriterion> {
        let fits = (1..=LONGEST_NAME).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        if fits { Ok(Self(text.to_owned())) } else { Err(NotACriterion(text.to_owned())) }
    }
}

/// What it takes to judge a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// A critic's answer, beside whatever is measured.
    Opinion,
    /// Nothing but what is measured.
    Measure,
}

words!(Needs { Opinion = "opinion", Measure = "measure" });

/// What can be measured in a Markdown document without asking anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Links to files that are not there.
    DeadLink,
    /// Links to headings that are not there.
    DeadAnchor,
    /// Headings that skip a level.
    HeadingOrder,
    /// Notes of unfinished work.
    UnfinishedMarker,
    /// Terms that are used and defined nowhere.
    UndefinedTerm,
    /// Definitions that nothing uses.
    UnusedDefinition,
    /// Requirements without a way to accept them.
    NoAcceptance,
    /// Words that promise nothing that can be checked.
    VagueWord,
    /// One quantity with two values.
    ContradictoryNumber,
    /// Code blocks that cannot be read as the language they name.
    CodeBlock,
}

words!(Measure {
    DeadLink = "dead-link",
    DeadAnchor = "dead-anchor",
    HeadingOrder = "heading-order",
    UnfinishedMarker = "unfinished-marker",
    UndefinedTerm = "undefined-term",
    UnusedDefinition = "unused-definition",
    NoAcceptance = "no-acceptance",
    VagueWord = "vague-word",
    ContradictoryNumber = "contradictory-number",
    CodeBlock = "code-block",
});

/// When a person is asked rather than a fix attempted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// Two or more ways, each with a price.
    SeveralWays,
    /// It depends on what the user or the business wants.
    Judgement,
    /// Whether it belongs to the work depends on what was meant.
    Scope,
    /// Two rules that both hold contradict each other.
    Conflict,
    /// Only the user knows.
    MissingInformation,
}

words!(Trigger {
    SeveralWays = "several-ways",
    Judgement = "judgement",
    Scope = "scope",
    Conflict = "conflict",
    MissingInformation = "missing-information",
});

/// A program to run. `{file}` in it stands for the path of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Command {
    /// A program and its arguments.
    Argv(Vec<String>),
    /// A line for the shell.
    Shell(String),
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argv(argv) => f.write_str(&argv.join(" ")),
            Self::Shell(line) => f.write_str(line),
        }
    }
}

/// Bounds of a figure, both included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Bound)]
pub struct FigureBound {
    /// No less than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub min: Option<f64>,
    /// No more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub max: Option<f64>,
}

impl FigureBound {
    /// Whether the figure is within.
    pub fn holds(self, figure: f64) -> bool {
        figure.is_finite()
            && self.min.is_none_or(|min| figure >= min)
            && self.max.is_none_or(|max| figure <= max)
    }
}

impl fmt::Display for FigureBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "{min} to {max}"),
            (Some(min), None) => write!(f, "at least {min}"),
            (None, Some(max)) => write!(f, "at most {max}"),
            (None, None) => f.write_str("any"),
        }
    }
}

/// A command whose output is evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// The command that is run.
    pub command: Command,
    /// Figures to take from its output, by name: a text with `{}` in the place of the number and `*` for anything.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, String>,
    /// The exit codes that pass.
    pub exit: Vec<i32>,
    /// How long it may take, in seconds; without it, as long as a step may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub timeout_seconds: Option<u32>,
}

/// An answer that is given to questions of a criterion when nobody is to be asked about clear cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DefaultAnswer {
    /// The question is put off.
    Skip,
    /// This option, from 1.
    Option(u32),
}

/// One question to a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Criterion {
    /// The name in answers and reports.
    pub id: CriterionId,
    /// The question that the critic answers.
    pub question: String,
    /// How much it counts among those of the same severity.
    pub weight: f64,
    /// How much a defect matters.
    #[serde(with = "severity::three")]
    #[schema(value_type = severity::three::Schema)]
    pub severity: Severity,
    /// What it takes to judge it.
    pub needs: Needs,
    /// A command whose output is evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub check: Option<Check>,
    /// Something that is measured without a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub measure: Option<Measure>,
    /// Bounds of the figures of both. What is measured has the figures `checked` and `affected`; without a bound of
    /// its own, `affected` must be 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, FigureBound>,
    /// The command that repairs it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub fix: Option<Command>,
    /// When a person is asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub escalate_when: Vec<Trigger>,
    /// What is answered when nobody is to be asked about clear cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_answer: Option<DefaultAnswer>,
}

/// Who plays the failure scenario: the critic, unless something is measured for it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Adversary {
    /// What the critic is told to try; a sentence of ours without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// A command whose failure is a realistic failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub check: Option<Check>,
}

/// Criteria that go together, and how long one tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CriteriaSet {
    /// Its name, such as `plan`.
    pub name: String,
    /// What it is for.
    pub title: String,
    /// The passes that are allowed.
    pub cap: u32,
    /// How the failure scenario is asked for.
    pub adversary: Adversary,
    /// In the order in which they are shown.
    pub criteria: Vec<Criterion>,
}

impl CriteriaSet {
    /// The criterion of this name.
    pub fn criterion(&self, id: &CriterionId) -> Option<&Criterion> {
        self.criteria.iter().find(|criterion| criterion.id == *id)
    }

    /// Whether there is something in it that only a critic can say.
    pub fn needs_opinion(&self) -> bool {
        self.adversary.check.is_none()
            || self.criteria.iter().any(|criterion| criterion.needs == Needs::Opinion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_texts() {
        for bad in ["", "plan", "1A", "A B", "Ä", "_A", &"X".repeat(41)] {
            assert!(bad.parse::<CriterionId>().is_err(), "{bad}");
        }
        assert_eq!(CriterionId::from_written(" edge cases ").unwrap().as_str(), "EDGE_CASES");
        assert_eq!(CriterionId::from_written("Scope-Adherence").unwrap().as_str(), "SCOPE_ADHERENCE");
    }

    #[test]
    fn words_are_what_serde_writes() {
        for measure in Measure::ALL {
            assert_eq!(serde_json::to_value(measure).unwrap(), measure.as_str());
        }
        for trigger in Trigger::ALL {
            assert_eq!(serde_json::to_value(trigger).unwrap(), trigger.as_str());
        }
    }
}
