//! Repairs towards the brand.

use jury_eye::Beside;
use jury_house::repair;

use super::{DESIGN, changed, found, page, redesigned, repaired, told};

#[test]
fn a_colour_that_a_property_has_is_taken_from_it() {
    let html = page(
        ":root { --ink: #1a1a1a; --rust: #a63d14 }\nh2 { color:#A63D14; border: 1px solid rgb(166, 61, 20) }\nh3 { color: var(--rust) }",
        "<h2>Prices</h2>\n<p style='color: #a63d14'>Two to the pound.</p>",
    );
    assert!(!told(&html, Some(DESIGN), "brand/tokens").is_empty());
    let done = repaired(&html, Some(DESIGN));
    assert_eq!(
        changed(&html, &done.html),
        [
            (
                "body { margin: 0; font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1a1a1a; background: #ffffff; }",
                "body { margin: 0; font-family: sans-serif; font-size: 16px; line-height: 1.5; color: var(--ink); background: #ffffff; }"
            ),
            (
                "h2 { color:#A63D14; border: 1px solid rgb(166, 61, 20) }",
                "h2 { color:var(--rust); border: 1px solid var(--rust) }"
            ),
            (
                "<p style='color: #a63d14'>Two to the pound.</p>",
                "<p style='color: var(--rust)'>Two to the pound.</p>"
            ),
        ]
    );
    assert_eq!(found(&done.after, "brand/tokens"), [""; 0]);
}

#[test]
fn a_property_of_a_linked_sheet_will_do() {
    let html = page("h2 { color: #a63d14 }", "<h2>Prices</h2>")
        .replace("<style>", "<link rel=stylesheet href=tokens.css>\n<style>");
    let mut beside = Beside::nothing();
    beside.insert("tokens.css", b":root { --rust: #a63d14; --other: #123456; }".to_vec());
    let done = repair(&html, Some(DESIGN), &beside).expect("it can be measured");
    assert_eq!(changed(&html, &done.html), [("h2 { color: #a63d14 }", "h2 { color: var(--rust) }")]);
    // The same file without the link is nothing the page knows of.
    let html = html.replace("<link rel=stylesheet href=tokens.css>", "<meta name=a content=b>");
    assert_eq!(repair(&html, Some(DESIGN), &beside).expect("it can be measured").html, html);
}

#[test]
fn a_property_that_may_change_is_not_asked() {
    for declared in [
        // Another value at night.
        ":root { --rust: #a63d14 }\n@media (prefers-color-scheme: dark) { :root { --rust: #ff9a70 } }",
        // Only inside a card.
        ".card { --rust: #a63d14 }",
        // Only in print.
        "@media print { :root { --rust: #a63d14 } }",
        // By a theme.
        ":root { --rust: #a63d14 }\n[data-theme=dark] { --rust: #ff9a70 }",
    ] {
        let html = page(&format!("{declared}\nh2 {{ color: #a63d14 }}"), "<h2>Prices</h2>");
        assert_eq!(repaired(&html, Some(DESIGN)).html, html);
    }
    let scripted = page(
        ":root { --rust: #a63d14 }\nh2 { color: #a63d14 }",
        "<h2>Prices</h2>\n<script>document.documentElement.style.setProperty('--rust', 'red')</script>",
    );
    assert!(repaired(&scripted, Some(DESIGN)).html.contains("h2 { color: #a63d14 }"));
}

#[test]
fn words_that_are_no_colours_stay() {
    let html = page(
        ":root { --rust: #a63d14; --c: tan }\nh2 { background: url(#a63d14); font-family: tan, sans-serif; color: var(--none, #a63d14) }\nh2::after { content: \"#a63d14\" }",
        "<h2>Prices</h2>",
    );
    assert_eq!(told(&html, Some(DESIGN), "brand/tokens"), [""; 0]);
    let done = repaired(&html, Some(DESIGN)).html;
    assert!(done.contains("url(#a63d14); font-family: tan") || done.contains(", tan, sans-serif"), "{done}");
    assert!(done.contains("var(--none, #a63d14)") && done.contains("content: \"#a63d14\""), "{done}");
}

#[test]
fn without_a_design_nothing_is_taken_from_properties() {
    let html = page(":root { --rust: #a63d14 }\nh2 { color: #a63d14 }", "<h2>Prices</h2>");
    assert_eq!(redesigned(&html, None), html);
}

#[test]
fn what_misses_a_step_by_a_little_takes_it() {
    let html = page(
        ".card { padding:15px 16px; border-radius: 7px 8px }\n.note { font-size: 1.0625rem }",
        "<div class=\"card\">Two to the pound.</div>\n<div class=\"note\">Cash only.</div>",
    );
    assert_eq!(told(&html, Some(DESIGN), "brand/scale").len(), 3);
    let after = redesigned(&html, Some(DESIGN));
    assert_eq!(
        changed(&html, &after),
        [
            (
                ".card { padding:15px 16px; border-radius: 7px 8px }",
                ".card { padding:16px 16px; border-radius: 8px 8px }"
            ),
            (".note { font-size: 1.0625rem }", ".note { font-size: 1rem }"),
        ]
    );
    assert_eq!(told(&after, Some(DESIGN), "brand/scale"), [""; 0]);
    // Without anything that moves, corners alone are put right.
    let done = repaired(&html, Some(DESIGN));
    assert_eq!(
        changed(&html, &done.html),
        [(
            ".card { padding:15px 16px; border-radius: 7px 8px }",
            ".card { padding:15px 16px; border-radius: 8px 8px }"
        )]
    );
}

#[test]
fn a_distance_in_a_property_is_moved_where_it_is_written() {
    let html = page(
        ":root { --gap: 17px; --odd: 13px }\n.card { padding: var(--gap); width: var(--odd) }",
        "<div class=\"card\">Two to the pound.</div>",
    );
    let after = redesigned(&html, Some(DESIGN));
    assert_eq!(
        changed(&html, &after),
        [(":root { --gap: 17px; --odd: 13px }", ":root { --gap: 16px; --odd: 13px }")]
    );
}

#[test]
fn what_is_far_from_a_step_or_would_move_the_page_stays() {
    // 12 px lies in the middle of 8 and 16.
    let far = page(".card { padding: 12px }", "<div class=\"card\">Two to the pound.</div>");
    assert!(redesigned(&far, Some(DESIGN)).contains(".card { padding: 12px }"));
    // Six cards in a column, each two pixels taller above and below, push the last one down by more than four.
    let cards = "<div class=\"card\">Two to the pound.</div>\n".repeat(6);
    let many = page(".card { padding: 14px }", &cards);
    assert!(redesigned(&many, Some(DESIGN)).contains(".card { padding: 14px }"));
}

#[test]
fn no_step_is_taken_at_the_cost_of_readers() {
    let design = DESIGN.replace("fontSize: 24px", "fontSize: 11px");
    let html = page(".note { font-size: 12.8px }", "<p class=\"note\">Cash only.</p>");
    assert!(redesigned(&html, Some(&design)).contains(".note { font-size: 12.8px }"));
    // Padding that makes two icons large enough to hit is not taken away.
    let design = DESIGN.replace("sm: 8px\n  md: 16px", "sm: 4px\n  md: 16px");
    let icons = page(
        ".x { display: inline-block; box-sizing: content-box; font-size: 16px; line-height: 12px; padding: 6px; width: 12px; height: 12px; overflow: hidden; text-decoration: none }",
        "<p><a class=\"x\" href=\"https://a.org/\">A</a><a class=\"x\" href=\"https://b.org/\">B</a></p>",
    );
    assert!(redesigned(&icons, Some(&design)).contains("padding: 6px;"));
}
