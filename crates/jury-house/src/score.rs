//! From measurements to scores, by a rule that is written down once.
//!
//! * A check is worth `10 * (1 - min(1, share / zero_at)^0.7)`, or for a yes or no 0, 4 or 7 on failure
//!   by severity. What could not be decided counts as failing.
//! * A dimension is the mean of its checks, weighted by severity; a panelist is the mean of the
//!   dimensions that had anything to measure, rounded down to one decimal.
//! * An open critical finding caps the panelist at 5.9, a serious one at 7.9; so does a page that could
//!   only be seen in part. A mean must not buy off a missing label.
//! * A check whose words were put in by the house itself recovers half of what it had lost: the panel
//!   does not grade its own filler as if a person had confirmed it.

use std::collections::BTreeMap;

use jury_core::evidence::Span;

use crate::checks::{self, Check};
use crate::finding::{Finding, Measure, Outcome, Panelist, Severity};
use crate::page::Page;

const CRITICAL_CAP: f64 = 5.9;
const SERIOUS_CAP: f64 = 7.9;

/// A panelist lists this many things to fix; what is beyond is told as a number.
const MAX_MUST_FIX: usize = 40;

/// Open findings by severity, worst first. Repairs must make it smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Potential([usize; 4]);

/// One dimension of one panelist.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DimensionScore {
    pub(crate) name: &'static str,
    /// 0 to 10.
    pub(crate) score: f64,
    pub(crate) note: String,
    /// What is open, for later rounds.
    pub(crate) brief: String,
}

/// What one panelist says about a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Review {
    pub(crate) panelist: Panelist,
    /// 0 to 10 with one decimal; absent when there was nothing to measure.
    pub(crate) score: Option<f64>,
    pub(crate) dimensions: Vec<DimensionScore>,
    pub(crate) must_fix: Vec<String>,
    /// Why the score is absent or capped.
    pub(crate) remark: Option<String>,
}

/// What all checks found on a page.
#[derive(Debug)]
pub(crate) struct Examination {
    results: Vec<(&'static Check, Outcome)>,
    remark: Option<String>,
}

/// The scores checks had before the house put words in.
pub(crate) type Unconfirmed = BTreeMap<&'static str, f64>;

impl Potential {
    /// Whether this is better than another, and nothing of higher severity came in for it.
    pub(crate) fn is_below(self, other: Self) -> bool {
        self < other
    }

    /// Whether it holds more critical or more serious findings than another.
    pub(crate) fn adds_must_fix(self, other: Self) -> bool {
        let Self([critical, serious, ..]) = self;
        let Self([critical_before, serious_before, ..]) = other;
        critical > critical_before || serious > serious_before
    }
}

/// Runs every check.
pub(crate) fn examine(page: &Page<'_>) -> Examination {
    let coverage = &page.snapshot.coverage;
    let mut reasons = Vec::new();
    if coverage.js_rendered {
        reasons.push("js_rendered: scripts build this page and were not run");
    }
    if coverage.external_css {
        reasons.push("external_css: styles or scripts outside the page were not loaded");
    }
    Examination {
        results: checks::all().map(|check| (check, (check.run)(page))).collect(),
        remark: (!reasons.is_empty())
            .then(|| format!("partial measurement, capped at {SERIOUS_CAP}: {}", reasons.join("; "))),
    }
}

impl Examination {
    /// Every open finding with its check.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&'static str, &Finding)> {
        self.results
            .iter()
            .flat_map(|(check, outcome)| outcome.findings.iter().map(move |finding| (check.id, finding)))
    }

    /// Every open finding with the whole of its check.
    pub(crate) fn findings_with_checks(&self) -> impl Iterator<Item = (&'static Check, &Finding)> {
        self.results
            .iter()
            .flat_map(|(check, outcome)| outcome.findings.iter().map(move |finding| (*check, finding)))
    }

    /// Every check with what it came to.
    pub(crate) fn results(&self) -> impl Iterator<Item = (&'static Check, &Outcome)> {
        self.results.iter().map(|(check, outcome)| (*check, outcome))
    }

    /// The score of a check from what is certain to what is possible, when it applied.
    pub(crate) fn check_span(&self, id: &str) -> Option<Span> {
        let (check, outcome) = self.results.iter().find(|(check, _)| check.id == id)?;
        Some(Span { low: check_score(check, outcome)?, high: check_score_without_unknown(check, outcome)? })
    }

    /// Why only part of the page was seen, if it was.
    pub(crate) fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// What each panelist would say if everything that could not be decided were good.
    pub(crate) fn hopeful_reviews(&self) -> Vec<Review> {
        let results = self.results.iter().map(|(check, outcome)| {
            let mut outcome = outcome.clone();
            if let Measure::Share { unknown, .. } = &mut outcome.measure {
                *unknown = 0.0;
            }
            (*check, outcome)
        });
        Self { results: results.collect(), remark: self.remark.clone() }.reviews(&Unconfirmed::new())
    }

    /// Whether a check has an open finding of at least this severity.
    pub(crate) fn has(&self, id: &str, severity: Severity) -> bool {
        self.findings().any(|(check, finding)| check == id && finding.severity >= severity)
    }

    /// Whether only part of the page was seen.
    pub(crate) fn is_partial(&self) -> bool {
        self.remark.is_some()
    }

    pub(crate) fn potential(&self) -> Potential {
        let mut counts = [0; 4];
        for (_, finding) in self.findings() {
            let index = match finding.severity {
                Severity::Critical => 0,
                Severity::Serious => 1,
                Severity::Moderate => 2,
                Severity::Minor => 3,
            };
            if let Some(slot) = counts.get_mut(index) {
                *slot += finding.weight;
            }
        }
        Potential(counts)
    }

    /// The raw score of a check, when it applied.
    pub(crate) fn check_score(&self, id: &str) -> Option<f64> {
        self.results
            .iter()
            .find(|(check, _)| check.id == id)
            .and_then(|(check, outcome)| check_score(check, outcome))
    }

    /// What each panelist says.
    pub(crate) fn reviews(&self, unconfirmed: &Unconfirmed) -> Vec<Review> {
        Panelist::ALL.into_iter().map(|panelist| self.review(panelist, unconfirmed)).collect()
    }

    fn review(&self, panelist: Panelist, unconfirmed: &Unconfirmed) -> Review {
        let own = || self.results.iter().filter(move |(check, _)| check.panelist == panelist);
        let dimensions: Vec<DimensionScore> = panelist
            .dimensions()
            .iter()
            .filter_map(|name| {
                let checks: Vec<_> = own().filter(|(check, _)| check.dimension == *name).collect();
                dimension(name, &checks, unconfirmed)
            })
            .collect();
        let mut must_fix: Vec<String> = own()
            .flat_map(|(_, outcome)| &outcome.findings)
            .filter(|finding| finding.severity.is_must_fix())
            .map(|finding| finding.what.clone())
            .collect();
        if must_fix.len() > MAX_MUST_FIX {
            let more = must_fix.split_off(MAX_MUST_FIX - 1).len();
            must_fix.push(format!("{more} more findings of the same kinds"));
        }
        let worst = own().flat_map(|(_, outcome)| &outcome.findings).map(|finding| finding.severity).max();
        let mut cap = match worst {
            Some(Severity::Critical) => CRITICAL_CAP,
            Some(Severity::Serious) => SERIOUS_CAP,
            Some(Severity::Moderate | Severity::Minor) | None => 10.0,
        };
        if self.remark.is_some() {
            cap = f64::min(cap, SERIOUS_CAP);
        }
        let score = mean(dimensions.iter().map(|dimension| (dimension.score, 1.0)))
            .map(|mean| floor_tenth(mean.min(cap)));
        let remark = match (score, panelist) {
            (None, Panelist::Brand) => Some(
                "no DESIGN.md with tokens: nothing to measure, no score; the weight goes to the others"
                    .to_owned(),
            ),
            (None, _) => Some("nothing to measure on this page, no score".to_owned()),
            (Some(_), _) => self.remark.clone(),
        };
        Review { panelist, score, dimensions, must_fix, remark }
    }
}

fn dimension(
    name: &'static str,
    checks: &[&(&'static Check, Outcome)],
    unconfirmed: &Unconfirmed,
) -> Option<DimensionScore> {
    let scored: Vec<(f64, &Check, &Outcome)> = checks
        .iter()
        .filter_map(|(check, outcome)| {
            let now = check_score(check, outcome)?;
            let score = unconfirmed
                .get(check.id)
                .filter(|before| **before < now)
                .map_or(now, |before| f64::midpoint(*before, now));
            Some((score, *check, outcome))
        })
        .collect();
    let score = mean(scored.iter().map(|(score, check, _)| (*score, check.severity.weight())))?;
    let mut notes: Vec<String> = scored
        .iter()
        .filter(|(_, _, outcome)| !outcome.note.is_empty())
        .map(|(_, _, outcome)| outcome.note.clone())
        .collect();
    for (_, check, outcome) in &scored {
        if let Measure::Share { unknown, .. } = outcome.measure
            && unknown > 0.0
        {
            let high = check_score_without_unknown(check, outcome).unwrap_or_default();
            let low = check_score(check, outcome).unwrap_or_default();
            notes.push(format!("{} between {:.1} and {:.1}", check.id, floor_tenth(low), floor_tenth(high)));
        }
        if unconfirmed.contains_key(check.id) {
            notes.push(format!("{}: words put in by the house count half until confirmed", check.id));
        }
    }
    let open: Vec<&str> = scored
        .iter()
        .filter(|(score, _, _)| *score < 9.95)
        .map(|(_, check, outcome)| {
            if unconfirmed.contains_key(check.id) && outcome.findings.is_empty() {
                return "words put in by the house count half until confirmed";
            }
            outcome.note.split(';').next().unwrap_or_default()
        })
        .collect();
    let brief = if open.is_empty() { "nothing open".to_owned() } else { open.join("; ") };
    Some(DimensionScore { name, score: floor_tenth(score), note: notes.join("; "), brief })
}

fn check_score(check: &Check, outcome: &Outcome) -> Option<f64> {
    score_of(outcome, check.severity, |failing, unknown| failing + unknown)
}

fn check_score_without_unknown(check: &Check, outcome: &Outcome) -> Option<f64> {
    score_of(outcome, check.severity, |failing, _| failing)
}

fn score_of(outcome: &Outcome, severity: Severity, exposure: impl Fn(f64, f64) -> f64) -> Option<f64> {
    match outcome.measure {
        Measure::NotApplicable => None,
        Measure::Share { failing, unknown, total, zero_at } => {
            let share = exposure(failing, unknown) / total;
            Some(10.0 * (1.0 - (share / zero_at).min(1.0).powf(0.7)))
        }
        Measure::Binary { failed: false } => Some(10.0),
        Measure::Binary { failed: true } => {
            let worst = outcome.findings.iter().map(|finding| finding.severity).max().unwrap_or(severity);
            Some(match worst {
                Severity::Critical | Severity::Serious => 0.0,
                Severity::Moderate => 4.0,
                Severity::Minor => 7.0,
            })
        }
    }
}

/// The weighted mean, when there is any weight.
pub(crate) fn mean(values: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (sum, weight) =
        values.fold((0.0, 0.0), |(sum, total), (value, weight)| (value.mul_add(weight, sum), total + weight));
    (weight > 0.0).then(|| sum / weight)
}

/// Rounds down to one decimal; the small allowance keeps 8.3 from becoming 8.2.
pub(crate) fn floor_tenth(value: f64) -> f64 {
    ((value * 10.0) + 1e-9).floor() / 10.0
}
