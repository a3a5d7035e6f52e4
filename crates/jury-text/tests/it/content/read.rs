//! A person's file is read, whatever it is: the same page back, every word kept, and a line with every complaint.

use jury_core::content::page::{Cta, Hero, Item, PageQuestion, Quote, Section};
use jury_core::content::{ContentIssue, Draft, Form, Page};
use jury_core::severity::Severity;
use jury_text::content::read::{NotADraft, Remark, draft, page, text};
use jury_text::content::repair::repair;
use proptest::prelude::*;

use super::example;

fn read(markdown: &str) -> (Page, Vec<Remark>) {
    page(markdown.as_bytes()).expect("a page")
}

fn complaint(markdown: &str) -> String {
    page(markdown.as_bytes()).expect_err("no page").to_string()
}

fn section(markdown: &str) -> Section {
    let (page, _) = read(&format!("# Headline\n\nSub.\n\n{markdown}"));
    assert_eq!(page.sections.len(), 1, "{:?}", page.sections);
    page.sections.into_iter().next().expect("a section")
}

#[test]
fn the_good_example_is_a_page_without_a_remark() {
    let (page, remarks) = read(&example("drafts/acme.md"));
    assert_eq!(remarks, []);
    insta::assert_json_snapshot!("read_acme", page);
}

#[test]
fn the_flawed_example_is_a_page_too() {
    let (page, remarks) = read(&example("drafts/acme-flawed.md"));
    insta::assert_json_snapshot!("read_acme_flawed", (page, remarks));
}

#[test]
fn what_a_person_writes_without_marks_finds_its_place() {
    let written = "\u{feff}<!-- for Ann:\r\nplease check -->\r\nOnly on weekdays.\r\n\r\n# Bread at your\r\n door\r\n\
        \r\nFresh bread,\r\nbaked at four.\r\n\r\n**[Order bread](/order \"now\")**\r\n\r\n> No card needed.\r\n> Ever.\r\n\r\n\
        Why now\n-------\n\nFlour is dear.\n\n## Why us\n\nWe bake.\n\n### Early\n\nAt four.\n\n#### Really\n\nYes.\n\n### Near\n\n\
        Two streets.\n\n## How to start\n\n1. **Choose:** Pick a loaf\n   or two.\n2. Pay. It is quick.\n3. Eat it\n\nThat is all.\n\n\
        ## Buying instead\n\n- **The supermarket**: It is far.\n- **Baking**: It is slow.\n\n\
        ## What people say\n\n> Warm!\n> — Ann, Leeds\n\n> Good bread.\n\n— Bob\n\n\
        ## Common questions\n\nAsk us.\n\n### Is it warm\n\nYes.\n\n\
        ## More\n\n**Do you deliver?**\n\nYes.\n\n**Where?** Here.\n\n\
        ## Notes\n\n- flour\n- salt\n\n| a | b |\n|---|---|\n\n```\n# not a heading <!-- nor a comment -->\n```\n\n\
        ## Try it\n\nToday.\n\n[Order bread](/order)\n\n> No card.\n";
    insta::assert_json_snapshot!("read_unmarked", read(written));
}

#[test]
fn kinds_are_guessed_by_what_stands_under_a_heading() {
    let kind = |markdown: &str| match section(markdown) {
        Section::Text { .. } => "text",
        Section::Features { .. } => "features",
        Section::Steps { .. } => "steps",
        Section::Alternatives { .. } => "alternatives",
        Section::Proof { .. } => "proof",
        Section::Faq { .. } => "faq",
        Section::Action { .. } => "action",
    };
    let cases = [
        ("## A\n\nB.", "text"),
        ("## A", "text"),
        ("## A\n\n- b\n- c", "text"),
        ("## A\n\n1. b", "text"),
        ("## A\n\n> b\n\nc", "text"),
        ("## A\n\n[b](c)\n\nd", "text"),
        ("## A {text}\n\n### B", "text"),
        ("## A {wrong}\n\nB", "text"),
        ("## A\n\n### B\n\nC", "features"),
        ("## A\n\n- **B**: c\n- **D** e", "features"),
        ("## A {features}\n\nB", "features"),
        ("## A\n\n1. b\n2. c", "steps"),
        ("## A\n\n1) b\n\n2) c", "steps"),
        ("## How it works\n\n### B\n\nC", "steps"),
        ("## A\n\n### 1. B\n\n### 2. C", "steps"),
        ("## A\n\n### Step 1: B", "steps"),
        ("## Acme vs. paper\n\n### B\n\nC", "alternatives"),
        ("## What you do instead\n\n- **B**: c", "alternatives"),
        ("## Alternatives\n\n### B", "alternatives"),
        ("## A\n\n> b", "proof"),
        ("## A\n\n### B?\n\nC", "faq"),
        ("## A\n\n### B?\n\n### C", "faq"),
        ("## FAQ\n\n### B\n\nC", "faq"),
        ("## A\n\n**B?** C", "faq"),
        ("## A\n\nB\n\n[c](d)", "action"),
    ];
    for (markdown, expected) in cases {
        assert_eq!(kind(markdown), expected, "{markdown}");
    }
}

#[test]
fn text_among_quotes_and_questions_becomes_a_section_of_its_own() {
    let (page, remarks) = read(
        "# A\n\nB\n\n## C\n\nIntro.\n\n> d\n> — e\n\n## F {faq}\n\nFirst.\n\n### G?\n\nH\n\n## I\n\n1. j\n2. k\n\nLast.",
    );
    let kinds: Vec<String> =
        page.sections.iter().map(|section| format!("{} {:?}", section.heading(), section)).collect();
    assert!(kinds[0].starts_with("C Text") && kinds[1].starts_with("C Proof"), "{kinds:?}");
    assert!(kinds[2].starts_with("F Text") && kinds[3].starts_with("F Faq"), "{kinds:?}");
    assert!(kinds[4].starts_with("I Steps") && kinds[5].starts_with("I Text"), "{kinds:?}");
    assert!(
        remarks.iter().any(|remark| remark.line == 7 && remark.what.contains("a section of its own")),
        "{remarks:?}"
    );
}

#[test]
fn the_headline_keeps_what_stands_around_it() {
    let (page, remarks) = read("# A\n\nB\n\n[c](d) or [e](f)\n\n> g\n\nH\n\n- i\n\n[j](k)\n\n## L");
    assert_eq!(
        page.hero,
        Hero {
            headline: "A".into(),
            subheadline: "B\n\n([e](f))\n\nH\n\n- i\n\n([j](k))".into(),
            cta: Some(Cta { label: "c".into(), href: "d".into() }),
            note: Some("g".into()),
        }
    );
    let lines: Vec<u32> = remarks.iter().map(|remark| remark.line).collect();
    assert_eq!(lines, [1, 1, 5, 9, 11, 13]);
}

#[test]
fn marks_around_nothing_are_no_paragraph_however_they_are_broken() {
    for marks in ["**\n**", "** **", "__\n_", "***"] {
        let (page, _) =
            read(&format!("# Headline\n\nSub.\n\n## More {{features}}\n\n### One\n\n{marks}\n\nText.\n"));
        let Some(Section::Features { items, .. }) = page.sections.first() else { panic!("{page:?}") };
        assert_eq!(items.first().map(|item| item.text.as_str()), Some("Text."), "{marks}");
    }
}

#[test]
fn front_matter_takes_what_people_write() {
    let (page, remarks) = read(
        "---\n# a comment\nname: 'It''s'\nTitle: \"A \\\"b\\\" | C\"\nmeta_description: >\n  One\n  two.\nlayout: wide\ntags:\n- a\n---\n# H\n",
    );
    assert_eq!((page.name.as_str(), page.title.as_str()), ("It's", "A \"b\" | C"));
    assert_eq!(page.description, "One two.");
    let left: Vec<u32> = remarks.iter().map(|remark| remark.line).collect();
    assert_eq!(left, [8, 9], "{remarks:?}");
    let (page, _) = read("---\ntitle: Bread | Baker\n---\n# H\n");
    assert_eq!((page.name.as_str(), page.description.as_str()), ("Baker", ""));
}

#[test]
fn complaints_have_a_line_and_say_what_to_do() {
    insta::assert_snapshot!(complaint("Just text.\n"), @"line 1: a page needs a headline: begin with a line `# ` and what the page says first");
    insta::assert_snapshot!(complaint("---\ntitle: A\n---\n\n## B\n"), @"line 5: a page needs a headline: begin with a line `# ` and what the page says first");
    insta::assert_snapshot!(complaint("## A\n\n# B\n"), @"line 1: a heading stands before the headline: put the line with one `#` first");
    insta::assert_snapshot!(complaint("\n#\n\nText"), @"line 2: the headline is empty: write it behind the `#`");
    insta::assert_snapshot!(complaint("---\ntitle: A\n\n# B\n"), @"line 1: the front matter has no end: put a line with `---` behind its last entry");
    insta::assert_snapshot!(complaint("---\ntitle\n---\n# B\n"), @"line 2: the front matter has `key: value` lines only: write it as one, or close it with `---`");
    insta::assert_snapshot!(complaint("# A\n\nB <!-- c\n"), @"line 3: the comment that begins here has no end: close it with `-->`");
    insta::assert_snapshot!(complaint(" \n\n"), @"the draft is empty: write something into it");
    insta::assert_snapshot!(complaint("{\n\"name\": 3}"), @"line 2: the draft is not the JSON of a page: invalid type: integer `3`, expected a string at line 2 column 9");
    let bytes = page(b"# A\n\nB \xff").expect_err("no text").to_string();
    insta::assert_snapshot!(bytes, @"line 3: the draft is not UTF-8: save it as UTF-8");
    let large = page(&vec![b'a'; 524_289]).expect_err("too large").to_string();
    insta::assert_snapshot!(large, @"the draft has 524289 bytes and may have 524288: shorten it");
}

#[test]
fn a_page_can_be_json() {
    let (good, _) = read(&example("drafts/acme.md"));
    let bytes = Draft::Page(Box::new(good.clone())).bytes();
    assert_eq!(draft(&bytes, Form::Page), Ok((Draft::Page(Box::new(good)), Vec::new())));
}

#[test]
fn articles_and_posts_keep_their_front_matter() {
    let written = "---\r\ntitle: A\r\n---\r\n\r\n# B\r\n\r\nC\r\n\r\n";
    let expected = "---\ntitle: A\n---\n\n# B\n\nC\n".to_owned();
    assert_eq!(text(written.as_bytes()), Ok((expected.clone(), Vec::new())));
    assert_eq!(draft(written.as_bytes(), Form::Article), Ok((Draft::Text(expected), Vec::new())));
    let (_, remarks) = draft(b"Only text.", Form::Article).expect("an article");
    assert_eq!(remarks.len(), 1);
    assert_eq!(
        draft(b"Only\x07 text.", Form::Post).expect("a post").1[0].what,
        "control characters were left out: they cannot be seen"
    );
    assert!(matches!(draft(b"---\ntitle: A\n", Form::Post), Err(NotADraft::At { line: 1, .. })));
}

/// Nobody writes these; they come to an end all the same.
#[test]
fn a_file_of_one_mark_is_read_in_a_row() {
    for mark in [
        "[", "](", "- a\n", "# a\n", "### a\n", "> a\n", "**", "**a?** ", "`", "<!-- -->", "1. a\n",
        "| a |\n", "a — ", "a a ", "! ", "[a](b)",
    ] {
        let text = format!("# Headline\n\n{}", mark.repeat(30_000 / mark.len()));
        let (page, _) = read(&text);
        let issues = [
            "copy.em-dash",
            "copy.exclamation",
            "copy.repeated-word",
            "seo.generic-link",
            "seo.heading-jump",
        ];
        let critic = "critic".parse().expect("a name");
        let issues = issues.map(|rule| {
            ContentIssue::measured(&critic, rule, rule, Severity::Minor, String::new(), String::new())
        });
        let issues: Vec<&ContentIssue> = issues.iter().collect();
        for draft in [Draft::Page(Box::new(page)), Draft::Text(text)] {
            let outcome = repair(&draft, &issues, &["Headline".to_owned()]);
            assert!(!outcome.left.is_empty(), "{mark}");
        }
    }
}

/// A line as people write them: it begins with a letter.
fn line() -> impl Strategy<Value = String> {
    "\\p{L}[^\\p{C}\\p{Z}\\\\#<>]{0,6}( [^\\p{C}\\p{Z}\\\\#<>=|]{1,8}){0,6}"
}

fn paragraph() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => line(),
        1 => (line(), line()).prop_map(|(a, b)| format!("- {a}\n- {b}")),
        1 => (line(), line()).prop_map(|(a, b)| format!("1. {a}\n2. {b}")),
        1 => line().prop_map(|a| format!("> {a}")),
        1 => line().prop_map(|a| format!("**{a}?** {a}")),
        1 => line().prop_map(|a| format!("[{a}](/x)")),
    ]
}

/// A text that may be empty, and may have paragraphs.
fn body() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![line(), line().prop_map(|a| format!("- {a}"))], 0..3)
        .prop_map(|all| all.join("\n\n"))
}

fn heading() -> impl Strategy<Value = String> {
    prop_oneof![4 => line(), 1 => line().prop_map(|text| format!("{text} {{features}}")), 1 => Just("FAQ".to_owned())]
}

fn cta() -> impl Strategy<Value = Cta> {
    (line().prop_filter("a link in a link", |text| !text.contains("](")), "[a-z:/.#]{0,12}")
        .prop_map(|(label, href)| Cta { label, href })
}

fn a_section() -> impl Strategy<Value = Section> {
    let items =
        || prop::collection::vec((line(), body()).prop_map(|(title, text)| Item { title, text }), 1..4);
    let listed = move || (heading(), body(), items());
    prop_oneof![
        (heading(), prop::collection::vec(paragraph(), 0..4))
            .prop_filter("lists that grow together", |(_, all)| !all
                .windows(2)
                .any(|two| two[0].contains('\n') || two[1].contains('\n')))
            .prop_map(|(heading, paragraphs)| Section::Text { heading, paragraphs }),
        listed().prop_map(|(heading, intro, items)| Section::Features { heading, intro, items }),
        listed().prop_map(|(heading, intro, items)| Section::Steps { heading, intro, items }),
        listed().prop_map(|(heading, intro, items)| Section::Alternatives { heading, intro, items }),
        (heading(), prop::collection::vec((line(), prop_oneof![line(), Just(String::new())]), 0..3))
            .prop_map(|(heading, all)| {
                Section::Proof {
                    heading,
                    quotes: all.into_iter().map(|(text, source)| Quote { text, source }).collect(),
                }
            }),
        (heading(), prop::collection::vec((line(), body()), 0..3)).prop_map(|(heading, all)| {
            Section::Faq {
                heading,
                items: all.into_iter().map(|(question, answer)| PageQuestion { question, answer }).collect(),
            }
        }),
        (heading(), body(), cta()).prop_map(|(heading, text, cta)| Section::Action { heading, text, cta }),
    ]
}

prop_compose! {
    fn a_page()(
        (name, title, description) in ("\\PC{0,20}", "\\PC{0,60}", "\\PC{0,90}"),
        headline in line(),
        subheadline in prop_oneof![line(), Just(String::new())],
        cta in prop::option::of(cta()),
        note in prop::option::of(line()),
        sections in prop::collection::vec(a_section(), 0..5),
    ) -> Page {
        Page { name, title, description, hero: Hero { headline, subheadline, cta, note }, sections }
    }
}

/// Markdown made of what has a meaning at the beginning of a line or within one.
fn garbage() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("# ".to_owned()),
        Just("\n## A {faq}\n".to_owned()),
        Just("\n## B {proof}\n".to_owned()),
        Just("\n## C {action}\n".to_owned()),
        Just("\n## D {steps}\n".to_owned()),
        Just("\n## ".to_owned()),
        Just("\n### ".to_owned()),
        Just("\n> ".to_owned()),
        Just("\n- ".to_owned()),
        Just("\n1. ".to_owned()),
        Just("  ".to_owned()),
        Just("[a](b)".to_owned()),
        Just("**a?**".to_owned()),
        Just("\n---\n".to_owned()),
        Just("\n===\n".to_owned()),
        Just("\n```\n".to_owned()),
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        Just("| a |".to_owned()),
        Just("— ".to_owned()),
        Just("\\".to_owned()),
        Just(": ".to_owned()),
        "[a-z#. ]{0,8}",
        "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn a_page_that_was_written_reads_back(page in a_page()) {
        let written = page.markdown();
        let (again, _) = read(&written);
        prop_assert_eq!(again, page, "{}", written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn anything_is_read_or_refused_and_what_was_read_is_read_again(text in garbage(), with in any::<bool>()) {
        let text = if with { format!("# Headline\n\n{text}") } else { text };
        let lines = text.split(['\n', '\r']).count();
        match page(text.as_bytes()) {
            Ok((page, remarks)) => {
                for remark in remarks {
                    prop_assert!((1..=lines).contains(&(remark.line as usize)), "{:?} of {}", remark, lines);
                }
                let written = page.markdown();
                let (again, _) = read(&written);
                prop_assert_eq!(again, page, "{}", written);
            }
            Err(complaint) => prop_assert!(!complaint.to_string().is_empty()),
        }
    }

    #[test]
    fn no_word_is_lost(words in prop::collection::vec("[a-z]{4,9}", 5..40), marks in prop::collection::vec(
        prop::sample::select(vec![" ", "\n", "\n\n", "\n\n## ", "\n\n### ", "\n\n#### ", "\n\n> ", "\n- ", "\n\n1. ", "\n\n- **", "** ", "? ", "\n\n— ", "\n\n# "]), 5..40),
    ) {
        let mut text = "# Headline\n\nSub.\n\n".to_owned();
        for (word, mark) in words.iter().zip(marks.iter().cycle()) {
            text.push_str(word);
            text.push_str(mark);
        }
        let (page, _) = read(&text);
        let copy = page.copy().join(" ");
        for word in words.iter().take(marks.len().max(words.len())) {
            prop_assert!(copy.contains(word.as_str()), "{} of {}", word, text);
        }
    }

    #[test]
    fn bytes_never_break_it(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for form in [Form::Page, Form::Article, Form::Post] {
            let _outcome = draft(&bytes, form);
        }
    }
}
