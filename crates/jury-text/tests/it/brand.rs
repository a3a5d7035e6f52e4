//! The brand: whatever is written is read, in time that grows with it.

use jury_text::brand::{BrandReport, brand};
use proptest::prelude::*;

/// A DESIGN.md with a `tokens.css` and a `tokens.json` beside it.
fn read(design: &str, css: &str, json: &str, page: &str) -> Option<BrandReport> {
    let file = |name: &str| match name {
        "tokens.css" => Some(css.as_bytes()),
        "tokens.json" => Some(json.as_bytes()),
        _ => None,
    };
    brand(design, file, page)
}

#[test]
fn a_large_brand_is_read_in_time_that_grows_with_it() {
    let long = format!("---\ncolors:\n{}---\n", "  a: {colors.a} #\n".repeat(60_000));
    let nested: String =
        (0..2000).flat_map(|depth| [" ".repeat(depth.min(200)), format!("k{depth}:\n")]).collect();
    let css = format!(":root{{{}}}", "--a: var(--a, var(--a, var(--a)));".repeat(20_000));
    let json = format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let begun = std::time::Instant::now();
    for design in [long, format!("---\n{nested}"), "| # ".repeat(100_000), "`#fff` ".repeat(100_000)] {
        drop(read(&design, &css, &json, ""));
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_is_read(
        design in prop_oneof!["\\PC{0,300}", "(---\n)?([a-z ]{0,6}[:|#-] ?[\"{}#a-f0-9.(),%*` pxrem/–-]{0,24}\n){0,12}(---\n)?"],
        css in "([:a-z{} ]{0,8}--[a-z]{1,3}: ?[a-z#0-9(), -]{0,24}[;}]){0,8}",
        json in prop_oneof!["\\PC{0,80}", "[\\[\\]{}\":,$a-z0-9#. ]{0,120}"],
    ) {
        let page = "<style>:root{--a:#fff}</style>";
        let first = read(&design, &css, &json, page);
        prop_assert_eq!(&first, &read(&design, &css, &json, page));
        for colour in first.iter().flat_map(|brand| &brand.colours) {
            prop_assert!(colour.hex.len() == 7 && (0.0..=1.0).contains(&colour.alpha));
        }
    }
}
