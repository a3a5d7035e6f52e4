//! A run as one HTML file that needs nothing else: a verdict that is there without any script and is what gets
//! printed, the run as data, and the program that plays it again.
//!
//! The file is read wherever it ends up, so it trusts nothing that it carries. Its policy lets its own script run,
//! by hash, and loads nothing. Pages under review stand in frames without any rights, once each, and the script
//! takes them from there.

mod bundle;
pub(super) mod escape;
mod pages;
mod paper;
mod reviews;
mod verdict;
mod words;

pub use bundle::Bundle;
pub use pages::{Pages, named_in};

use serde_json::json;

use super::ReportCase;
use crate::id::RunId;
use crate::record::Record;

/// The file. The same run and the same bundle give the same bytes.
pub fn document(
    case: &ReportCase,
    records: &[Record],
    pages: &Pages,
    bundle: &Bundle,
) -> serde_json::Result<String> {
    let lines: Vec<String> = records.iter().map(Record::to_line).collect::<Result<_, _>>()?;
    let last = pages::handed_over(case).map(|digest| pages::key(&digest));
    let about = json!({ "last": last, "createdAt": case.run.and_then(created_at), "project": case.project });
    let mut html = String::new();
    html.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"");
    html.push_str(&escape::text(&bundle.policy()));
    html.push_str("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.push_str(
        "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"jury\">\n",
    );
    html.push_str("<title>");
    html.push_str(&escape::text(&title(case)));
    html.push_str("</title>\n<style>");
    html.push_str(&bundle.style);
    html.push_str("</style>\n</head>\n<body>\n<div id=\"root\"></div>\n");
    paper::write(case, records, pages, &mut html);
    html.push_str("<script type=\"application/json\" id=\"run\">{\"about\":");
    html.push_str(&escape::data(&about.to_string()));
    html.push_str(",\"records\":[\n");
    html.push_str(&escape::data(&lines.join(",\n")));
    html.push_str("\n]}</script>\n<script type=\"application/json\" id=\"words\">");
    html.push_str(&escape::data(bundle.words.trim_end()));
    html.push_str("</script>\n<script>");
    html.push_str(&bundle.script);
    html.push_str("</script>\n</body>\n</html>\n");
    Ok(html)
}

/// What a window or a tab shows.
fn title(case: &ReportCase) -> String {
    let name = if case.title.trim().is_empty() { "jury" } else { case.title.trim() };
    let (.., status) = words::phase(case);
    let composite = case.result().1.map(|composite| format!(" {composite}")).unwrap_or_default();
    let unreviewed = if case.unreviewed() { ", not reviewed" } else { "" };
    format!("{name}: {status}{composite}{unreviewed}")
}

/// When the run was asked for. Its id says so; a log has only the time since.
fn created_at(run: RunId) -> Option<String> {
    let (seconds, nanoseconds) = run.0.get_timestamp()?.to_unix();
    let seconds = i64::try_from(seconds).ok()?;
    let nanoseconds = i32::try_from(nanoseconds).ok()?;
    jiff::Timestamp::new(seconds, nanoseconds)
        .ok()
        .map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
