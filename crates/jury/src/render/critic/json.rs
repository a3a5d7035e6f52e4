//! A run of the critic as one JSON document.

use jury_core::critic::QuestionState;
use jury_core::decision::DecisionId;
use serde_json::{Value, json};

use super::CriticCase;

/// The document, indented.
pub(crate) fn document(case: &CriticCase) -> String {
    serde_json::to_string_pretty(&value(case)).unwrap_or_default()
}

fn value(case: &CriticCase) -> Value {
    let docket = &case.docket;
    let started = docket.started.as_ref();
    let tally = docket.tally();
    let findings: Vec<Value> = docket
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
        "criteria": docket.queued.as_ref().map(|queued| &queued.criteria),
        "status": case.standing(),
        "exitCode": case.exit_code(),
        "reason": case.because(),
        "end": docket.ended,
        "cap": started.map(|started| started.cap),
        "auto": started.map(|started| started.auto),
        "fixer": started.map(|started| started.fixer),
        "release": started.and_then(|started| started.release.as_ref()),
        "fixes": tally.fixes,
        "escalations": tally.escalations,
        "open": tally.open,
        "passes": docket.passes,
        "findings": findings,
        "deferrals": docket.deferrals,
        "reopened": docket.reopened,
        "questions": docket.questions.iter().map(|asked| question(case, asked)).collect::<Vec<_>>(),
        "usage": docket.usage,
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
