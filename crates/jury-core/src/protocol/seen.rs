//! What the parser saw, as one line of JSON per event: the output of `jury parse` and of golden files.
//!
//! Not the log: nothing is scored, nothing is compared with settings, and an artifact is its size and hash.

use serde_json::{Value, json};

use super::{Body, Fault, Signal};
use crate::artifact::Blob;

/// Turns signals into lines.
#[derive(Debug, Default)]
pub struct SeenPrinter {
    /// The draft of the panelist that is speaking: shown when it is done, as the log does.
    draft: Option<Blob>,
}

impl SeenPrinter {
    /// The line for this signal, if it has one of its own.
    pub fn line(&mut self, signal: &Signal<'_>) -> Option<Value> {
        Some(match signal {
            Signal::RunOpened(declared) => json!({
                "event": "critique.run_started",
                "protocolVersion": declared.version,
                "maxRounds": declared.max_rounds,
                "threshold": declared.threshold,
                "scale": declared.scale,
            }),
            // A round has no event until it ends; the first panelist shows it.
            Signal::RoundOpened { .. } => return None,
            Signal::PanelistOpened { round, role, .. } => {
                self.draft = None;
                json!({ "event": "critique.panelist_open", "round": round, "role": role })
            }
            Signal::Dimension { round, role, name, score, note } => json!({
                "event": "critique.panelist_dim",
                "round": round, "role": role, "dimName": name, "dimScore": score, "dimNote": note,
            }),
            Signal::MustFix { round, role, text } => {
                json!({ "event": "critique.panelist_must_fix", "round": round, "role": role, "text": text })
            }
            Signal::Artifact { mime, body, .. } => {
                self.draft = Some(Blob::of(body, mime));
                return None;
            }
            Signal::PanelistClosed { round, role, score, notes } => json!({
                "event": "critique.panelist_close",
                "round": round, "role": role, "score": score, "notes": notes, "artifact": self.draft.take(),
            }),
            Signal::RoundClosed { round, claim, reason, bytes, .. } => json!({
                "event": "critique.round_end",
                "round": round,
                "composite": claim.composite,
                "mustFix": claim.must_fix,
                "decision": claim.decision,
                "reason": reason,
                "bytes": bytes,
            }),
            Signal::Shipped { round, composite, artifact, summary, .. } => json!({
                "event": "critique.ship",
                "round": round,
                "composite": composite,
                "artifact": artifact.map(|Body { mime, bytes }| Blob::of(bytes, mime)),
                "summary": summary,
            }),
            Signal::RunClosed { .. } => return None,
            Signal::Warning { kind, position, role } => {
                json!({ "event": "critique.parser_warning", "kind": kind, "position": position, "role": role })
            }
        })
    }

    /// The line for the fault that ended a stream.
    pub fn fault_line(fault: &Fault) -> Value {
        json!({
            "event": "critique.degraded",
            "reason": fault.reason,
            "detail": fault.detail,
            "position": fault.position,
        })
    }
}
