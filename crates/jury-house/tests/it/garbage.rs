//! Bytes that nobody meant as a page or a brand: the house says something about them, and never falls over.

use jury_house::{Request, lint, sit};
use proptest::prelude::*;

/// Text made of what breaks readers of markup: half tags, entities, quotes, odd characters.
fn garbage() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<".to_owned()),
        Just("</".to_owned()),
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        Just("<style>".to_owned()),
        Just("</style>".to_owned()),
        Just("<script>".to_owned()),
        Just("{color:".to_owned()),
        Just("var(--a,var(--b".to_owned()),
        Just("<a href='#".to_owned()),
        Just("<img src=x ".to_owned()),
        Just("<p style=\"".to_owned()),
        Just("TODO lorem ipsum".to_owned()),
        Just("---\ncolors:\n  a: '#fff".to_owned()),
        Just("- **X** (`#1".to_owned()),
        Just("&#x".to_owned()),
        Just("]]>".to_owned()),
        "[ -~]{0,12}",
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_final_pass_takes_anything(page in garbage()) {
        let lines = u32::try_from(page.lines().count().max(1)).unwrap_or(u32::MAX);
        for finding in lint(&page) {
            prop_assert!((1..=lines).contains(&finding.line), "{finding:?} of {lines} lines");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn the_panel_takes_anything(page in garbage(), design in garbage()) {
        let request = Request { page, design: Some(design), ..Request::default() };
        let mut transcript = Vec::new();
        if sit(&request, &mut transcript).is_ok() {
            let transcript = String::from_utf8(transcript).expect("a transcript is text");
            prop_assert!(transcript.trim_end().ends_with("</CRITIQUE_RUN>"));
        } else {
            prop_assert!(transcript.is_empty(), "what cannot be measured leaves nothing half said");
        }
    }
}
