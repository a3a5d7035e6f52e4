//! Drafts from documents: what they say and nothing else, the same every time, and a plain word about what is missing.

use jury_core::content::page::Section;
use jury_core::content::{ContentType, DocType, Draft, Form, Foundation, IdeaId, Page, Recipe};
use jury_core::severity::{Severity, THREE};
use jury_text::content::read;
use jury_text::content::template::{CannotAssemble, assemble};
use proptest::prelude::*;

use super::{acme, found};

pub(super) fn recipe(form: Form) -> Recipe {
    let docs = match form {
        Form::Page | Form::Article => ["positioning", "brand-voice", "seo-strategy"],
        Form::Post => ["positioning", "brand-voice", "social-media-strategy"],
    };
    Recipe {
        content_type: "website".parse::<ContentType>().expect("a name"),
        form,
        author_advisor: "copywriter".parse().expect("a name"),
        author_context_docs: docs.map(|doc| doc.parse().expect("a name")).to_vec(),
        author_framework: None,
        evaluation_needs: "All of it.".to_owned(),
        evaluation_emphasis: None,
        named_critics: Vec::new(),
        min_aggregate_score: 4.0,
        max_revision_rounds: 3,
        publish: false,
    }
}

fn idea() -> IdeaId {
    "acme".parse().expect("a name")
}

fn assembled(form: Form, foundation: &Foundation) -> Draft {
    assemble(&recipe(form), &idea(), foundation).expect("a draft")
}

fn of_positioning(text: &str) -> Foundation {
    let doc = |kind: &str, text: &str| (kind.parse::<DocType>().expect("a name"), text.to_owned());
    Foundation::new([
        doc("positioning", text),
        doc("brand-voice", "# Voice"),
        doc("seo-strategy", "# Search"),
    ])
}

fn page_of(text: &str) -> Page {
    let draft = assembled(Form::Page, &of_positioning(text));
    serde_json::from_slice(&draft.bytes()).expect("a page")
}

/// The words of a text, for looking for it in another.
fn words(text: &str) -> String {
    let plain = text.replace(['*', '`', '>', '#'], " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_example_becomes_a_page_an_article_and_a_post() {
    for (form, name) in [(Form::Page, "page"), (Form::Article, "article"), (Form::Post, "post")] {
        let draft = assembled(form, &acme());
        assert_eq!(draft, assembled(form, &acme()), "the same documents, the same draft");
        insta::assert_snapshot!(format!("template_acme_{name}"), draft.markdown());
        let (again, remarks) = read::draft(draft.markdown().as_bytes(), form).expect("it can be read");
        assert_eq!((again, remarks), (draft, Vec::new()));
    }
}

#[test]
fn nothing_grave_is_found_in_a_draft_from_good_documents() {
    for (form, name) in [(Form::Page, "page"), (Form::Article, "article"), (Form::Post, "post")] {
        let issues = found(&assembled(form, &acme()), form);
        let listed: Vec<String> = issues
            .iter()
            .map(|issue| {
                format!(
                    "{} {}: {}",
                    THREE.word(issue.severity),
                    issue.rule.as_deref().unwrap_or_default(),
                    issue.description
                )
            })
            .collect();
        insta::assert_snapshot!(format!("template_critics_{name}"), listed.join("\n"));
        assert!(issues.iter().all(|issue| issue.severity < Severity::Serious), "{name}: {listed:?}");
    }
}

#[test]
fn a_page_from_documents_says_only_what_they_say() {
    let Draft::Page(page) = assembled(Form::Page, &acme()) else { panic!("a page") };
    let all: String = acme().iter().map(|(_, text)| words(text)).collect::<Vec<_>>().join(" ");
    let headings: Vec<&str> = page.sections.iter().map(Section::heading).collect();
    for text in page.copy().into_iter().filter(|text| !headings.contains(text)) {
        for sentence in text.split_inclusive(". ") {
            let sentence = words(sentence);
            let sentence = sentence.trim_end_matches('.');
            assert!(all.contains(sentence), "{sentence}");
        }
    }
    assert!(page.title.chars().count() <= 60, "{}", page.title);
    assert!((120..=160).contains(&page.description.chars().count()), "{}", page.description);
    let kinds: Vec<&str> = page
        .sections
        .iter()
        .map(|section| match section {
            Section::Text { .. } => "text",
            Section::Features { .. } => "features",
            Section::Steps { .. } => "steps",
            Section::Alternatives { .. } => "alternatives",
            Section::Proof { .. } => "proof",
            Section::Faq { .. } => "faq",
            Section::Action { .. } => "action",
        })
        .collect();
    assert_eq!(
        kinds,
        ["text", "text", "features", "steps", "features", "alternatives", "text", "faq", "action"]
    );
    let text = page.markdown();
    assert!(!text.contains("Car garages") && !text.contains("Best fit"), "what is set aside stays out of it");
}

#[test]
fn little_is_made_of_little_and_nothing_is_made_up() {
    let page = page_of("## Value\n\nBread at your door before you wake.\n");
    assert_eq!(page.name, "Acme");
    assert_eq!(page.hero.headline, "Bread at your door before you wake");
    assert_eq!((page.hero.cta, page.hero.note, page.sections.len()), (None, None, 0));
    assert_eq!(page.title, "Bread at your door before you wake | Acme");
    assert_eq!(page.description, "Bread at your door before you wake.");
}

#[test]
fn headings_may_be_called_otherwise() {
    let page = page_of(
        "# Loaf: positioning\n\n## 1. Who it is for\n\n- Early risers\n\n## 2. Differentiators\n\n### Warm\n\nIt is warm.\n\n\
         ## 3. Our market category\n\nBread delivery. TODO check this.\n\n## 4. Competitors\n\n- Shops: They are far.\n\n\
         ## 5. Testimonials\n\n> Warm bread!\n> — Ann\n\n> Nobody said this.\n\n## 6. CTA\n\nUse [Order bread](/order).\n",
    );
    insta::assert_snapshot!("template_other_names", page.markdown());
}

#[test]
fn labels_and_tables_will_do_in_place_of_headings_and_lists() {
    let page = page_of(
        "# Loaf: positioning\n\n**Market category:** Bread delivery for\nearly risers.\n\n**Target customer:** You rise before six.\n\n\
         ## Alternatives\n\n| What | Why not |\n|---|:--|\n| **Shops** | They are far | They open late. |\n| Baking | |\n\n\
         ## Attributes\n\n1. **Warm** — It is warm. [ASSUMPTION: check]\n2. Near: It is near\n",
    );
    insta::assert_snapshot!("template_labels", page.markdown());
}

#[test]
fn what_is_missing_is_named() {
    let none = Foundation::new([("positioning".parse().expect("a name"), "  \n".to_owned())]);
    let error = assemble(&recipe(Form::Page), &idea(), &none).expect_err("nothing there");
    insta::assert_snapshot!(error, @"documents are missing or empty: positioning.md, brand-voice.md, seo-strategy.md: write them, or write the draft yourself");
    for form in [Form::Page, Form::Article] {
        let error = assemble(&recipe(form), &idea(), &of_positioning("# Nothing\n\nText.\n"));
        assert_eq!(error, Err(CannotAssemble::Nothing));
    }
    insta::assert_snapshot!(CannotAssemble::Nothing, @"no document has a heading that a draft can be made of: write `## Value` and `## Market category`, or `## Target customer`, into positioning.md, or write the draft yourself");
}

#[test]
fn titles_and_descriptions_fit_when_nobody_gave_them() {
    let mut text = super::example("ideas/acme/positioning.md");
    text.push_str("\nPrimary keyword: bike repair shop software\n");
    let page = page_of(&text);
    assert!(page.title.chars().count() <= 60, "{}", page.title);
    assert!((120..=160).contains(&page.description.chars().count()), "{}", page.description);
    assert!(page.description.starts_with("Spokebook is bike repair shop software"), "{}", page.description);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_documents_give_a_draft_or_a_reason(pieces in prop::collection::vec(prop::sample::select(vec![
        "## Value\n\n", "## Market category\n\n", "### Not for\n\n", "## FAQ\n\n### Why?\n\n", "## Call to action\n\n", "[a](b) ", "- **x**: y\n",
        "1. z\n", "> q\n> — r\n", "<!-- ", "```\n", "Word. ", "Other words here! ", "e.g. this. ", "\n\n", "é", "**", "| a |\n", "\r\n", "Title: ", "---\n",
    ]), 0..40)) {
        let text = pieces.concat();
        for form in [Form::Page, Form::Article, Form::Post] {
            let foundation = Foundation::new(
                ["positioning", "brand-voice", "seo-strategy", "social-media-strategy"].map(|kind| (kind.parse::<DocType>().expect("a name"), format!("{text}."))),
            );
            if let Ok(draft) = assemble(&recipe(form), &idea(), &foundation) {
                prop_assert!(!draft.markdown().chars().any(|c| c.is_ascii_digit()) || text.contains('1'), "{}", draft.markdown());
                prop_assert!(!draft.markdown().trim().is_empty());
            }
        }
    }
}
