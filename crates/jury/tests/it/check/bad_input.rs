//! Pages that are none, and calls that cannot be carried out.

use insta::assert_snapshot;

use super::site;
use crate::harness::{Context, GOOD_PAGE};

#[test]
fn what_cannot_be_measured_is_told_and_is_not_a_pass() {
    let cx = Context::new();
    cx.write("a_empty.html", " \n");
    cx.write("b_binary.html", b"\x7fELF\x02\x01\x01\0\0\0");
    cx.write("c_text.html", "just text, no tags at all");
    let file = std::fs::File::create(cx.path("d_huge.html")).unwrap();
    file.set_len(100_000_000).unwrap();
    cx.write("e_deep.html", "<div>".repeat(100_000));
    cx.write("f_good.html", GOOD_PAGE);
    let shown = cx.show(cx.jury().args(["check", ".", "--only", "a11y/lang", "--format", "junit"]));
    assert!(shown.starts_with("exit: 3"), "{shown}");
    assert_snapshot!("check_unmeasured", shown);
}

#[test]
fn wrong_calls_measure_nothing() {
    let cx = site();
    cx.write("broken.json", "{\"version\": 1, \"pages\": [");
    cx.write("future.json", "{\"version\": 9, \"pages\": {}}");
    let calls: [&[&str]; 12] = [
        &[],
        &["nowhere.html"],
        &["site/*.xhtml"],
        &["site", "--only", "a11y/contrst"],
        &["site", "--skip", "*"],
        &["site", "--threshold", "11"],
        &["site", "--fail-on", "bad"],
        &["site", "--design", "nowhere.md"],
        &["site", "--root", "nowhere"],
        &["site", "--baseline", "nowhere.json"],
        &["site", "--baseline", "broken.json"],
        &["site", "--baseline", "future.json"],
    ];
    let mut all = String::new();
    for call in calls {
        let shown = cx.show(cx.jury().arg("check").args(call));
        assert!(shown.starts_with("exit: 2"), "{call:?}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{call:?}: {shown}");
        let error = shown.lines().find(|line| line.starts_with("error:")).unwrap();
        all.extend(["jury check ", &call.join(" "), "\n  ", error, "\n"]);
    }
    assert_snapshot!("check_wrong_calls", all);
}

#[test]
fn an_empty_folder_is_not_a_pass() {
    let cx = Context::new();
    std::fs::create_dir(cx.path("empty")).unwrap();
    let shown = cx.show(cx.jury().args(["check", "empty"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert!(shown.contains("error: no page below empty: there is no .html or .htm file"), "{shown}");
}
