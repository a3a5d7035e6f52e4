//! A run as one JSON document.

use crate::theater::{Review, RoundBoard};
use serde_json::{Value, json};

use super::ReportCase;

/// The document, indented.
pub fn document(case: &ReportCase) -> String {
    serde_json::to_string_pretty(&case.report().document(value(case))).unwrap_or_default()
}

/// What only a panel's run has.
pub fn value(case: &ReportCase) -> Value {
    let (round, composite) = case.result();
    let started = case.board.started.as_ref();
    let findings: Vec<Value> = case
        .board
        .ledger
        .entries()
        .map(|(id, entry)| {
            json!({
                "id": id, "role": entry.role, "text": entry.text, "state": entry.state,
                "firstRound": entry.first, "lastRound": entry.last,
            })
        })
        .collect();
    json!({
        "runId": case.run,
        "artifactId": case.artifact_id,
        "projectId": case.project,
        "agent": case.agent,
        "title": case.title,
        "status": case.status(),
        "exitCode": case.exit_code(),
        "reason": case.because(),
        "unreviewed": case.unreviewed(),
        "fallback": case.board.fallback,
        "round": round,
        "composite": composite,
        "openMustFix": case.open_must_fix(),
        "threshold": started.map(|started| started.threshold),
        "scale": started.map(|started| started.scale),
        "rounds": case.board.rounds.iter().map(round_value).collect::<Vec<_>>(),
        "superseded": case.board.superseded.iter().map(round_value).collect::<Vec<_>>(),
        "findings": findings,
        "lint": case.board.lint.as_ref().map(|lint| &lint.findings),
        "warnings": case.board.warnings,
        "artifact": case.artifact.as_ref(),
        "durationMs": case.took,
    })
}

fn round_value(round: &RoundBoard) -> Value {
    json!({
        "n": round.round,
        "composite": round.end.as_ref().map(|end| end.composite),
        "mustFix": round.end.as_ref().map(|end| end.must_fix),
        "quorum": round.end.as_ref().map(|end| end.quorum),
        "decision": round.end.as_ref().map(|end| end.decision),
        "reason": round.end.as_ref().map(|end| &end.reason),
        "artifact": round.artifact,
        "evidence": round.evidence,
        "reviews": round.reviews.iter().map(review_value).collect::<Vec<_>>(),
    })
}

fn review_value(review: &Review) -> Value {
    json!({
        "role": review.role,
        "score": review.score,
        "notes": review.notes,
        "dimensions": review.dimensions,
        "mustFix": review.must_fix,
    })
}
