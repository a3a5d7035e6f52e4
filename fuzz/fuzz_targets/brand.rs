//! Any DESIGN.md with any token files beside it is read, twice with the same result. The input is cut at zero bytes: the
//! text, `tokens.css`, the tokens file.
#![no_main]

use std::collections::BTreeMap;

use jury_text::brand::{beside_design, brand};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut parts = input.split(|byte| *byte == 0);
    let design = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let beside: BTreeMap<String, &[u8]> =
        ["tokens.css", "tokens.json"].into_iter().map(beside_design).zip(parts).collect();
    let beside = |name: &str| beside.get(name).copied();
    let page = "<style>:root{--bg:#fff;--fg:#000;--accent:#e4572e}</style>";
    let read = brand(&design, beside, page);
    assert_eq!(read, brand(&design, beside, page), "the same brand, another answer");
    for colour in read.iter().flat_map(|read| read.colours.iter().chain(&read.banned)) {
        assert!(colour.hex.len() == 7 && (0.0..=1.0).contains(&colour.alpha), "{colour:?}");
    }
    for length in read.iter().flat_map(|read| read.sizes.iter().chain(&read.radii).chain(&read.spacings)) {
        assert!(length.is_finite() && *length > 0.0, "{length}");
    }
});
