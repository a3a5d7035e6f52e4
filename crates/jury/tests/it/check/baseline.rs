//! What is known does not fail a page; what is new does, whatever was fixed meanwhile.

use insta::assert_snapshot;

use super::{POOR_PAGE, ids, json, site};
use crate::harness::Context;

const ONLY: [&str; 4] = ["--only", "a11y/contrast", "--only", "a11y/img-alt"];

fn known(cx: &Context) {
    let made = cx
        .show(cx.jury().args(["check", "site", "--baseline", "known.json", "--update-baseline"]).args(ONLY));
    assert!(made.starts_with("exit: 0"), "{made}");
    assert!(made.contains("known.json now has 2 findings on 1 pages"), "{made}");
}

fn against(cx: &Context) -> (i32, serde_json::Value) {
    json(cx, &["site", "--baseline", "known.json", ONLY[0], ONLY[1], ONLY[2], ONLY[3]])
}

#[test]
fn a_baseline_is_made_read_and_never_rewritten_by_itself() {
    let cx = site();
    known(&cx);
    let text = std::fs::read_to_string(cx.path("known.json")).unwrap();
    assert_snapshot!("baseline_file", text);
    let (code, document) = against(&cx);
    assert_eq!(code, 0, "{document}");
    assert_eq!(document["pages"][1]["baseline"]["known"].as_array().unwrap().len(), 2);
    assert_eq!(std::fs::read_to_string(cx.path("known.json")).unwrap(), text);
    // From elsewhere the pages are the same ones.
    let mut elsewhere = cx.jury();
    elsewhere.current_dir(cx.path("site")).args(["check", ".", "--quiet", "--baseline", "../known.json"]);
    let shown = cx.show(elsewhere.args(ONLY));
    assert!(shown.starts_with("exit: 0"), "{shown}");
}

#[test]
fn a_fix_and_a_new_defect_do_not_cancel_out() {
    let cx = site();
    known(&cx);
    let changed = POOR_PAGE.replace(".note{color:#aaa}", "").replace("<h1>", "<h1 style=\"color:#ccc\">");
    cx.write("site/poor.html", changed);
    let (code, document) = against(&cx);
    assert_eq!(code, 1);
    let page = &document["pages"][1];
    assert_eq!(page["baseline"]["new"].as_array().unwrap().len(), 1, "{page}");
    assert_eq!(page["baseline"]["fixed"].as_array().unwrap().len(), 1, "{page}");
    assert_eq!(page["failing"], page["baseline"]["new"]);
    let shown = cx.show(cx.jury().args(["check", "site", "--baseline", "known.json"]).args(ONLY));
    assert!(shown.contains("1 fixed: run --update-baseline"), "{shown}");
}

#[test]
fn a_known_cause_on_more_elements_has_grown() {
    let cx = site();
    known(&cx);
    let more = POOR_PAGE.replace("<img", "<p class=\"note\">Or at the weekend.</p>\n<img");
    cx.write("site/poor.html", more);
    let (code, document) = against(&cx);
    assert_eq!(code, 1);
    let grown = document["pages"][1]["baseline"]["grown"].as_array().unwrap();
    assert_eq!(grown.len(), 1, "{document}");
    assert!(grown[0].as_str().unwrap().starts_with("a11y/contrast#"));
    // The same finding as before: its id does not depend on lines or numbers.
    assert!(ids(&document, 1).contains(&grown[0].as_str().unwrap().to_owned()));
}

#[test]
fn entries_of_pages_that_are_gone_are_told_and_go_with_an_update() {
    let cx = site();
    known(&cx);
    std::fs::rename(cx.path("site/poor.html"), cx.path("site/moved.html")).unwrap();
    let shown = cx.show(cx.jury().args(["check", "site", "--baseline", "known.json"]).args(ONLY));
    assert!(shown.starts_with("exit: 1"), "a page that nobody knows has nothing known: {shown}");
    assert!(shown.contains("stale: site/poor.html: the page is gone"), "{shown}");
    let made = cx
        .show(cx.jury().args(["check", "site", "--baseline", "known.json", "--update-baseline"]).args(ONLY));
    assert!(made.starts_with("exit: 0"), "{made}");
    let text = std::fs::read_to_string(cx.path("known.json")).unwrap();
    assert!(text.contains("site/moved.html") && !text.contains("site/poor.html"), "{text}");
}

#[test]
fn a_page_that_is_not_measured_keeps_what_is_known_of_it() {
    let cx = site();
    known(&cx);
    let before = std::fs::read_to_string(cx.path("known.json")).unwrap();
    cx.write("site/poor.html", "");
    let made = cx
        .show(cx.jury().args(["check", "site", "--baseline", "known.json", "--update-baseline"]).args(ONLY));
    assert!(made.starts_with("exit: 3"), "{made}");
    assert_eq!(std::fs::read_to_string(cx.path("known.json")).unwrap(), before);
}

#[test]
fn checks_that_were_not_asked_for_stay_as_they_were() {
    let cx = site();
    known(&cx);
    let args = ["check", "site", "--baseline", "known.json", "--update-baseline", "--only", "a11y/contrast"];
    cx.write("site/poor.html", POOR_PAGE.replace(".note{color:#aaa}", ""));
    let made = cx.show(cx.jury().args(args));
    assert!(made.starts_with("exit: 0"), "{made}");
    let text = std::fs::read_to_string(cx.path("known.json")).unwrap();
    assert!(text.contains("a11y/img-alt#") && !text.contains("a11y/contrast#"), "{text}");
}
