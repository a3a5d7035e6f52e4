//! The files of a site: the same for the same page, whole, and nothing in them runs whatever the copy says.

use jury_core::content::Page;
use jury_core::content::page::{Cta, Hero, Item, PageQuestion, Quote, Section};
use jury_text::site::{BUILD_FILE, Build, Post, SiteSettings, assemble_site_files, validate_code};
use proptest::prelude::*;

use super::{dark, light, long, settings, short};

fn text(files: &jury_text::site::SiteFiles, path: &str) -> String {
    String::from_utf8(files.get(path).expect("the file").clone()).expect("UTF-8")
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(
        assemble_site_files(&long(), &light(), &settings()),
        assemble_site_files(&long(), &light(), &settings())
    );
}

#[test]
fn a_site_has_these_files() {
    let files = assemble_site_files(&long(), &light(), &settings());
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "404.html",
            "blog/first-count/index.html",
            "blog/index.html",
            "blog/why-we-count/index.html",
            "build.json",
            "favicon.svg",
            "feed.xml",
            "index.html",
            "robots.txt",
            "site.webmanifest",
            "sitemap.xml",
            "styles.css",
        ]
    );
    let build = Build::read(&files[BUILD_FILE]).expect("a list");
    assert_eq!(build.files.len(), files.len() - 1);
    assert_eq!(build.base_url, "https://acme.example/s/acme/");
    let without = assemble_site_files(&short(), &dark(), &SiteSettings::default());
    assert!(!without.contains_key("feed.xml"));
}

#[test]
fn the_pages_are_as_they_were_looked_at() {
    let files = assemble_site_files(&long(), &light(), &settings());
    insta::assert_snapshot!("index", text(&files, "index.html"));
    insta::assert_snapshot!("post", text(&files, "blog/first-count/index.html"));
    insta::assert_snapshot!("not_found", text(&files, "404.html"));
    let machines = ["robots.txt", "sitemap.xml", "feed.xml", "site.webmanifest", "favicon.svg"];
    insta::assert_snapshot!("machines", machines.map(|path| text(&files, path)).join("\n"));
}

#[test]
fn posts_are_shown_and_do_nothing() {
    let files = assemble_site_files(&long(), &light(), &settings());
    let post = text(&files, "blog/first-count/index.html");
    assert!(post.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{post}");
    assert!(!post.contains("<script>"), "{post}");
    assert!(!post.contains("href=\"javascript"), "{post}");
    assert!(!post.contains("<img src=\"https"), "{post}");
    assert_eq!(post.matches("<h1").count(), 1);
    assert!(post.contains("<h2 id=\"which-one\">Which one</h2>"), "no level is left out: {post}");
}

#[test]
fn posts_are_listed_newest_first_and_of_one_day_the_later_one() {
    let mut settings = settings();
    let mut third = settings.posts[1].clone();
    third.slug = "A third".to_owned();
    third.title = "A third".to_owned();
    settings.posts.push(third);
    let list = text(&assemble_site_files(&long(), &light(), &settings), "blog/index.html");
    let places = ["a-third/", "why-we-count/", "first-count/"].map(|slug| list.find(slug).expect(slug));
    assert!(places.is_sorted(), "{places:?}: {list}");
}

#[test]
fn a_post_says_its_words_once() {
    let mut settings = settings();
    let date = "2026-03-01".parse().expect("a date");
    let social =
        "The tag fell off, and now nobody knows whose bike that is.\n\nPlan the bench.\n\n#bikeshop\n";
    settings.posts = vec![Post::of(social, date).expect("a post")];
    let files = assemble_site_files(&long(), &light(), &settings);
    let slug = "the-tag-fell-off-and-now-nobody-knows-whose-bike";
    let post = text(&files, &format!("blog/{slug}/index.html"));
    let main = post.split("<main").nth(1).expect("the main part");
    for said in ["The tag fell off, and now nobody knows whose bike that is.", "Plan the bench.", "#bikeshop"]
    {
        assert_eq!(main.matches(said).count(), 1, "{said}: {main}");
    }
    let found = validate_code(&files, &long(), &light(), &settings.posts);
    assert_eq!(found.errors, Vec::new());
}

#[test]
fn a_call_to_action_that_names_a_part_finds_it() {
    let files = assemble_site_files(&long(), &light(), &settings());
    assert!(text(&files, "index.html").contains("id=\"try\""));
}

/// Copy that would be something else if it were not escaped.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("<script>alert(1)</script>".to_owned()),
        Just("\"><img src=x onerror=alert(1)>".to_owned()),
        Just("costs $5, {x}, ${y}, {{z}} and \\n".to_owned()),
        Just("]]> --> <!-- </style></title></textarea>".to_owned()),
        Just("&amp; &lt; &#39; &copy; &notanentity".to_owned()),
        Just("👩‍👩‍👧‍👦 ✓ مرحبا بالعالم שלום \u{202e}abc".to_owned()),
        Just("a\u{0}b\u{b}c\u{fffe}d\r\ne\tf".to_owned()),
        any::<String>(),
        "[ -~]{0,30}",
    ]
}

fn page() -> impl Strategy<Value = Page> {
    let item = (hostile(), hostile()).prop_map(|(title, text)| Item { title, text });
    let items = prop::collection::vec(item, 0..4).boxed();
    let section = prop_oneof![
        (hostile(), prop::collection::vec(hostile(), 0..3))
            .prop_map(|(heading, paragraphs)| Section::Text { heading, paragraphs }),
        (hostile(), hostile(), items.clone()).prop_map(|(heading, intro, items)| Section::Features {
            heading,
            intro,
            items
        }),
        (hostile(), hostile(), items.clone()).prop_map(|(heading, intro, items)| Section::Steps {
            heading,
            intro,
            items
        }),
        (hostile(), hostile(), items).prop_map(|(heading, intro, items)| Section::Alternatives {
            heading,
            intro,
            items
        }),
        (hostile(), hostile(), hostile()).prop_map(|(heading, text, source)| Section::Proof {
            heading,
            quotes: vec![Quote { text, source }]
        }),
        (hostile(), hostile(), hostile()).prop_map(|(heading, question, answer)| Section::Faq {
            heading,
            items: vec![PageQuestion { question, answer }]
        }),
        (hostile(), hostile(), hostile(), hostile()).prop_map(|(heading, text, label, href)| {
            Section::Action { heading, text, cta: Cta { label, href } }
        }),
    ];
    (prop::array::uniform6(hostile()), hostile(), prop::collection::vec(section, 0..5)).prop_map(
        |([name, title, description, headline, subheadline, label], note, sections)| Page {
            name,
            title,
            description,
            hero: Hero {
                headline,
                subheadline,
                cta: Some(Cta { label, href: "#anything".to_owned() }),
                note: Some(note),
            },
            sections,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_copy_comes_back_word_for_word_and_nothing_runs(page in page()) {
        let files = assemble_site_files(&page, &light(), &settings());
        let found = validate_code(&files, &page, &light(), &settings().posts);
        let never = ["copy", "parse", "runs", "loads", "ids", "json_ld", "build", "contrast", "sitemap", "robots"];
        // A name, a title or an answer without a word in it is an error of the page, and not of the site.
        let bad: Vec<_> = found
            .errors
            .iter()
            .filter(|flaw| never.contains(&flaw.check.as_str()) && !flaw.text.contains(" has no "))
            .collect();
        prop_assert!(bad.is_empty(), "{bad:?}");
    }

    #[test]
    fn any_markdown_is_a_post(markdown in any::<String>(), title in hostile()) {
        let mut settings = settings();
        settings.posts[0].markdown = markdown;
        settings.posts[0].title = title;
        let files = assemble_site_files(&long(), &dark(), &settings);
        let found = validate_code(&files, &long(), &dark(), &settings.posts);
        let bad: Vec<_> = found.errors.iter().filter(|flaw| flaw.check != "links").collect();
        prop_assert!(bad.is_empty(), "{bad:?}");
    }
}
