//! Evidence: what was measured on an artifact, beside what the panel says about it.
//!
//! A [`Measurement`] is plain data that somebody who can measure pages hands in. It is not in the log; what follows
//! from it is, as [`Evidence`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::finding::{Finding, FindingId, FindingState, Place};
use crate::loss::Loss;
use crate::outcome::{UnknownWord, words};
use crate::role::Role;
use crate::severity::Severity;
use crate::unit::Round;

/// What a panel that does nothing but measure begins its notes with when it saw only a part of the page.
pub const PARTIAL: &str = "partial measurement";

/// What is made of measured facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceMode {
    /// Nothing is measured during a run.
    #[default]
    Off,
    /// They are set beside the claims and change no decision.
    Warn,
    /// They hold a ship that they speak against, and take the place of a score that is too high.
    Gate,
}

words!(EvidenceMode { Off = "off", Warn = "warn", Gate = "gate" });

impl EvidenceMode {
    /// Whether nothing is measured.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

/// How a claim stands beside the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Standing)]
pub enum ClaimVerdict {
    /// The measurement says the same.
    Consistent,
    /// The panelist sees it better than it is.
    Overrated,
    /// The panelist sees it worse than it is.
    Underrated,
    /// The panelist names a figure, and it is another one.
    Contradicted,
    /// It could not be measured.
    Unverifiable,
}

words!(ClaimVerdict {
    Consistent = "consistent",
    Overrated = "overrated",
    Underrated = "underrated",
    Contradicted = "contradicted",
    Unverifiable = "unverifiable",
});

impl ClaimVerdict {
    /// Whether there was something to hold the claim against.
    pub fn is_checked(self) -> bool {
        self != Self::Unverifiable
    }

    /// Whether an honest measurer would have to take the claim back.
    pub fn is_wrong(self) -> bool {
        matches!(self, Self::Overrated | Self::Contradicted)
    }
}

/// What a piece of evidence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// A score, of a panelist or of one of its dimensions.
    Score,
    /// A figure in what a panelist wrote.
    Claim,
    /// A measured failure of WCAG at level A or AA, and whether anybody asked for it to be fixed.
    Failure,
    /// The measuring itself, which failed or saw only a part.
    Measurement,
    /// What of the page that was handed in is missing.
    Loss,
}

words!(EvidenceKind {
    Score = "score",
    Claim = "claim",
    Failure = "failure",
    Measurement = "measurement",
    Loss = "loss",
});

/// A measured fact beside a claimed one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MeasuredEvidence)]
pub struct Evidence {
    /// The round whose draft was measured.
    pub round: Round,
    /// What it is about.
    pub kind: EvidenceKind,
    /// Whose claim it is, or whose matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub role: Option<Role>,
    /// The dimension that the claim is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimension: Option<String>,
    /// What was measured: a check of the house, or the kind of figure.
    pub check: String,
    /// What came out, for a person; why nothing did, when nothing did.
    pub measured: String,
    /// What came out, as a number on the scale of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub value: Option<f64>,
    /// What it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub bound: Option<String>,
    /// The success criterion, for a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub criterion: Option<String>,
    /// Where, as a selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub place: Option<String>,
    /// Where, as a line of the artifact, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
    /// What the panelist says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub claim: Option<String>,
    /// The must-fix it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub finding: Option<FindingId>,
    /// How the two stand.
    pub standing: ClaimVerdict,
}

impl Evidence {
    /// Whether it is about something that the panel said. A failure that nobody asked for is no word of anybody.
    pub fn is_claim(&self) -> bool {
        matches!(self.kind, EvidenceKind::Score | EvidenceKind::Claim)
    }

    /// Whether it is a measured failure that the panel did not ask to be fixed.
    pub fn is_unasked_failure(&self) -> bool {
        self.kind == EvidenceKind::Failure && self.standing == ClaimVerdict::Overrated
    }

    /// Whether it is a must-fix of jury's own: where facts are a gate, a failure that nobody asked for and whatever is missing
    /// of the page that was handed in. That the page was replaced is one in every mode.
    pub fn holds(&self, mode: EvidenceMode) -> bool {
        let gates = mode == EvidenceMode::Gate;
        self.is_replacement() || gates && (self.is_unasked_failure() || self.kind == EvidenceKind::Loss)
    }

    /// The same as a finding, if what was measured does not agree with the panel. What fails WCAG and what was lost must be
    /// fixed; a panelist
    /// that is wrong is worth knowing.
    pub(crate) fn finding(&self) -> Option<Finding> {
        if !self.standing.is_wrong() {
            return None;
        }
        let bound = self.bound.as_ref().map(|bound| format!(", should be {bound}")).unwrap_or_default();
        let said = self.claim.as_ref().map(|claim| format!(", the panel says {claim}")).unwrap_or_default();
        let place = self.place.clone();
        let about = [self.dimension.as_deref(), place.as_deref(), self.claim.as_deref()];
        Some(Finding {
            id: FindingId::of(&self.check, &about.into_iter().flatten().collect::<Vec<_>>().join(" ")),
            rule: Some(self.check.clone()),
            severity: match self.kind {
                EvidenceKind::Failure | EvidenceKind::Loss => Severity::Serious,
                EvidenceKind::Score | EvidenceKind::Claim | EvidenceKind::Measurement => Severity::Moderate,
            },
            place: Place { line: self.line, selector: place, ..Place::default() },
            text: format!("{}{bound}{said}", self.measured),
            suggestion: None,
            figures: Vec::new(),
            state: FindingState::Open,
        })
    }
}

/// A page, measured. Scores are from 0 to 10.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measurement {
    /// What each panelist could have said by measuring alone; one that had nothing to measure is not here.
    pub roles: Vec<RoleMeasure>,
    /// What fails WCAG at level A or AA.
    pub failures: Vec<Failure>,
    /// The visible text of the page, with its contrast.
    pub texts: Vec<TextMeasure>,
    /// How far the fill of the main action stands out from what is around it, as a ratio.
    pub action_fill: Option<f64>,
    /// Every distance that the page uses, in pixels, the commonest first.
    pub distances: Vec<f64>,
    /// Why only a part of the page was seen, if it was.
    pub partial: Option<String>,
    /// The size of the root element's type in pixels, which `rem` is counted in; the usual 16 if none is given.
    #[serde(default)]
    pub root: Option<f64>,
    /// Whether there is more text, or more distances, than is listed here.
    #[serde(default)]
    pub cut: bool,
    /// What of the page that was handed in is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// What the measured seats say, if they were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatMeasure>,
}

/// What a measured seat says of a page. Scores are from 0 to 10.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatMeasure {
    /// The seat that says it.
    pub role: Role,
    /// Its score; none when there was nothing to measure.
    pub score: Option<f64>,
    /// What it measured, one after the other.
    pub dimensions: Vec<SeatDimension>,
    /// What has to be mended.
    pub must_fix: Vec<String>,
    /// Why there is no score, or why it is held down.
    pub notes: String,
}

/// One dimension of a measured seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatDimension {
    /// What it is called.
    pub name: String,
    /// What came out.
    pub score: Option<f64>,
    /// The figures behind it.
    pub note: String,
}

/// What one panelist could have said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoleMeasure {
    /// The panelist whose dimensions these are.
    pub role: Role,
    /// The lowest and highest score that the measurement allows.
    pub score: Span,
    /// The same for each dimension, by name.
    pub dimensions: Vec<(String, Span)>,
}

/// A score that is known to lie between two ends: what could not be decided may be bad or good.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// When all of it is bad.
    pub low: f64,
    /// When all of it is good.
    pub high: f64,
}

/// Something that fails WCAG at level A or AA.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which check found it.
    pub check: String,
    /// The success criterion that failed.
    pub criterion: String,
    /// Which panelist should have seen it.
    pub role: Role,
    /// The dimension of the panelist that it belongs to.
    pub dimension: String,
    /// The value that was measured.
    pub measured: String,
    /// What is there, as a number, where it is one.
    #[serde(default)]
    pub value: Option<f64>,
    /// The value that would pass, where there is one.
    pub bound: Option<String>,
    /// The element, as a selector.
    pub place: Option<String>,
    /// The line of the element in the source.
    pub line: Option<u32>,
    /// Words by which a request to fix it can be told.
    pub words: Vec<String>,
}

/// The text directly inside one element, or several that look the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextMeasure {
    /// The name of the element.
    pub tag: String,
    /// The element's name with its id or classes.
    pub selector: String,
    /// Its contrast; none if it could not be decided.
    pub ratio: Option<f64>,
    /// The contrast it needs.
    pub required: f64,
    /// The size of the type, in pixels.
    pub size: f64,
    /// Whether it is the main action.
    pub is_action: bool,
    /// On which line it is.
    pub line: Option<u32>,
}
