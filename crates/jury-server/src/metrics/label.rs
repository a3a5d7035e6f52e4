//! Labels: typed, and never more of them than a metrics server can bear.
//!
//! Agents and skills are names that were checked; the name of a dimension is whatever a model wrote. Both can
//! be many, so each kind of name has a limited number of values, and what comes later is called `other`.

use jury_core::run::Outcome;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};

/// What is not known: the run began before anybody looked.
pub(super) const UNKNOWN: &str = "unknown";

/// What is not there: a run without a skill, a review without a scored dimension.
pub(super) const NONE: &str = "none";

/// All names beyond the limit.
pub(super) const OTHER: &str = "other";

/// How many values a kind of name has before the rest is `other`.
pub(super) const MOST_NAMES: usize = 200;

/// The longest name, in characters.
const LONGEST_CHARS: usize = 64;

/// The value of a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(Arc<str>);

impl Name {
    pub(super) fn new(text: &str) -> Self {
        Self(text.into())
    }
}

impl EncodeLabelValue for Name {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        (&*self.0).encode(encoder)
    }
}

/// The names of one kind, up to a limit.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<Name>);

impl Names {
    /// The label for a name. Letters and digits stay, everything else becomes `_`, case does not count.
    pub(super) fn label(&mut self, text: &str) -> Name {
        let plain = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
        let text: String =
            text.trim().chars().flat_map(char::to_lowercase).take(LONGEST_CHARS).map(plain).collect();
        let name = Name::new(if text.is_empty() { NONE } else { &text });
        if self.0.contains(&name) {
            return name;
        }
        if self.0.len() >= MOST_NAMES {
            return Name::new(OTHER);
        }
        self.0.insert(name.clone());
        name
    }
}

/// Whose run it is, as far as metrics are concerned.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Origin {
    pub(super) adapter: Name,
    pub(super) skill: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RunLabels {
    pub(super) status: &'static str,
    /// Why it ended so; empty when there is nothing to add to the status.
    pub(super) cause: &'static str,
    pub(super) adapter: Name,
    pub(super) skill: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RoundLabels {
    pub(super) adapter: Name,
    pub(super) skill: Name,
    pub(super) round: u32,
    pub(super) decision: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CompositeLabels {
    /// Of the last closed round.
    pub(super) decision: &'static str,
    pub(super) adapter: Name,
    pub(super) skill: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct MustFixLabels {
    pub(super) panelist: Name,
    pub(super) dim: Name,
    pub(super) adapter: Name,
    pub(super) skill: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct DegradedLabels {
    pub(super) reason: &'static str,
    pub(super) adapter: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct AdapterLabels {
    pub(super) adapter: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ParserErrorLabels {
    pub(super) kind: &'static str,
    pub(super) adapter: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct EvidenceLabels {
    pub(super) standing: &'static str,
    pub(super) adapter: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ProtocolLabels {
    pub(super) version: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct DurationLabels {
    pub(super) status: &'static str,
    /// Why it ended so; empty when there is nothing to add to the status.
    pub(super) cause: &'static str,
    pub(super) adapter: Name,
    pub(super) skill: Name,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OutcomeLabels {
    pub(super) workflow: &'static str,
    pub(super) status: &'static str,
    pub(super) outcome: &'static str,
}

impl From<Outcome> for OutcomeLabels {
    fn from(outcome: Outcome) -> Self {
        Self {
            workflow: outcome.workflow().as_str(),
            status: outcome.as_str(),
            outcome: outcome.kind().as_str(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct BuildLabels {
    pub(super) version: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_limit_are_one() {
        let mut names = Names::default();
        for number in 0..MOST_NAMES {
            assert_eq!(names.label(&format!("n{number}")), Name::new(&format!("n{number}")));
        }
        assert_eq!(names.label("one-more"), Name::new(OTHER));
        assert_eq!(names.label("n7"), Name::new("n7"), "who was there stays");
        assert_eq!(names.0.len(), MOST_NAMES);
    }

    #[test]
    fn whatever_a_model_calls_a_dimension_is_a_plain_name() {
        let mut names = Names::default();
        assert_eq!(names.label(" Visual Hierarchy "), Name::new("visual_hierarchy"));
        assert_eq!(names.label("a\"} 1\nrm -rf"), Name::new("a___1_rm_-rf"));
        assert_eq!(names.label("Größe"), Name::new("größe"));
        assert_eq!(names.label(" \t"), Name::new(NONE));
        assert_eq!(names.label(&"x".repeat(500)), Name::new(&"x".repeat(LONGEST_CHARS)));
    }
}
