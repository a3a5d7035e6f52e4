//! The attributes of the protocol by name, for those who read them and those who write them.

pub(super) const VERSION: &str = "version";
pub(super) const MAX_ROUNDS: &str = "maxRounds";
pub(super) const THRESHOLD: &str = "threshold";
pub(super) const SCALE: &str = "scale";
/// Of a round, and of its end.
pub(super) const NUMBER: &str = "n";
pub(super) const ROLE: &str = "role";
/// Of a panelist, and of a dimension.
pub(super) const SCORE: &str = "score";
/// Of a panelist, and of the end of a round.
pub(super) const MUST_FIX: &str = "must_fix";
/// The name of a dimension.
pub(super) const NAME: &str = "name";
/// The MIME type of an artifact.
pub(super) const MIME: &str = "mime";
/// Of the end of a round, and of what ships.
pub(super) const COMPOSITE: &str = "composite";
pub(super) const DECISION: &str = "decision";
/// Of what ships: the round it comes from.
pub(super) const ROUND: &str = "round";
/// Of what ships: written, and not read.
pub(super) const STATUS: &str = "status";
