//! Every default in one place. No other file has a magic number of this kind.

use super::{CritiqueConfig, RolloutPhase, TimeoutClock};
use crate::evidence::EvidenceMode;
use crate::outcome::FallbackPolicy;
use crate::role::Role;
use crate::score::{Scale, Threshold, Weights};
use crate::unit::{Bytes, Millis};

/// The version of the wire protocol that prompts ask for.
pub const PROTOCOL_VERSION: u32 = 1;

/// How many events may wait between the parser and the log.
pub const MAILBOX: usize = 256;

/// The designer drafts and does not score.
pub const DEFAULT_WEIGHTS: Weights = Weights { designer: 0.0, critic: 0.4, brand: 0.2, a11y: 0.2, copy: 0.2 };

/// The upper end of the scores.
const SCALE: Scale = Scale(10.0);

/// The bar, as a share of the scale.
const DEFAULT_THRESHOLD_SHARE: f64 = 0.8;

/// The bar on a scale, when only the scale is given.
pub(super) fn threshold_of(scale: Scale) -> Threshold {
    Threshold(scale.0 * DEFAULT_THRESHOLD_SHARE)
}

pub(super) fn critique_config() -> CritiqueConfig {
    CritiqueConfig {
        enabled: false,
        cast: Role::ALL.to_vec(),
        seats: Vec::new(),
        max_rounds: 3,
        score_threshold: threshold_of(SCALE),
        score_scale: SCALE,
        weights: DEFAULT_WEIGHTS,
        per_round_timeout_ms: Millis(90_000),
        round_clock: TimeoutClock::Panel,
        total_timeout_ms: Millis(240_000),
        total_clock: TimeoutClock::Panel,
        run_timeout_ms: Millis(900_000),
        parser_max_block_bytes: Bytes(262_144),
        fallback_policy: FallbackPolicy::ShipBest,
        protocol_version: PROTOCOL_VERSION,
        max_concurrent_runs: 1,
        rollout_phase: RolloutPhase::M0,
        evidence: EvidenceMode::Gate,
        spool_max_bytes: Bytes(64 * 1024 * 1024),
    }
}
