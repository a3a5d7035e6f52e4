//! What a check says: how bad, how much, where. The words of the panel, without any rule of its own.

pub(crate) use jury_core::finding::Figure;
use jury_core::line;
use jury_core::seat::MeasuredSeat;
pub(crate) use jury_core::severity::Severity;
use jury_eye::{NodeId, Viewport};

/// Who speaks. The designer does not score and is not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Panelist {
    Critic,
    Brand,
    A11y,
    Copy,
    /// Seats that only sit where they are cast.
    Perf,
    I18n,
    Motion,
}

impl Panelist {
    /// The panel of the house.
    pub(crate) const ALL: [Self; 4] = [Self::Critic, Self::Brand, Self::A11y, Self::Copy];

    /// The measured seats.
    pub(crate) const SEATS: [Self; 3] = [Self::Perf, Self::I18n, Self::Motion];

    pub(crate) fn role(self) -> &'static str {
        match self {
            Self::Critic => "critic",
            Self::Brand => "brand",
            Self::A11y => "a11y",
            Self::Copy => "copy",
            Self::Perf => "perf",
            Self::I18n => "i18n",
            Self::Motion => "motion",
        }
    }

    /// The dimensions in the order they are reported.
    pub(crate) fn dimensions(self) -> &'static [&'static str] {
        match self {
            Self::Critic => &["hierarchy", "type", "contrast", "rhythm", "space"],
            Self::Brand => &["colour", "type", "shape"],
            Self::A11y => &["perceive", "names", "structure", "operate"],
            Self::Copy => &["complete", "clear", "action", "links"],
            Self::Perf => MeasuredSeat::Perf.dimensions(),
            Self::I18n => MeasuredSeat::I18n.dimensions(),
            Self::Motion => MeasuredSeat::Motion.dimensions(),
        }
    }
}

/// One thing to fix: everything that has the same cause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    /// What it is, with the measured value and its bound, on one line.
    pub(crate) what: String,
    /// The elements it was found on; empty when it concerns the page.
    pub(crate) nodes: Vec<NodeId>,
    /// How many times it counts in the potential; at least 1.
    pub(crate) weight: usize,
    /// What tells it from other findings of its check and stays the same when lines move: a colour pair, a selector,
    /// an address. Empty means that the first element tells it.
    pub(crate) cause: String,
    /// The measured values and their bounds, for whoever wants to check them.
    pub(crate) figures: Vec<Figure>,
    /// The window it was found in, when it is not the first.
    pub(crate) viewport: Option<Viewport>,
}

impl Finding {
    /// A finding about elements.
    pub(crate) fn on(severity: Severity, nodes: Vec<NodeId>, what: impl Into<String>) -> Self {
        let weight = nodes.len().max(1);
        Self {
            severity,
            what: what.into(),
            nodes,
            weight,
            cause: String::new(),
            figures: Vec::new(),
            viewport: None,
        }
    }

    /// Says what tells this finding from others of its check.
    pub(crate) fn because(mut self, cause: impl Into<String>) -> Self {
        self.cause = cause.into();
        self
    }

    /// Adds a number to the finding.
    pub(crate) fn figure(mut self, name: &str, value: f64, unit: &str) -> Self {
        self.figures.push(Figure { name: name.to_owned(), value, unit: unit.to_owned() });
        self
    }

    /// Says in which window it was found.
    pub(crate) fn at(mut self, viewport: Viewport) -> Self {
        self.viewport = Some(viewport);
        self
    }

    /// A finding about the page as a whole.
    pub(crate) fn page(severity: Severity, what: impl Into<String>) -> Self {
        Self::on(severity, Vec::new(), what)
    }
}

/// How much of what a check looks at fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Measure {
    /// There was nothing to measure, which is neither good nor bad.
    NotApplicable,
    /// A share of characters, elements or values.
    Share {
        failing: f64,
        /// What could not be decided. It counts as failing: a score must not rest on a hope.
        unknown: f64,
        total: f64,
        /// The share at which the check is worth nothing.
        zero_at: f64,
    },
    /// It holds or it does not.
    Binary { failed: bool },
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) measure: Measure,
    /// The measured values, for the note of the dimension.
    pub(crate) note: String,
    pub(crate) findings: Vec<Finding>,
    /// What could not be decided. It demands nothing and is told all the same.
    pub(crate) undecided: Vec<Finding>,
}

impl Outcome {
    pub(crate) const fn not_applicable() -> Self {
        Self {
            measure: Measure::NotApplicable,
            note: String::new(),
            findings: Vec::new(),
            undecided: Vec::new(),
        }
    }

    /// What is said and not scored: it breaks no success criterion that is asked for, or only may break one.
    pub(crate) fn said(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::not_applicable() }
    }

    /// Adds what could not be decided.
    pub(crate) fn undecided(mut self, undecided: Vec<Finding>) -> Self {
        self.undecided = undecided;
        self
    }

    /// A check that holds or does not.
    pub(crate) fn binary(note: impl Into<String>, finding: Option<Finding>) -> Self {
        Self {
            measure: Measure::Binary { failed: finding.is_some() },
            note: note.into(),
            findings: finding.into_iter().collect(),
            undecided: Vec::new(),
        }
    }

    /// A share of `total`; nothing to measure when that is zero.
    pub(crate) fn share(
        failing: usize,
        total: usize,
        zero_at: f64,
        note: impl Into<String>,
        findings: Vec<Finding>,
    ) -> Self {
        if total == 0 {
            return Self::not_applicable();
        }
        Self {
            measure: Measure::Share { failing: count(failing), unknown: 0.0, total: count(total), zero_at },
            note: note.into(),
            findings,
            undecided: Vec::new(),
        }
    }
}

/// A count as a number to calculate with. Counts here are far below what a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "counts of elements and characters of one page")]
pub(crate) fn count(value: usize) -> f64 {
    value as f64
}

/// `1 image`, `3 images`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    line::counted(number, noun, &format!("{noun}s"))
}
