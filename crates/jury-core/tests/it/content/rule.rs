//! The editor's rule against a table: `rule.toml`. Each row is one round.

use std::collections::BTreeMap;

use jury_core::content::critique::{ContentIssue, Critique};
use jury_core::content::panel::ContentSeat;
use jury_core::content::rule::decide;
use jury_core::content::summary::{OpenIssue, open_after};
use jury_core::finding::FindingId;
use jury_core::severity::THREE;
use jury_core::unit::Round;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    case: Vec<Case>,
}

/// A round. A name with `!` is a critic that the recipe names; an issue is `critic severity description`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    seats: Vec<String>,
    #[serde(default)]
    now: BTreeMap<String, f64>,
    #[serde(default)]
    issues: Vec<String>,
    /// What the round before left open.
    #[serde(default)]
    open: Vec<String>,
    /// What a critic says became of it: `critic fixed|open description`.
    #[serde(default)]
    said: Vec<String>,
    before: Option<BTreeMap<String, f64>>,
    #[serde(default = "four")]
    min: f64,
    decision: String,
    reason: String,
    mean: Option<f64>,
    high: Option<u32>,
}

fn four() -> f64 {
    4.0
}

pub(super) fn issue(line: &str) -> (String, ContentIssue) {
    let mut words = line.splitn(3, ' ');
    let (who, severity, description) =
        (words.next().unwrap(), words.next().unwrap(), words.next().unwrap_or("something"));
    let severity = THREE.read(severity).unwrap();
    let issue = ContentIssue {
        id: FindingId::of(who, description),
        severity,
        description: description.to_owned(),
        suggestion: "do it".to_owned(),
        rule: None,
        quote: None,
    };
    (who.to_owned(), issue)
}

pub(super) fn critique(who: &str, score: f64, issues: Vec<ContentIssue>) -> Critique {
    Critique {
        advisor_id: who.parse().unwrap(),
        name: who.to_uppercase(),
        score,
        pass: true,
        issues,
        statuses: Vec::new(),
        measured: false,
        usage: None,
    }
}

pub(super) fn seats(names: &[String]) -> Vec<ContentSeat> {
    let seat = |name: &String| ContentSeat {
        advisor_id: name.trim_end_matches('!').parse().unwrap(),
        name: name.trim_end_matches('!').to_uppercase(),
        domain: String::new(),
        named: name.ends_with('!'),
        clauses: Vec::new(),
    };
    names.iter().map(seat).collect()
}

#[test]
fn every_round_of_the_table_is_decided_as_it_says() {
    let table: Table = toml::from_str(include_str!("rule.toml")).unwrap();
    assert!(table.case.len() >= 45, "{}", table.case.len());
    for case in table.case {
        let seats = seats(&case.seats);
        let raised: Vec<(String, ContentIssue)> = case.issues.iter().map(|line| issue(line)).collect();
        let mut now = BTreeMap::new();
        for (who, score) in &case.now {
            let own = raised.iter().filter(|(by, _)| by == who).map(|(_, issue)| issue.clone()).collect();
            now.insert(who.parse().unwrap(), critique(who, *score, own));
        }
        for line in &case.said {
            let mut words = line.splitn(3, ' ');
            let (who, word, description) =
                (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            let critique: &mut Critique = now.get_mut(&who.parse().unwrap()).unwrap();
            let id = FindingId::of(who, description);
            critique.statuses.push(jury_core::content::IssueStatus { id, fixed: word == "fixed" });
        }
        let earlier: Vec<OpenIssue> = case
            .open
            .iter()
            .map(|line| issue(line))
            .map(|(who, issue)| OpenIssue {
                advisor_id: who.parse().unwrap(),
                name: who.to_uppercase(),
                since: Round(1),
                issue,
            })
            .collect();
        let before = case.before.as_ref().map(|scores| {
            scores.iter().map(|(who, score)| (who.parse().unwrap(), critique(who, *score, vec![]))).collect()
        });
        let open = open_after(Round(2), &seats, &earlier, &now);
        let ruling = decide(&seats, &now, &open, before.as_ref(), case.min);
        assert_eq!(
            (ruling.decision.as_str(), ruling.reason.as_str()),
            (case.decision.as_str(), case.reason.as_str()),
            "{}: {ruling:?}",
            case.name
        );
        if let Some(mean) = case.mean {
            assert!((ruling.mean.unwrap() - mean).abs() < 1e-6, "{}: {ruling:?}", case.name);
        }
        if let Some(high) = case.high {
            assert_eq!(ruling.high, high, "{}", case.name);
        }
    }
}
