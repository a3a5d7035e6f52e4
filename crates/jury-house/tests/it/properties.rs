//! What holds for every page: repairs end, never make anything worse, and reach what they promise.

use proptest::prelude::*;

use crate::transcript::{rounds, transcript};

fn colour() -> impl Strategy<Value = String> {
    (any::<u8>(), any::<u8>(), any::<u8>())
        .prop_map(|(red, green, blue)| format!("#{red:02x}{green:02x}{blue:02x}"))
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        colour()
            .prop_map(|colour| format!("<p class=lead style=\"color:{colour}\">Some words to read here</p>")),
        (colour(), colour()).prop_map(|(text, fill)| format!(
            "<div style=\"background:{fill}\"><span style=\"color:{text}\">Words on a fill</span></div>"
        )),
        Just("<img src=a.png>".to_owned()),
        Just("<input name=mail placeholder=Mail>".to_owned()),
        Just("<label>City</label><input name=city>".to_owned()),
        Just("<button class=icon-close></button>".to_owned()),
        Just("<h2>Prices</h2><a href=\"#\">Prices</a>".to_owned()),
        Just("<h5>Deep</h5>".to_owned()),
        Just("<!-- TODO: more -->".to_owned()),
        Just("<p>Lorem ipsum dolor sit amet</p>".to_owned()),
        Just("<table><tr><td>cell<div>foster".to_owned()),
        Just("</div></p><b><i>crossed</b></i>".to_owned()),
        "[ -~]{0,40}",
    ]
}

fn page() -> impl Strategy<Value = String> {
    (prop::collection::vec(piece(), 0..8), any::<bool>()).prop_map(|(pieces, head)| {
        let head = if head {
            "<!doctype html><html><head><style>.lead{font-size:18px}</style></head><body>"
        } else {
            ""
        };
        format!("{head}{}", pieces.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn rounds_end_and_must_fixes_never_grow(page in page()) {
        let transcript = transcript(&page);
        prop_assert!(transcript.ends_with("</CRITIQUE_RUN>\n"));
        let rounds = rounds(&transcript);
        prop_assert!((1..=3).contains(&rounds.len()));
        prop_assert_eq!(&rounds[0].artifact, &page);
        for pair in rounds.windows(2) {
            prop_assert!(pair[1].must_fix.len() <= pair[0].must_fix.len(), "{:?} then {:?}", pair[0].must_fix, pair[1].must_fix);
        }
        let ships = transcript.contains("<SHIP ");
        let last = &rounds[rounds.len() - 1];
        prop_assert_eq!(ships, last.decision == "ship");
        prop_assert!(!ships || (last.composite >= 8.0 && last.must_fix.is_empty()));
    }

    #[test]
    fn a_plain_colour_on_a_plain_fill_is_always_repaired(text in colour(), fill in colour()) {
        let page = format!(
            "<!doctype html><html lang=en><head><title>Two colours</title><style>.fill{{background:{fill};color:{text}}}</style></head>\
             <body><main><h1 style='font-size:40px'>Two colours</h1><p class=fill>Some words to read here</p></main></body></html>"
        );
        let transcript = transcript(&page);
        let rounds = rounds(&transcript);
        let last = &rounds[rounds.len() - 1];
        prop_assert!(!last.must_fix.iter().any(|text| text.contains("contrast")), "{:?}", last.must_fix);
    }

    #[test]
    fn the_same_bytes_twice_are_the_same_transcript(page in page()) {
        prop_assert_eq!(transcript(&page), transcript(&page));
    }
}
