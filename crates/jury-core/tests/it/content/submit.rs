//! What a critic hands in, against a table of cases: whoever cannot be understood has said nothing.

use jury_core::content::Advisor;
use jury_core::content::submit::{
    LONGEST_ANSWER_BYTES, LONGEST_TEXT, MOST_ISSUES, SCHEMA, Submitted, SubmittedIssue, check, read,
};
use jury_core::finding::FindingId;
use jury_core::severity::THREE;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::built_in_registry;

const DRAFT: &str = "# Better invoices\n\nFor people who send them.";

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    answer: String,
    #[serde(default)]
    earlier: Vec<String>,
    error: Option<String>,
    score: Option<f64>,
    #[serde(default)]
    issues: Vec<String>,
    #[serde(default)]
    quotes: usize,
    #[serde(default)]
    fixed: Vec<usize>,
    #[serde(default)]
    open: Vec<usize>,
}

fn advisor() -> Advisor {
    let registry = built_in_registry();
    registry.get(&"april-dunford".parse().expect("an id")).expect("she is there").clone()
}

#[test]
fn the_table_of_what_is_handed_in() {
    let table: Table = toml::from_str(include_str!("submit.toml")).expect("the table can be read");
    assert!(table.case.len() >= 40, "the table has lost rows");
    let advisor = advisor();
    for case in table.case {
        let name = &case.name;
        let earlier: Vec<FindingId> =
            case.earlier.iter().map(|text| FindingId::of("april-dunford", text)).collect();
        let answer = earlier
            .iter()
            .enumerate()
            .fold(case.answer.clone(), |text, (at, id)| text.replace(&format!("{{{at}}}"), id.as_str()));
        let critique = match (read(&answer, &advisor, &earlier, DRAFT), &case.error) {
            (Err(said), Some(part)) => {
                assert!(said.contains(part.as_str()), "{name}: {said}");
                continue;
            }
            (Ok(critique), None) => critique,
            (outcome, _) => panic!("{name}: {outcome:?}"),
        };
        assert_eq!(Some(critique.score), case.score, "{name}");
        let severities: Vec<&str> = critique.issues.iter().map(|issue| THREE.word(issue.severity)).collect();
        assert_eq!(severities, case.issues, "{name}");
        assert_eq!(
            critique.issues.iter().filter(|issue| issue.quote.is_some()).count(),
            case.quotes,
            "{name}"
        );
        let said = |fixed: bool| -> Vec<usize> {
            let of = |at: &usize| {
                critique.statuses.iter().any(|status| status.id == earlier[*at] && status.fixed == fixed)
            };
            (0..earlier.len()).filter(of).collect()
        };
        assert_eq!((said(true), said(false)), (case.fixed, case.open), "{name}");
        assert!(!critique.measured && critique.name == "Positioning, after April Dunford's method", "{name}");
    }
}

fn submitted(score: f64, issues: Vec<SubmittedIssue>) -> Submitted {
    Submitted { score, pass: true, issues, statuses: Vec::new(), beside: std::collections::BTreeMap::new() }
}

fn issue(description: &str) -> SubmittedIssue {
    SubmittedIssue {
        severity: "low".to_owned(),
        description: description.to_owned(),
        suggestion: "Mend it.".to_owned(),
        quote: None,
    }
}

#[test]
fn bounds_are_kept() {
    let advisor = advisor();
    let said = |submitted: &Submitted| check(submitted, &advisor, &[], DRAFT).map(|_| ());
    assert_eq!(said(&submitted(f64::NAN, Vec::new())), Err("score NaN is not from 1 to 10".to_owned()));
    assert!(said(&submitted(f64::INFINITY, Vec::new())).is_err());
    let many: Vec<SubmittedIssue> = (0..=MOST_ISSUES).map(|at| issue(&format!("w{at}"))).collect();
    assert_eq!(said(&submitted(5.0, many[1..].to_vec())), Ok(()));
    assert_eq!(said(&submitted(5.0, many)), Err("51 issues: at most 50".to_owned()));
    assert_eq!(said(&submitted(5.0, vec![issue(&"x".repeat(LONGEST_TEXT))])), Ok(()));
    let long = said(&submitted(5.0, vec![issue(&"x".repeat(LONGEST_TEXT + 1))]));
    assert_eq!(long, Err("issue 1: its description has 2001 characters: at most 2000".to_owned()));
    assert!(read(&" ".repeat(LONGEST_ANSWER_BYTES + 1), &advisor, &[], DRAFT).is_err());
    let braces = "{".repeat(LONGEST_ANSWER_BYTES);
    assert!(read(&braces, &advisor, &[], DRAFT).is_err(), "and that in no time");
}

#[test]
fn nothing_that_moves_the_cursor_comes_in() {
    let critique = check(
        &submitted(5.0, vec![issue("\u{1b}[2JThe head\u{202e}line\ndrifts.\u{7}")]),
        &advisor(),
        &[],
        DRAFT,
    );
    assert_eq!(critique.expect("it can be used").issues[0].description, "The headline drifts.");
}

/// The schema that is sent along asks for what is read.
#[test]
fn the_schema_has_the_fields_that_are_read() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
    let keys = |schema: &Value| -> Vec<String> {
        schema["properties"].as_object().expect("properties").keys().cloned().collect()
    };
    let whole = json!(Submitted {
        statuses: vec![jury_core::content::submit::SubmittedStatus { id: "x".to_owned(), fixed: true }],
        ..submitted(5.0, vec![issue("x")])
    });
    let names =
        |value: &Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_eq!(sorted(keys(&schema)), sorted(names(&whole)));
    for list in ["issues", "statuses"] {
        let items = &schema["properties"][list]["items"];
        assert_eq!(sorted(keys(items)), sorted(names(&whole[list][0])), "{list}");
    }
    assert_eq!(schema["required"], json!(["score", "pass", "issues"]));
}

proptest! {
    #[test]
    fn whatever_is_answered_a_critique_is_one(answer in "(\\{|\\}|\\[|\\]|\"score\"|\"pass\"|\"issues\"|:|,|true|9|99| |\"|null){0,40}") {
        if let Ok(critique) = read(&answer, &advisor(), &[], DRAFT) {
            prop_assert!((1.0..=10.0).contains(&critique.score));
            prop_assert!(["\"score\"", "\"pass\"", "\"issues\""].iter().all(|key| answer.contains(key)));
        }
    }
}
