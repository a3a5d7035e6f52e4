//! `jury check`, `jury checks` and `jury explain`: many pages, measured as they stand.

mod bad_input;
mod baseline;
mod batch;
mod beside;
mod explain;
mod formats;
mod repair;
mod table;
mod watch;

use crate::harness::{Context, GOOD_PAGE};

/// A page with a few things against it, each of which can be mended by one edit.
pub(crate) const POOR_PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Opening hours</title>\n\
<style>body{font:16px/1.5 sans-serif;color:#222;background:#fff;margin:32px}h1{font-size:40px;margin:0 0 16px}\
p{margin:0 0 16px}.note{color:#aaa}</style></head>\n<body><main><h1>Opening hours</h1>\n\
<p>We open at nine and close at five.</p>\n<p class=\"note\">Come by on a weekday.</p>\n<img src=\"data:,\">\n\
</main></body></html>\n";

/// A folder with one good and one poor page.
pub(crate) fn site() -> Context {
    let cx = Context::new();
    std::fs::create_dir(cx.path("site")).unwrap();
    cx.write("site/good.html", GOOD_PAGE);
    cx.write("site/poor.html", POOR_PAGE);
    cx
}

/// The document that `--json` prints.
pub(crate) fn json(cx: &Context, args: &[&str]) -> (i32, serde_json::Value) {
    let output = cx.jury().arg("check").args(args).arg("--json").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), value)
}

/// The ids of the findings of a page in that document.
pub(crate) fn ids(document: &serde_json::Value, page: usize) -> Vec<String> {
    let findings = document.pointer(&format!("/pages/{page}/report/findings")).unwrap().as_array().unwrap();
    findings.iter().map(|found| found["id"].as_str().unwrap().to_owned()).collect()
}
