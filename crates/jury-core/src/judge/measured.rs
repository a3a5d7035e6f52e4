//! What was measured on a change, beside what a judge says of it. A fact stands in the judgement whatever the judge thinks
//! of it, and a grave one bounds the mark of its dimension: nobody can be talked into passing a test that is gone.

use super::answer::{JudgeAnswer, MOST_ISSUES};
use super::judgement::{Dimensions, JudgeDimension, JudgeIssue, PASS_FROM};

/// The highest mark of a dimension against which something major was measured: just not a pass.
pub const MEASURED_CAP: f64 = PASS_FROM - 0.01;

impl JudgeAnswer {
    /// This answer in the light of what was measured: every fact is among its issues, once, and no dimension with a
    /// major one has a mark above [`MEASURED_CAP`]. A fact without a dimension is about correctness. A judge who found
    /// the same place on its own keeps its words; the stricter severity counts.
    #[must_use]
    pub fn with_facts(mut self, facts: &[JudgeIssue]) -> Self {
        let mut measured: Vec<JudgeIssue> = Vec::new();
        for fact in facts {
            let known = self.issues.iter_mut().find(|issue| is_same(issue, fact));
            match known {
                Some(issue) => {
                    issue.severity = issue.severity.max(fact.severity);
                    issue.dimension = issue.dimension.or(fact.dimension);
                }
                None if measured.iter().any(|known| known == fact) => {}
                None => measured.push(fact.clone()),
            }
        }
        // A judge that says a lot does not push out what was measured.
        measured.truncate(MOST_ISSUES);
        self.issues.truncate(MOST_ISSUES - measured.len());
        self.issues.extend(measured);
        self.dimensions = capped(&self.dimensions, facts);
        self
    }
}

/// The marks that are left of these.
pub fn capped(marks: &Dimensions, facts: &[JudgeIssue]) -> Dimensions {
    let grave = |dimension: JudgeDimension| {
        facts.iter().any(|fact| {
            fact.severity.is_must_fix() && fact.dimension.unwrap_or(JudgeDimension::Correctness) == dimension
        })
    };
    Dimensions::from_fn(|dimension| {
        let mark = marks.of(dimension);
        if grave(dimension) { mark.min(MEASURED_CAP) } else { mark }
    })
}

/// Whether two issues are about one thing: the same words, or the same line of the same dimension.
fn is_same(one: &JudgeIssue, fact: &JudgeIssue) -> bool {
    if one.description == fact.description && one.evidence == fact.evidence {
        return true;
    }
    let (Some(here), Some(there)) = (&one.evidence, &fact.evidence) else { return false };
    let same_place =
        here.file.is_some() && here.file == there.file && here.line.is_some() && here.line == there.line;
    same_place && (one.dimension.is_none() || one.dimension == fact.dimension)
}
