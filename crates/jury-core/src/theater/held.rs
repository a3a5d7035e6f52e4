//! What is held back while the machine waits for a measurement: inputs that own their words, in their order.

use super::port::TheaterInput;
use crate::event::AgentNote;
use crate::outcome::FailedCause;
use crate::process::Exit;
use crate::protocol::{Body, Fault, RoundClaim, Signal};
use crate::role::Role;
use crate::score::Score;
use crate::unit::{Bytes, Offset, Round};

/// An input for later. There are never more than one piece of an agent's output holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Held {
    /// A signal without words.
    Plain(Signal<'static>),
    Dimension {
        round: Round,
        role: Role,
        name: String,
        score: Option<Score>,
        note: String,
    },
    MustFix {
        round: Round,
        role: Role,
        text: String,
    },
    Artifact {
        round: Round,
        mime: String,
        body: Vec<u8>,
    },
    PanelistClosed {
        round: Round,
        role: Role,
        score: Option<Score>,
        notes: String,
        unwritten: u32,
    },
    RoundClosed {
        round: Round,
        claim: RoundClaim,
        reason: String,
        bytes: Bytes,
        position: Offset,
    },
    Shipped {
        round: Option<u32>,
        composite: Option<f64>,
        artifact: Option<(String, Vec<u8>)>,
        summary: String,
        position: Offset,
    },
    Fault(Fault),
    Ended {
        exit: Exit,
        fault: Fault,
    },
    Note(AgentNote),
    AgentFailed {
        cause: FailedCause,
        detail: String,
    },
}

impl Held {
    /// The signal with words of its own.
    pub(super) fn signal(signal: Signal<'_>) -> Self {
        match signal {
            Signal::RunOpened(declared) => Self::Plain(Signal::RunOpened(declared)),
            Signal::RoundOpened { round, declared } => Self::Plain(Signal::RoundOpened { round, declared }),
            Signal::PanelistOpened { round, role, position } => {
                Self::Plain(Signal::PanelistOpened { round, role, position })
            }
            Signal::RunClosed { position } => Self::Plain(Signal::RunClosed { position }),
            Signal::Warning { kind, position, role } => Self::Plain(Signal::Warning { kind, position, role }),
            Signal::Dimension { round, role, name, score, note } => {
                Self::Dimension { round, role, name: name.to_owned(), score, note: note.to_owned() }
            }
            Signal::MustFix { round, role, text } => Self::MustFix { round, role, text: text.to_owned() },
            Signal::Artifact { round, mime, body } => {
                Self::Artifact { round, mime: mime.to_owned(), body: body.to_vec() }
            }
            Signal::PanelistClosed { round, role, score, notes, unwritten } => {
                Self::PanelistClosed { round, role, score, notes: notes.to_owned(), unwritten }
            }
            Signal::RoundClosed { round, claim, reason, bytes, position } => {
                Self::RoundClosed { round, claim, reason: reason.to_owned(), bytes, position }
            }
            Signal::Shipped { round, composite, artifact, summary, position } => Self::Shipped {
                round,
                composite,
                artifact: artifact.map(|Body { mime, bytes }| (mime.to_owned(), bytes.to_vec())),
                summary: summary.to_owned(),
                position,
            },
        }
    }

    /// The input as it came.
    pub(super) fn input(&self) -> TheaterInput<'_> {
        let signal = match self {
            Self::Plain(signal) => *signal,
            Self::Dimension { round, role, name, score, note } => {
                Signal::Dimension { round: *round, role: *role, name, score: *score, note }
            }
            Self::MustFix { round, role, text } => Signal::MustFix { round: *round, role: *role, text },
            Self::Artifact { round, mime, body } => Signal::Artifact { round: *round, mime, body },
            Self::PanelistClosed { round, role, score, notes, unwritten } => Signal::PanelistClosed {
                round: *round,
                role: *role,
                score: *score,
                notes,
                unwritten: *unwritten,
            },
            Self::RoundClosed { round, claim, reason, bytes, position } => Signal::RoundClosed {
                round: *round,
                claim: *claim,
                reason,
                bytes: *bytes,
                position: *position,
            },
            Self::Shipped { round, composite, artifact, summary, position } => Signal::Shipped {
                round: *round,
                composite: *composite,
                artifact: artifact.as_ref().map(|(mime, bytes)| Body { mime, bytes }),
                summary,
                position: *position,
            },
            Self::Fault(fault) => return TheaterInput::Fault(fault.clone()),
            Self::Ended { exit, fault } => return TheaterInput::Ended { exit: *exit, fault: fault.clone() },
            Self::Note(note) => return TheaterInput::Note(note.clone()),
            Self::AgentFailed { cause, detail } => {
                return TheaterInput::AgentFailed { cause: *cause, detail: detail.clone() };
            }
        };
        TheaterInput::Signal(signal)
    }
}
