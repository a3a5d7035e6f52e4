//! What a review came to: the same shape whatever was reviewed, from which every format is made.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::gate::AppliedWaiver;
use crate::decision::DecisionId;
use crate::finding::{Finding, FindingState};
use crate::held_back::HeldBack;
use crate::id::{AgentId, ProjectId, RunId};
use crate::outcome::{UnknownWord, words};
use crate::run::{Outcome, OutcomeKind};
use crate::score::{Composite, Threshold};
use crate::unit::Millis;
use crate::workflow::Workflow;

/// The version of the shape.
pub const VERSION: u32 = 1;

/// What a review came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this shape.
    pub version: u32,
    /// The workflow.
    pub workflow: Workflow,
    /// The run; none if nothing was kept.
    pub run_id: Option<RunId>,
    /// Whose it is.
    pub project_id: Option<ProjectId>,
    /// Who reviewed.
    pub agent: Option<AgentId>,
    /// What the work is called.
    pub title: String,
    /// The file that was given, as it was named.
    pub file: Option<String>,
    /// How it ended, or stands, in the word of its workflow.
    pub status: Option<Outcome>,
    /// What that means for a gate.
    pub outcome: OutcomeKind,
    /// The exit code of a command that gates on it.
    pub exit_code: u8,
    /// Why, in one line.
    pub reason: String,
    /// Settings that made the verdict easier to get, such as a low bar; every format shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// The composite of the round it ended with, in workflows that have one.
    pub composite: Option<Composite>,
    /// The composite that it takes.
    pub threshold: Option<Threshold>,
    /// Whether nobody reviewed what was handed over.
    pub unreviewed: bool,
    /// What was found, and what became of it.
    pub findings: Vec<Finding>,
    /// Who or what looked, and what each says.
    pub parts: Vec<ReportPart>,
    /// What a person is asked.
    pub questions: Vec<ReportQuestion>,
    /// Waivers that are about these findings, those that have ended among them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<AppliedWaiver>,
    /// How long it took.
    pub duration_ms: Millis,
    /// What keeps it from passing.
    #[serde(skip)]
    pub held_back: HeldBack,
    /// What was handed over, as one calls it: `page`, `document`, `change`, `draft`.
    #[serde(skip)]
    pub what: &'static str,
}

/// One panelist, criterion, seat or critic, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportPart {
    /// Its name.
    pub name: String,
    /// How it stands.
    pub result: PartResult,
    /// Why, in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// What it says in full.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub body: String,
}

/// How a part of a review stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartResult {
    /// Nothing against it.
    Passed,
    /// Something must be fixed.
    Failed,
    /// It did not look, which was known before, or was put off.
    Skipped,
    /// It should have looked and did not.
    Missing,
}

words!(PartResult { Passed = "passed", Failed = "failed", Skipped = "skipped", Missing = "missing" });

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportQuestion {
    /// What it is answered by.
    pub id: Option<DecisionId>,
    /// Who asks.
    pub asks: String,
    /// The question.
    pub question: String,
    /// The command that answers it.
    pub answer_with: String,
}

impl ReportPart {
    /// A part that has nothing against it.
    pub fn passed(name: impl Into<String>) -> Self {
        Self { name: name.into(), result: PartResult::Passed, message: String::new(), body: String::new() }
    }

    /// A part that stands like this, and why.
    pub fn of(name: impl Into<String>, result: PartResult, message: &str, body: &str) -> Self {
        Self { name: name.into(), result, message: message.to_owned(), body: body.to_owned() }
    }
}

impl Report {
    /// A review of this work that came to this, with nothing else known about it.
    pub fn new(workflow: Workflow, title: impl Into<String>, outcome: OutcomeKind) -> Self {
        Self {
            version: VERSION,
            workflow,
            run_id: None,
            project_id: None,
            agent: None,
            title: title.into(),
            file: None,
            status: None,
            outcome,
            exit_code: outcome.exit_code(),
            reason: String::new(),
            conditions: Vec::new(),
            composite: None,
            threshold: None,
            unreviewed: false,
            findings: Vec::new(),
            parts: Vec::new(),
            questions: Vec::new(),
            waivers: Vec::new(),
            duration_ms: Millis(0),
            held_back: HeldBack::default(),
            what: "work",
        }
    }

    /// What the findings are about, for formats that name files.
    pub fn path(&self) -> &str {
        self.file.as_deref().unwrap_or(&self.title)
    }

    /// How it stands, in words. What nobody reviewed is called that.
    pub fn status_words(&self) -> String {
        let status = match (self.status, self.run_id) {
            (Some(status), _) => status.as_str(),
            (None, Some(_)) => "running",
            (None, None) => self.outcome.words(),
        };
        if self.unreviewed { format!("{status}, not reviewed") } else { status.to_owned() }
    }

    /// The verdict in one line.
    pub fn verdict(&self) -> String {
        let composite =
            self.composite.map(|composite| format!(", composite {composite}")).unwrap_or_default();
        let conditions =
            self.conditions.iter().flat_map(|condition| ["; ", condition.as_str()]).collect::<String>();
        if self.reason.is_empty() {
            format!("{}{composite}{conditions}", self.status_words())
        } else {
            format!("{}{composite}: {}{conditions}", self.status_words(), self.reason)
        }
    }

    /// Why, with the settings that made it easier.
    pub fn reason_with_conditions(&self) -> String {
        let parts = std::iter::once(&self.reason).chain(&self.conditions).filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// Whether the review did not take place as promised, or is not over.
    pub fn is_missing(&self) -> bool {
        match self.outcome {
            OutcomeKind::Passed | OutcomeKind::NotPassed => false,
            OutcomeKind::Inconclusive | OutcomeKind::Waiting | OutcomeKind::Interrupted => true,
        }
    }

    /// One JSON document: this, with what the workflow adds. A key of the workflow's own stays as it is, but for those
    /// that mean the same everywhere; its findings are completed with what every finding has.
    pub fn document(&self, own: Value) -> Value {
        let Value::Object(mut whole) = json!(self) else { return own };
        let Value::Object(own) = own else { return Value::Object(whole) };
        for (key, value) in own {
            match (key.as_str(), value) {
                ("findings", Value::Array(listed)) => {
                    let completed = self.completed(listed);
                    whole.insert(key, Value::Array(completed));
                }
                ("status" | "outcome" | "exitCode" | "reason", _) => {}
                (_, value) => drop(whole.insert(key, value)),
            }
        }
        Value::Object(whole)
    }

    /// The listed findings with the keys that they lack, and those that are not listed.
    fn completed(&self, listed: Vec<Value>) -> Vec<Value> {
        let mut left: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for finding in &self.findings {
            if let Value::Object(fields) = json!(finding) {
                left.insert(finding.id.as_str(), fields);
            }
        }
        let mut all = Vec::with_capacity(left.len());
        for item in listed {
            let Value::Object(mut item) = item else { continue };
            let known = item.get("id").and_then(Value::as_str).and_then(|id| left.remove(id));
            for (key, value) in known.into_iter().flatten() {
                if key == "state" {
                    item.insert(key, value);
                } else {
                    item.entry(key).or_insert(value);
                }
            }
            all.push(Value::Object(item));
        }
        let unlisted = self.findings.iter().filter_map(|finding| left.remove(finding.id.as_str()));
        all.extend(unlisted.map(Value::Object));
        all
    }
}

/// How much a finding matters to whoever reads the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// It holds the work back.
    Error,
    /// It was put off.
    Warning,
    /// It is told, and holds nothing back.
    Note,
}

/// How much a finding in this state matters, and what is said behind it. `what` was handed over.
pub fn weight(state: FindingState, what: &str) -> (Weight, String) {
    match state {
        FindingState::Open | FindingState::Regressed | FindingState::Escalated => {
            (Weight::Error, String::new())
        }
        FindingState::Fixed => (Weight::Note, format!(" (fixed in the {what} that jury handed over)")),
        FindingState::Deferred => (Weight::Warning, " (deferred)".to_owned()),
        FindingState::Refuted => (Weight::Note, " (refuted by what was measured)".to_owned()),
        FindingState::Known => (Weight::Warning, " (known)".to_owned()),
        FindingState::Waived => (Weight::Warning, " (waived)".to_owned()),
        FindingState::Noted => (Weight::Note, String::new()),
    }
}
