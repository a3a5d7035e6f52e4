//! One JSON document, a page for each line of its list.

use jury_core::evidence::Span;
use serde_json::{Value, json};

use super::{NOT_JUDGED, Shown, review};
use crate::command::check::{Checked, Totals};

/// The beginning of the document.
pub(super) const BEGIN: &str = "{\"version\":1,\"pages\":[";

/// A page as one line.
pub(super) fn page(page: &Checked, shown: Shown, first: bool) -> String {
    let value = value(page, shown);
    let comma = if first { "" } else { "," };
    format!("{comma}{value}")
}

/// A page as a value.
pub(super) fn value(page: &Checked, shown: Shown) -> Value {
    let mut value = json!({
        "path": page.path,
        "standing": page.status(),
        "exitCode": page.status().code(),
        "composite": page.composite.map(span),
        "belowThreshold": page.below,
        "failing": page.failing,
        "error": page.report.as_ref().err(),
        "gap": page.gap,
        "notes": page.notes,
        "baseline": page.against,
        "repaired": page.mended.as_ref().map(|mended| json!({
            "written": page.written,
            "repairs": mended.repairs,
            "questions": mended.questions,
            "designDefects": mended.design_defects,
            "compositeBefore": page.before.map(span),
            "findingsBefore": mended.before.findings.len(),
        })),
        "report": page.report.as_ref().ok(),
    });
    let most = shown.most(usize::MAX);
    if let Some(findings) = value.pointer_mut("/report/findings").and_then(Value::as_array_mut) {
        findings.truncate(most);
    }
    // Each page is a result like any other, and has the same keys.
    review::of(page, shown).document(value)
}

/// The end of the document.
pub(super) fn end(totals: &Totals, aftermath: &[String]) -> String {
    let code = totals.code();
    let (totals, aftermath, not_judged) = (json!(totals), json!(aftermath), json!(NOT_JUDGED));
    format!("],\"totals\":{totals},\"baseline\":{aftermath},\"exitCode\":{code},\"notJudged\":{not_judged}}}")
}

fn span(span: Span) -> Span {
    Span { low: rounded(span.low), high: rounded(span.high) }
}

/// Two decimals, as scores are kept.
fn rounded(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}
