//! Why a run did not converge: what failed and what has no verdict, each with what can be done about it.

use std::collections::BTreeMap;

use jury_core::critic::{CriterionId, CriterionVerdict, CriticState, Gap, PassState};

use crate::render::printable;

/// The longest that the words of an agent's error may be.
const WIDEST_ERROR: usize = 240;

/// What is between the names and what is to be done.
const LEFT: &str = " left";

/// Why a run was stopped. What has no verdict cannot be fixed in the document: it is named apart.
pub(super) fn stopped(state: &CriticState, detail: &str) -> String {
    let detail = tidy(detail);
    let Some(pass) = state.last_pass() else { return detail };
    let gaps = gaps(pass);
    let Some((_, rest)) = detail.split_once(LEFT).filter(|_| !gaps.is_empty()) else { return detail };
    let failed = failed(pass);
    if failed.is_empty() || detail.contains("no verdict on ") {
        return detail;
    }
    let without: Vec<String> =
        gaps.iter().map(|(gap, ids)| format!("no verdict on {}: {}", names(ids), gap.remedy())).collect();
    with_error(state, format!("{} failed{}; {}", names(&failed), rest, without.join("; ")))
}

/// Why there is no verdict, with the last thing that the agent said about it.
pub(super) fn inconclusive(state: &CriticState, detail: &str) -> String {
    with_error(state, tidy(detail))
}

/// Without the colon that has nothing behind it, and with the right number.
pub(super) fn tidy(detail: &str) -> String {
    let text = detail.replace(": ;", ";").replace("after 1 passes", "after 1 pass");
    text.trim_end_matches([' ', ':']).to_owned()
}

/// The last error of the critic behind a text that does not have it.
fn with_error(state: &CriticState, text: String) -> String {
    let absent = state.last_pass().and_then(|pass| pass.absences.last());
    let Some(absent) = absent else { return text };
    let detail = printable(&tidy(&absent.detail), WIDEST_ERROR);
    if text.contains(&detail) && !detail.is_empty() {
        return text;
    }
    let said =
        if detail.is_empty() { absent.cause.to_string() } else { format!("{}: {detail}", absent.cause) };
    format!("{text} (its last error: {said})")
}

fn failed(pass: &PassState) -> Vec<CriterionId> {
    let judged = pass
        .verdicts
        .iter()
        .filter(|judged| matches!(judged.verdict, Some(CriterionVerdict::Fail | CriterionVerdict::Escalate)))
        .map(|judged| judged.criterion.clone());
    judged.chain(pass.is_realistic().then(CriterionId::adversarial)).collect()
}

/// What has no verdict, by what is missing.
fn gaps(pass: &PassState) -> BTreeMap<Gap, Vec<CriterionId>> {
    let mut gaps: BTreeMap<Gap, Vec<CriterionId>> = BTreeMap::new();
    for judged in &pass.verdicts {
        if let (None, Some(gap)) = (judged.verdict, judged.gap) {
            gaps.entry(gap).or_default().push(judged.criterion.clone());
        }
    }
    if let Some(gap) = pass.adversarial.as_ref().and_then(|said| said.gap) {
        gaps.entry(gap).or_default().push(CriterionId::adversarial());
    }
    gaps
}

fn names(ids: &[CriterionId]) -> String {
    ids.iter().map(CriterionId::as_str).collect::<Vec<_>>().join(", ")
}
