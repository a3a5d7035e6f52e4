//! `submit_critique`: what a critic hands in, and whether it can be used.
//!
//! Nothing is filled in. An answer without a list of issues is no answer without issues, a score that is no number from 1 to
//! 10 is no score, and whoever cannot be understood is absent. An answer with two critiques in it is refused: the content
//! may have brought one along.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::advisor::Advisor;
use super::critique::{ContentIssue, Critique, IssueStatus};
use crate::avowal::{disowned, refusal, unlooked};
use crate::critic::format::plain;
use crate::finding::FindingId;
use crate::lenient_json;
use crate::line;
use crate::protocol::without_thinking;
use crate::severity;

/// The name of the tool.
pub const TOOL: &str = "submit_critique";

/// What the tool is for, for a model.
pub const PURPOSE: &str = "Hands in your critique of the content.";

/// The JSON schema of what is handed in, for services that constrain what they print and for the prompt.
pub const SCHEMA: &str = include_str!("submit.schema.json");

/// The longest answer that is read.
pub const LONGEST_ANSWER_BYTES: usize = 256 * 1024;
/// The most issues of a critique.
pub const MOST_ISSUES: usize = 50;
/// The most statuses of a critique.
pub const MOST_STATUSES: usize = 500;
/// The longest text of an issue, in characters.
pub const LONGEST_TEXT: usize = 2_000;
/// The most places in an answer where a critique may begin.
const MOST_PLACES: usize = 256;

/// What a critic hands in, before anybody has looked at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submitted {
    /// From 1 to 10.
    pub score: f64,
    /// Whether the critic would let it pass.
    pub pass: bool,
    /// The issues that the critic raised.
    pub issues: Vec<SubmittedIssue>,
    /// What became of earlier issues.
    #[serde(default)]
    pub statuses: Vec<SubmittedStatus>,
    /// What else the critic wrote down. It is no part of a critique, and may take it back.
    #[serde(flatten)]
    pub beside: BTreeMap<String, serde_json::Value>,
}

/// What is wrong, in the critic's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedIssue {
    /// high, medium or low.
    pub severity: String,
    /// The fault, in the critic's words.
    pub description: String,
    /// The change that would repair it.
    pub suggestion: String,
    /// The words that it is about.
    #[serde(default)]
    pub quote: Option<String>,
}

/// What became of an earlier issue, in the critic's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedStatus {
    /// The id of the earlier issue.
    pub id: String,
    /// Whether it is mended.
    pub fixed: bool,
}

/// The critique of an advisor, if what was handed in can be used; what is wrong with it otherwise, for whoever is asked
/// again. `earlier` are the ids of the issues that the same critic raised before, `draft` is what it read.
pub fn check(
    submitted: &Submitted,
    advisor: &Advisor,
    earlier: &[FindingId],
    draft: &str,
) -> Result<Critique, String> {
    let score = submitted.score;
    if !(1.0..=10.0).contains(&score) {
        return Err(format!("score {score} is not from 1 to 10"));
    }
    let issues = submitted.issues.iter().flat_map(|own| [own.description.as_str(), own.suggestion.as_str()]);
    let mut words = submitted.beside.values().filter_map(serde_json::Value::as_str).chain(issues);
    if let Some(said) = words.find_map(unlooked) {
        return Err(format!("the critique says that nobody looked: {said}"));
    }
    let mut beside = submitted.beside.values().filter_map(serde_json::Value::as_str);
    if submitted.issues.is_empty()
        && let Some(said) = beside.find_map(refusal)
    {
        return Err(format!("nothing is wrong, and it must not go out: {said}"));
    }
    if submitted.issues.len() > MOST_ISSUES {
        return Err(format!("{} issues: at most {MOST_ISSUES}", submitted.issues.len()));
    }
    if submitted.statuses.len() > MOST_STATUSES {
        return Err(format!("{} statuses: at most {MOST_STATUSES}", submitted.statuses.len()));
    }
    let draft = line::joined(draft);
    let mut issues: Vec<ContentIssue> = Vec::with_capacity(submitted.issues.len());
    for (own, number) in submitted.issues.iter().zip(1..) {
        let issue = issue(own, advisor, &draft).map_err(|what| format!("issue {number}: {what}"))?;
        // Said twice is said once, as grave as the graver of the two.
        match issues.iter_mut().find(|known| known.id == issue.id) {
            Some(known) => known.severity = known.severity.max(issue.severity),
            None => issues.push(issue),
        }
    }
    issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
    let statuses = statuses(&submitted.statuses, &issues, earlier);
    // Silence about an earlier issue is no word that it is mended.
    let silent: Vec<&str> = earlier
        .iter()
        .filter(|id| !statuses.iter().any(|status| status.id == **id))
        .filter(|id| !issues.iter().any(|issue| issue.id == **id))
        .map(FindingId::as_str)
        .collect();
    if !silent.is_empty() {
        return Err(format!("nothing is said of earlier issues: add a status for {}", silent.join(", ")));
    }
    Ok(Critique {
        advisor_id: advisor.id.clone(),
        name: advisor.name.clone(),
        score,
        pass: submitted.pass,
        issues,
        statuses,
        measured: false,
        usage: None,
    })
}

/// The critique in an answer that is a text: what fits, with prose or a fence around it or not.
pub fn read(text: &str, advisor: &Advisor, earlier: &[FindingId], draft: &str) -> Result<Critique, String> {
    if text.len() > LONGEST_ANSWER_BYTES {
        return Err(format!("the answer is longer than {LONGEST_ANSWER_BYTES} bytes"));
    }
    let text = without_thinking(text);
    let mut found: Option<Critique> = None;
    let mut around = (0, 0);
    let mut problem: Option<String> = None;
    let mut rest = text.as_str();
    for _ in 0..MOST_PLACES {
        let Some(start) = rest.find('{') else { break };
        rest = rest.get(start..).unwrap_or_default();
        let outcome = match lenient_json::first_value::<Submitted>(rest) {
            Some(Ok((submitted, length))) => {
                check(&submitted, advisor, earlier, draft).map(|critique| (critique, length))
            }
            Some(Err(error)) => Err(without_place(&error)),
            None => break,
        };
        let length = match outcome {
            Ok((critique, _)) if found.as_ref().is_some_and(|known| *known != critique) => {
                return Err("there are two critiques in the answer: hand in one".to_owned());
            }
            Ok((critique, length)) => {
                around = (text.len() - rest.len(), text.len() - rest.len() + length);
                found = Some(critique);
                length
            }
            Err(what) => {
                // What comes closest to a critique is what is worth mending.
                let close = rest.get(1..).unwrap_or_default().trim_start().starts_with("\"score\"");
                if problem.is_none() || close {
                    problem = Some(what);
                }
                1
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    let nothing = || "there is no JSON object with a score, pass and issues in the answer".to_owned();
    let (start, end) = around;
    if found.is_some()
        && let Some(said) =
            disowned(text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default())
    {
        return Err(said);
    }
    found.ok_or_else(|| problem.unwrap_or_else(nothing))
}

fn issue(own: &SubmittedIssue, advisor: &Advisor, draft: &str) -> Result<ContentIssue, String> {
    let severity = severity::THREE
        .read(&own.severity.trim().to_ascii_lowercase())
        .map_err(|error| format!("severity {error}"))?;
    let text = |name: &str, text: &str| {
        let text = line::joined(&plain(text.as_bytes()));
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            return Err(format!("its {name} has {length} characters: at most {LONGEST_TEXT}"));
        }
        Ok(text)
    };
    let description = text("description", &own.description)?;
    if !description.chars().any(char::is_alphanumeric) {
        return Err("its description says nothing".to_owned());
    }
    let suggestion = text("suggestion", &own.suggestion)?;
    if !suggestion.chars().any(char::is_alphanumeric) {
        return Err("its suggestion says nothing: say what to do".to_owned());
    }
    // Words that are not there are about nothing. To keep them would protect from a revision what the issue is about.
    let quote = text("quote", own.quote.as_deref().unwrap_or_default())?;
    let quote = Some(quote).filter(|quote| !quote.is_empty() && draft.contains(quote.as_str()));
    let id = FindingId::of(advisor.id.as_str(), &description);
    Ok(ContentIssue { id, severity, description, suggestion, rule: None, quote })
}

/// What became of the earlier issues that were said something about. Nobody can call fixed what they raise again, or what
/// they call not fixed elsewhere: to take a broken passage for a mended one is the costly mistake.
fn statuses(said: &[SubmittedStatus], issues: &[ContentIssue], earlier: &[FindingId]) -> Vec<IssueStatus> {
    let mut seen = BTreeSet::new();
    earlier
        .iter()
        .filter(|id| seen.insert(*id))
        .filter_map(|id| {
            let mut own = said.iter().filter(|status| status.id.trim() == id.as_str()).peekable();
            own.peek()?;
            let fixed = own.all(|status| status.fixed) && !issues.iter().any(|issue| issue.id == *id);
            Some(IssueStatus { id: id.clone(), fixed })
        })
        .collect()
}

/// What is wrong with a value, without the place: it counts from where the value begins, which nobody sees.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}
