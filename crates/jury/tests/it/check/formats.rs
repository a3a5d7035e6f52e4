//! Every format of the same pages, and the exit code that they share.

use insta::assert_snapshot;

use super::{json, site};

#[test]
fn pages_for_people_and_programs() {
    let cx = site();
    // Two checks: these formats are about the form, and the table of checks is not their business.
    let only = ["--only", "a11y/contrast", "--only", "a11y/img-alt"];
    for format in ["human", "sarif", "junit", "github"] {
        let shown = cx.show(cx.jury().args(["check", "site", "--quiet", "--format", format]).args(only));
        assert!(shown.starts_with("exit: 1"), "{shown}");
        assert_snapshot!(format!("check_{format}"), without_scores(&shown));
    }
}

/// Scores are of the whole panel, and change with every check of it.
fn without_scores(shown: &str) -> String {
    let mut out = String::new();
    for line in shown.split_inclusive('\n') {
        match (line.find(" of 10  "), line.rfind("  ")) {
            (Some(score), Some(counts)) => {
                let start = line.get(..score).and_then(|head| head.rfind("  ")).unwrap_or_default();
                out.push_str(line.get(..start).unwrap_or_default());
                out.push_str("  [SCORES]");
                out.push_str(line.get(counts..).unwrap_or_default());
            }
            _ => out.push_str(line),
        }
    }
    out
}

#[test]
fn one_json_document_with_a_report_for_each_page() {
    let cx = site();
    let (code, document) = json(&cx, &["site"]);
    assert_eq!(code, 1);
    assert_eq!(document["version"], 1);
    assert_eq!(document["exitCode"], 1);
    assert_eq!(document["totals"]["pages"], 2);
    assert_eq!(document["totals"]["passed"], 1);
    assert_eq!(document["totals"]["failed"], 1);
    let [good, poor] = [0, 1].map(|index| &document["pages"][index]);
    assert_eq!(
        (good["path"].as_str(), poor["path"].as_str()),
        (Some("site/good.html"), Some("site/poor.html"))
    );
    assert_eq!((good["standing"].as_str(), poor["standing"].as_str()), (Some("pass"), Some("fail")));
    assert!(good["error"].is_null() && good["report"]["findings"].is_array(), "{good}");
    let failing = poor["failing"].as_array().unwrap();
    assert!(failing.iter().any(|id| id.as_str().unwrap().starts_with("a11y/contrast#")), "{failing:?}");
    assert!(document["notJudged"].as_str().unwrap().contains("beauty"));
    assert!(poor["report"]["notJudged"].as_str().unwrap().contains("beauty"));
}

#[test]
fn what_fails_a_page_can_be_chosen() {
    let cx = site();
    let code = |args: &[&str]| json(&cx, args).0;
    assert_eq!(code(&["site/good.html"]), 0);
    assert_eq!(code(&["site/poor.html", "--only", "a11y/contrast", "--fail-on", "critical"]), 0);
    assert_eq!(code(&["site/poor.html", "--only", "a11y/contrast"]), 1);
    assert_eq!(code(&["site/poor.html", "--skip", "a11y/*", "--skip", "critic/*", "--skip", "copy/*"]), 0);
    assert_eq!(code(&["site/poor.html", "--only", "a11y/lang", "--threshold", "9.9"]), 1);
    assert_eq!(code(&["site/poor.html", "--only", "a11y/lang", "--threshold", "1", "--force"]), 0);
    let args = ["check", "site/poor.html", "--only", "a11y/lang", "--threshold", "9.9"];
    let shown = cx.show(cx.jury().args(args));
    assert!(shown.contains("is below 9.9"), "{shown}");
}
