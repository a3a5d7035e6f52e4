//! Any text is a draft: all four critics review it in every form, twice with the same result, and every quotation stands in
//! it. The first byte says how much of it is the documents.
#![no_main]

use std::sync::LazyLock;

use jury_core::content::{Advisor, AdvisorRole, Draft, Form, Foundation, HouseCritic, Recipe};
use jury_text::content::{DraftSubject, review};

const CRITICS: [HouseCritic; 4] =
    [HouseCritic::Seo, HouseCritic::Copy, HouseCritic::Behaviour, HouseCritic::Positioning];

static DOCS: LazyLock<Foundation> = LazyLock::new(|| {
    documents(
        "## Category\n\nTax app.\n\n## Customers\n\nFreelance designers.\n\n## Not for\n\n- Banks\n\n## Alternatives\n\n- Paper\n",
        "Primary keyword: tax app\n",
        "## Words to avoid\n\n- synergy\n",
    )
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let form = [Form::Page, Form::Article, Form::Post][usize::from(*first % 3)];
    if *first < 128 {
        check(&text, form, &DOCS);
    } else {
        // The text is the documents, too.
        check(&text, form, &documents(&text, &text, &text));
    }
});

fn check(text: &str, form: Form, foundation: &Foundation) {
    let recipe = recipe(form);
    let subject = DraftSubject { recipe: &recipe, foundation };
    let draft = Draft::Text(text.to_owned());
    for critic in CRITICS {
        let advisor = advisor(critic);
        let said = review(critic, &advisor, &draft, &subject);
        assert_eq!(said, review(critic, &advisor, &draft, &subject), "{critic}");
        let Ok(critique) = said else { continue };
        assert!((1.0..=10.0).contains(&critique.score));
        for quote in critique.issues.iter().filter_map(|issue| issue.quote.as_deref()) {
            assert!(text.contains(quote), "{quote:?}");
        }
    }
}

fn documents(positioning: &str, seo: &str, voice: &str) -> Foundation {
    let docs = [("positioning", positioning), ("seo-strategy", seo), ("brand-voice", voice)];
    Foundation::new(docs.map(|(kind, text)| (kind.parse().expect("a name"), text.to_owned())))
}

fn advisor(critic: HouseCritic) -> Advisor {
    Advisor {
        id: critic.as_str().parse().expect("a name"),
        name: critic.to_string(),
        role: AdvisorRole::Critic,
        evaluation_expertise: None,
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: Some(critic),
    }
}

fn recipe(form: Form) -> Recipe {
    Recipe {
        content_type: "any".parse().expect("a name"),
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
