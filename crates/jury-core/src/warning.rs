//! Trouble that does not end a run. Each kind is a label in events, logs and metrics.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};

/// What was wrong, and was recovered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// A panelist with a role that is not cast: its block is dropped.
    UnknownRole,
    /// A role that already spoke in this round: the first one counts.
    DuplicateRole,
    /// A cast role that did not speak in the round: it counts as 0 and one open must-fix.
    MissingRole,
    /// A score outside the scale, moved to its end.
    ScoreClamped,
    /// A score with more than one decimal, cut to one.
    ScorePrecision,
    /// No usable score where one is due: its weight goes to the others.
    ScoreUnusable,
    /// A panelist that says nothing but the sentences of the prompt's example: no review, and so no usable score.
    ExampleRepeated,
    /// The agent's composite is off by more than the tolerance.
    CompositeMismatch,
    /// The agent's count of must-fixes is not the number it wrote.
    MustFixMismatch,
    /// The agent's scale, threshold or number of rounds is not the run's.
    SettingMismatch,
    /// A decision that is neither `continue` nor `ship`, taken as `continue`.
    UnknownDecision,
    /// The agent decided otherwise than the rule.
    DecisionMismatch,
    /// Less than half of the weighted cast gave a score: the round cannot ship.
    QuorumMissed,
    /// A second `<SHIP>`: the first one counts.
    DuplicateShip,
    /// A `<SHIP>` of a round that did not close or did not clear the bar.
    ShipNotObeyed,
    /// A `<SHIP>` without an artifact: the round's is taken.
    ShipWithoutArtifact,
    /// The artifact in `<SHIP>` is not the one that the round reviewed.
    ShipArtifactDiffers,
    /// A round number out of order, or an end that names another round.
    RoundNumber,
    /// A round that ended without `<ROUND_END>`.
    MissingRoundEnd,
    /// A round that was left open after its `<ROUND_END>`.
    UnclosedRound,
    /// A second `<ARTIFACT>` of one panelist: the first one counts.
    DuplicateArtifact,
    /// An `<ARTIFACT>` of somebody who does not draft: dropped.
    UnexpectedArtifact,
    /// An `<ARTIFACT>` with a code fence around the page: the fence is taken off.
    ArtifactFenced,
    /// An `<ARTIFACT>` that is no page, or was cut off: the round cannot ship.
    ArtifactUnusable,
    /// Text, markup or a comment between known elements: skipped.
    StrayText,
    /// The end of an element that is not open: skipped.
    StrayClose,
    /// CDATA where the protocol has none: taken as text, or skipped. Also a `]]>` inside of an artifact, which is content.
    MisplacedCdata,
    /// No version on `<CRITIQUE_RUN>`: taken as 1.
    VersionMissing,
    /// The agent began again while a run was open: what it said before is superseded.
    Restarted,
    /// Another run after the end of the first: ignored.
    SecondRun,
    /// A round closed without two panelists asking for different things.
    WeakDebate,
    /// A round that was not shorter than the one before it.
    RoundGrew,
}

words!(WarningKind {
    UnknownRole = "unknown_role",
    DuplicateRole = "duplicate_role",
    MissingRole = "missing_role",
    ScoreClamped = "score_clamped",
    ScorePrecision = "score_precision",
    ScoreUnusable = "score_unusable",
    ExampleRepeated = "example_repeated",
    CompositeMismatch = "composite_mismatch",
    MustFixMismatch = "must_fix_mismatch",
    SettingMismatch = "setting_mismatch",
    UnknownDecision = "unknown_decision",
    DecisionMismatch = "decision_mismatch",
    QuorumMissed = "quorum_missed",
    DuplicateShip = "duplicate_ship",
    ShipNotObeyed = "ship_not_obeyed",
    ShipWithoutArtifact = "ship_without_artifact",
    ShipArtifactDiffers = "ship_artifact_differs",
    RoundNumber = "round_number",
    MissingRoundEnd = "missing_round_end",
    UnclosedRound = "unclosed_round",
    DuplicateArtifact = "duplicate_artifact",
    UnexpectedArtifact = "unexpected_artifact",
    ArtifactFenced = "artifact_fenced",
    ArtifactUnusable = "artifact_unusable",
    StrayText = "stray_text",
    StrayClose = "stray_close",
    MisplacedCdata = "misplaced_cdata",
    VersionMissing = "version_missing",
    Restarted = "restarted",
    SecondRun = "second_run",
    WeakDebate = "weak_debate",
    RoundGrew = "round_grew",
});
