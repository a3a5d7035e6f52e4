//! What the parser saw, as one line of JSON per event: the output of `jury parse` and of golden files.
//!
//! Not the log: nothing is scored, nothing is compared with settings, and an artifact is its size and hash.

use serde::Serialize;

use super::{Body, Declared, Fault, RoundClaim, Signal};
use crate::artifact::{Blob, Digest};
use crate::outcome::{Decision, DegradedReason};
use crate::role::Role;
use crate::score::Score;
use crate::unit::{Bytes, Offset, Round};
use crate::warning::WarningKind;

/// Turns signals into lines.
#[derive(Debug, Default)]
pub struct SeenPrinter {
    /// The draft of the panelist that is speaking: shown when it is done, as the log does.
    draft: Option<Blob>,
}

impl SeenPrinter {
    /// Appends the line for this signal to these bytes, if it has one of its own.
    ///
    /// ```
    /// use jury_core::protocol::{SeenPrinter, Signal};
    /// use jury_core::role::Role;
    /// use jury_core::unit::Round;
    ///
    /// let mut lines = Vec::new();
    /// let signal = Signal::MustFix { round: Round(1), role: Role::Critic, text: "Darken the button." };
    /// SeenPrinter::default().print(&signal, &mut lines);
    /// assert_eq!(
    ///     String::from_utf8(lines).unwrap(),
    ///     "{\"event\":\"critique.panelist_must_fix\",\"role\":\"critic\",\"round\":1,\"text\":\"Darken the button.\"}\n"
    /// );
    /// ```
    pub fn print(&mut self, signal: &Signal<'_>, lines: &mut Vec<u8>) {
        if let Some(seen) = self.seen(signal) {
            seen.print(lines);
        }
    }

    /// Appends the line for the fault that ended a stream.
    pub fn print_fault(fault: &Fault, lines: &mut Vec<u8>) {
        let Fault { reason, detail, position } = fault;
        Seen::Degraded { detail, event: "critique.degraded", position: *position, reason: *reason }
            .print(lines);
    }

    fn seen<'a>(&mut self, signal: &Signal<'a>) -> Option<Seen<'a>> {
        Some(match *signal {
            Signal::RunOpened(Declared { version, max_rounds, threshold, scale, .. }) => Seen::RunStarted {
                event: "critique.run_started",
                max_rounds,
                protocol_version: version,
                scale,
                threshold,
            },
            // A round has no event until it ends; the first panelist shows it.
            Signal::RoundOpened { .. } => return None,
            Signal::PanelistOpened { round, role, .. } => {
                self.draft = None;
                Seen::PanelistOpen { event: "critique.panelist_open", role, round }
            }
            Signal::Dimension { round, role, name, score, note } => Seen::PanelistDim {
                dim_name: name,
                dim_note: note,
                dim_score: score,
                event: "critique.panelist_dim",
                role,
                round,
            },
            Signal::MustFix { round, role, text } => {
                Seen::PanelistMustFix { event: "critique.panelist_must_fix", role, round, text }
            }
            Signal::Artifact { mime, body, .. } => {
                self.draft = Some(Blob::of(body, mime));
                return None;
            }
            Signal::PanelistClosed { round, role, score, notes } => Seen::PanelistClose {
                artifact: self.draft.take().map(SeenBlob::from),
                event: "critique.panelist_close",
                notes,
                role,
                round,
                score,
            },
            Signal::RoundClosed {
                round,
                claim: RoundClaim { composite, must_fix, decision },
                reason,
                bytes,
                ..
            } => Seen::RoundEnd {
                bytes,
                composite,
                decision,
                event: "critique.round_end",
                must_fix,
                reason,
                round,
            },
            Signal::Shipped { round, composite, artifact, summary, .. } => Seen::Ship {
                artifact: artifact.map(|Body { mime, bytes }| Blob::of(bytes, mime).into()),
                composite,
                event: "critique.ship",
                round,
                summary,
            },
            Signal::RunClosed { .. } => return None,
            Signal::Warning { kind, position, role } => {
                Seen::ParserWarning { event: "critique.parser_warning", kind, position, role }
            }
        })
    }
}

/// One line. The fields stand in the order of the alphabet, and so they are printed.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Seen<'a> {
    RunStarted {
        event: &'static str,
        max_rounds: Option<f64>,
        protocol_version: u32,
        scale: Option<f64>,
        threshold: Option<f64>,
    },
    PanelistOpen {
        event: &'static str,
        role: Role,
        round: Round,
    },
    PanelistDim {
        dim_name: &'a str,
        dim_note: &'a str,
        dim_score: Option<Score>,
        event: &'static str,
        role: Role,
        round: Round,
    },
    PanelistMustFix {
        event: &'static str,
        role: Role,
        round: Round,
        text: &'a str,
    },
    PanelistClose {
        artifact: Option<SeenBlob>,
        event: &'static str,
        notes: &'a str,
        role: Role,
        round: Round,
        score: Option<Score>,
    },
    RoundEnd {
        bytes: Bytes,
        composite: Option<f64>,
        decision: Option<Decision>,
        event: &'static str,
        must_fix: Option<f64>,
        reason: &'a str,
        round: Round,
    },
    Ship {
        artifact: Option<SeenBlob>,
        composite: Option<f64>,
        event: &'static str,
        round: Option<u32>,
        summary: &'a str,
    },
    ParserWarning {
        event: &'static str,
        kind: WarningKind,
        position: Offset,
        role: Option<Role>,
    },
    Degraded {
        detail: &'a str,
        event: &'static str,
        position: Offset,
        reason: DegradedReason,
    },
}

impl Seen<'_> {
    fn print(&self, lines: &mut Vec<u8>) {
        // Nothing here refuses to be JSON, and memory takes whatever it is given.
        serde_json::to_writer(&mut *lines, self).ok();
        lines.push(b'\n');
    }
}

/// A [`Blob`] with its fields in the order of the alphabet.
#[derive(Serialize)]
struct SeenBlob {
    bytes: Bytes,
    mime: String,
    sha256: Digest,
}

impl From<Blob> for SeenBlob {
    fn from(Blob { sha256, bytes, mime }: Blob) -> Self {
        Self { bytes, mime, sha256 }
    }
}
