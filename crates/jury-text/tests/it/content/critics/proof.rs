//! Proof and figures against the documents: what is invented, in the forms that people and models write it, and what only
//! looks like it: `fixtures/proof.toml`.

use std::collections::BTreeMap;

use jury_core::content::{Draft, Form, HouseCritic};
use jury_core::severity::Severity;
use serde::Deserialize;

use super::{foundation, listed, reviewed};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    docs: BTreeMap<String, String>,
    proof: Cases,
    figures: Cases,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    invented: Vec<String>,
    known: Vec<String>,
}

fn table() -> Table {
    toml::from_str(include_str!("fixtures/proof.toml")).expect("the table can be read")
}

/// The drafts of which a critic says something other than it should about a rule.
fn wrong(critic: HouseCritic, rule: &str, cases: &Cases, docs: &BTreeMap<String, String>) -> Vec<String> {
    let foundation = foundation(docs.iter().map(|(kind, text)| (kind.as_str(), text.as_str())));
    let said = |text: &str| {
        let draft = Draft::Text(format!("# A title\n\n{text}\n"));
        reviewed(critic, &draft, Form::Article, &foundation).expect("it can be reviewed")
    };
    let finds = |text: &String| said(text).issues.iter().any(|issue| issue.rule.as_deref() == Some(rule));
    let missed = cases.invented.iter().filter(|text| !finds(text)).map(|text| format!("missed: {text}"));
    let falsely = cases.known.iter().filter(|text| finds(text));
    missed.chain(falsely.map(|text| format!("false: {text}\n{}", listed(&said(text))))).collect()
}

#[test]
fn proof_that_no_document_knows_is_found_in_every_form() {
    let table = table();
    assert!(table.proof.invented.len() >= 25 && table.proof.known.len() >= 25);
    let wrong = wrong(HouseCritic::Behaviour, "behaviour.unproven-proof", &table.proof, &table.docs);
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_figure_is_known_wherever_in_a_document_it_stands() {
    let table = table();
    let rule = "positioning.unsupported-claim";
    let wrong = wrong(HouseCritic::Positioning, rule, &table.figures, &table.docs);
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn proof_beyond_what_is_looked_up_is_not_taken_for_known() {
    let known = "Trusted by members of the Print Guild.\n\n".repeat(120);
    let table = table();
    let foundation = foundation(table.docs.iter().map(|(kind, text)| (kind.as_str(), text.as_str())));
    let draft = Draft::Text(format!("# A title\n\n{known}Trusted by Acme Rockets.\n"));
    let said = reviewed(HouseCritic::Behaviour, &draft, Form::Article, &foundation).unwrap();
    let high = |issue: &&jury_core::content::ContentIssue| {
        issue.rule.as_deref() == Some("behaviour.unproven-proof") && issue.severity == Severity::Serious
    };
    assert!(said.issues.iter().find(high).is_some(), "{}", listed(&said));
}
