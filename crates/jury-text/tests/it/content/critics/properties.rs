//! What holds for any draft: no panic, the same answer every time, quotations that are there, and findings that keep their
//! names while something else changes.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use jury_core::content::page::{Cta, Hero, Item, PageQuestion, Quote, Section};
use jury_core::content::{Critique, Draft, Form, Foundation, Page};
use jury_core::finding::FindingId;
use proptest::prelude::*;

use super::{CRITICS, foundation, listed, reviewed};

/// Pieces that mean something to one rule or another.
const PIECES: &[&str] = &[
    "# A\n\n",
    "## Questions {faq}\n\n",
    "### B\n\n",
    "##\n\n",
    "- item\n",
    "1. one\n",
    "> said\n>\n> Jo\n\n",
    "[Try it](/a)\n\n",
    "[x](y)",
    "![](p.png)",
    "<input name=a>",
    "<img src=x alt=\"\">",
    "---\n",
    "title: T\n",
    "description: \"D\n",
    "```\n",
    "|a|b|\n|---|---|\n|c|d|\n",
    "TODO: ",
    "{{x}}",
    "[insert",
    "lorem ipsum ",
    "bike repair shop software ",
    "12,000 customers ",
    "40% ",
    "$9 ",
    "10x ",
    "4.9/5 ",
    "the best ",
    "the only ",
    "unlike Foo ",
    "Trusted by ",
    "Hurry! ",
    "in order to ",
    "very ",
    "is written ",
    "e.g. ",
    "Dr. ",
    "we ",
    "you ",
    "the the ",
    "FREE ",
    "— ",
    "…",
    "’",
    "é",
    "🦀",
    "\u{301}",
    "\r\n",
    "\t",
    "\n\n",
    "\n",
    ". ",
    "? ",
    "! ",
    "&amp;",
    "\\*",
    "**",
    "_",
    "`",
    "chains with a central booking office ",
    "car garages ",
    "Die App ist für alle und wir sind mit der ",
    "0",
    "%",
    "\u{0}",
    "日本語。",
];

const FORMS: [Form; 3] = [Form::Page, Form::Article, Form::Post];

/// A few documents, read once.
fn docs() -> &'static Foundation {
    static DOCS: OnceLock<Foundation> = OnceLock::new();
    DOCS.get_or_init(|| {
        foundation([
            (
                "positioning",
                "## Category\n\nBike repair shop software.\n\n## Customers\n\nSmall shops.\n\n### Not for\n\n- Car garages\n- Chains with a central \
                 booking office\n\n## Alternatives\n\n- Paper\n\n## Attributes\n\n- A plan\n\n## Value\n\n- Fewer calls\n\n## Why now\n\nIt is spring.\n",
            ),
            ("brand-voice", "## Words to avoid\n\n- synergy\n\n## Counter-examples\n\n> Hurry to unlock the best bike software\n"),
            ("seo-strategy", "Primary keyword: bike repair shop software\nSecondary keywords: plan, paper\n"),
        ])
    })
}

fn markdown() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat()),
        "\\PC{0,200}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..6).prop_map(|pieces| pieces.concat())
}

fn item() -> impl Strategy<Value = Item> {
    (text(), text()).prop_map(|(title, text)| Item { title, text })
}

fn cta() -> impl Strategy<Value = Cta> {
    (text(), text()).prop_map(|(label, href)| Cta { label, href })
}

fn section() -> impl Strategy<Value = Section> {
    let items = || prop::collection::vec(item(), 0..12);
    prop_oneof![
        (text(), prop::collection::vec(text(), 0..4))
            .prop_map(|(heading, paragraphs)| Section::Text { heading, paragraphs }),
        (text(), text(), items()).prop_map(|(heading, intro, items)| Section::Features {
            heading,
            intro,
            items
        }),
        (text(), text(), items()).prop_map(|(heading, intro, items)| Section::Steps {
            heading,
            intro,
            items
        }),
        (text(), text(), items()).prop_map(|(heading, intro, items)| Section::Alternatives {
            heading,
            intro,
            items
        }),
        (text(), items()).prop_map(|(heading, items)| Section::Proof {
            heading,
            quotes: items.into_iter().map(|item| Quote { text: item.text, source: item.title }).collect(),
        }),
        (text(), items()).prop_map(|(heading, items)| Section::Faq {
            heading,
            items: items
                .into_iter()
                .map(|item| PageQuestion { question: item.title, answer: item.text })
                .collect(),
        }),
        (text(), text(), cta()).prop_map(|(heading, text, cta)| Section::Action { heading, text, cta }),
    ]
}

fn page() -> impl Strategy<Value = Page> {
    let hero = (text(), text(), prop::option::of(cta()), prop::option::of(text()))
        .prop_map(|(headline, subheadline, cta, note)| Hero { headline, subheadline, cta, note });
    (text(), text(), text(), hero, prop::collection::vec(section(), 0..5)).prop_map(
        |(name, title, description, hero, sections)| Page { name, title, description, hero, sections },
    )
}

/// Every critic on a draft in every form; what each finding promises is checked.
fn all(draft: &Draft, foundation: &Foundation) -> Vec<Critique> {
    let strings = match draft {
        Draft::Text(text) => vec![text.clone()],
        Draft::Page(page) => {
            let copy = page.copy().into_iter().map(str::to_owned);
            copy.chain([page.name.clone(), page.title.clone(), page.description.clone()]).collect()
        }
    };
    let mut critiques = Vec::new();
    for (critic, form) in CRITICS.into_iter().flat_map(|critic| FORMS.map(|form| (critic, form))) {
        let Ok(critique) = reviewed(critic, draft, form, foundation) else { continue };
        if form == Form::Page {
            let again = reviewed(critic, draft, form, foundation).expect("once more");
            assert_eq!(critique, again, "the same draft, the same answer");
        }
        let ids: BTreeSet<&FindingId> = critique.issues.iter().map(|issue| &issue.id).collect();
        assert_eq!(ids.len(), critique.issues.len(), "{}", listed(&critique));
        for issue in &critique.issues {
            assert!(issue.description.chars().count() < 600, "{}", issue.description);
            if let Some(quote) = &issue.quote {
                assert!(strings.iter().any(|text| text.contains(quote.as_str())), "{quote:?} of {strings:?}");
            }
        }
        assert!((1.0..=10.0).contains(&critique.score));
        critiques.push(critique);
    }
    critiques
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_markdown_is_reviewed(text in markdown()) {
        all(&Draft::Text(text), docs());
    }

    #[test]
    fn any_page_is_reviewed(page in page()) {
        all(&Draft::Page(Box::new(page)), docs());
    }

    #[test]
    fn any_documents_are_read(positioning in markdown(), seo in markdown(), voice in markdown()) {
        let docs = foundation([("positioning", positioning.as_str()), ("seo-strategy", &seo), ("brand-voice", &voice)]);
        all(&Draft::Text(super::super::example("drafts/acme-flawed.md")), &docs);
    }

    #[test]
    fn a_finding_keeps_its_name_when_other_words_are_added(count in 1..6_usize) {
        // Words that no rule speaks of, after everything else.
        let flawed = super::super::example("drafts/acme-flawed.md");
        let more = "\n\n## Also\n\nA kettle stands on the shelf.\n".repeat(count);
        let (before, after) = (Draft::Text(flawed.clone()), Draft::Text(flawed + &more));
        for critic in CRITICS {
            let ids = |draft| {
                let critique = reviewed(critic, draft, Form::Page, docs()).expect("it can be reviewed");
                critique.issues.into_iter().map(|issue| issue.id).collect::<BTreeSet<_>>()
            };
            let (before, after) = (ids(&before), ids(&after));
            prop_assert!(before.is_subset(&after), "{critic}");
        }
    }
}
