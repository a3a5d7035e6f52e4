//! Every rule, broken and kept: `fixtures/rules.toml`. And the table of rules, in the program and in the documentation.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::content::{ContentIssue, Critique, Draft, Form, Foundation, HouseCritic};
use jury_core::severity::THREE;
use jury_text::content::{CannotReview, ContentRule, rules};
use serde::Deserialize;

use super::super::{acme, example};
use super::{CRITICS, foundation, listed, reviewed};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    docs: BTreeMap<String, String>,
    rule: Vec<Fixture>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    id: String,
    #[serde(default)]
    form: Option<String>,
    #[serde(default)]
    docs: BTreeMap<String, String>,
    #[serde(default)]
    bad: Vec<(String, String)>,
    #[serde(default)]
    good: Vec<String>,
    quote: Option<String>,
}

fn table() -> Table {
    toml::from_str(include_str!("fixtures/rules.toml")).expect("the table can be read")
}

/// `%9 words%` is the words nine times.
fn expanded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let repeated = after.split_once('%').and_then(|(inside, rest)| {
            let (count, words) = inside.split_once(' ')?;
            Some((words.repeat(count.parse().ok()?), rest))
        });
        rest = if let Some((words, behind)) = repeated {
            out.push_str(&words);
            behind
        } else {
            out.push('%');
            after
        };
    }
    out.push_str(rest);
    out
}

fn rule(id: &str) -> &'static ContentRule {
    rules().iter().find(|rule| rule.rule.id == id).expect(id)
}

impl Fixture {
    fn form(&self) -> Form {
        match self.form.as_deref() {
            Some("page") => Form::Page,
            Some("post") => Form::Post,
            _ => Form::Article,
        }
    }

    fn foundation(&self, docs: &BTreeMap<String, String>) -> Foundation {
        let own = |kind: &String, text: &String| self.docs.get(kind).unwrap_or(text).clone();
        let all: Vec<(String, String)> =
            docs.iter().map(|(kind, text)| (kind.clone(), own(kind, text))).collect();
        foundation(
            all.iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(kind, text)| (kind.as_str(), text.as_str())),
        )
    }

    fn critique(&self, text: &str, docs: &BTreeMap<String, String>) -> Critique {
        let draft = Draft::Text(expanded(text));
        reviewed(rule(&self.id).critic, &draft, self.form(), &self.foundation(docs)).expect(text)
    }
}

fn of<'c>(critique: &'c Critique, id: &str) -> Vec<&'c ContentIssue> {
    critique.issues.iter().filter(|issue| issue.rule.as_deref() == Some(id)).collect()
}

#[test]
fn every_rule_finds_what_breaks_it_and_leaves_what_keeps_it() {
    let table = table();
    let mut wrong = Vec::new();
    for fixture in &table.rule {
        let id = fixture.id.as_str();
        for (at, (severity, text)) in fixture.bad.iter().enumerate() {
            let critique = fixture.critique(text, &table.docs);
            let found = of(&critique, id);
            let severity = THREE.read(severity).expect("a severity");
            match found.first() {
                None => wrong.push(format!("{id} is not found in {text:?}\n{}", listed(&critique))),
                Some(issue) if found.iter().all(|issue| issue.severity != severity) => {
                    wrong.push(format!("{id} is {} and not {severity} in {text:?}", issue.severity));
                }
                Some(issue) if at == 0 && fixture.quote.is_some() && issue.quote != fixture.quote => {
                    wrong.push(format!("{id} quotes {:?} of {text:?}", issue.quote));
                }
                Some(_) => {}
            }
        }
        for text in &fixture.good {
            let critique = fixture.critique(text, &table.docs);
            if !of(&critique, id).is_empty() {
                wrong.push(format!("{id} is found in {text:?}\n{}", listed(&critique)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_rule_of_the_table_is_tried_and_every_finding_is_in_the_table() {
    let table = table();
    let mut bad: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut good: BTreeSet<&str> = BTreeSet::new();
    for fixture in &table.rule {
        bad.entry(&fixture.id).or_default().extend(fixture.bad.iter().map(|(severity, _)| severity.clone()));
        if !fixture.good.is_empty() {
            good.insert(&fixture.id);
        }
    }
    for rule in rules() {
        let tried = bad.get(rule.rule.id).cloned().unwrap_or_default();
        for severity in [rule.rule.least.expect("a range"), rule.rule.severity] {
            assert!(
                tried.contains(THREE.word(severity)),
                "{} needs a draft on which it is {severity}",
                rule.rule.id
            );
        }
        assert!(good.contains(rule.rule.id), "{} needs a draft that keeps it", rule.rule.id);
        assert!(!rule.rule.title.is_empty() && !rule.rule.sources.is_empty() && !rule.forms.is_empty());
    }
    let ids: BTreeSet<&str> = rules().iter().map(|rule| rule.rule.id).collect();
    assert_eq!(ids.len(), rules().len(), "an id is there twice");
    let drafts = table.rule.iter().flat_map(|fixture| {
        let texts = fixture.bad.iter().map(|(_, text)| text).chain(&fixture.good);
        texts.map(move |text| (fixture, text))
    });
    for (fixture, text) in drafts {
        let form = fixture.form();
        for critic in CRITICS {
            let draft = Draft::Text(expanded(text));
            let Ok(critique) = reviewed(critic, &draft, form, &fixture.foundation(&table.docs)) else {
                continue;
            };
            for issue in &critique.issues {
                let rule = rule(issue.rule.as_deref().expect("a rule"));
                assert_eq!(rule.critic, critic, "{}", rule.rule.id);
                assert!(rule.forms.contains(&form), "{} on a {form:?}", rule.rule.id);
                assert!(
                    (rule.rule.least.expect("a range")..=rule.rule.severity).contains(&issue.severity),
                    "{} is {}",
                    rule.rule.id,
                    issue.severity
                );
                assert!(!issue.description.is_empty() && !issue.suggestion.is_empty(), "{}", rule.rule.id);
                if let Some(quote) = &issue.quote {
                    assert!(
                        expanded(text).contains(quote.as_str()),
                        "{} quotes {quote:?} of {text:?}",
                        rule.rule.id
                    );
                }
            }
        }
    }
}

#[test]
fn without_a_positioning_document_positioning_is_not_reviewed() {
    let draft = Draft::Text("# A tax app\n\nFor designers.\n".to_owned());
    let error = |docs: &[(&str, &str)]| {
        let docs = foundation(docs.iter().copied());
        reviewed(HouseCritic::Positioning, &draft, Form::Page, &docs)
            .expect_err("it cannot be reviewed")
            .to_string()
    };
    assert_eq!(
        error(&[("strategy", "# S\n\nPlan.\n")]),
        "there is no positioning.md in the idea's folder: write one, with headings for market category, best customers, alternatives, unique attributes and value"
    );
    assert_eq!(error(&[("positioning", " \n")]), error(&[]));
    assert!(
        error(&[("positioning", "We are good.\n")]).starts_with("positioning.md has none of the headings")
    );
    let empty = Draft::Text("---\ntitle: A\n---\n\n--- *** ---\n".to_owned());
    for critic in CRITICS {
        assert_eq!(reviewed(critic, &empty, Form::Page, &acme()).expect_err("no words"), CannotReview::Empty);
    }
}

#[test]
fn the_documentation_has_the_table_of_rules() {
    let text = example("../docs/content.md");
    let word = |form: &Form| match form {
        Form::Page => "pages",
        Form::Article => "articles",
        Form::Post => "posts",
    };
    let rows = rules().iter().map(|rule| {
        let (least, most) = (rule.rule.least.expect("a range"), rule.rule.severity);
        let severity = if least == most {
            THREE.word(least).to_owned()
        } else {
            format!("{} to {}", THREE.word(least), THREE.word(most))
        };
        let forms = if rule.forms.len() == 3 {
            "all".to_owned()
        } else {
            rule.forms.iter().map(word).collect::<Vec<_>>().join(", ")
        };
        format!(
            "| `{}` | {severity} | {forms} | {} | {} |",
            rule.rule.id,
            rule.rule.title,
            rule.rule.sources.join(", ")
        )
    });
    let missing: Vec<String> = rows.filter(|row| !text.contains(row)).collect();
    assert!(missing.is_empty(), "put these rows into docs/content.md:\n{}", missing.join("\n"));
}
