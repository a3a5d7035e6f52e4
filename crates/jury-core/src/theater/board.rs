//! The board: the state of a run as a fold of its log.
//!
//! [`Board::apply`] is the only function that changes it, live and in replay alike, so living through a run
//! and replaying its log give the same board. Clocks are not facts and are not here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::artifact::Blob;
use crate::event::{Fallback, Lint, PanelistClose, Queued, RoundEnd, RunStarted, TheaterEvent, Usage};
use crate::evidence::Evidence;
use crate::finding::FindingId;
use crate::ledger::Ledger;
use crate::line::has_words;
use crate::outcome::{Decision, FallbackPolicy, TheaterStatus};
use crate::role::Role;
use crate::score::{Composite, Score};
use crate::unit::Round;
use crate::warning::WarningKind;

/// How many tools are named; calls of further ones are counted together.
const MOST_TOOL_NAMES: usize = 20;

/// Everything that is known about a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// What was asked for.
    #[schema(required)]
    pub queued: Option<Queued>,
    /// Who sits on the panel and where the bar is; none before a worker took the run.
    #[schema(required)]
    pub started: Option<RunStarted>,
    /// The rounds so far.
    pub rounds: Vec<RoundBoard>,
    /// Rounds that the agent took back by beginning again.
    pub superseded: Vec<RoundBoard>,
    /// Every must-fix with its fate.
    pub ledger: Ledger,
    /// How often each kind of trouble was recovered from.
    pub warnings: BTreeMap<WarningKind, u32>,
    /// What the agent used so far.
    pub usage: Usage,
    /// The tools that the agent called, and how often each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, u32>,
    /// What the final pass found.
    #[schema(required)]
    pub lint: Option<Lint>,
    /// Why the agent is asked, or was asked, without a panel. While the run goes on, it is making its page; once it
    /// has ended, an artifact without a round is one that nobody reviewed.
    #[serde(default)]
    #[schema(required)]
    pub fallback: Option<Fallback>,
    /// The terminal event, once the run has ended.
    #[schema(required)]
    pub ended: Option<TheaterEvent>,
}

/// What happened in one round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundBoard {
    /// The number of the round.
    pub round: Round,
    /// What the panelists said, in the order in which they spoke.
    pub reviews: Vec<Review>,
    /// The draft under review: this round's, or the one before when the designer brought none.
    #[schema(required)]
    pub artifact: Option<Blob>,
    /// What was measured on the draft, beside what the panelists say.
    #[serde(default)]
    #[schema(required)]
    pub evidence: Vec<Evidence>,
    /// The end of the round.
    #[schema(required)]
    pub end: Option<RoundEnd>,
}

/// What one panelist said in one round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The panelist that reviewed.
    pub role: Role,
    /// Whether the panelist is done.
    pub closed: bool,
    /// The score, if there is a usable one.
    #[schema(required)]
    pub score: Option<Score>,
    /// The dimensions, in the order of the review.
    pub dimensions: Vec<ReviewDimension>,
    /// The demands of the panelist.
    pub must_fix: Vec<MustFix>,
    /// What was said beside them.
    pub notes: String,
}

/// One dimension of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Dimension)]
pub struct ReviewDimension {
    /// The name of the dimension.
    pub name: String,
    /// Its score, if there is a usable one.
    #[schema(required)]
    pub score: Option<Score>,
    /// The sentence to it.
    pub note: String,
}

/// One directive of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MustFix {
    /// Who it is across rounds.
    pub finding: FindingId,
    /// What is to be done.
    pub text: String,
}

impl Board {
    /// The board after these events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a TheaterEvent>) -> Self {
        let mut board = Self::default();
        for event in events {
            board.apply(event);
        }
        board
    }

    /// Takes one event over. Total: an event that does not fit changes nothing that matters.
    pub fn apply(&mut self, event: &TheaterEvent) {
        match event {
            TheaterEvent::Queued(queued) => self.queued = Some(queued.clone()),
            TheaterEvent::RunStarted(started) => self.started = Some(started.clone()),
            TheaterEvent::PanelistOpen(open) => {
                self.round_mut(open.round).reviews.push(Review::opened(open.role));
            }
            TheaterEvent::PanelistDim(dim) => {
                if let Some(review) = self.review_mut(dim.round, dim.role) {
                    review.dimensions.push(ReviewDimension {
                        name: dim.dim_name.clone(),
                        score: dim.dim_score,
                        note: dim.dim_note.clone(),
                    });
                }
            }
            TheaterEvent::PanelistMustFix(must_fix) => {
                self.ledger.asked(
                    &must_fix.finding,
                    &must_fix.role,
                    &must_fix.text,
                    must_fix.round,
                    must_fix.state,
                );
                if let Some(review) = self.review_mut(must_fix.round, must_fix.role) {
                    review
                        .must_fix
                        .push(MustFix { finding: must_fix.finding.clone(), text: must_fix.text.clone() });
                }
            }
            TheaterEvent::PanelistClose(close) => self.close_review(close),
            TheaterEvent::Evidence(evidence) => {
                self.round_mut(evidence.round).evidence.push(evidence.clone());
            }
            TheaterEvent::RoundEnd(end) => {
                let round = self.round_mut(end.round);
                round.end = Some(end.clone());
                let reviewed: Vec<Role> = round
                    .reviews
                    .iter()
                    .filter(|review| review.is_usable())
                    .map(|review| review.role)
                    .collect();
                self.ledger.round_ended(end.round, &reviewed);
            }
            TheaterEvent::Agent(note) => {
                if let Some(usage) = note.usage {
                    self.usage = self.usage.plus(usage);
                }
                if let Some(name) = note.tool() {
                    // Who invents names does not fill the board with them.
                    let known = self.tools.len() < MOST_TOOL_NAMES || self.tools.contains_key(&name);
                    *self.tools.entry(if known { name } else { "others".to_owned() }).or_default() += 1;
                }
            }
            TheaterEvent::Lint(lint) => self.lint = Some(lint.clone()),
            TheaterEvent::Fallback(fallback) => self.fallback = Some(fallback.clone()),
            TheaterEvent::ParserWarning(warning) => {
                *self.warnings.entry(warning.kind).or_default() += 1;
                if warning.kind == WarningKind::Restarted {
                    let closed = self.rounds.drain(..).filter(|round| round.end.is_some());
                    self.superseded.extend(closed);
                    self.ledger = Ledger::default();
                }
            }
            TheaterEvent::Ship(_)
            | TheaterEvent::Degraded(_)
            | TheaterEvent::Interrupted(_)
            | TheaterEvent::Failed(_) => {
                self.ended = Some(event.clone());
            }
        }
    }

    fn close_review(&mut self, close: &PanelistClose) {
        if let Some(artifact) = &close.artifact {
            self.round_mut(close.round).artifact = Some(artifact.clone());
        }
        if let Some(review) = self.review_mut(close.round, close.role) {
            review.closed = true;
            review.score = close.score;
            review.notes.clone_from(&close.notes);
        }
    }

    /// Whether the artifact that the run handed over was made without a panel.
    pub fn unreviewed(&self) -> bool {
        let handed_over = match &self.ended {
            Some(TheaterEvent::Ship(ship)) => ship.artifact_ref.is_some(),
            Some(TheaterEvent::Degraded(degraded)) => degraded.best.artifact_ref.is_some(),
            _ => false,
        };
        self.fallback.is_some() && handed_over
    }

    /// How the run ended, if it has.
    pub fn status(&self) -> Option<TheaterStatus> {
        self.ended.as_ref().and_then(TheaterEvent::terminal)
    }

    /// The round by its number.
    pub fn round(&self, round: Round) -> Option<&RoundBoard> {
        self.rounds.iter().rev().find(|board| board.round == round)
    }

    /// The rounds that have their end, in order.
    pub fn closed_rounds(&self) -> impl DoubleEndedIterator<Item = (&RoundBoard, &RoundEnd)> {
        self.rounds.iter().filter_map(|round| round.end.as_ref().map(|end| (round, end)))
    }

    /// The closed round with the highest composite; of equals, the later one. A round that met the rule is better than
    /// any that did not, and a round that half of the panel reviewed is better than any that it did not.
    pub fn best_round(&self) -> Option<(Round, Composite)> {
        let rank = |end: &RoundEnd| (self.stands(end), end.quorum, end.composite.0);
        self.closed_rounds()
            .map(|(_, end)| end)
            .reduce(|best, next| if rank(next) >= rank(best) { next } else { best })
            .map(|end| (end.round, end.composite))
    }

    /// Whether the rule let this round through, and no later look at the same page took it back.
    fn stands(&self, end: &RoundEnd) -> bool {
        end.decision == Decision::Ship && self.overruled(end.round).is_none()
    }

    /// The closed round that the policy keeps when none ships.
    pub fn kept_round(&self, policy: FallbackPolicy) -> Option<(Round, Composite)> {
        match policy {
            FallbackPolicy::ShipBest => self.best_round(),
            FallbackPolicy::ShipLast => {
                self.closed_rounds().next_back().map(|(round, end)| (round.round, end.composite))
            }
            FallbackPolicy::Fail => None,
        }
    }

    /// That no round met the rule, with the round that the run ends with under this policy, and why that one did not.
    pub fn missed(&self, policy: FallbackPolicy) -> String {
        let named = self.kept_round(policy).or_else(|| self.best_round());
        let Some(end) = named.and_then(|(round, _)| self.round(round)).and_then(|round| round.end.as_ref())
        else {
            return "no round was closed".to_owned();
        };
        let (which, kept) = match policy {
            FallbackPolicy::ShipBest => ("best", ""),
            FallbackPolicy::ShipLast => ("last", ""),
            FallbackPolicy::Fail => ("best", ", and none is kept"),
        };
        if let Some(later) = self.overruled(end.round).filter(|_| end.decision == Decision::Ship) {
            let (round, later, why) = (end.round, later.round, &later.reason);
            return format!(
                "round {round} met the bar, and round {later} did not let the same page through: {why}"
            );
        }
        format!("no round met the ship rule; the {which} is round {}{kept}: {}", end.round, end.reason)
    }

    /// The last round that the rule let through and that stands.
    pub fn cleared_round(&self) -> Option<(Round, Composite)> {
        self.closed_rounds()
            .rfind(|(_, end)| self.stands(end))
            .map(|(round, end)| (round.round, end.composite))
    }

    /// The end of a later round that looked at the same page, with a quorum, and did not let it through: the last review of a
    /// page is the one that counts.
    pub fn overruled(&self, round: Round) -> Option<&RoundEnd> {
        let page = self.round(round).and_then(|board| board.artifact.as_ref())?;
        let mut later = self.closed_rounds().filter(|(later, _)| later.round.0 > round.0);
        let refuses = |end: &RoundEnd| end.quorum && end.decision != Decision::Ship;
        later.find(|(later, end)| refuses(end) && later.artifact.as_ref() == Some(page)).map(|(_, end)| end)
    }

    fn round_mut(&mut self, round: Round) -> &mut RoundBoard {
        // Rounds come in order, so the one in question is the last one or new.
        let index = self.rounds.iter().rposition(|board| board.round == round).unwrap_or_else(|| {
            let artifact = self.rounds.last().and_then(|before| before.artifact.clone());
            self.rounds.push(RoundBoard {
                round,
                reviews: Vec::new(),
                artifact,
                evidence: Vec::new(),
                end: None,
            });
            self.rounds.len() - 1
        });
        &mut self.rounds[index]
    }

    fn review_mut(&mut self, round: Round, role: Role) -> Option<&mut Review> {
        self.round_mut(round).reviews.iter_mut().find(|review| review.role == role)
    }
}

impl RoundBoard {
    /// What this role said.
    pub fn review(&self, role: Role) -> Option<&Review> {
        self.reviews.iter().find(|review| review.role == role)
    }
}

impl Review {
    /// Whether the panelist looked at the draft: it gave a score and a word about it. The designer gives no score. What
    /// a panelist asked for before is only closed by such a review.
    pub fn is_usable(&self) -> bool {
        let asked = self.must_fix.iter().map(|must_fix| must_fix.text.as_str());
        let said = self.dimensions.iter().map(|dimension| dimension.note.as_str()).chain(asked);
        let said = said.chain([self.notes.as_str()]).any(has_words);
        self.closed && (self.role == Role::Designer || (self.score.is_some() && said))
    }

    /// Everything that was said, beside what is to be fixed.
    pub(super) fn notes_of(&self) -> impl Iterator<Item = &str> {
        self.dimensions.iter().map(|dimension| dimension.note.as_str()).chain([self.notes.as_str()])
    }

    /// The mean of the dimensions that have a score.
    pub(super) fn mean_of_dimensions(&self) -> Option<f64> {
        let scores: Vec<f64> =
            self.dimensions.iter().filter_map(|dimension| dimension.score).map(|score| score.0).collect();
        let count = u32::try_from(scores.len()).ok().filter(|count| *count > 0)?;
        Some(scores.iter().sum::<f64>() / f64::from(count))
    }

    fn opened(role: Role) -> Self {
        Self {
            role,
            closed: false,
            score: None,
            dimensions: Vec::new(),
            must_fix: Vec::new(),
            notes: String::new(),
        }
    }
}
