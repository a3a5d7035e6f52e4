//! What is measured in documents and diffs, as findings.

use jury_core::severity::Severity;
use jury_text::diff::{Detector, DiffEvidence};
use jury_text::document::{Check, Document, NearbyFiles, measure};
use serde_json::json;

#[test]
fn a_defect_of_a_document_is_a_finding_with_its_place() {
    let surroundings = NearbyFiles::known(["plan.md"]);
    let document = Document::read("# Plan\n\nTODO: write it.\n", &surroundings);
    let measured = measure(&document, Check::UnfinishedMarker);
    let findings = measured.findings("plan.md");
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.id.as_str(), measured.affected[0].id);
    assert_eq!(finding.rule.as_deref(), Some("unfinished-marker"));
    assert_eq!(
        serde_json::to_value(&finding.place).expect("JSON"),
        json!({"file": "plan.md", "line": 3, "column": 1, "quote": measured.affected[0].quote})
    );
    assert!(finding.suggestion.is_some() && finding.state.is_open());
}

#[test]
fn evidence_in_a_diff_is_a_finding_and_a_removed_line_is_no_line_of_the_file() {
    let mut evidence = DiffEvidence {
        detector: Detector::Stub,
        severity: Severity::Serious,
        path: "src/a.rs".to_owned(),
        line: 7,
        removed: false,
        quote: "todo!()".to_owned(),
        text: "a body that is not written".to_owned(),
    };
    let finding = evidence.finding();
    assert_eq!((finding.rule.as_deref(), finding.severity), (Some("stub"), Severity::Serious));
    assert_eq!(
        serde_json::to_value(&finding.place).expect("JSON"),
        json!({"file": "src/a.rs", "line": 7, "quote": "todo!()"})
    );
    evidence.removed = true;
    assert_eq!(evidence.finding().place.line, None);
    assert_eq!(evidence.finding().id, finding.id);
}
