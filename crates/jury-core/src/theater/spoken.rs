//! What panelists say beside their scores and counts, where it outweighs them: that something must be fixed, that the work must
//! not ship, and marks for the parts that the mark for the whole has nothing to do with.

use super::Review;
use super::machine::Theater;
use super::port::TheaterOutbox;
use crate::avowal::refusal;
use crate::outcome::Decision;
use crate::protocol::RoundClaim;
use crate::role::Role;
use crate::score::Score;
use crate::unit::Round;

/// So much of the scale a score may be above the mean of its dimensions: a reviewer weighs them as it likes, but a whole is not
/// made of parts that have nothing to do with it.
const MOST_ABOVE: f64 = 0.3;

impl Theater {
    /// A score far above what its own panelist gives for every part counts as the mean of the parts.
    pub(super) fn no_better_than_its_parts(&self, round: Round, role: Role, score: Score) -> Score {
        let review = self.board.round(round).and_then(|board| board.review(role));
        let Some(mean) = review.and_then(Review::mean_of_dimensions) else { return score };
        if score.0 > mean + self.started.scale.0 * MOST_ABOVE {
            Score((mean * 10.0).floor() / 10.0)
        } else {
            score
        }
    }

    /// What is said to be a must-fix, or to forbid a ship, is one wherever it stands. Who has written must-fixes speaks of them.
    pub(super) fn say_refusals(&mut self, round: Round, role: Role, notes: &str, out: &mut TheaterOutbox) {
        let review = self.board.round(round).and_then(|board| board.review(role));
        let Some(review) = review.filter(|review| role != Role::Designer && review.must_fix.is_empty())
        else {
            return;
        };
        let said = review.notes_of().chain([notes]).filter_map(refusal).map(str::to_owned).next();
        if let Some(said) = said {
            self.must_fix(round, role, &said, out);
        }
    }

    /// The end of a round that counts must-fixes where none is written down, or says that it must not ship, asks for one.
    pub(super) fn say_uncounted(
        &mut self,
        round: Round,
        claim: RoundClaim,
        note: &str,
        out: &mut TheaterOutbox,
    ) {
        let Some(board) = self.board.round(round) else { return };
        if board.reviews.iter().any(|review| !review.must_fix.is_empty()) {
            return;
        }
        // Of a round that the agent calls good its count is compared and never used.
        let goes_on = claim.decision == Some(Decision::Continue);
        let counted = claim.must_fix.filter(|count| *count >= 1.0 && goes_on);
        let counted = counted
            .map(|count| format!("the end of the round counts {count} must-fixes, and none is written down"));
        if let Some(said) = counted.or_else(|| refusal(note).map(str::to_owned)) {
            self.must_fix(round, Role::Critic, &said, out);
        }
    }
}
