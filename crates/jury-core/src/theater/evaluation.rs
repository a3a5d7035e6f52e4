//! The rule of a round: its composite, its open must-fixes, and whether it may ship.

use std::fmt::Write as _;

use crate::event::RunStarted;
use crate::evidence::{ClaimVerdict, Evidence, EvidenceKind, EvidenceMode};
use crate::finding::FindingId;
use crate::outcome::Decision;
use crate::role::Role;
use crate::score::{Composite, EPSILON};
use crate::seat::PlayedBy;
use crate::theater::{Ledger, Review, RoundBoard};

/// What the rule makes of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The weighted mean of the scores.
    pub composite: Composite,
    /// Open must-fixes: those asked for, one for each weighted role that is absent, and those that an absent
    /// role without a weight had asked for before.
    pub must_fix: u32,
    /// Must-fixes that panelists of the agent asked for.
    pub asked: u32,
    /// Weighted roles of the cast that did not speak.
    pub missing: Vec<Role>,
    /// Measured failures that nobody asked to be fixed; a part of the must-fixes.
    pub measured: u32,
    /// What of the page that was handed in is missing, by its rule; each is a part of the must-fixes.
    pub lost: Vec<String>,
    /// Weighted roles whose score counts as what was measured, because they gave more.
    pub overrated: Vec<Role>,
    /// Why the draft has no measurement, when the gate wants one.
    pub unmeasured: Option<String>,
    /// Why the draft is no page, if it is none: one of the must-fixes.
    pub no_page: Option<String>,
    /// The critic is there and gave no usable score.
    pub mute_critic: bool,
    /// Weighted roles whose score is no vote, because it was not given on the scale of the run.
    pub doubted: Vec<Role>,
    /// At least half of the weight of the cast spoke and gave a score that is a vote, the critic among them.
    pub quorum: bool,
    /// What the agent's panelists give alone, when only a measured seat lifts the page over the bar.
    pub lifted: Option<Composite>,
    /// Whether to ship or to continue.
    pub decision: Decision,
    /// Critic and a specialist each asked for something, and not for the same thing.
    pub debate: bool,
}

/// Why a round counts for less than it says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Doubts<'a> {
    /// Roles whose score was not given on the scale of the run.
    pub scores: &'a [Role],
    /// Why the draft of the round is no page.
    pub artifact: Option<&'a str>,
}

impl Evaluation {
    /// Applies the rule to a round.
    ///
    /// A weighted role that is absent counts as 0 and as one open must-fix. One that is present without a
    /// usable score gives its weight to the others. A score of one that is doubted counts in the composite,
    /// moved to the end of the scale, but a round that rests on such scores has no quorum.
    ///
    /// Where evidence is a gate, a score above what was measured counts as what was measured, a measured failure that
    /// nobody asked for is an open must-fix, and a draft that was not measured does not ship. What of a page that was handed
    /// in is missing is an open must-fix, too; that the page was replaced is one in every mode.
    ///
    /// What jury measures in a seat of its own may hold a page back, and does not lift one over the bar that the panel finds below
    /// it.
    ///
    /// A panelist that is present and gives no usable review closes nothing: what it asked for before stays open. A round
    /// without a score of the critic has no quorum, and one whose draft is no page does not ship.
    pub fn of(round: &RoundBoard, run: &RunStarted, ledger: &Ledger, doubts: Doubts<'_>) -> Self {
        let mut cast_weight = 0.0;
        let mut scored_weight = 0.0;
        let mut counted_weight = 0.0;
        let mut sum = 0.0;
        let (mut panel_weight, mut panel_sum) = (0.0, 0.0);
        let mut missing = Vec::new();
        let mut carried = 0;
        let mut votes_in_doubt = Vec::new();
        let mut overrated = Vec::new();
        let testimony = Testimony::of(round, run);
        for &role in &run.cast {
            let weight = run.weight(role);
            let review = round.review(role);
            if !review.is_some_and(Review::is_usable) && (review.is_some() || weight <= 0.0) {
                // Being absent or mute changes nothing, so it closes nothing either.
                carried += ledger.open_before(&role, round.round);
            }
            if weight <= 0.0 {
                continue;
            }
            cast_weight += weight;
            match review {
                None => {
                    missing.push(role);
                    counted_weight += weight;
                    panel_weight += weight;
                }
                Some(review) => {
                    let in_doubt = doubts.scores.contains(&role);
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
                        if run.player(role) == PlayedBy::Agent {
                            panel_weight += weight;
                            panel_sum += weight * bound.unwrap_or(score.0);
                        }
                        if !in_doubt {
                            scored_weight += weight;
                        }
                    }
                }
            }
        }
        let composite = Composite(if counted_weight > 0.0 { sum / counted_weight } else { 0.0 });
        let asked_by = |player: PlayedBy| {
            let reviews = round.reviews.iter().filter(|review| run.player(review.role) == player);
            reviews.map(|review| review.must_fix.len()).sum::<usize>()
        };
        let asked = asked_by(PlayedBy::Agent);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let own = usize::from(doubts.artifact.is_some());
        let measured = testimony.failures + testimony.lost.len();
        let must_fix = count(asked + asked_by(PlayedBy::Jury) + missing.len() + carried + measured + own);
        let critic = round.review(Role::Critic).filter(|_| run.weight(Role::Critic) > 0.0);
        // What the critic meant by a score that is not on the scale, nobody knows: its seat has not voted.
        let doubted_critic = votes_in_doubt.contains(&Role::Critic);
        let mute_critic = doubted_critic || critic.is_some_and(|review| review.score.is_none());
        // Binary fractions of exactly one half may add up to a hair less.
        let half = scored_weight > 0.0 && scored_weight * 2.0 >= cast_weight * (1.0 - EPSILON);
        let quorum = half && !mute_critic;
        let panel = Composite(if panel_weight > 0.0 { panel_sum / panel_weight } else { composite.0 });
        let lifted =
            Some(panel).filter(|panel| composite.reaches(run.threshold) && !panel.reaches(run.threshold));
        let ships = composite.reaches(run.threshold)
            && lifted.is_none()
            && must_fix == 0
            && quorum
            && testimony.unmeasured.is_none();
        Self {
            composite,
            must_fix,
            asked: count(asked),
            missing,
            measured: count(testimony.failures),
            lost: testimony.lost,
            overrated,
            unmeasured: testimony.unmeasured,
            no_page: doubts.artifact.map(str::to_owned),
            mute_critic,
            doubted: votes_in_doubt,
            quorum,
            lifted,
            decision: if ships { Decision::Ship } else { Decision::Continue },
            debate: debate(round, run),
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
        let (composite, bar) = (self.composite.beside(run.threshold), run.threshold);
        let mut reason = match (self.composite.reaches(run.threshold), self.must_fix) {
            (true, 0) => format!("composite {composite} reaches {bar}; 0 must-fix open"),
            // What holds it back comes first; the composite does not.
            (true, open) => format!("{open} must-fix open (composite {composite}, bar {bar})"),
            (false, open) => format!("composite {composite} is below {bar}; {open} must-fix open"),
        };
        for (what, roles) in [
            ("absent", &self.missing),
            ("not on the scale", &self.doubted),
            ("counted as measured", &self.overrated),
        ] {
            if !roles.is_empty() {
                let names: Vec<&str> = roles.iter().map(Role::as_str).collect();
                reason.extend(["; ", what, ": ", &names.join(", ")]);
            }
        }
        if self.measured > 0 {
            let _ = write!(reason, "; measured and not asked for: {}", self.measured);
        }
        if let Some(why) = &self.unmeasured {
            let _ = write!(reason, "; not measured: {why}");
        }
        if let Some(why) = &self.no_page {
            let _ = write!(reason, "; the artifact is no page: {why}");
        }
        if !self.lost.is_empty() {
            reason.extend(["; not kept of the given page: ", &self.lost.join(", ")]);
        }
        if let Some(panel) = self.lifted {
            let _ = write!(
                reason,
                "; the panel alone gives {}, and a measured seat lifts no page over the bar",
                panel.beside(run.threshold)
            );
        }
        if self.mute_critic {
            reason.push_str("; the critic gave no usable score");
        } else if !self.quorum {
            reason.push_str("; fewer than half of the panel gave a usable score");
        }
        reason
    }
}

/// Whether somebody has a matter of their own, beside the critic's.
fn is_specialist(role: Role, run: &RunStarted) -> bool {
    match role {
        Role::Designer | Role::Critic => false,
        Role::Brand | Role::A11y | Role::Copy => true,
        // Who measures does not argue.
        Role::Seat(_) => run.player(role) == PlayedBy::Agent,
    }
}

/// Whether the critic and at least one specialist each asked for something the other did not.
fn debate(round: &RoundBoard, run: &RunStarted) -> bool {
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
        && run.cast.iter().copied().filter(|role| is_specialist(*role, run)).any(|role| {
            let specialist = asked(role);
            !specialist.is_empty() && specialist != critic
        })
}

/// What the evidence of a round means for the rule. Nothing, where it is no gate.
#[derive(Debug, Default)]
struct Testimony<'a> {
    evidence: &'a [Evidence],
    failures: usize,
    lost: Vec<String>,
    unmeasured: Option<String>,
}

impl<'a> Testimony<'a> {
    fn of(round: &'a RoundBoard, run: &RunStarted) -> Self {
        let gates = run.evidence == EvidenceMode::Gate;
        let evidence = round.evidence.as_slice();
        let counts = |item: &&Evidence| item.kind == EvidenceKind::Loss && item.holds(run.evidence);
        let lost = evidence.iter().filter(counts).map(|item| item.check.clone()).collect();
        if !gates {
            return Self { lost, ..Self::default() };
        }
        let failed = |item: &&Evidence| item.is_unasked_failure();
        let gap = evidence.iter().find(|item| item.kind == EvidenceKind::Measurement);
        let unmeasured = if evidence.is_empty() && round.artifact.is_some() {
            Some("there is no evidence".to_owned())
        } else {
            gap.map(|item| item.measured.clone())
        };
        Self { evidence, failures: evidence.iter().filter(failed).count(), lost, unmeasured }
    }

    /// The most that this role can have given, if it gave more.
    fn bound(&self, role: Role) -> Option<f64> {
        self.evidence
            .iter()
            .find(|item| {
                item.kind == EvidenceKind::Score
                    && item.role == Some(role)
                    && item.dimension.is_none()
                    && item.standing == ClaimVerdict::Overrated
            })
            .and_then(|item| item.value)
    }
}
