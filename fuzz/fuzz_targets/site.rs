//! Any bytes in the place of a page and of a stylesheet are judged, twice with the same result, and never let through.
#![no_main]

use jury_core::content::Page;
use jury_text::site::{SiteSettings, assemble_site_files, design_brand, validate_code};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let page = Page { name: "Acme".to_owned(), title: "Acme counts shelves".to_owned(), ..Page::default() };
    let text = String::from_utf8_lossy(input);
    // What a document says about a look is any text, too.
    let (brand, _) = design_brand(Some(&text), "acme");
    let settings = SiteSettings { base_url: "https://acme.example/".to_owned(), ..SiteSettings::default() };
    let mut files = assemble_site_files(&page, &brand, &settings);
    files.insert("index.html".to_owned(), input.to_vec());
    files.insert("sitemap.xml".to_owned(), input.to_vec());
    let found = validate_code(&files, &page, &brand, &[]);
    assert_eq!(found, validate_code(&files, &page, &brand, &[]), "the same bytes, another answer");
    assert!(!found.passes(), "bytes that nobody assembled were let through");
});
