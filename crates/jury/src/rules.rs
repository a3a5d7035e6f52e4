//! Every rule that jury measures by, from the tables of pages, documents, diffs and content.

use jury_core::content::{Form, HouseCritic};
use jury_core::rule::Rule;
use jury_text::{content, diff, document};
use serde_json::{Value, json};

/// A rule as it is listed, with what only its table knows.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) rule: Rule,
    pub(crate) group: Group,
    /// Who reports it, and where it counts.
    pub(crate) by: String,
    /// What it looks at, under the name that its table has for that.
    pub(crate) scope: (&'static str, String),
    /// The names that it has elsewhere.
    pub(crate) also: Vec<(&'static str, String)>,
    /// All of it, as JSON.
    pub(crate) json: Value,
}

/// The rules that one panelist, critic or judge reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// What they are about, in one line.
    pub(crate) about: &'static str,
}

/// All rules, table by table.
pub(crate) fn all() -> impl Iterator<Item = Listed> {
    let pages = jury_house::checks().chain(jury_house::seat_checks()).map(|check| Listed {
        rule: check.rule,
        group: Group { name: check.panelist, about: panelist(check.panelist) },
        by: format!("{}, {}", check.panelist, check.dimension),
        scope: ("Exposure", check.exposure.to_owned()),
        also: vec![("ACT rules", check.act.join(", ")), ("axe rules", check.axe.join(", "))],
        json: json!(check),
    });
    let documents = document::CHECKS.iter().map(|check| Listed {
        rule: check.rule,
        group: Group { name: "document", about: "Markdown documents, as the critic measures them" },
        by: "critic, for a criterion that measures it".to_owned(),
        scope: ("Examines", check.unit.to_owned()),
        also: Vec::new(),
        json: json!(check),
    });
    let diffs = diff::DETECTORS.iter().map(|detector| Listed {
        rule: detector.rule,
        group: Group { name: "diff", about: "changes of an agent, as the judge measures them" },
        by: "judge".to_owned(),
        scope: ("Languages", detector.languages.to_owned()),
        also: Vec::new(),
        json: json!(detector),
    });
    let drafts = content::rules().iter().map(|rule| Listed {
        rule: rule.rule,
        group: critic(rule.critic),
        by: format!("{} critic of content", rule.critic),
        scope: ("Applies to", rule.forms.iter().map(|form| forms(*form)).collect::<Vec<_>>().join(", ")),
        also: Vec::new(),
        json: json!(rule),
    });
    pages.chain(documents).chain(diffs).chain(drafts)
}

/// What a panelist looks at.
fn panelist(role: &str) -> &'static str {
    match role {
        "critic" => "hierarchy, type, rhythm and space",
        "brand" => "colours, fonts and shapes of the DESIGN.md",
        "a11y" => "whether everybody can perceive, understand and operate it",
        "copy" => "words and links",
        "perf" => "weight and loading, where the seat is cast",
        "i18n" => "reading and translating it elsewhere, where the seat is cast",
        "motion" => "what moves, where the seat is cast",
        _ => "",
    }
}

fn critic(critic: HouseCritic) -> Group {
    match critic {
        HouseCritic::Seo => Group { name: "content seo", about: "drafts: whether they are found" },
        HouseCritic::Copy => Group { name: "content copy", about: "drafts: how they read" },
        HouseCritic::Behaviour => Group { name: "content behaviour", about: "drafts: what readers do" },
        HouseCritic::Positioning => {
            Group { name: "content positioning", about: "drafts: whether they say what the documents say" }
        }
    }
}

fn forms(form: Form) -> &'static str {
    match form {
        Form::Page => "pages",
        Form::Article => "articles",
        Form::Post => "posts",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_id_is_there_once_over_all_tables_and_every_rule_says_what_it_is_about() {
        let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
        let mut silent = Vec::new();
        for listed in all() {
            let Rule { id, title, measures, .. } = listed.rule;
            *by_id.entry(id).or_default() += 1;
            if [title, measures, &listed.by, &listed.scope.1].iter().any(|text| text.trim().is_empty()) {
                silent.push(id);
            }
        }
        let twice: Vec<&str> = by_id.iter().filter(|(_, count)| **count > 1).map(|(id, _)| *id).collect();
        assert_eq!((twice, silent), (Vec::new(), Vec::new()));
        assert!(by_id.len() > 160, "{}", by_id.len());
    }
}
