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
