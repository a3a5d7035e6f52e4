//! Any text is measured by all checks, twice with the same result, and every place lies within it.
#![no_main]

use jury_text::document::{Document, NearbyFiles, measure_all};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let surroundings = NearbyFiles::known(["there.md"]);
    let measured = measure_all(&Document::read(&text, &surroundings));
    assert_eq!(measured, measure_all(&Document::read(&text, &surroundings)), "the same text, another answer");
    let lines: Vec<&str> = text.split('\n').collect();
    for finding in measured.iter().flat_map(|measurement| &measurement.affected) {
        let line = lines.get(finding.line - 1).expect("the line exists");
        assert!(finding.column <= line.chars().count() + 1, "a column beyond its line: {finding:?}");
    }
});
