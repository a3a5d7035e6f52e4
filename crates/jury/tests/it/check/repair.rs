//! `--repair`: copies of what changed, and a verdict about what is left.

use super::{POOR_PAGE, json, site};

#[test]
fn pages_that_changed_are_written_and_judged_as_they_are_then() {
    let cx = site();
    let (code, document) = json(&cx, &["site", "--repair", "out", "--only", "a11y/contrast"]);
    assert_eq!(code, 0, "{document}");
    assert!(!cx.path("out/good.html").exists() || document["pages"][0]["repaired"].is_object());
    let poor = &document["pages"][1];
    assert_eq!(poor["repaired"]["written"], "out/poor.html");
    let repairs = poor["repaired"]["repairs"].as_array().unwrap();
    let contrast = repairs.iter().find(|repair| repair["check"] == "a11y/contrast").unwrap();
    assert!(contrast["line"].as_u64().unwrap() > 0 && !contrast["reason"].as_str().unwrap().is_empty());
    let mended = std::fs::read_to_string(cx.path("out/poor.html")).unwrap();
    assert!(!mended.contains("#aaa}"), "{mended}");
    assert_eq!(
        std::fs::read_to_string(cx.path("site/poor.html")).unwrap(),
        POOR_PAGE,
        "the page is left alone"
    );
    // The image says nothing, and no machine knows what it should say.
    let shown = cx.show(cx.jury().args(["check", "site", "--repair", "again", "--only", "a11y/*"]));
    assert!(shown.starts_with("exit: 1") && shown.contains("repaired line "), "{shown}");
    assert!(shown.contains("written to again/poor.html"), "{shown}");
}

#[test]
fn a_page_is_never_replaced_by_its_copy() {
    let cx = site();
    for folder in ["site", "./site/", "site/poor.html"] {
        let shown = cx.show(cx.jury().args(["check", "site", "--repair", folder]));
        assert!(shown.starts_with("exit: 2"), "{shown}");
        assert!(shown.contains("error: --repair"), "{shown}");
    }
    assert_eq!(std::fs::read_to_string(cx.path("site/poor.html")).unwrap(), POOR_PAGE);
}
