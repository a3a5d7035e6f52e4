//! Whole drafts for the example idea: good ones pass, the same with one defect are caught, and one about something else
//! drifts.

use std::collections::BTreeSet;

use jury_core::content::{Critique, Draft, Form, HouseCritic};
use jury_core::severity::Severity;

use super::super::{acme, example};
use super::{CRITICS, listed, reviewed};

/// A page that was written for the example's documents in words of its own.
const PAGE: &str = include_str!("fixtures/page.md");
/// A page for the same name that has nothing to do with the documents.
const ELSEWHERE: &str = include_str!("fixtures/elsewhere.md");

/// A page for the same trade by somebody who did not read them.
const SAME_TRADE: &str = include_str!("fixtures/same-trade.md");

fn page(text: &str) -> Draft {
    let (draft, _) = jury_text::content::read::draft(text.as_bytes(), Form::Page).expect("a page");
    draft
}

fn by(critic: HouseCritic, draft: &Draft) -> Critique {
    reviewed(critic, draft, Form::Page, &acme()).expect("it can be reviewed")
}

fn rules_of(critique: &Critique) -> BTreeSet<String> {
    critique.issues.iter().filter_map(|issue| issue.rule.clone()).collect()
}

#[test]
fn good_pages_pass_every_critic() {
    for (name, text) in [("the example", example("drafts/acme.md")), ("another", PAGE.to_owned())] {
        let draft = page(&text);
        for critic in CRITICS {
            let critique = by(critic, &draft);
            assert!(critique.score >= 7.0 && critique.pass, "{name}\n{}", listed(&critique));
        }
    }
}

#[test]
fn a_flawed_page_fails_every_critic() {
    let draft = page(&example("drafts/acme-flawed.md"));
    for critic in CRITICS {
        assert!(!by(critic, &draft).pass, "{critic}");
    }
}

#[test]
fn a_page_about_something_else_drifts() {
    let draft = page(ELSEWHERE);
    let critique = by(HouseCritic::Positioning, &draft);
    assert!(critique.count(Severity::Serious) >= 3 && !critique.pass, "{}", listed(&critique));
    // It is well written all the same.
    assert!(by(HouseCritic::Copy, &draft).pass);
}

#[test]
fn a_page_of_the_same_trade_that_ignores_the_positioning_is_seen() {
    let draft = page(SAME_TRADE);
    let critique = by(HouseCritic::Positioning, &draft);
    assert!(!critique.pass && critique.score < 5.0, "{}", listed(&critique));
    assert!(rules_of(&critique).contains("positioning.coverage"), "{}", listed(&critique));
}

/// Defects, each put into a good page: who has to see it, by which rule, how grave it is at least, what it replaces and
/// with what.
const DEFECTS: &[(HouseCritic, &str, Severity, &str, &str)] = &[
    (
        HouseCritic::Seo,
        "seo.keyword-in-title",
        Severity::Moderate,
        "title: Bike repair shop software that plans your bench | Spokebook",
        "title: A calm way to plan your bench | Spokebook",
    ),
    (
        HouseCritic::Seo,
        "seo.description-length",
        Severity::Minor,
        ", promise a day you can keep, and text riders when it changes",
        "",
    ),
    (
        HouseCritic::Seo,
        "seo.faq-heading",
        Severity::Minor,
        "### What if the internet is down?",
        "### Internet",
    ),
    (
        HouseCritic::Copy,
        "copy.jargon",
        Severity::Moderate,
        "One plan for the workshop",
        "One cutting-edge plan for the workshop",
    ),
    (
        HouseCritic::Copy,
        "copy.unfinished",
        Severity::Serious,
        "An afternoon in most shops.",
        "[ASSUMPTION: an afternoon] in most shops.",
    ),
    (
        HouseCritic::Copy,
        "copy.banned-word",
        Severity::Moderate,
        "Thick walls are fine.",
        "Thick walls are effortless.",
    ),
    (
        HouseCritic::Copy,
        "copy.repeated-word",
        Severity::Moderate,
        "You say it, and you keep it.",
        "You say it, and you you keep it.",
    ),
    (
        HouseCritic::Behaviour,
        "behaviour.generic-action",
        Severity::Moderate,
        "[Plan your first week]",
        "[Learn more]",
    ),
    (
        HouseCritic::Behaviour,
        "behaviour.pressure",
        Severity::Serious,
        "Put in your price list this afternoon.",
        "Hurry, the offer ends soon.",
    ),
    (
        HouseCritic::Behaviour,
        "behaviour.unproven-proof",
        Severity::Serious,
        "Thick walls are fine.",
        "Trusted by 2,500 shops.",
    ),
    (
        HouseCritic::Positioning,
        "positioning.unsupported-claim",
        Severity::Moderate,
        "Your phone rings less,",
        "Your phone rings 40% less,",
    ),
    (
        HouseCritic::Positioning,
        "positioning.anti-target",
        Severity::Serious,
        "Read the day out to your customer.",
        "Car garages and rental fleets are welcome too.",
    ),
    (
        HouseCritic::Positioning,
        "positioning.unknown-competitor",
        Severity::Moderate,
        "Is Thursday full?",
        "It is slower than Wheelbase.",
    ),
    (
        HouseCritic::Positioning,
        "positioning.opening-customer",
        Severity::Moderate,
        "Spokebook is a workshop planner for independent bike shops with two to ten mechanics. Trained hands are hard to find, so stop\nlosing their hours to tags and phone calls.",
        "The software for everybody who fixes bikes.",
    ),
];

#[test]
fn each_defect_is_seen_named_and_gone_when_it_is_mended() {
    let before = page(PAGE);
    for (critic, rule, severity, from, to) in DEFECTS {
        assert!(PAGE.contains(from), "{from}");
        let draft = page(&PAGE.replace(from, to));
        let (good, bad) = (by(*critic, &before), by(*critic, &draft));
        assert!(!rules_of(&good).contains(*rule), "{rule} in the good page: {}", listed(&good));
        let found = bad.issues.iter().find(|issue| issue.rule.as_deref() == Some(*rule));
        let found = found.unwrap_or_else(|| panic!("{rule} is not seen: {}", listed(&bad)));
        assert!(found.severity >= *severity, "{rule} is {}", found.severity);
        assert!(bad.score < good.score, "{rule}");
        // What was there before has the same id as before: the defect changed nothing else.
        let ids: BTreeSet<_> = bad.issues.iter().map(|issue| issue.id.clone()).collect();
        let lost: Vec<_> = good.issues.iter().filter(|issue| !ids.contains(&issue.id)).collect();
        assert!(lost.is_empty(), "{rule}: {lost:?}");
    }
}

/// What search results show is held to the same rules as the copy, in a page and in front matter.
#[test]
fn what_stands_before_a_draft_is_judged_as_well() {
    const TITLE: &str = "title: Bike repair shop software that plans your bench | Spokebook";
    const PROMISE: &str = ", promise a day you can keep, and text riders when it changes";
    assert!(PAGE.contains(TITLE) && PAGE.contains(PROMISE) && PAGE.contains("name: Spokebook"));
    let cases = [
        (HouseCritic::Copy, "copy.unfinished", TITLE, "title: TODO: a title", "TODO"),
        (HouseCritic::Copy, "copy.unfinished", PROMISE, ", lorem ipsum", "lorem ipsum"),
        (HouseCritic::Copy, "copy.unfinished", "name: Spokebook", "name: \"{{name}}\"", "{{name}}"),
        (HouseCritic::Copy, "copy.banned-word", PROMISE, ", effortless", "effortless"),
        (
            HouseCritic::Behaviour,
            "behaviour.unproven-proof",
            TITLE,
            "title: Trusted by 10,000 teams",
            "10,000 teams",
        ),
        (HouseCritic::Behaviour, "behaviour.pressure", PROMISE, ". Act now", "Act now"),
        (HouseCritic::Positioning, "positioning.unsupported-claim", TITLE, "title: Save 73% a week", "73%"),
        (HouseCritic::Positioning, "positioning.unsupported-claim", PROMISE, ", guaranteed", "guaranteed"),
    ];
    for (critic, rule, from, to, quote) in cases {
        let text = PAGE.replace(from, to);
        for draft in [page(&text), Draft::Text(text.clone())] {
            let critique = by(critic, &draft);
            let found = critique.issues.iter().any(|issue| {
                issue.rule.as_deref() == Some(rule)
                    && issue.quote.as_deref().is_some_and(|said| said.contains(quote))
            });
            assert!(found, "{to}: {}", listed(&critique));
        }
    }
    // The same words in the copy are the same matter.
    let ids = |text: &str| {
        let critique = by(HouseCritic::Copy, &page(text));
        let of =
            |issue: &&jury_core::content::ContentIssue| issue.rule.as_deref() == Some("copy.banned-word");
        critique.issues.iter().filter(of).map(|issue| issue.id.clone()).collect::<Vec<_>>()
    };
    let above = PAGE.replace(PROMISE, ", effortless");
    let below = PAGE.replace("Thick walls are fine.", "Thick walls are effortless.");
    let both = above.replace("Thick walls are fine.", "Thick walls are effortless.");
    assert_eq!(ids(&above).len(), 1);
    assert_eq!((ids(&above), ids(&both)), (ids(&below), ids(&below)));
}

#[test]
fn a_page_and_its_markdown_are_judged_alike() {
    for text in [PAGE, ELSEWHERE, &example("drafts/acme.md"), &example("drafts/acme-flawed.md")] {
        let draft = page(text);
        let markdown = Draft::Text(draft.markdown());
        for critic in CRITICS {
            assert_eq!(listed(&by(critic, &draft)), listed(&by(critic, &markdown)));
        }
    }
}

#[test]
fn what_the_template_makes_of_the_documents_can_be_reviewed() {
    let foundation = acme();
    for form in [Form::Page, Form::Article, Form::Post] {
        let idea = "acme".parse().expect("a name");
        let draft = jury_text::content::template::assemble(&super::recipe(form), &idea, &foundation)
            .expect("a draft");
        for critic in CRITICS {
            let critique = reviewed(critic, &draft, form, &foundation).expect("it can be reviewed");
            assert_eq!(critique.count(Severity::Serious), 0, "{}", listed(&critique));
        }
    }
}
