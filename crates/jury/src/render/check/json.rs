//! One JSON document, a page for each line of its list.

use serde_json::{Value, json};

use super::{NOT_JUDGED, Shown};
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
        "standing": page.standing(),
        "exitCode": page.standing().code(),
        "composite": page.composite,
        "belowThreshold": page.below,
        "failing": page.failing,
        "error": page.report.as_ref().err(),
        "gap": page.gap,
        "notes": page.notes,
        "baseline": page.against,
        "report": page.report.as_ref().ok(),
    });
    let most = shown.most(usize::MAX);
    if let Some(findings) = value.pointer_mut("/report/findings").and_then(Value::as_array_mut) {
        findings.truncate(most);
    }
    value
}

/// The end of the document.
pub(super) fn end(totals: &Totals) -> String {
    format!(
        "],\"totals\":{},\"exitCode\":{},\"notJudged\":{}}}",
        json!(totals),
        totals.code(),
        json!(NOT_JUDGED)
    )
}
