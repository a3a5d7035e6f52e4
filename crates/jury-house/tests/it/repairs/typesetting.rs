//! Repairs of type and distances.

use super::{changed, page, redesigned, told};

const LONG: &str = "We bake at night so that the street has bread in the morning, and whoever comes early has it warm from the oven, with butter if there is any left from the day before.";

#[test]
fn sizes_nobody_can_tell_apart_become_one_in_their_own_unit() {
    let html = page(
        ".a { font-size: 20px }\n.b { font-size:20px }\n.c { font-size: 1.2875rem !important }",
        "<p class=\"a\">Two to the pound.</p>\n<p class=\"b\">Cash only.</p>\n<p class=\"c\">Closed on Mondays.</p>",
    );
    assert!(!told(&html, None, "critic/type-scale").is_empty());
    let after = redesigned(&html, None);
    assert_eq!(
        changed(&html, &after),
        [(".c { font-size: 1.2875rem !important }", ".c { font-size: 1.25rem !important }")]
    );
    // A step of 6 per cent is one.
    let apart = html.replace("1.2875rem", "1.5rem");
    assert_eq!(redesigned(&apart, None), apart);
}

#[test]
fn small_text_is_raised_in_its_own_unit() {
    let html = page(".n { font-size: .6875rem }", "<p class=\"n\">Cash only.</p>");
    let after = redesigned(&html, None);
    assert_eq!(changed(&html, &after), [(".n { font-size: .6875rem }", ".n { font-size: 0.75rem }")]);
    // Where one rem is ten pixels, 1.2 of them are enough.
    let html = page("html { font-size: 10px }\n.n { font-size: 1.1rem }", "<p class=\"n\">Cash only.</p>");
    let after = redesigned(&html, None);
    assert_eq!(changed(&html, &after), [(".n { font-size: 1.1rem }", ".n { font-size: 1.2rem }")]);
}

#[test]
fn capitals_get_room() {
    let html =
        page(".k { text-transform: uppercase; color: #1a1a1a }", "<p class=\"k\">Two to the pound</p>");
    let after = redesigned(&html, None);
    assert_eq!(
        changed(&html, &after),
        [(
            ".k { text-transform: uppercase; color: #1a1a1a }",
            ".k { text-transform: uppercase;letter-spacing:.06em; color: #1a1a1a }"
        )]
    );
    // Where another rule spaces them too tightly, or a style attribute makes them, the elements are spaced.
    for (style, body) in [
        (".k { text-transform: uppercase; letter-spacing: .01em }", "<p class=\"k\">Two to the pound</p>"),
        ("", "<p style=\"text-transform: uppercase\">Two to the pound</p>"),
    ] {
        let after = redesigned(&page(style, body), None);
        assert_eq!(told(&after, None, "critic/caps"), [""; 0], "{after}");
    }
    let wide = page(
        ".k { text-transform: uppercase; letter-spacing: .05em }",
        "<p class=\"k\">Two to the pound</p>",
    );
    assert_eq!(redesigned(&wide, None), wide);
}

#[test]
fn uneven_padding_and_blocks_beside_the_middle_are_put_right() {
    let card = format!("<div class=\"card\">{LONG}</div>");
    let html = page(".card { padding: 16px 16px 16px 19px; max-width: 600px }", &card);
    assert!(!told(&html, None, "critic/symmetry").is_empty());
    let after = redesigned(&html, None);
    assert!(after.contains("div.card{padding-left:19px!important;padding-right:19px!important}"), "{after}");
    assert_eq!(told(&after, None, "critic/symmetry"), [""; 0]);
    let html = page(
        ".card { max-width: 600px }\n@media (min-width: 640px) { .card { margin-left: calc(50% - 297px) } }",
        &card,
    );
    assert!(!told(&html, None, "critic/symmetry").is_empty());
    let after = redesigned(&html, None);
    assert_eq!(told(&after, None, "critic/symmetry"), [""; 0], "{after}");
    // A wide difference was somebody's decision, and so was a place far from the middle.
    for style in [
        ".card { padding: 16px 16px 16px 48px; max-width: 600px }",
        ".card { max-width: 600px; margin-left: 100px }",
    ] {
        let html = page(style, &card);
        assert_eq!(redesigned(&html, None), html);
    }
}

#[test]
fn long_lines_are_shortened_and_tight_ones_opened() {
    let html = page("", &format!("<p class=\"t\">{LONG} {LONG}</p>"));
    assert!(!told(&html, None, "critic/measure").is_empty());
    let after = redesigned(&html, None);
    assert!(after.contains("p.t{max-width:70ch!important}"), "{after}");
    let html = page(".t { max-width: 60ch; line-height: 1.1 }", &format!("<p class=\"t\">{LONG} {LONG}</p>"));
    let after = redesigned(&html, None);
    assert!(after.contains("p.t{line-height:1.5!important}"), "{after}");
    let fine = page(".t { max-width: 60ch }", &format!("<p class=\"t\">{LONG} {LONG}</p>"));
    assert_eq!(redesigned(&fine, None), fine);
}
