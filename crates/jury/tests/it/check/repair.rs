//! `--repair`: copies of what changed, and a verdict about what is left.

use super::{POOR_PAGE, json, site};
use crate::harness::Context;

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

#[test]
fn nothing_is_replaced_but_earlier_copies() {
    let cx = Context::new();
    for folder in ["draft", "public"] {
        std::fs::create_dir(cx.path(folder)).unwrap();
    }
    cx.write("draft/index.html", POOR_PAGE);
    cx.write("public/index.html", "somebody's work");
    let repair = |folder: &str| cx.show(cx.jury().args(["check", "draft/index.html", "--repair", folder]));
    let shown = repair("public");
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert!(shown.contains("would replace public/index.html, which is no copy"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("public/index.html")).unwrap(), "somebody's work");
    // A copy is replaced by the next one, until somebody works on it.
    for _ in 0..2 {
        let shown = repair("out");
        assert!(shown.contains("written to out/index.html"), "{shown}");
    }
    let copy = std::fs::read_to_string(cx.path("out/index.html")).unwrap();
    cx.write("out/index.html", format!("{copy}<!-- mine -->"));
    let shown = repair("out");
    assert!(shown.starts_with("exit: 2") && shown.contains("changed since"), "{shown}");
    assert!(std::fs::read_to_string(cx.path("out/index.html")).unwrap().ends_with("<!-- mine -->"));
}

#[test]
fn two_pages_never_share_a_copy() {
    let cx = Context::new();
    cx.write("stdin.html", POOR_PAGE);
    let mut command = cx.jury();
    command.args(["check", "stdin.html", "-", "--repair", "out"]);
    let shown = cx.show_with_input(&mut command, POOR_PAGE.as_bytes());
    assert!(shown.starts_with("exit: 2") && shown.contains("would be one file"), "{shown}");
    assert!(!cx.path("out").exists());
}

#[test]
fn a_page_that_could_not_be_read_whole_has_no_copy() {
    let cx = Context::new();
    let page = POOR_PAGE.replace("weekday", "w\u{e9}\u{e9}kday").replace("utf-8", "iso-8859-1");
    let latin: Vec<u8> = page.chars().map(|c| u8::try_from(c).unwrap()).collect();
    cx.write("page.html", &latin);
    let args = ["check", "page.html", "-", "--repair", "out", "--only", "a11y/contrast", "--json"];
    let shown = cx.show_with_input(cx.jury().args(args), &latin);
    assert!(shown.starts_with("exit: 1"), "{shown}");
    assert!(!cx.path("out").exists());
    let document = shown.lines().skip(2).take_while(|line| !line.starts_with("-----")).collect::<String>();
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    for page in [0, 1] {
        let notes = document["pages"][page]["notes"].to_string();
        assert!(notes.contains("not valid UTF-8") && notes.contains("it is not repaired"), "{notes}");
        assert!(document["pages"][page]["repaired"].is_null());
    }
}
