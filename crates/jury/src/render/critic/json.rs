//! A run of the critic as one JSON document.

use jury_core::critic::QuestionState;
use jury_core::decision::DecisionId;
use serde_json::{Value, json};

use super::CriticCase;

/// What only a run of the critic has.
pub(super) fn value(case: &CriticCase) -> Value {
    let state = &case.state;
    let started = state.started.as_ref();
    let tally = state.tally();
    let findings: Vec<Value> = state
        .ledger
        .entries()
        .zip(case.findings())
        .map(|((id, entry), found)| {
            json!({
                "id": id, "criterion": entry.role, "text": entry.text, "state": entry.state,
                "firstPass": entry.first, "lastPass": entry.last, "line": found.place.line, "until": entry.until,
            })
        })
        .collect();
    json!({
        "runId": case.run,
        "artifactId": case.artifact(),
        "projectId": case.project(),
        "workflow": "critic",
        "agent": case.agent(),
        "title": case.title(),
        "file": case.file,
        "criteria": state.queued.as_ref().map(|queued| &queued.criteria),
        "status": case.status(),
        "exitCode": case.exit_code(),
        "reason": case.because(),
        "end": state.ended,
        "cap": started.map(|started| started.cap),
        "auto": started.map(|started| started.auto),
        "fixer": started.map(|started| started.fixer),
        "release": started.and_then(|started| started.release.as_ref()),
        "fixes": tally.fixes,
        "escalations": tally.escalations,
        "open": tally.open,
        "passes": state.passes,
        "findings": findings,
        "deferrals": state.deferrals,
        "reopened": state.reopened,
        "questions": state.questions.iter().map(|asked| question(case, asked)).collect::<Vec<_>>(),
        "usage": state.usage,
        "document": case.document,
        "documentCommand": case.run.map(|_| case.document_command()),
        "diffs": case.diffs.iter().map(|(pass, diff)| json!({
            "pass": pass, "added": diff.added, "removed": diff.removed, "diff": diff.text(),
        })).collect::<Vec<_>>(),
        "durationMs": case.took,
    })
}

fn question(case: &CriticCase, asked: &QuestionState) -> Value {
    json!({
        "id": case.run.map(|run| DecisionId::of(run, asked.question.number)),
        "pass": asked.pass,
        "question": asked.question,
        "answer": asked.answer,
    })
}
