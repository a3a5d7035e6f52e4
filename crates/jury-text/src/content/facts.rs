//! Facts about a draft, held against the documents: they take part in every round beside the critics, whoever those are.
//!
//! A rule is here when what it finds is a matter of fact: proof and figures stand in a document of the idea, or they do
//! not. What asks for a judgement (tone, coverage, whom a page speaks to) is left to the critics.

use jury_core::content::{AdvisorId, ContentIssue, Draft, Foundation, HouseCritic};

use super::document::DraftDocument;
use super::finding::Findings;
use super::references::References;
use super::{positioning, proof};

/// The rules whose findings are facts.
pub const RULES: &[&str] =
    &["behaviour.unproven-proof", "positioning.unsupported-claim", "positioning.unsupported-claims"];

/// What the documents do not know of a draft, in the name of whoever measures. What a critic that counts has said already
/// is not said twice.
pub fn facts(
    measurer: &AdvisorId,
    draft: &Draft,
    foundation: &Foundation,
    said_by: &[HouseCritic],
) -> Vec<ContentIssue> {
    let document = DraftDocument::read(draft);
    let references = References::read(foundation);
    let mut findings = Findings::new(measurer);
    if !said_by.contains(&HouseCritic::Behaviour) {
        proof::review(&document, &references, &mut findings);
    }
    if !said_by.contains(&HouseCritic::Positioning) {
        positioning::figures(&document, &references, &mut findings);
    }
    findings.settle()
}
