//! Repairs of the main action.

use super::{DESIGN, changed, found, page, repaired, told};

const BUTTON: &str = "<p><a class=\"buy\" href=\"https://example.org/bread\">Order a loaf</a></p>";

fn styled(fill: &str) -> String {
    page(&format!(".buy {{ display: inline-block; padding: 16px; {fill}; color: #1a1a1a; }}"), BUTTON)
}

/// The one line that changed, as it is.
fn only(before: &str, after: &str) -> String {
    let changed = changed(before, after);
    assert_eq!(changed.len(), 1, "{changed:?}");
    changed.first().expect("one").1.to_owned()
}

#[test]
fn a_fill_that_is_lost_on_the_page_moves_where_it_is_written() {
    let html = styled("background: #8fb3ff");
    assert_eq!(told(&html, None, "critic/cta").len(), 1);
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "critic/cta"), [""; 0]);
    let line = only(&html, &done.html);
    assert!(line.starts_with(".buy { display: inline-block; padding: 16px; background: #"), "{line}");
    assert!(line.ends_with("; color: #1a1a1a; }"), "{line}");
    // The hue stays: it is still a blue.
    let blue = line.split('#').nth(1).and_then(|hex| hex.get(..6)).expect("a colour");
    assert!(blue.get(4..6) > blue.get(0..2), "{blue}");
}

#[test]
fn a_property_goes_before_the_rule() {
    let html = page(
        ":root { --buy: #8fb3ff }\n.buy { display: inline-block; padding: 16px; background: var(--buy); color: #1a1a1a }",
        BUTTON,
    );
    let done = repaired(&html, None);
    let line = only(&html, &done.html);
    assert!(line.starts_with(":root { --buy: #") && !line.contains("8fb3ff"), "{line}");
    assert_eq!(found(&done.after, "critic/cta"), [""; 0]);
}

#[test]
fn a_token_of_the_brand_is_preferred() {
    let design = DESIGN.replace("  rust:", "  clay: \"#d9714a\"\n  rust:");
    let html = styled("background: #f5b89d");
    let done = repaired(&html, Some(&design));
    assert!(only(&html, &done.html).contains("background: #d9714a;"), "{}", done.html);
    assert_eq!(found(&done.after, "critic/cta"), [""; 0]);
}

#[test]
fn fill_and_text_move_together_when_one_alone_is_not_enough() {
    let html =
        page(".buy { display: inline-block; padding: 16px; background: #dddddd; color: #444444; }", BUTTON);
    assert_eq!(told(&html, None, "critic/cta").len(), 1);
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "critic/cta"), [""; 0], "{}", done.html);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    assert!(done.html.contains("background: #dddddd; color: #444444;"), "the rule stays: {}", done.html);
    assert!(done.html.contains("a.buy{background-color:#"), "{}", done.html);
}

#[test]
fn what_stands_out_by_its_edge_or_lies_on_a_gradient_stays() {
    let edged = styled("background: #f0f0f0; border: 2px solid #1a1a1a");
    assert_eq!(repaired(&edged, None).html, edged);
    let over = page(
        ".buy { display: inline-block; padding: 16px; background: #8fb3ff; color: #1a1a1a }\n.hero { background: linear-gradient(#ffffff, #eeeeee) }",
        &format!("<div class=\"hero\">{BUTTON}</div>"),
    );
    assert!(repaired(&over, None).html.contains("background: #8fb3ff; color: #1a1a1a"));
}
