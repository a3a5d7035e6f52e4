//! The rule of a round: its composite, its open must-fixes, and whether it may ship.

use std::fmt::Write as _;

use crate::event::RunStarted;
use crate::evidence::{Evidence, EvidenceKind, EvidenceMode, Standing};
use crate::finding::FindingId;
use crate::outcome::Decision;
use crate::role::Role;
use crate::score::{Composite, EPSILON};
use crate::theater::{Ledger, RoundBoard};

/// What the rule makes of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The weighted mean.
    pub composite: Composite,
    /// Open must-fixes: those asked for, one for each weighted role that is absent, and those that an absent
    /// role without a weight had asked for before.
    pub must_fix: u32,
    /// Must-fixes that panelists asked for.
    pub asked: u32,
    /// Weighted roles of the cast that did not speak.
    pub missing: Vec<Role>,
    /// Measured failures that nobody asked to be fixed; a part of the must-fixes.
    pub measured: u32,
    /// Weighted roles whose score counts as what was measured, because they gave more.
    pub overrated: Vec<Role>,
    /// Why the draft has no measurement, when the gate wants one.
    pub unmeasured: Option<String>,
    /// Weighted roles whose score is no vote, because it was not given on the scale of the run.
    pub doubted: Vec<Role>,
    /// At least half of the weight of the cast spoke and gave a score that is a vote.
    pub quorum: bool,
    /// Ship or continue.
    pub decision: Decision,
    /// Critic and a specialist each asked for something, and not for the same thing.
    pub debate: bool,
}

impl Evaluation {
    /// Applies the rule to a round.
    ///
    /// A weighted role that is absent counts as 0 and as one open must-fix. One that is present without a
    /// usable score gives its weight to the others. A score of one that is doubted counts in the composite,
    /// moved to the end of the scale, but a round that rests on such scores has no quorum.
    ///
    /// Where evidence is a gate, a score above what was measured counts as what was measured, a measured failure that
    /// nobody asked for is an open must-fix, and a draft that was not measured does not ship.
    pub fn of(round: &RoundBoard, run: &RunStarted, ledger: &Ledger, doubted: &[Role]) -> Self {
        let mut cast_weight = 0.0;
        let mut scored_weight = 0.0;
        let mut counted_weight = 0.0;
        let mut sum = 0.0;
        let mut missing = Vec::new();
        let mut carried = 0;
        let mut votes_in_doubt = Vec::new();
        let mut overrated = Vec::new();
        let testimony = Testimony::of(round, run);
        for &role in &run.cast {
            let weight = run.weights.of(role);
            if weight <= 0.0 {
                // Being absent changes nothing, so it closes nothing either.
                if round.review(role).is_none() {
                    carried += ledger.open_of(&role);
                }
                continue;
            }
            cast_weight += weight;
            match round.review(role) {
                None => {
                    missing.push(role);
                    counted_weight += weight;
                }
                Some(review) => {
                    let in_doubt = doubted.contains(&role);
                    if in_doubt {
                        votes_in_doubt.push(role);
                    }
                    if let Some(score) = review.score {
                        counted_weight += weight;
                        let bound = testimony.bound(role).filter(|bound| *bound < score.0);
                        if bound.is_some() {
                            overrated.push(role);
                        }
                        sum += weight * bound.unwrap_or(score.0);
                        if !in_doubt {
                            scored_weight += weight;
                        }
                    }
                }
            }
        }
        let composite = Composite(if counted_weight > 0.0 { sum / counted_weight } else { 0.0 });
        let asked = round.reviews.iter().map(|review| review.must_fix.len()).sum::<usize>();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let must_fix = count(
            asked.saturating_add(missing.len()).saturating_add(carried).saturating_add(testimony.failures),
        );
        // Binary fractions of exactly one half may add up to a hair less.
        let quorum = scored_weight > 0.0 && scored_weight * 2.0 >= cast_weight * (1.0 - EPSILON);
        let ships =
            composite.reaches(run.threshold) && must_fix == 0 && quorum && testimony.unmeasured.is_none();
        Self {
            composite,
            must_fix,
            asked: count(asked),
            missing,
            measured: count(testimony.failures),
            overrated,
            unmeasured: testimony.unmeasured,
            doubted: votes_in_doubt,
            quorum,
            decision: if ships { Decision::Ship } else { Decision::Continue },
            debate: debate(round),
        }
    }

    /// The composite as the log keeps it: rounded to two decimals, but never across the bar.
    pub fn stored(&self, run: &RunStarted) -> Composite {
        let stored = self.composite.stored();
        if stored.reaches(run.threshold) && !self.composite.reaches(run.threshold) {
            return Composite(stored.0 - 0.01).stored();
        }
        stored
    }

    /// Why the rule decides as it does, in one line.
    pub fn reason(&self, run: &RunStarted) -> String {
        let relation = if self.composite.reaches(run.threshold) { "reaches" } else { "is below" };
        let mut reason = format!(
            "composite {} {relation} {}; {} must-fix open",
            self.composite, run.threshold, self.must_fix
        );
        for (what, roles) in [
            ("absent", &self.missing),
            ("not on the scale", &self.doubted),
            ("counted as measured", &self.overrated),
        ] {
            if !roles.is_empty() {
                let names: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
                reason.extend(["; ", what, ": ", &names.join(", ")]);
            }
        }
        if self.measured > 0 {
            let _ = write!(reason, "; measured and not asked for: {}", self.measured);
        }
        if let Some(why) = &self.unmeasured {
            let _ = write!(reason, "; not measured: {why}");
        }
        if !self.quorum {
            reason.push_str("; fewer than half of the panel gave a usable score");
        }
        reason
    }
}

/// Whether the critic and at least one specialist each asked for something the other did not.
fn debate(round: &RoundBoard) -> bool {
    // The role takes part in an identity, so all are compared as if the critic had asked.
    let asked = |role: Role| -> Vec<FindingId> {
        let review = round.review(role);
        let must_fix = review.map(|review| review.must_fix.as_slice()).unwrap_or_default();
        let mut ids: Vec<FindingId> =
            must_fix.iter().map(|must_fix| FindingId::of(Role::Critic.as_str(), &must_fix.text)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let critic = asked(Role::Critic);
    !critic.is_empty()
        && [Role::Brand, Role::A11y, Role::Copy].into_iter().any(|role| {
            let specialist = asked(role);
            !specialist.is_empty() && specialist != critic
        })
}

/// What the evidence of a round means for the rule. Nothing, where it is no gate.
#[derive(Debug, Default)]
struct Testimony<'a> {
    evidence: &'a [Evidence],
    failures: usize,
    unmeasured: Option<String>,
}

impl<'a> Testimony<'a> {
    fn of(round: &'a RoundBoard, run: &RunStarted) -> Self {
        if run.evidence != EvidenceMode::Gate {
            return Self::default();
        }
        let evidence = round.evidence.as_slice();
        let failed =
            |item: &&Evidence| item.kind == EvidenceKind::Failure && item.standing == Standing::Overrated;
        let gap = evidence.iter().find(|item| item.kind == EvidenceKind::Measurement);
        let unmeasured = if evidence.is_empty() && round.artifact.is_some() {
            Some("there is no evidence".to_owned())
        } else {
            gap.map(|item| item.measured.clone())
        };
        Self { evidence, failures: evidence.iter().filter(failed).count(), unmeasured }
    }

    /// The most that this role can have given, if it gave more.
    fn bound(&self, role: Role) -> Option<f64> {
        self.evidence
            .iter()
            .find(|item| {
                item.kind == EvidenceKind::Score
                    && item.role == Some(role)
                    && item.dimension.is_none()
                    && item.standing == Standing::Overrated
            })
            .and_then(|item| item.value)
    }
}
