//! Corrections: only what is safe, never what is protected, and nothing the second time.

use jury_core::content::page::{Cta, Hero, Item, Quote, Section};
use jury_core::content::{ContentIssue, Draft, Form, Page};
use jury_core::severity::Severity;
use jury_text::content::read;
use jury_text::content::repair::{RepairedDraft, repair};
use proptest::prelude::*;

use super::found;

fn issue(rule: &str, quote: &str) -> ContentIssue {
    let critic = "copywriter".parse().expect("a name");
    let issue =
        ContentIssue::measured(&critic, rule, quote, Severity::Minor, "Wrong.".into(), "Mend it.".into());
    if quote.is_empty() { issue } else { issue.quoting(quote) }
}

fn mended(draft: &Draft, issues: &[ContentIssue], protected: &[&str]) -> RepairedDraft {
    let protected: Vec<String> = protected.iter().map(|text| (*text).to_owned()).collect();
    repair(draft, &issues.iter().collect::<Vec<_>>(), &protected)
}

/// What becomes of a text for one issue.
fn text(rule: &str, quote: &str, text: &str) -> String {
    mended(&Draft::Text(text.to_owned()), &[issue(rule, quote)], &[]).draft.markdown()
}

#[test]
fn every_correction_does_what_it_says_and_no_more() {
    let cases = [
        (
            "copy.jargon",
            "leverage",
            "Leverage it. You leverage\nit; a leverage-free `leverage` [leverage](/leverage).",
            "Use it. You use\nit; a leverage-free `leverage` [use](/leverage).",
        ),
        ("copy.wordy", "In order to", "In order to win, and in order\nto lose.", "To win, and to lose."),
        (
            "copy.intensifier",
            "very",
            "A very good day. A very old day. Very good. Really, very.",
            "A good day. A very old day. Good. Really, very.",
        ),
        (
            "copy.intensifier",
            "Really",
            "Really, it works. It works really, really well. Really!",
            "It works. It works really, really well. Really!",
        ),
        ("copy.jargon", "synergy", "Synergy wins.", "Synergy wins."),
        (
            "copy.repeated-word",
            "the the",
            "It is the the end. Bye bye. New New York. That that is.\n\n> the the",
            "It is the end. Bye bye. New New York. That that is.\n\n> the the",
        ),
        (
            "copy.em-dash",
            "",
            "One thing — bread. We bake — at four — daily. Warm—and cheap. 10—20. — x\n\n> a — b",
            "One thing: bread. We bake, at four, daily. Warm, and cheap. 10—20. — x\n\n> a — b",
        ),
        ("copy.em-dash", "", "Note: bread -- warm.", "Note: bread, warm."),
        (
            "copy.exclamation",
            "",
            "# Buy now!\n\nNow! Really?! ![image](a!) Wait!!",
            "# Buy now\n\nNow. Really? ![image](a!) Wait.",
        ),
        (
            "seo.generic-link",
            "here",
            "Read [about our bread](/bread). Or click [here](/bread) or [here](/other).",
            "Read [about our bread](/bread). Or click [about our bread](/bread) or [here](/other).",
        ),
        (
            "seo.heading-jump",
            "",
            "# A\n\n### B\n\n#### C\n\n### D\n\n## E\n\n```\n#### x\n```",
            "# A\n\n## B\n\n### C\n\n## D\n\n## E\n\n```\n#### x\n```",
        ),
        ("seo.empty-heading", "", "# A\n\n##\n\nB", "# A\n\n\nB"),
        (
            "seo.title-long",
            "",
            "---\ntitle: The best bread that anybody has ever baked in the old town, and the cheapest of all\n---\n\n# A\n",
            "---\ntitle: \"The best bread that anybody has ever baked in the old town\"\n---\n\n# A\n",
        ),
        ("seo.short", "", "Too short.", "Too short."),
    ];
    for (rule, quote, before, after) in cases {
        assert_eq!(text(rule, quote, before), after, "{rule}");
    }
}

#[test]
fn titles_and_descriptions_end_where_something_ends() {
    let cut = |rule: &str, title: &str| {
        let page = Page { title: title.into(), description: title.into(), ..Page::default() };
        match mended(&Draft::Page(Box::new(page)), &[issue(rule, "")], &[]).draft {
            Draft::Page(page) if rule == "seo.title-long" => page.title,
            Draft::Page(page) => page.description,
            Draft::Text(_) => panic!("a page"),
        }
    };
    let cases = [
        (
            "seo.title-long",
            "Bike repair shop software for every small shop in town | Spokebook",
            "Bike repair shop software for every small shop in town",
        ),
        (
            "seo.title-long",
            "Bread that is baked at four in the morning and brought to your door",
            "Bread that is baked at four in the morning",
        ),
        (
            "seo.title-long",
            "Short | Bread that is baked at four in the morning and brought to you by bike",
            "Short | Bread that is baked at four in the morning",
        ),
        ("seo.title-long", &"x".repeat(80), &"x".repeat(80)),
        (
            "seo.description-length",
            "We bake at four. We bring it at six. You eat it at seven, with butter, and with whatever else you like. It is still warm then. It stays warm until you have finished the loaf.",
            "We bake at four. We bring it at six. You eat it at seven, with butter, and with whatever else you like. It is still warm then.",
        ),
        ("seo.description-length", "Too short.", "Too short."),
    ];
    for (rule, before, after) in cases {
        let result = cut(rule, before);
        assert_eq!(result, after);
    }
}

fn flawed() -> Draft {
    let markdown = super::example("drafts/acme-flawed.md");
    read::draft(markdown.as_bytes(), Form::Page).expect("a page").0
}

fn all_issues() -> Vec<ContentIssue> {
    [
        ("seo.title-long", ""),
        ("seo.description-length", "Spokebook helps."),
        ("copy.jargon", "utilize"),
        ("copy.jargon", "leverage"),
        ("copy.jargon", "seamless"),
        ("copy.wordy", "in order to"),
        ("copy.repeated-word", "the the"),
        ("copy.em-dash", ""),
        ("copy.exclamation", ""),
        ("behaviour.generic-action", "Learn more"),
        ("behaviour.long-list", ""),
        ("behaviour.pressure", "Act now"),
        ("copy.unfinished", "TODO"),
    ]
    .map(|(rule, quote)| issue(rule, quote))
    .to_vec()
}

#[test]
fn of_the_flawed_example_what_is_safe_is_mended() {
    let issues = all_issues();
    let outcome = mended(&flawed(), &issues, &[]);
    let rule = |id: &_| issues.iter().find(|issue| issue.id == *id).and_then(|issue| issue.rule.clone());
    let done: Vec<String> = outcome
        .done
        .iter()
        .map(|done| format!("{}: {}", rule(&done.issue).unwrap_or_default(), done.what))
        .collect();
    let left: Vec<String> = outcome.left.iter().filter_map(rule).collect();
    insta::assert_snapshot!(
        "repair_acme_flawed",
        format!("{}\n\nleft: {}\n\n{}", done.join("\n"), left.join(", "), outcome.draft.markdown())
    );
}

#[test]
fn corrections_mend_what_the_critics_found_and_break_nothing() {
    let form = Form::Page;
    let before = found(&flawed(), form);
    let outcome = repair(&flawed(), &before.iter().collect::<Vec<_>>(), &[]);
    let after = found(&outcome.draft, form);
    let listed = |issues: &[&ContentIssue]| {
        let line = |issue: &&ContentIssue| {
            format!("{}: {}", issue.rule.as_deref().unwrap_or_default(), issue.description)
        };
        issues.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let new: Vec<&ContentIssue> =
        after.iter().filter(|issue| before.iter().all(|old| old.id != issue.id)).collect();
    let gone: Vec<&ContentIssue> =
        before.iter().filter(|issue| after.iter().all(|new| new.id != issue.id)).collect();
    insta::assert_snapshot!("repair_critics", format!("gone\n{}\n\nnew\n{}", listed(&gone), listed(&new)));
    assert!(new.iter().all(|issue| issue.severity == Severity::Minor), "{}", listed(&new));
    for done in &outcome.done {
        assert!(before.iter().any(|issue| issue.id == done.issue));
    }
}

#[test]
fn what_others_said_is_never_changed() {
    let quote = Quote { text: "The the best — really!".into(), source: "Ann — Leeds!".into() };
    let section = Section::Proof { heading: "Wow!".into(), quotes: vec![quote.clone()] };
    let page = Page { sections: vec![section], ..Page::default() };
    let outcome = mended(&Draft::Page(Box::new(page)), &all_issues(), &[]);
    let Draft::Page(page) = outcome.draft else { panic!("a page") };
    assert_eq!(page.sections, [Section::Proof { heading: "Wow".into(), quotes: vec![quote] }]);
}

#[test]
fn a_protected_passage_stays_and_the_rest_is_mended() {
    let draft = Draft::Text("One — two.\n\nThree — four. The\nthe end.\n".to_owned());
    let issues = [issue("copy.em-dash", ""), issue("copy.repeated-word", "The the")];
    let outcome = mended(&draft, &issues, &["Three —  four."]);
    assert_eq!(outcome.draft, Draft::Text("One: two.\n\nThree — four. The end.\n".to_owned()));
    let ids = |all: &[&ContentIssue]| all.iter().map(|issue| issue.id.clone()).collect::<Vec<_>>();
    assert_eq!(
        outcome.done.iter().map(|done| done.issue.clone()).collect::<Vec<_>>(),
        ids(&[&issues[0], &issues[1]])
    );
    assert_eq!(outcome.left, ids(&[&issues[0]]), "in part is not done");
    // A passage that reaches over two pieces.
    let outcome = mended(&draft, &issues, &["two. Three — four. The the"]);
    assert_eq!(outcome.draft, Draft::Text("One: two.\n\nThree — four. The\nthe end.\n".to_owned()));
}

#[test]
fn a_label_that_says_nothing_gets_the_words_of_its_twin() {
    let action = |label: &str, href: &str| Section::Action {
        heading: "A".into(),
        text: String::new(),
        cta: Cta { label: label.into(), href: href.into() },
    };
    let page = Page {
        hero: Hero { cta: Some(Cta { label: "Learn more".into(), href: "/a".into() }), ..Hero::default() },
        sections: vec![action("Order your bread", "/a"), action("Submit", "/b")],
        ..Page::default()
    };
    let outcome =
        mended(&Draft::Page(Box::new(page)), &[issue("behaviour.generic-action", "Learn more")], &[]);
    let Draft::Page(page) = outcome.draft else { panic!("a page") };
    assert_eq!(page.hero.cta.map(|cta| cta.label).as_deref(), Some("Order your bread"));
    assert_eq!(page.sections[1], action("Submit", "/b"));
}

fn words() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "the",
        "the",
        "very",
        "really",
        "leverage",
        "in order to",
        "old",
        "a",
        "—",
        "--",
        "!",
        "?!",
        "bread",
        "Bread",
        ".",
        ",",
        ": ",
        "[here](/x)",
        "[fresh bread](/x)",
        "`a — b`",
        "https://a.b/c!",
        "\n",
        "\n\n",
        "\n- ",
        "\n> ",
        "\n## ",
        "\n#### ",
        "\n##\n",
        "**",
        "é",
        "'",
        "-",
    ]);
    prop::collection::vec((piece, prop::sample::select(vec![" ", " ", ""])), 0..40)
        .prop_map(|all| all.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn draft() -> impl Strategy<Value = Draft> {
    let item = (words(), words()).prop_map(|(title, text)| Item { title, text });
    let page = (words(), words(), words(), prop::collection::vec(item, 0..12)).prop_map(
        |(title, subheadline, text, items)| {
            let quotes = vec![Quote { text: text.clone(), source: title.clone() }];
            let cta = Cta { label: "here".into(), href: "/x".into() };
            Draft::Page(Box::new(Page {
                description: title.repeat(3),
                hero: Hero { headline: title.clone(), subheadline, cta: Some(cta), note: None },
                title,
                sections: vec![
                    Section::Text { heading: "A".into(), paragraphs: vec![text] },
                    Section::Features { heading: "B!".into(), intro: String::new(), items },
                    Section::Proof { heading: "C".into(), quotes },
                ],
                name: String::new(),
            }))
        },
    );
    let front = prop_oneof![
        Just(String::new()),
        words().prop_map(|text| format!("---\ntitle: {}\n---\n", text.replace('\n', " ")))
    ];
    prop_oneof![page, (front, words()).prop_map(|(front, text)| Draft::Text(format!("{front}{text}")))]
}

fn some_issues() -> impl Strategy<Value = Vec<ContentIssue>> {
    let mut all = all_issues();
    all.extend([
        issue("seo.generic-link", "here"),
        issue("seo.heading-jump", ""),
        issue("seo.empty-heading", ""),
        issue("copy.intensifier", "very"),
        issue("copy.intensifier", "really"),
    ]);
    prop::sample::subsequence(all.clone(), 0..=all.len())
}

fn even(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn what_was_corrected_is_not_corrected_again(draft in draft(), issues in some_issues()) {
        let once = mended(&draft, &issues, &[]);
        let twice = mended(&once.draft, &issues, &[]);
        prop_assert_eq!(&twice.draft, &once.draft);
        prop_assert!(twice.done.is_empty());
        prop_assert_eq!(once.draft == draft, once.done.is_empty());
        for issue in &issues {
            let is_done = once.done.iter().any(|done| done.issue == issue.id);
            prop_assert!(is_done || once.left.contains(&issue.id), "every issue is accounted for");
        }
    }

    #[test]
    fn what_is_protected_stays(draft in draft(), issues in some_issues(), from in 0usize..60, length in 1usize..40) {
        let said = even(&draft.markdown());
        let passage: String = said.chars().skip(from).take(length).collect();
        let outcome = mended(&draft, &issues, &[&passage]);
        let times = |draft: &Draft| even(&draft.markdown()).matches(even(&passage).as_str()).count();
        prop_assume!(!even(&passage).is_empty());
        prop_assert!(times(&outcome.draft) >= times(&draft), "{:?} in {:?}", passage, outcome.draft);
        let again = mended(&outcome.draft, &issues, &[&passage]);
        prop_assert_eq!(again.draft, outcome.draft);
    }

    #[test]
    fn without_an_issue_nothing_changes(draft in draft()) {
        let outcome = mended(&draft, &[], &[]);
        prop_assert_eq!(outcome, RepairedDraft { draft, done: Vec::new(), left: Vec::new() });
    }
}
