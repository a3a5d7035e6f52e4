//! Content without a model: reading, putting together, correcting.

mod critics;
mod read;
mod repair;
mod template;

use jury_core::content::{Advisor, AdvisorRole, ContentIssue, DocType, Draft, Form, Foundation, HouseCritic};
use jury_text::content::{DraftSubject, review};

/// A file of the examples.
fn example(path: &str) -> String {
    let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

/// The documents of the example.
fn acme() -> Foundation {
    let kinds = ["positioning", "brand-voice", "seo-strategy", "social-media-strategy", "strategy", "design"];
    Foundation::new(kinds.map(|kind| {
        let text = example(&format!("ideas/acme/{kind}.md"));
        (kind.parse::<DocType>().expect("a name"), text)
    }))
}

/// Everything that the four critics find in a draft for the example.
fn found(draft: &Draft, form: Form) -> Vec<ContentIssue> {
    let foundation = acme();
    let recipe = template::recipe(form);
    let subject = DraftSubject { recipe: &recipe, foundation: &foundation };
    let critics = [HouseCritic::Seo, HouseCritic::Copy, HouseCritic::Behaviour, HouseCritic::Positioning];
    let of = |critic: HouseCritic| {
        let advisor = Advisor {
            id: critic.as_str().parse().expect("a name"),
            name: critic.to_string(),
            role: AdvisorRole::Critic,
            evaluation_expertise: None,
            does_not_evaluate: None,
            context_docs: Vec::new(),
            persona: None,
            measured_by: Some(critic),
        };
        review(critic, &advisor, draft, &subject).expect("it can be reviewed").issues
    };
    critics.into_iter().flat_map(of).collect()
}
