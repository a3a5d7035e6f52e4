//! What the parser reports: signals as elements open and close, and the fault that ends a stream.

use thiserror::Error;

use crate::outcome::{Decision, DegradedReason};
use crate::role::Role;
use crate::score::Score;
use crate::settings::named;
use crate::unit::{Bytes, Offset, Round};
use crate::warning::WarningKind;

/// Something the agent said, reported as soon as its element closed (or, where a caret depends on it,
/// opened). Texts are clean: no ANSI sequences, no control characters, one line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Signal<'a> {
    /// The run begins: `<CRITIQUE_RUN …>`.
    RunOpened(Declared),
    /// `<ROUND n=…>`. Rounds are counted, not believed.
    RoundOpened {
        /// The number by counting.
        round: Round,
        /// The number the agent gave, by which it may refer to the round later.
        declared: Option<u32>,
    },
    /// `<PANELIST role=…>` of a known role.
    PanelistOpened {
        /// The round that is open.
        round: Round,
        /// The panelist that speaks.
        role: Role,
        /// The byte at which the tag begins.
        position: Offset,
    },
    /// A dimension is complete: `</DIM>`.
    Dimension {
        /// The round that is open.
        round: Round,
        /// The panelist that speaks.
        role: Role,
        /// The name of the dimension.
        name: &'a str,
        /// Its score, if it has a usable one.
        score: Option<Score>,
        /// The sentence to it.
        note: &'a str,
    },
    /// A demand is complete: `</MUST_FIX>`.
    MustFix {
        /// The round that is open.
        round: Round,
        /// The panelist that speaks.
        role: Role,
        /// What is to be done.
        text: &'a str,
    },
    /// `</ARTIFACT>` of the designer.
    Artifact {
        /// The round that is open.
        round: Round,
        /// What the agent says it is.
        mime: &'a str,
        /// The bytes as the agent wrote them.
        body: &'a [u8],
    },
    /// A panelist has finished: `</PANELIST>`.
    PanelistClosed {
        /// The round that is open.
        round: Round,
        /// The panelist that has finished.
        role: Role,
        /// The score, if there is a usable one.
        score: Option<Score>,
        /// What was said beside the dimensions.
        notes: &'a str,
        /// Must-fixes that the tag counts without one that is written down.
        unwritten: u32,
    },
    /// `</ROUND_END>`, or the end of a round without one.
    RoundClosed {
        /// The round that has ended.
        round: Round,
        /// What the agent claims about it.
        claim: RoundClaim,
        /// Why, in its words.
        reason: &'a str,
        /// How much it wrote in the round.
        bytes: Bytes,
        /// The byte behind the end tag.
        position: Offset,
    },
    /// `</SHIP>`, the first one.
    Shipped {
        /// The round it names.
        round: Option<u32>,
        /// The composite it claims.
        composite: Option<f64>,
        /// The final artifact, if there is one.
        artifact: Option<Body<'a>>,
        /// What changed, in its words.
        summary: &'a str,
        /// The byte behind the end tag.
        position: Offset,
    },
    /// The run has ended: `</CRITIQUE_RUN>`.
    RunClosed {
        /// The byte behind the end tag.
        position: Offset,
    },
    /// Something was wrong and was recovered from.
    Warning {
        /// The kind of the oddity.
        kind: WarningKind,
        /// The byte at which it was seen.
        position: Offset,
        /// Of whom, when it is about a panelist.
        role: Option<Role>,
    },
}

/// What `<CRITIQUE_RUN>` says about the run. Compared with the settings, never used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Declared {
    /// The version of the protocol.
    pub version: u32,
    /// The attribute `maxRounds`, as declared.
    pub max_rounds: Option<f64>,
    /// The attribute `threshold`, as declared.
    pub threshold: Option<f64>,
    /// The attribute `scale`, as declared.
    pub scale: Option<f64>,
    /// Where the tag is.
    pub position: Offset,
}

/// What `<ROUND_END>` says about the round. Compared with what the scoreboard computes, never used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RoundClaim {
    /// The attribute `composite`, as claimed.
    pub composite: Option<f64>,
    /// The attribute `must_fix`, as claimed.
    pub must_fix: Option<f64>,
    /// The attribute `decision`, as claimed.
    pub decision: Option<Decision>,
}

/// An artifact as the agent wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body<'a> {
    /// What the agent says it is.
    pub mime: &'a str,
    /// The bytes of the body.
    pub bytes: &'a [u8],
}

/// What an agent is in the middle of when a piece of its answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// An artifact: pages are copied, and that takes its time.
    Page,
    /// Anything else.
    Review,
}

/// What ends a stream before its time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{detail} at byte {position}")]
pub struct Fault {
    /// The reason, as events and metrics call it.
    pub reason: DegradedReason,
    /// The reason, for a person.
    pub detail: String,
    /// The byte at which parsing stopped.
    pub position: Offset,
}

impl Fault {
    pub(super) fn malformed(detail: impl Into<String>, position: u64) -> Self {
        Self { reason: DegradedReason::MalformedBlock, detail: detail.into(), position: Offset(position) }
    }

    pub(super) fn oversize(what: &str, max_block: u64, position: u64) -> Self {
        let bytes = format!("{max_block} bytes {}", named("OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES"));
        Self::larger_than(what, &bytes, position)
    }

    /// A tag is bounded by a constant, unless the blocks are bounded by less.
    pub(super) fn oversize_tag(what: &str, most: u64, max_block: u64, position: u64) -> Self {
        if most == max_block {
            return Self::oversize(what, max_block, position);
        }
        Self::larger_than(what, &format!("{most} bytes"), position)
    }

    fn larger_than(what: &str, most: &str, position: u64) -> Self {
        Self {
            reason: DegradedReason::OversizeBlock,
            detail: format!("{what} is larger than {most}"),
            position: Offset(position),
        }
    }
}
