//! `jury explain`: a finding measured again, or a check.

use insta::assert_snapshot;

use super::{POOR_PAGE, ids, json, site};
use crate::harness::Context;

fn contrast(cx: &Context) -> String {
    let (_, document) = json(cx, &["site/poor.html", "--only", "a11y/contrast"]);
    ids(&document, 0).remove(0)
}

#[test]
fn a_finding_is_measured_again_step_by_step() {
    let cx = site();
    let id = contrast(&cx);
    let shown = cx.show(cx.jury().args(["explain", &id, "site/poor.html"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    for part in ["p.note", "line 7", "#aaaaaa", "#ffffff", "needs 4.5:1", "luminance", "2.32"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let json = cx.jury().args(["explain", &id, "site/poor.html", "--json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["found"]["id"], id);
    assert!(json["seen"][0]["steps"].as_array().unwrap().len() > 4);
}

#[test]
fn a_finding_that_is_gone_says_so() {
    let cx = site();
    let id = contrast(&cx);
    cx.write("site/poor.html", POOR_PAGE.replace(".note{color:#aaa}", ""));
    let shown = cx.show(cx.jury().args(["explain", &id, "site/poor.html"]));
    assert!(shown.starts_with("exit: 1"), "{shown}");
    assert!(
        shown.contains("it is gone, or it was never there; a11y/contrast finds nothing on it"),
        "{shown}"
    );
}

#[test]
fn a_finding_of_a_run_is_explained_from_its_last_round() {
    let cx = site();
    let id = contrast(&cx);
    cx.show(cx.jury().args(["run", "site/poor.html", "--max-rounds", "1", "--quiet"]));
    // The ids of a run are those of its page.
    let listed = cx.show(cx.jury().args(["explain", "a11y/contrast", "--run", "last"]));
    assert!(listed.starts_with("exit: 0") && listed.contains(&id), "{listed}");
    let shown = cx.show(cx.jury().args(["explain", &id, "--run", "last"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("run [ID], round 1") && shown.contains("needs 4.5:1"), "{shown}");
}

#[test]
fn wrong_questions() {
    let cx = site();
    cx.write("empty.html", "");
    let mut all = String::new();
    for (args, code) in [
        (&["a11y/contrst#123456", "site/poor.html"][..], 2),
        (&["a11y/contrast#000000"], 2),
        (&["a11y/contrast#000000", "nowhere.html"], 2),
        (&["a11y/contrast#000000", "empty.html"], 3),
        (&["a11y/contrast#000000", "--run", "last"], 2),
    ] {
        let shown = cx.show(cx.jury().arg("explain").args(args));
        assert!(shown.starts_with(&format!("exit: {code}")), "{args:?}: {shown}");
        let error = shown.lines().find(|line| line.starts_with("error:")).unwrap();
        all.extend(["jury explain ", &args.join(" "), "\n  ", error, "\n"]);
    }
    assert_snapshot!("explain_wrong_questions", all);
}

#[test]
fn a_check_is_explained_without_a_page() {
    let cx = Context::new();
    let shown = cx.show(cx.jury().args(["explain", "a11y/contrast"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("a11y/contrast") && shown.contains("Severity"), "{shown}");
}

#[test]
fn a_rule_of_every_table_is_explained_and_a_wrong_id_gets_near_ones() {
    let cx = Context::new();
    let mut all = String::new();
    for id in ["dead-link", "tests-deleted", "seo.title-long", "positioning.drift"] {
        let shown = cx.show(cx.jury().args(["explain", id]));
        assert!(shown.starts_with("exit: 0"), "{shown}");
        all.push_str(&shown);
    }
    for args in [&["dead-lnk"][..], &["tests-deletd"], &["seo.title-lng"], &["dead-link", "page.html"]] {
        let shown = cx.show(cx.jury().arg("explain").args(args));
        assert!(shown.starts_with("exit: 2"), "{shown}");
        all.push_str(&shown);
    }
    assert_snapshot!("explain_rules_of_every_table", all);
}
