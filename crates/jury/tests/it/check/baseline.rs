//! What is known does not fail a page; what is new does, whatever was fixed meanwhile.

use insta::assert_snapshot;

use super::{POOR_PAGE, ids, json, site};
use crate::harness::Context;

const ONLY: [&str; 4] = ["--only", "a11y/contrast", "--only", "a11y/img-alt"];

fn known(cx: &Context) {
    let made = cx
        .show(cx.jury().args(["check", "site", "--baseline", "known.json", "--update-baseline"]).args(ONLY));
    assert!(made.starts_with("exit: 0"), "{made}");
    assert!(made.contains("known.json now has 2 findings on 1 page"), "{made}");
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

/// Two pictures that look the same in the source, one of them without a text.
fn pictures(first: &str, second: &str) -> String {
    POOR_PAGE.replace("<img src=\"data:,\">", &format!("<img src=a.png{first}>\n<img src=b.png{second}>"))
}

#[test]
fn a_fix_on_one_element_and_a_defect_on_another_do_not_cancel_out() {
    let cx = site();
    cx.write("site/poor.html", pictures("", " alt=x"));
    known(&cx);
    assert_eq!(against(&cx).0, 0);
    cx.write("site/poor.html", pictures(" alt=x", ""));
    let (code, document) = against(&cx);
    assert_eq!(code, 1, "{document}");
    let grown = document["pages"][1]["baseline"]["grown"].as_array().unwrap();
    assert!(grown[0].as_str().unwrap().starts_with("a11y/img-alt#"), "{document}");
}

#[test]
fn an_element_that_only_moved_is_known() {
    let cx = site();
    known(&cx);
    let moved = POOR_PAGE
        .replace("<h1>", "<p>New words at the top.</p>\n\n<h1>")
        .replace("<p class=\"note\">Come by on a weekday.</p>\n", "")
        .replace("</main>", "<div><p class=\"note\">Come by on a weekday.</p></div></main>");
    cx.write("site/poor.html", moved);
    let (code, document) = against(&cx);
    assert_eq!(code, 0, "{document}");
    assert_eq!(document["pages"][1]["baseline"]["known"].as_array().unwrap().len(), 2, "{document}");
}

#[test]
fn a_file_of_the_first_form_is_read_and_an_update_makes_it_one_of_this() {
    let cx = site();
    known(&cx);
    let text = std::fs::read_to_string(cx.path("known.json")).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    file["version"] = 1.into();
    for known in file["pages"]["site/poor.html"].as_object_mut().unwrap().values_mut() {
        known.as_object_mut().unwrap().remove("elements").unwrap();
    }
    cx.write("known.json", file.to_string());
    let (code, document) = against(&cx);
    assert_eq!(code, 0, "{document}");
    let remark = document["baseline"][0].as_str().unwrap();
    assert!(remark.contains("on how many elements") && remark.contains("--update-baseline"), "{remark}");
    // Numbers are all that it has, and they still count.
    cx.write("site/poor.html", POOR_PAGE.replace("<img", "<p class=\"note\">Or later.</p>\n<img"));
    assert_eq!(against(&cx).0, 1);
    cx.write("site/poor.html", POOR_PAGE);
    known(&cx);
    assert_eq!(std::fs::read_to_string(cx.path("known.json")).unwrap(), text);
    assert_eq!(against(&cx).1["baseline"], serde_json::json!([]));
}

#[test]
fn a_repair_does_not_change_what_is_known_of_a_page() {
    let cx = site();
    known(&cx);
    let before = std::fs::read_to_string(cx.path("known.json")).unwrap();
    let args = ["site", "--baseline", "known.json", "--repair", "out", ONLY[0], ONLY[1], ONLY[2], ONLY[3]];
    let (code, document) = json(&cx, &args);
    assert_eq!(code, 0, "{document}");
    let page = &document["pages"][1];
    assert_eq!(page["repaired"]["written"], "out/poor.html");
    // The page itself has what it had, so that nothing of it is fixed; what is left of the copy is known.
    assert_eq!(page["baseline"]["fixed"], serde_json::json!([]));
    assert_eq!(page["baseline"]["known"].as_array().unwrap().len(), 1, "{page}");
    let (code, _) = json(&cx, &[&args[..], &["--update-baseline"]].concat());
    assert_eq!(code, 0);
    assert_eq!(std::fs::read_to_string(cx.path("known.json")).unwrap(), before);
}
