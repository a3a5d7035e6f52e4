//! The built-in critics: every rule on a draft that breaks it and one that keeps it, whole drafts, and what always holds.

mod drafts;
mod proof;
mod properties;
mod rules;

use std::fmt::Write as _;

use jury_core::content::{
    Advisor, AdvisorRole, Critique, DocType, Draft, Form, Foundation, HouseCritic, Recipe,
};
use jury_core::severity;
use jury_text::content::{CannotReview, DraftSubject, review};

/// The four.
const CRITICS: [HouseCritic; 4] =
    [HouseCritic::Seo, HouseCritic::Copy, HouseCritic::Behaviour, HouseCritic::Positioning];

/// Somebody for whom a critic speaks.
fn advisor(critic: HouseCritic) -> Advisor {
    Advisor {
        id: critic.as_str().parse().expect("a name"),
        name: critic.to_string(),
        role: AdvisorRole::Critic,
        evaluation_expertise: Some("everything".to_owned()),
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: Some(critic),
    }
}

fn recipe(form: Form) -> Recipe {
    Recipe {
        content_type: "anything".parse().expect("a name"),
        form,
        author_advisor: "author".parse().expect("a name"),
        author_context_docs: Vec::new(),
        author_framework: None,
        evaluation_needs: String::new(),
        evaluation_emphasis: None,
        named_critics: Vec::new(),
        min_aggregate_score: 4.0,
        max_revision_rounds: 3,
        publish: false,
    }
}

fn reviewed(
    critic: HouseCritic,
    draft: &Draft,
    form: Form,
    foundation: &Foundation,
) -> Result<Critique, CannotReview> {
    review(critic, &advisor(critic), draft, &DraftSubject { recipe: &recipe(form), foundation })
}

fn foundation<'d>(docs: impl IntoIterator<Item = (&'d str, &'d str)>) -> Foundation {
    let named = |(kind, text): (&str, &str)| (kind.parse::<DocType>().expect("a name"), text.to_owned());
    Foundation::new(docs.into_iter().map(named))
}

/// The findings, the gravest first, one to a line.
fn listed(critique: &Critique) -> String {
    let mut out =
        format!("{}: {} {}\n", critique.name, critique.score, if critique.pass { "pass" } else { "fail" });
    for issue in &critique.issues {
        let rule = issue.rule.as_deref().unwrap_or_default();
        write!(out, "  {} {rule}: {}", severity::THREE.word(issue.severity), issue.description).ok();
        if let Some(quote) = &issue.quote {
            write!(out, " “{}”", quote.replace('\n', "⏎")).ok();
        }
        out.push('\n');
    }
    out
}
