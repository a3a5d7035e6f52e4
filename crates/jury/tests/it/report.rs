//! `jury report --html`: the file, where it goes, and what is in it.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use insta::assert_snapshot;
use rustix::process::Signal;
use serde_json::Value;

use crate::harness::{Context, Running};
use crate::hostile::attacked;
use crate::interrupt::slow_agent;

/// A context in which an example was reviewed.
fn reviewed(example: &str) -> Context {
    let cx = Context::new();
    cx.example(example);
    cx.jury().args(["run", example, "--quiet"]).output().unwrap();
    cx
}

/// The report of the last run.
fn html(cx: &Context) -> String {
    let output = cx.jury().args(["report", "last", "--html", "-"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What stands between the tags of the element with this id.
fn data(html: &str, id: &str) -> Value {
    let (_, after) = html.split_once(&format!("<script type=\"application/json\" id=\"{id}\">")).unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

/// The file without its pages: what is ours.
fn without_pages(html: &str) -> String {
    let mut parts = html.split(" srcdoc=\"");
    let mut ours = parts.next().unwrap().to_owned();
    for part in parts {
        ours.push_str(part.split_once('"').unwrap().1);
    }
    ours
}

#[test]
fn a_report_goes_where_it_is_sent() {
    let cx = reviewed("stubborn.html");
    let mut shown = cx.show(cx.jury().args(["report", "last", "--html", "report.html"]));
    shown += &cx.show(cx.jury().args(["report", "last", "--html", "quiet.html", "--quiet"]));
    shown += &cx.show(cx.jury().args(["report", "nobody", "--html", "none.html"]));
    shown += &cx.show(cx.jury().args(["report", "last", "--html", "."]));
    shown += &cx.show(cx.jury().args(["report", "last", "--html", "no/where.html"]));
    shown += &cx.show(cx.jury().args(["report", "last", "--html", "x.html", "--json"]));
    assert_snapshot!("report_html", shown);
    let report = std::fs::read_to_string(cx.path("report.html")).unwrap();
    assert_eq!(report, html(&cx), "a file and stdout get the same bytes");
    assert_eq!(report, std::fs::read_to_string(cx.path("quiet.html")).unwrap());
    assert!(!cx.path("none.html").exists() && !cx.path("x.html").exists());
}

#[test]
fn a_file_that_is_there_is_replaced_in_one_step() {
    let cx = reviewed("stubborn.html");
    let file = cx.write("report.html", "old");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("report.html", cx.path("link.html")).unwrap();
    let before = std::fs::metadata(&file).unwrap().ino();
    assert!(cx.jury().args(["report", "last", "--html", "link.html"]).status().unwrap().success());
    let after = std::fs::metadata(&file).unwrap();
    assert_ne!(after.ino(), before, "another file stands there");
    assert_eq!(after.permissions().mode() & 0o777, 0o640);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), html(&cx));
    assert!(cx.path("link.html").is_symlink(), "what leads there still does");
    let left = std::fs::read_dir(cx.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    // What is no file is written to, and stays what it is.
    assert!(cx.jury().args(["report", "last", "--html", "/dev/null"]).status().unwrap().success());
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_report_carries_the_run_its_pages_and_its_words_and_names_nothing_else() {
    let cx = reviewed("landing.html");
    let report = html(&cx);
    let artifact = cx.runs()[0]["artifactId"].as_str().unwrap().to_owned();
    let transcript =
        std::fs::read_to_string(cx.path(&format!(".od/artifacts/{artifact}/transcript.ndjson"))).unwrap();
    let lines: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(data(&report, "run")["records"], Value::from(lines));
    let words = data(&report, "words");
    for locale in ["en", "de", "ja", "ko", "zh-CN", "zh-TW"] {
        assert!(words[locale]["report.name"].is_string(), "{locale}");
    }
    assert_eq!(report.matches("<iframe sandbox=\"\"").count(), 2, "one page for each round");
    assert_eq!(report.matches("<iframe").count(), 2);
    for said in ["Shipped", "landing.html", "Threshold", "Round 2", "Must-fix ledger", "Consensus"] {
        assert!(report.contains(said), "{said}");
    }
    // Names of namespaces are no addresses that anybody goes to.
    let ours = without_pages(&report).replace("http://www.w3.org/", "");
    for load in ["://", "src=", "href=", "url(", "@import", "import("] {
        let at =
            ours.find(load).map(|at| ours[at.saturating_sub(60)..].chars().take(120).collect::<String>());
        assert_eq!(at, None, "{load}");
    }
}

#[test]
fn a_hostile_run_is_text_in_its_report() {
    let cx = attacked();
    cx.jury().args(["run", "page.html", "--agent", "rude", "--quiet"]).output().unwrap();
    let report = html(&cx);
    assert_eq!((report.matches("<script").count(), report.matches("</script").count()), (3, 3));
    assert!(!report.contains("<!--"));
    assert!(report.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(report.contains("\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"));
    data(&report, "run");
}

#[test]
fn a_run_that_goes_on_has_a_report_that_says_so() {
    let cx = Context::new();
    slow_agent(&cx);
    let mut running = Running::start(cx.jury().args(["run", "page.html", "--agent", "slow"]));
    running.wait_for("composite");
    let report = html(&cx);
    running.signal(Signal::INT);
    running.finish();
    assert!(report.contains("This run has not ended."), "{report}");
    assert!(report.contains(">Running</span>") && report.contains("<iframe"), "{report}");
    assert!(!html(&cx).contains("<p class=\"paper-strong\">"), "now it has");
}
