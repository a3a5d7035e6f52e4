//! Whether a page holds, and what all of them come to. Fails closed: a page that was not measured, or only in part,
//! has not passed.

use jury_core::evidence::Span;
use jury_core::report::AppliedWaiver;
use jury_core::role::Role;
use jury_core::run::OutcomeKind;
use jury_core::score::{EPSILON, Scale, Threshold, Weights};
use jury_core::severity::Severity;
use jury_house::{Report, ReportedFinding};
use serde::Serialize;

use super::baseline::Comparison;
use super::worker::{Answer, Mended};
use crate::gate::Gate;

/// What a page has to meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bar {
    /// Findings from this severity on fail it.
    pub(crate) fail_on: Severity,
    /// The least composite, if there is one.
    pub(crate) threshold: Option<f64>,
    /// How much each panelist counts.
    pub(crate) weights: Weights,
}

/// The upper end of the scores of a check.
pub(super) const SCALE: Scale = Scale(10.0);

impl Bar {
    /// What a reader of the verdict has to know about a low bar.
    pub(crate) fn condition(&self) -> Option<String> {
        let low = self.threshold.map(Threshold).filter(|threshold| threshold.is_low(SCALE))?;
        Some(format!("bar {low} of {SCALE}, below half of the scale"))
    }
}

/// How a page stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PageStatus {
    /// Nothing that fails it.
    Pass,
    /// A finding fails the page.
    Fail,
    /// Only part of it could be seen, or too little.
    Partial,
    /// There are no figures.
    Unmeasured,
}

impl PageStatus {
    pub(crate) fn code(self) -> u8 {
        let kind = match self {
            Self::Pass => OutcomeKind::Passed,
            Self::Fail => OutcomeKind::NotPassed,
            Self::Partial | Self::Unmeasured => OutcomeKind::Inconclusive,
        };
        kind.exit_code()
    }
}

/// A page and what came of it.
#[derive(Debug)]
pub(crate) struct Checked {
    /// As it was given.
    pub(crate) path: String,
    /// The figures, or why there are none.
    pub(crate) report: Result<Report, String>,
    /// What somebody should know about the file.
    pub(crate) notes: Vec<String>,
    /// The score of the panel, when at least half of it by weight had something to measure.
    pub(crate) composite: Option<Span>,
    /// Why it was not judged as a whole, if it was not.
    pub(crate) gap: Option<String>,
    /// What is new and what is gone since the baseline, if there is one.
    pub(crate) against: Option<Comparison>,
    /// The ids of the findings that fail it.
    pub(crate) failing: Vec<String>,
    /// Waivers that are about its findings, those that have ended among them.
    pub(crate) waivers: Vec<AppliedWaiver>,
    /// Whether the score is below the bar.
    pub(crate) below: bool,
    /// What was repaired, if anything was.
    pub(crate) mended: Option<Mended>,
    /// The score before that.
    pub(crate) before: Option<Span>,
    /// Where the repaired copy is.
    pub(crate) written: Option<String>,
}

impl Checked {
    /// Judges a page by what was measured.
    pub(crate) fn judge(path: String, answer: Answer, bar: &Bar, against: Option<Comparison>) -> Self {
        let Answer { report, notes, mended, .. } = answer;
        let mut own = Self {
            path,
            report,
            notes,
            composite: None,
            gap: None,
            against,
            failing: Vec::new(),
            waivers: Vec::new(),
            below: false,
            before: mended.as_ref().and_then(|mended| composite(&mended.before, &bar.weights).0),
            mended,
            written: None,
        };
        let Ok(report) = &own.report else { return own };
        let (composite, share) = composite(report, &bar.weights);
        own.gap = report.partial.clone();
        if own.gap.is_none() && composite.is_none() {
            own.gap = Some(format!(
                "too little on it to measure: {:.0} % of the panel by weight, and it takes half",
                share * 100.0
            ));
        }
        own.composite = composite;
        own.below =
            bar.threshold.is_some_and(|least| composite.is_none_or(|score| score.low + EPSILON < least));
        let counts = |found: &&ReportedFinding| {
            found.severity >= bar.fail_on
                && own.against.as_ref().is_none_or(|against| against.is_worse(&found.id))
        };
        own.failing = report.findings.iter().filter(counts).map(|found| found.id.clone()).collect();
        own
    }

    /// Takes what is waived from what fails it.
    pub(super) fn waive(&mut self, gate: &Gate) {
        let Ok(report) = &self.report else { return };
        for found in &report.findings {
            let Some(applied) = gate.waiver_of(&found.finding(&self.path), &self.path) else { continue };
            if !applied.expired {
                self.failing.retain(|id| *id != found.id);
            }
            self.waivers.push(applied);
        }
    }

    pub(crate) fn status(&self) -> PageStatus {
        match &self.report {
            Err(_) => PageStatus::Unmeasured,
            Ok(_) if self.gap.is_some() => PageStatus::Partial,
            Ok(_) if self.below || !self.failing.is_empty() => PageStatus::Fail,
            Ok(_) => PageStatus::Pass,
        }
    }

    /// The file that lines are of.
    pub(crate) fn file(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.path)
    }

    /// Whether this finding fails the page.
    pub(crate) fn is_failed_by(&self, found: &ReportedFinding) -> bool {
        self.failing.contains(&found.id)
    }
}

/// The weighted mean of those who gave a score, and the share of the weight that they have. Less than half of it is
/// no score.
fn composite(report: &Report, weights: &Weights) -> (Option<Span>, f64) {
    let weight = |role: &str| role.parse::<Role>().map_or(0.0, |role| weights.of(role));
    let all: f64 = Role::ALL.iter().map(|role| weights.of(*role)).sum();
    let (mut low, mut high, mut scored) = (0.0, 0.0, 0.0);
    for seat in &report.seats {
        let weight = weight(&seat.role);
        if let Some(score) = seat.score {
            low += score.low * weight;
            high += score.high * weight;
            scored += weight;
        }
    }
    let share = if all > 0.0 { scored / all } else { 0.0 };
    let enough = scored > 0.0 && share + EPSILON >= 0.5;
    (enough.then(|| Span { low: low / scored, high: high / scored }), share)
}

/// What all pages come to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Totals {
    pub(crate) pages: usize,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Seen in part, or with too little on them.
    pub(crate) partial: usize,
    pub(crate) unmeasured: usize,
    pub(crate) critical: usize,
    pub(crate) serious: usize,
    pub(crate) moderate: usize,
    pub(crate) minor: usize,
    pub(crate) undecided: usize,
    /// Findings that fail a page.
    pub(crate) failing: usize,
    /// Since the baseline, of any severity.
    pub(crate) new: usize,
    /// Known, and on an element that was not known, or worse than they were.
    pub(crate) grown: usize,
    /// In the baseline and gone.
    pub(crate) fixed: usize,
    #[serde(skip)]
    code: u8,
}

impl Totals {
    pub(crate) fn add(&mut self, page: &Checked) {
        self.pages += 1;
        let standing = page.status();
        *match standing {
            PageStatus::Pass => &mut self.passed,
            PageStatus::Fail => &mut self.failed,
            PageStatus::Partial => &mut self.partial,
            PageStatus::Unmeasured => &mut self.unmeasured,
        } += 1;
        self.code = self.code.max(standing.code());
        self.failing += page.failing.len();
        if let Ok(report) = &page.report {
            for found in &report.findings {
                *match found.severity {
                    Severity::Critical => &mut self.critical,
                    Severity::Serious => &mut self.serious,
                    Severity::Moderate => &mut self.moderate,
                    Severity::Minor => &mut self.minor,
                } += 1;
            }
            self.undecided += report.undecided.len();
        }
        if let Some(against) = &page.against {
            self.new += against.new.len();
            self.grown += against.grown.len();
            self.fixed += against.fixed.len();
        }
    }

    /// The worst of all pages.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }
}
