//! How long a site of thirty pages takes to be assembled and validated: a landing page and 29 posts.
//!
//! `cargo bench -p jury-text --bench site` prints the figures. More than 300 ms of processor time fails.

use std::process::ExitCode;

use jury_core::content::Page;
use jury_text::site::{Post, SiteSettings, assemble_site_files, design_brand, validate_code};
use rustix::time::{ClockId, clock_gettime};

/// The most that it may take, in seconds.
const BOUND: f64 = 0.3;
const ROUNDS: usize = 10;

fn main() -> ExitCode {
    let Ok(page) = serde_json::from_str::<Page>(include_str!("../tests/sites/long.page.json")) else {
        print("the page of the tests cannot be read");
        return ExitCode::FAILURE;
    };
    let brand = design_brand(Some(include_str!("../tests/sites/light.design.md")), "acme").0;
    let text = page.markdown();
    let posts = (1..30).map(|number: i8| Post {
        slug: format!("post-{number}"),
        title: format!("Post number {number} about counting"),
        search_title: None,
        description: "What to count first, with whom, and what to do with the difference at the end."
            .to_owned(),
        markdown: text.repeat(3),
        date: jiff::civil::date(2026, 1, number.min(28)),
    });
    let settings = SiteSettings {
        base_url: "https://acme.example/".to_owned(),
        lang: "en".to_owned(),
        posts: posts.collect(),
    };
    let (mut assembled, mut validated) = (f64::MAX, f64::MAX);
    let (mut pages, mut bytes) = (0, 0);
    for _ in 0..ROUNDS {
        let start = now();
        let files = assemble_site_files(&page, &brand, &settings);
        let middle = now();
        let found = validate_code(&files, &page, &brand, &settings.posts);
        let end = now();
        if found.errors.iter().any(|flaw| flaw.check != "links") {
            print(&format!("the site has a flaw: {:?}", found.errors.first()));
            return ExitCode::FAILURE;
        }
        assembled = assembled.min(middle - start);
        validated = validated.min(end - middle);
        pages = files.keys().filter(|path| path.ends_with("index.html")).count();
        bytes = files.values().map(Vec::len).sum::<usize>() / 1024;
    }
    let whole = assembled + validated;
    print(&format!(
        "{pages} pages, {bytes} KiB: assembled in {:.1} ms, validated in {:.1} ms, bound {:.0} ms",
        assembled * 1e3,
        validated * 1e3,
        BOUND * 1e3
    ));
    if whole > BOUND { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[expect(clippy::cast_precision_loss, reason = "seconds for a table")]
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn print(line: &str) {
    println!("{line}");
}
