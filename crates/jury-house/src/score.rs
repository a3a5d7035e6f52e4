//! From measurements to scores, by a rule that is written down once.
//!
//! * A check is worth `10 * (1 - min(1, share / zero_at)^0.7)`, or for a yes or no 0, 4 or 7 on failure
//!   by severity. What could not be decided counts as failing.
//! * A dimension is the mean of its checks, weighted by severity; a panelist is the mean of the
//!   dimensions that had anything to measure, rounded down to one decimal.
//! * An open critical finding caps the panelist at 5.9, a serious one at 7.9; so does a page that could
//!   only be seen in part. A mean must not buy off a missing label.
//! * What must be fixed is counted by cause: one colour that fails in forty places is one thing to fix.
//! * What had nothing to measure has no score, and its weight goes to the others.
//! * Beside a score stands the share of reference pages that it leaves behind.
//! * A check whose words were put in by the house itself recovers half of what it had lost: the panel
//!   does not grade its own filler as if a person had confirmed it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jury_core::evidence::{PARTIAL, Span};

use crate::checks::{self, Check};
use crate::finding::{Finding, Measure, Outcome, Panelist, Severity};
use crate::page::Page;
use crate::reference;

const CRITICAL_CAP: f64 = 5.9;
const SERIOUS_CAP: f64 = 7.9;

/// A panelist lists this many things to fix; what is beyond is told as a number.
const MAX_MUST_FIX: usize = 40;

/// One dimension of one panelist.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DimensionScore {
    pub(crate) name: &'static str,
    /// The score, from 0 to 10.
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
    /// The share of reference pages, in per cent, that the score leaves behind.
    pub(crate) percentile: Option<u8>,
}

/// What all checks found on a page.
#[derive(Debug)]
pub(crate) struct Examination {
    results: Vec<(&'static Check, Outcome)>,
    remark: Option<String>,
}

/// The scores checks had before the house put words in; [`NOT_THERE`] for those that only have something to measure
/// because of them.
pub(crate) type Unconfirmed = BTreeMap<&'static str, f64>;

/// The score of a check that had nothing to measure.
const NOT_THERE: f64 = -1.0;

/// Runs every check of the panel over a page.
pub(crate) fn examine(page: &Page<'_>) -> Examination {
    examine_with(page, checks::all())
}

/// Runs the checks of the measured seats over a page.
pub(crate) fn examine_seats(page: &Page<'_>) -> Examination {
    examine_with(page, checks::of_seats())
}

fn examine_with(page: &Page<'_>, checks: impl Iterator<Item = &'static Check>) -> Examination {
    let coverage = &page.snapshot.coverage;
    let mut reasons = Vec::new();
    if coverage.js_rendered {
        reasons.push("js_rendered: scripts build this page and were not run");
    }
    if coverage.external_css {
        reasons.push("external_css: styles or scripts outside the page are left out");
    }
    Examination {
        results: checks.map(|check| (check, (check.run)(page))).collect(),
        remark: (!reasons.is_empty())
            .then(|| format!("{PARTIAL}, capped at {SERIOUS_CAP}: {}", reasons.join("; "))),
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

    /// Remembers that the house put words in for a check: what it was worth before, and which checks beside it have
    /// something to measure only since then. Those say nothing about the page, and earn nothing.
    pub(crate) fn doubt(&self, after: &Self, id: &'static str, unconfirmed: &mut Unconfirmed) {
        unconfirmed.entry(id).or_insert_with(|| self.check_score(id).unwrap_or(10.0));
        let Some(check) = checks::find(id) else { return };
        for (other, outcome) in after.results() {
            let beside = other.panelist == check.panelist && other.dimension == check.dimension;
            if beside && outcome.findings.is_empty() && self.check_score(other.id).is_none() {
                unconfirmed.entry(other.id).or_insert(NOT_THERE);
            }
        }
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

    /// What each measured seat says.
    pub(crate) fn seat_reviews(&self) -> Vec<Review> {
        Panelist::SEATS.into_iter().map(|seat| self.review(seat, &Unconfirmed::new())).collect()
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
        let mut causes: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut must_fix: Vec<String> = own()
            .flat_map(|(check, outcome)| outcome.findings.iter().map(move |finding| (check.id, finding)))
            .filter(|(_, finding)| finding.severity.is_must_fix())
            .filter(|(check, finding)| finding.cause.is_empty() || causes.insert((check, &finding.cause)))
            .map(|(_, finding)| finding.what.clone())
            .collect();
        if must_fix.len() > MAX_MUST_FIX {
            let more = must_fix.split_off(MAX_MUST_FIX - 1).len();
            let findings = if more == 1 { "finding" } else { "findings" };
            must_fix.push(format!("{more} more {findings} of the same kinds"));
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
        let percentile =
            score.and_then(|score| reference::percentile(&reference::seat(panelist.role()), score));
        Review { panelist, score, dimensions, must_fix, remark, percentile }
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
            if unconfirmed.get(check.id).is_some_and(|before| *before < 0.0) {
                return None;
            }
            let score = unconfirmed
                .get(check.id)
                .filter(|before| **before < now)
                .map_or(now, |before| f64::midpoint(*before, now));
            Some((score, *check, outcome))
        })
        .collect();
    let score = mean(scored.iter().map(|(score, check, _)| (*score, weight(check.severity))))?;
    let mut notes: Vec<String> = Vec::new();
    for (score, check, outcome) in &scored {
        let mut note = format!("{} {:.1}", check.short_id(), floor_tenth(*score));
        if let Some(percentile) = reference::percentile(check.id, *score) {
            let _ = write!(note, " (p{percentile})");
        }
        if !outcome.note.is_empty() {
            let _ = write!(note, ": {}", outcome.note);
        }
        notes.push(note);
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

/// The weight of a check in its dimension.
fn weight(severity: Severity) -> f64 {
    match severity {
        Severity::Minor => 1.0,
        Severity::Moderate => 2.0,
        Severity::Serious => 4.0,
        Severity::Critical => 8.0,
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn severity() -> impl Strategy<Value = Severity> {
        prop_oneof![
            Just(Severity::Minor),
            Just(Severity::Moderate),
            Just(Severity::Serious),
            Just(Severity::Critical)
        ]
    }

    fn outcome() -> impl Strategy<Value = Outcome> {
        let measure = prop_oneof![
            Just(Measure::NotApplicable),
            any::<bool>().prop_map(|failed| Measure::Binary { failed }),
            (0.0..=1.0f64, 0.0..=1.0f64, 1.0..1000.0f64, 0.05..=1.0f64).prop_map(
                |(failing, unknown, total, zero_at)| Measure::Share {
                    failing: failing * total,
                    unknown: unknown * (1.0 - failing) * total,
                    total,
                    zero_at,
                }
            ),
        ];
        let findings = prop::collection::vec((severity(), 0..3u8), 0..4);
        (measure, findings).prop_map(|(measure, findings)| Outcome {
            findings: findings
                .into_iter()
                .map(|(severity, cause)| Finding::page(severity, "x").because(format!("cause {cause}")))
                .collect(),
            measure,
            note: String::new(),
            undecided: Vec::new(),
        })
    }

    fn examination() -> impl Strategy<Value = Examination> {
        let number = checks::all().count();
        (prop::collection::vec(outcome(), number), any::<bool>()).prop_map(|(outcomes, partial)| {
            Examination {
                results: checks::all().zip(outcomes).collect(),
                remark: partial.then(|| "partial".to_owned()),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

        #[test]
        fn spans_have_two_ends_and_nothing_measured_has_no_score(examination in examination()) {
            let (low, high) = (examination.reviews(&Unconfirmed::new()), examination.hopeful_reviews());
            for (low, high) in low.iter().zip(&high) {
                prop_assert_eq!(low.score.is_some(), high.score.is_some());
                prop_assert_eq!(low.score.is_some(), !low.dimensions.is_empty());
                prop_assert!(low.score <= high.score);
                prop_assert!(low.score.is_none_or(|score| (0.0..=10.0).contains(&score)));
                for (low, high) in low.dimensions.iter().zip(&high.dimensions) {
                    prop_assert!(low.score <= high.score);
                }
            }
            for (check, outcome) in examination.results() {
                let span = examination.check_span(check.id);
                prop_assert_eq!(span.is_none(), outcome.measure == Measure::NotApplicable);
                prop_assert!(span.is_none_or(|span| span.low <= span.high));
            }
        }

        #[test]
        fn what_is_open_caps_and_a_page_seen_in_part_does_too(examination in examination()) {
            for review in examination.reviews(&Unconfirmed::new()) {
                let own = || examination.findings_with_checks().filter(|(check, _)| check.panelist == review.panelist);
                let has = |severity| own().any(|(_, finding)| finding.severity == severity);
                let Some(score) = review.score else { continue };
                prop_assert!(!has(Severity::Critical) || score <= CRITICAL_CAP);
                prop_assert!(!has(Severity::Serious) || score <= SERIOUS_CAP);
                prop_assert!(!examination.is_partial() || score <= SERIOUS_CAP);
                let causes: BTreeSet<(&str, &str)> = own()
                    .filter(|(_, finding)| finding.severity.is_must_fix())
                    .map(|(check, finding)| (check.id, finding.cause.as_str()))
                    .collect();
                prop_assert_eq!(review.must_fix.len(), causes.len().min(MAX_MUST_FIX));
            }
        }

        #[test]
        fn more_that_fails_never_raises_a_score(examination in examination(), more in 0.0..=1.0f64) {
            let before = examination.reviews(&Unconfirmed::new());
            let worse = Examination {
                results: examination
                    .results()
                    .map(|(check, outcome)| {
                        let mut outcome = outcome.clone();
                        if let Measure::Share { failing, unknown, total, .. } = &mut outcome.measure {
                            *failing += more * (*total - *failing - *unknown).max(0.0);
                        }
                        (check, outcome)
                    })
                    .collect(),
                remark: examination.remark.clone(),
            };
            for (before, after) in before.iter().zip(worse.reviews(&Unconfirmed::new())) {
                prop_assert!(after.score <= before.score, "{:?} then {:?}", before.score, after.score);
            }
        }

        #[test]
        fn words_of_the_house_recover_half_at_most(before in 0.0..=10.0f64, examination in examination()) {
            let whole = examination.reviews(&Unconfirmed::new());
            let doubted: Unconfirmed = checks::all().map(|check| (check.id, before)).collect();
            for (whole, half) in whole.iter().zip(examination.reviews(&doubted)) {
                prop_assert!(half.score <= whole.score);
            }
        }
    }
}
