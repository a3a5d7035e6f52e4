//! Measured seats: jury plays them itself. Their reviews enter a round before it is decided, like those of any panelist.
//!
//! A page that could not be measured leaves its seats empty: they are absent, and an absent seat with a weight holds the
//! round. A seat that found nothing to measure is there and gives no score.

use super::RoundBoard;
use super::cross_check::gap;
use super::machine::Theater;
use super::port::{RunBudget, TheaterOutbox, Witness};
use crate::event::{PanelistClose, PanelistDim, PanelistOpen, TheaterEvent, Usage};
use crate::evidence::{EvidenceMode, SeatDimension, SeatMeasure};
use crate::role::Role;
use crate::score::Score;
use crate::seat::{MeasuredSeat, PlayedBy};
use crate::unit::Round;

/// What a seat without a weight asks for stands under this name: it is advice and holds nothing.
pub(crate) const ADVICE: &str = "advice";

/// The share of a budget from which the cost counts. Half of what was allowed is no fault.
const FREE_SHARE: f64 = 0.5;

impl Theater {
    /// Whether a seat of the cast is played by measuring the page.
    pub(super) fn has_page_seats(&self) -> bool {
        self.started.measured_seats().any(|(_, seat)| seat != MeasuredSeat::Cost)
    }

    /// Whether an agent can compute the composite. It cannot know what a measured seat gave, and is not held to it.
    pub(super) fn can_be_computed(&self) -> bool {
        !self.started.measured_seats().any(|(role, _)| self.started.weight(role) > 0.0)
    }

    /// How much the seats without a weight asked for in this round. An agent may count it among the must-fixes.
    pub(super) fn advised(&self, round: &RoundBoard) -> u32 {
        let reviews = round.reviews.iter().filter(|review| self.is_adviser(review.role));
        let advice = reviews.flat_map(|review| &review.dimensions).filter(|one| one.name == ADVICE);
        u32::try_from(advice.count()).unwrap_or(u32::MAX)
    }

    fn is_adviser(&self, role: Role) -> bool {
        !self.started.demands(role) && self.started.player(role) == PlayedBy::Agent
    }

    /// What a seat without a weight would have asked for.
    pub(super) fn advise(&mut self, round: Round, role: Role, text: &str, out: &mut TheaterOutbox) {
        let dim = PanelistDim {
            round,
            role,
            dim_name: ADVICE.to_owned(),
            dim_score: None,
            dim_note: text.to_owned(),
        };
        self.emit(TheaterEvent::PanelistDim(dim), out);
    }

    /// The reviews of the measured seats of this round.
    pub(super) fn say_measured_seats(&mut self, round: Round, out: &mut TheaterOutbox) {
        let seats: Vec<(Role, MeasuredSeat)> = self.started.measured_seats().collect();
        let mut untold = true;
        for (role, seat) in seats {
            if self.board.round(round).is_some_and(|board| board.review(role).is_some()) {
                continue;
            }
            let measured = match seat {
                MeasuredSeat::Cost => Ok(cost(role, self.board.usage, self.plan.budget)),
                MeasuredSeat::Perf | MeasuredSeat::I18n | MeasuredSeat::Motion => {
                    self.measured_seat(round, role)
                }
            };
            match measured {
                Ok(measure) => self.say_seat(round, measure, out),
                // Where facts are held against the panel, the gap is said with them. Where they gate, it would hold the
                // round for the sake of a seat that holds nothing.
                Err(why)
                    if (self.started.demands(role) || self.evidence_mode() != EvidenceMode::Gate)
                        && !self.says_gaps()
                        && std::mem::take(&mut untold) =>
                {
                    self.emit(TheaterEvent::Evidence(gap(round, why)), out);
                }
                Err(_) => {}
            }
        }
    }

    fn says_gaps(&self) -> bool {
        matches!(self.plan.witness, Witness::Driver(_)) && !self.evidence_mode().is_off()
    }

    /// What this seat measured on the draft of the round, or why nothing.
    fn measured_seat(&self, round: Round, role: Role) -> Result<SeatMeasure, String> {
        let draft = self.board.round(round).and_then(|board| board.artifact.as_ref());
        let draft = draft.ok_or_else(|| "there is no draft".to_owned())?;
        let result = self.measuring.results.get(&draft.sha256);
        let measurement = result.ok_or_else(|| "it was not measured before the end".to_owned())?.as_ref()?;
        let measure = measurement.seats.iter().find(|measure| measure.role == role);
        measure.cloned().ok_or_else(|| format!("{role} was not measured"))
    }

    fn say_seat(&mut self, round: Round, measure: SeatMeasure, out: &mut TheaterOutbox) {
        let SeatMeasure { role, score, dimensions, must_fix, notes } = measure;
        // Measured on a scale of ten, said on the scale of the run.
        let scale = self.started.scale.0;
        let scaled = |score: Option<f64>| score.map(|score| Score((score / 10.0 * scale).clamp(0.0, scale)));
        self.emit(TheaterEvent::PanelistOpen(PanelistOpen { round, role }), out);
        for SeatDimension { name, score, note } in dimensions {
            let dim = PanelistDim { round, role, dim_name: name, dim_score: scaled(score), dim_note: note };
            self.emit(TheaterEvent::PanelistDim(dim), out);
        }
        for text in must_fix {
            self.must_fix(round, role, &text, out);
        }
        let close = PanelistClose { round, role, score: scaled(score), notes, artifact: None };
        self.emit(TheaterEvent::PanelistClose(close), out);
    }
}

/// What the run used so far, against what it may use: full marks up to half of the budget, none when it is spent. Without a
/// budget, or without a word about what was used, there is nothing to hold it against, and no score.
fn cost(role: Role, usage: Usage, budget: RunBudget) -> SeatMeasure {
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    let blank = |notes: String| SeatMeasure {
        role,
        score: None,
        dimensions: Vec::new(),
        must_fix: Vec::new(),
        notes,
    };
    if tokens == 0 && usage.cost_usd.is_none() {
        return blank("the agent has not said what it used, no score".to_owned());
    }
    let spent = match usage.cost_usd {
        Some(usd) => format!("{tokens} tokens, {usd:.4} US dollars"),
        None => format!("{tokens} tokens, no price known"),
    };
    let shares = [
        budget.tokens.map(|most| as_number(tokens) / as_number(most.max(1))),
        budget.usd.zip(usage.cost_usd).map(|(most, usd)| if most > 0.0 { usd / most } else { f64::INFINITY }),
    ];
    let Some(share) = shares.into_iter().flatten().reduce(f64::max) else {
        return blank(format!("{spent}; the run has no budget to hold it against, no score"));
    };
    let score = 10.0 * (1.0 - (share - FREE_SHARE) / (1.0 - FREE_SHARE)).clamp(0.0, 1.0);
    let score = Some((score * 10.0 + 1e-9).floor() / 10.0);
    let note = format!("{spent}: {:.0} % of the budget", share.min(99.99) * 100.0);
    let dimension = SeatDimension { name: "budget".to_owned(), score, note };
    SeatMeasure { role, score, dimensions: vec![dimension], must_fix: Vec::new(), notes: String::new() }
}

/// Tokens as a number to calculate with. A float holds every count that a run can come to.
#[expect(clippy::cast_precision_loss, reason = "tokens of one run")]
fn as_number(tokens: u64) -> f64 {
    tokens as f64
}
