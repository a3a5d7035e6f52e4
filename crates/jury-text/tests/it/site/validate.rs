//! What validation sees: nothing in a site that was assembled, and every way to break one.

use jury_core::artifact::Digest;
use jury_core::content::Page;
use jury_core::content::page::Section;
use jury_text::site::{BUILD_FILE, Build, SiteFiles, assemble_site_files, validate_code};
use proptest::prelude::*;

use super::{dark, light, long, settings, short};

#[test]
fn assembled_sites_have_no_flaw() {
    for (page, brand) in [(long(), light()), (long(), dark()), (short(), light()), (short(), dark())] {
        let found =
            validate_code(&assemble_site_files(&page, &brand, &settings()), &page, &brand, &settings().posts);
        let lines: Vec<String> =
            found.errors.iter().chain(&found.warnings).map(ToString::to_string).collect();
        assert_eq!(lines, Vec::<String>::new());
    }
}

/// The checks that complain, apart from the list of files, after a replacement in a file.
fn after(path: &str, from: &str, to: &str) -> Vec<String> {
    let mut files = assemble_site_files(&long(), &light(), &settings());
    let text = String::from_utf8(files[path].clone()).expect("UTF-8");
    assert!(text.contains(from), "{path} has no {from}");
    files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
    relist(&mut files);
    checks(&files)
}

/// The list of files is written again, so that only what is looked for is found.
fn relist(files: &mut SiteFiles) {
    let mut build = Build::read(&files[BUILD_FILE]).expect("a list");
    for file in &mut build.files {
        file.sha256 = Digest::of(files.get(&file.path).map_or(&[][..], Vec::as_slice));
    }
    build.files.retain(|file| files.contains_key(&file.path));
    files.insert(BUILD_FILE.to_owned(), serde_json::to_vec(&build).expect("JSON"));
}

fn checks(files: &SiteFiles) -> Vec<String> {
    let mut checks: Vec<String> = validate_code(files, &long(), &light(), &settings().posts)
        .errors
        .into_iter()
        .map(|flaw| flaw.check)
        .collect();
    checks.dedup();
    checks
}

#[test]
fn every_way_to_break_a_site_is_seen() {
    const INDEX: &str = "index.html";
    let cases = [
        (INDEX, "</h1>", "</h2>", "parse"),
        (INDEX, "<!doctype html>\n", "", "parse"),
        (INDEX, "<main id", "<h1>Another</h1><main id", "one_h1"),
        (INDEX, "<h2>Counting", "<h4>x</h4><h2>Counting", "heading_order"),
        (INDEX, "<h3>Reads the till</h3>", "<h3>Reads the till</h3><h3></h3>", "empty_heading"),
        (INDEX, " lang=\"en\"", "", "lang"),
        (INDEX, "<title>", "<title></title><title>", "title"),
        (INDEX, "name=\"description\"", "name=\"other\"", "meta"),
        (INDEX, "name=\"viewport\"", "name=\"other\"", "meta"),
        (INDEX, "initial-scale=1", "user-scalable=no", "viewport"),
        (INDEX, "<meta charset=\"utf-8\">", "", "charset"),
        (INDEX, "rel=\"canonical\"", "rel=\"other\"", "canonical"),
        (INDEX, "property=\"og:title\"", "property=\"other\"", "meta"),
        (INDEX, "name=\"twitter:card\"", "name=\"other\"", "meta"),
        (INDEX, " alt=\"\"", "", "img_alt"),
        (INDEX, "href=\"styles.css\"", "href=\"style.css\"", "links"),
        (INDEX, "href=\"styles.css\"", "href=\"https://elsewhere.example/styles.css\"", "loads"),
        (INDEX, "src=\"favicon.svg\"", "src=\"https://elsewhere.example/f.svg\"", "loads"),
        (INDEX, "href=\"#try\"", "href=\"#nowhere\"", "links"),
        (INDEX, "href=\"#try\"", "href=\"../secret\"", "links"),
        (INDEX, "href=\"#try\"", "href=\"javascript:alert(1)\"", "links"),
        (INDEX, "href=\"#try\">Count your first shelf", "href=\"#try\">", "link_name"),
        (INDEX, "id=\"main\"", "id=\"try\"", "ids"),
        (INDEX, "</main>", "<input id=\"x\"></main>", "labels"),
        (INDEX, "</main>", "<button></button></main>", "labels"),
        (INDEX, "</main>", "<script>1</script></main>", "runs"),
        (INDEX, "</main>", "<p onclick=\"x()\">x</p></main>", "runs"),
        (INDEX, "</main>", "<p style=\"color:red\">x</p></main>", "runs"),
        (INDEX, "</main>", "<iframe src=\"https://x.example\"></iframe></main>", "loads"),
        (INDEX, "</main>", "</main><main></main>", "landmarks"),
        (INDEX, "{\"@context\"", "{\"@context", "json_ld"),
        (INDEX, "\"@type\":\"Organization\"", "\"@type\":\"Nothing\"", "json_ld"),
        (INDEX, "\"acceptedAnswer\"", "\"answer\"", "json_ld"),
        (INDEX, "Know what is on your shelves before", "Know what is in your shelves before", "copy"),
        (INDEX, "$19 a month for each shop.</p>", "\\$19 a month for each shop.</p>", "copy"),
        (INDEX, "<p>Nothing for one shop", "<p hidden>Nothing for one shop", "copy"),
        (INDEX, "Take a picture.", "Take <div>a</div> picture.", "copy"),
        (INDEX, "<title>Shelf", "<title>Shelves", "copy"),
        ("styles.css", "--text-muted: #", "--text-muted: #eeeeee; --x: #", "contrast"),
        ("styles.css", "--ground: #fffdf8", "--ground: #888888", "contrast"),
        ("styles.css", "box-sizing: border-box;", "background: url(x.png);", "loads"),
        ("robots.txt", "Allow: /", "Disallow: /", "robots"),
        ("robots.txt", "Sitemap:", "# Sitemap:", "robots"),
        (
            "sitemap.xml",
            "<loc>https://acme.example/s/acme/</loc>",
            "<loc>https://acme.example/s/acme/no/</loc>",
            "sitemap",
        ),
        ("sitemap.xml", "</urlset>", "", "sitemap"),
        ("feed.xml", "</feed>", "", "parse"),
        ("favicon.svg", "</svg>", "", "parse"),
        ("site.webmanifest", "\"name\"", "\"other\"", "parse"),
        ("blog/index.html", "href=\"first-count/\"", "href=\"second-count/\"", "links"),
        (
            "blog/index.html",
            "<meta name=\"theme-color\"",
            "<meta name=\"robots\" content=\"noindex\"><meta name=\"theme-color\"",
            "crawlable",
        ),
    ];
    for (path, from, to, check) in cases {
        let found = after(path, from, to);
        assert!(found.iter().any(|seen| seen == check), "{path}: {from} -> {to}: {check} not in {found:?}");
    }
}

/// What validation says of the copy of a page whose file was changed.
fn of_the_copy(page: &Page, change: impl Fn(&str) -> String) -> Vec<String> {
    let mut files = assemble_site_files(page, &light(), &settings());
    let html = String::from_utf8(files["index.html"].clone()).expect("UTF-8");
    let changed = change(&html);
    files.insert("index.html".to_owned(), changed.into_bytes());
    let found = validate_code(&files, page, &light(), &settings().posts).errors;
    found.into_iter().filter(|flaw| flaw.check == "copy").map(|flaw| flaw.text).collect()
}

#[test]
fn copy_is_compared_in_whole_pieces_and_as_often_as_it_is_approved() {
    let text = |heading: &str, paragraphs: &[&str]| Section::Text {
        heading: heading.to_owned(),
        paragraphs: paragraphs.iter().map(|text| (*text).to_owned()).collect(),
    };
    let mut page = long();
    page.name = "Shelfie".to_owned();
    page.sections.push(text("Prices", &["Prices are fair.", "Ask us.", "Ask us."]));
    page.sections.push(text("Shelfie", &["It is ours."]));
    assert_eq!(of_the_copy(&page, str::to_owned), Vec::<String>::new());
    let cases = [
        // Lost, while a paragraph has the word.
        ("<h2>Prices</h2>", "", "approved and not there word for word: Prices"),
        // Cut, and longer than approved.
        (
            "<p>Prices are fair.</p>",
            "<p>Prices are fair. Today.</p>",
            "approved and not there word for word: Prices are fair.",
        ),
        // Said twice, and once lost.
        ("<p>Ask us.</p>", "", "approved 2 times and there 1: Ask us."),
        // The name above the copy does not stand for a heading, nor the heading for the name.
        ("<h2>Shelfie</h2>", "", "approved and not there word for word: Shelfie"),
        (
            "<span>Shelfie</span>",
            "<span></span>",
            "the approved name is not there, above or below the copy: Shelfie",
        ),
    ];
    for (from, to, said) in cases {
        let found = of_the_copy(&page, |html| {
            assert!(html.contains(from), "there is no {from}");
            if from.contains("span") { html.replace(from, to) } else { html.replacen(from, to, 1) }
        });
        assert_eq!(found, [said], "{from} -> {to}");
    }
}

#[test]
fn files_that_are_missing_foreign_or_changed_are_seen() {
    for path in ["index.html", "404.html", "styles.css", "robots.txt", "sitemap.xml", BUILD_FILE] {
        let mut files = assemble_site_files(&long(), &light(), &settings());
        files.remove(path);
        assert!(checks(&files).iter().any(|check| check == "files"), "{path}");
    }
    let mut files = assemble_site_files(&long(), &light(), &settings());
    files.insert("more.txt".to_owned(), Vec::new());
    assert_eq!(checks(&files), ["build"]);
    let mut files = assemble_site_files(&long(), &light(), &settings());
    files.get_mut("robots.txt").expect("robots").push(b'\n');
    assert_eq!(checks(&files), ["build"]);
    let mut files = assemble_site_files(&long(), &light(), &settings());
    let list = String::from_utf8(files[BUILD_FILE].clone()).expect("UTF-8");
    files.insert(BUILD_FILE.to_owned(), list.replace("robots.txt", "../robots.txt").into_bytes());
    assert_eq!(checks(&files), ["build"]);
}

#[test]
fn an_address_is_needed_and_links_that_run_are_an_error_of_the_page() {
    let mut page = long();
    page.hero.cta.as_mut().expect("a call to action").href = "javascript:alert(1)".to_owned();
    let files = assemble_site_files(&page, &light(), &settings());
    let found = validate_code(&files, &page, &light(), &settings().posts);
    assert_eq!(found.errors.len(), 1, "{found:?}");
    assert_eq!(
        found.errors[0].to_string(),
        "index.html: 'Count your first shelf' leads to 'javascript:alert(1)': use https, http, mailto, tel or #part (links)"
    );
    let files = assemble_site_files(&long(), &light(), &jury_text::site::SiteSettings::default());
    assert!(!validate_code(&files, &long(), &light(), &[]).passes());
}

#[test]
fn a_site_has_its_bounds() {
    let mut page = long();
    page.hero.subheadline = "word ".repeat(500_000);
    let files = assemble_site_files(&page, &light(), &settings());
    let found = validate_code(&files, &page, &light(), &settings().posts);
    assert!(found.errors.iter().any(|flaw| flaw.check == "size"), "{:?}", found.errors);
    page.hero.subheadline = "word ".repeat(50_000);
    let files = assemble_site_files(&page, &light(), &settings());
    let found = validate_code(&files, &page, &light(), &settings().posts);
    assert!(found.passes() && found.warnings.iter().any(|flaw| flaw.check == "size"), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_are_judged(html in any::<Vec<u8>>(), css in any::<String>()) {
        let mut files = assemble_site_files(&long(), &light(), &settings());
        files.insert("index.html".to_owned(), html);
        files.insert("styles.css".to_owned(), css.into_bytes());
        prop_assert!(!validate_code(&files, &long(), &light(), &settings().posts).passes());
    }
}

/// What validation says of a site whose posts were tampered with.
fn of_the_posts(change: impl Fn(&mut SiteFiles)) -> Vec<String> {
    let mut files = assemble_site_files(&long(), &light(), &settings());
    change(&mut files);
    relist(&mut files);
    let found = validate_code(&files, &long(), &light(), &settings().posts).errors;
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_post_is_there_whole_is_listed_leads_back_and_nothing_else_is_there() {
    const POST: &str = "blog/first-count/index.html";
    let replaced = |path: &'static str, from: &'static str, to: &'static str| {
        of_the_posts(|files| {
            let text = String::from_utf8(files[path].clone()).expect("UTF-8");
            assert!(text.contains(from), "{path} has no {from}");
            files.insert(path.to_owned(), text.replace(from, to).into_bytes());
        })
    };
    assert_eq!(of_the_posts(|_| {}), Vec::<String>::new());
    let cases = [
        (POST, "<li>The tea</li>", "", "approved 1 times and there 0: The tea (copy)"),
        (POST, "<em>one</em>", "<em>two</em>", "approved 1 times and there 0: Begin with one shelf. (copy)"),
        (
            POST,
            "<p class=\"lead\">What to",
            "<p class=\"lead\">How to",
            "there 0: What to count first, with whom",
        ),
        (POST, ">Blog</a>", ">Blog</a><a href=\"../../feed.xml\">x</a>", ""),
        (
            POST,
            "../../blog/\"",
            "../../\"",
            "it does not lead back to the list and to the front page (posts)",
        ),
        (
            "blog/index.html",
            "href=\"first-count/\"",
            "href=\"why-we-count/\"",
            "it does not lead to blog/first-count/ (posts)",
        ),
        ("index.html", "href=\"blog/\"", "href=\"feed.xml\"", "it does not lead to the articles (posts)"),
    ];
    for (path, from, to, said) in cases {
        let found = replaced(path, from, to);
        let fits =
            if said.is_empty() { found.is_empty() } else { found.iter().any(|flaw| flaw.contains(said)) };
        assert!(fits, "{from} -> {to}: {found:?}");
    }
    let gone = of_the_posts(|files| drop(files.remove(POST)));
    assert!(gone.iter().any(|flaw| flaw.contains("approved and not there")), "{gone:?}");
    // What nobody approved: as a page of the folder, and as a whole blog.
    let more = of_the_posts(|files| {
        let copy = files[POST].clone();
        files.insert("blog/secret/index.html".to_owned(), copy);
    });
    let foreign = "blog/secret/index.html: nobody has approved it: assemble the site again (posts)";
    assert!(more.iter().any(|flaw| flaw == foreign), "{more:?}");
    let files = assemble_site_files(&long(), &light(), &settings());
    let found = validate_code(&files, &long(), &light(), &[]).errors;
    assert_eq!(found.iter().filter(|flaw| flaw.check == "posts").count(), 3, "{found:?}");
}
