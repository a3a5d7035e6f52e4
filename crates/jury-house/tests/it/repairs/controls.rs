//! Repairs of fields, links, targets and what else one works with.

use super::{changed, found, page, redesigned, repaired, told};

/// What is repaired where nothing may move: the check, a style, a part of the page, and what stands there afterwards.
const QUIET: &[(&str, &str, &str, &str)] = &[
    (
        "a11y/nontext-contrast",
        "input { border: 1px solid #dddddd; background: #ffffff; padding: 8px }",
        "<p><label for=\"m\">Mail</label> <input id=\"m\" class=\"field\" type=\"email\"></p>",
        "input.field{border-color:#",
    ),
    (
        "a11y/field-label",
        "",
        "<p><label>City</label> <input name=\"city\"></p>",
        "<label for=\"city\">City</label> <input id=\"city\" name=\"city\">",
    ),
    (
        "a11y/focus",
        "a:focus { outline: none }",
        "<p><a href=\"https://example.org/\">The mill</a></p>",
        ":focus-visible{outline:2px solid currentColor!important",
    ),
    (
        "a11y/aria",
        "",
        "<p class=\"c\" role=\"buton\">Two to the pound.</p>",
        "<p class=\"c\">Two to the pound.</p>",
    ),
    (
        "a11y/scroll-focus",
        ".box { height: 40px; overflow: auto }",
        "<div class=\"box\"><p>One</p><p>Two</p><p>Three</p></div>",
        "<div tabindex=\"0\" class=\"box\">",
    ),
    (
        "a11y/link-in-text",
        "a { color: #333333; text-decoration: none }",
        "<p>We buy our flour at <a class=\"l\" href=\"https://example.org/\">the mill</a> down by the river, every day.</p>",
        "text-decoration:underline",
    ),
    (
        "a11y/motion",
        "@keyframes spin { to { transform: rotate(360deg) } }\n.wheel { animation: spin 2s linear infinite }",
        "<div class=\"wheel\">Turning</div>",
        "@media (prefers-reduced-motion:reduce)",
    ),
    (
        "a11y/spacing",
        "",
        "<p style=\"letter-spacing: 0.01em !important; color: #1a1a1a\">Bread for everybody in the street.</p>",
        "<p style=\"letter-spacing: 0.01em; color: #1a1a1a\">",
    ),
    (
        "copy/links",
        "",
        "<h2 style=\"font-size:24px\">Prices</h2>\n<p><a href=\"#\">Prices</a></p>",
        "<a href=\"#prices\">Prices</a>",
    ),
];

#[test]
fn what_can_be_repaired_without_anything_moving_is() {
    for (check, style, body, expected) in QUIET {
        let html = page(style, body);
        assert!(!told(&html, None, check).is_empty(), "{check} has nothing to say");
        let done = repaired(&html, None);
        assert!(done.html.contains(expected), "{check}: {}", done.html);
        assert_eq!(found(&done.after, check), [""; 0], "{check}");
        // Everything that was there is there, and stands where it stood.
        let style = style.lines().all(|line| done.html.contains(line));
        assert!(style, "{check}: {}", done.html);
    }
}

#[test]
fn zoom_is_given_back() {
    let html = page("", "").replace("initial-scale=1", "initial-scale=1, maximum-scale=1, user-scalable=no");
    let done = repaired(&html, None);
    assert_eq!(
        changed(&html, &done.html),
        [(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        )]
    );
}

#[test]
fn a_field_without_an_edge_gets_one() {
    let field = "<p><label for=\"m\">Mail</label> <input id=\"m\" class=\"field\" type=\"email\"></p>";
    let html = page("input { border: 0; background: #f4f4f4; padding: 8px; width: 200px }", field);
    let after = redesigned(&html, None);
    assert!(after.contains("input.field{border:1px solid #"), "{after}");
    assert_eq!(told(&after, None, "a11y/nontext-contrast"), [""; 0]);
    // Where nothing may move it stays as it is.
    assert_eq!(repaired(&html, None).html, html);
}

#[test]
fn what_cannot_be_told_is_left_alone() {
    let field = "<p><label for=\"m\">Mail</label> <input id=\"m\" class=\"field\" type=\"email\"></p>";
    for style in [
        // A shadow may be the edge.
        "input { border: 0; background: #ffffff; box-shadow: 0 0 0 1px #666666; padding: 8px }",
        // A fill that can be told by itself.
        "input { border: 0; background: #555555; color: #ffffff; padding: 8px }",
    ] {
        let html = page(style, field);
        assert_eq!(redesigned(&html, None), html);
    }
    // Spacing that is wide enough, and spacing that readers can change.
    for style in ["letter-spacing: 0.2em !important", "letter-spacing: 0.01em"] {
        let html = page("", &format!("<p style=\"{style}\">Bread for everybody in the street.</p>"));
        assert_eq!(redesigned(&html, None), html);
    }
}

#[test]
fn targets_grow() {
    let html = page(
        ".x { display: inline-block; width: 14px; height: 14px; overflow: hidden; font-size: 12px; line-height: 14px; text-decoration: none }",
        "<p><a class=\"x\" href=\"https://a.org/\">A</a><a class=\"x\" href=\"https://b.org/\">B</a></p>",
    );
    assert!(!told(&html, None, "a11y/target").is_empty());
    let after = redesigned(&html, None);
    assert_eq!(told(&after, None, "a11y/target"), [""; 0], "{after}");
}
