//! A review of any workflow as one HTML file that needs nothing else: no script, no address, nothing loaded.

use std::fmt::Write as _;

use super::html::escape::text as escaped;
use super::review::{Report, Weight, weight};
use crate::run::OutcomeKind;

/// Colours with enough contrast on both grounds; the system decides which one it is.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--ground:#fff;--good:#116329;--bad:#a40e26}\
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--ground:#0d1117;--good:#56d364;--bad:#ff7b72}}\
body{font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}\
p{margin:.25rem 0}.soft{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}\
ol,ul{padding-left:1.25rem}li{margin:.5rem 0}code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .5rem;border-top:1px solid var(--line);vertical-align:top}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}";

/// The file of one review.
pub fn document(report: &Report) -> String {
    let mut text = head(&format!("{}: {}", report.title, report.status_words()));
    review(report, "h1", &mut text);
    text.push_str(END);
    text
}

/// The file of several reviews: what they come to, what no figure of them speaks about, then each.
pub fn several(verdict: &str, not_judged: &str, reports: &[Report]) -> String {
    let mut text = head(verdict);
    writeln!(text, "<h1>{}</h1>\n<p class=\"soft\">{}</p>", escaped(verdict), escaped(not_judged)).ok();
    for report in reports {
        text.push_str("<hr>\n");
        review(report, "h2", &mut text);
    }
    text.push_str(END);
    text
}

const END: &str = "</main>\n</body>\n</html>\n";

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n",
        escaped(title),
    )
}

fn review(report: &Report, heading: &str, text: &mut String) {
    let tone = if report.outcome == OutcomeKind::Passed { "good" } else { "bad" };
    let (title, verdict) = (escaped(&report.title), escaped(&report.verdict()));
    writeln!(text, "<{heading}>{title}</{heading}>\n<p class=\"{tone}\"><strong>{verdict}</strong></p>").ok();
    facts(report, text);
    questions(report, text);
    findings(report, text);
    parts(report, text);
}

fn facts(report: &Report, text: &mut String) {
    let Some(run) = report.run_id else { return };
    let by = report.agent.as_ref().map_or("the house", |agent| agent.as_str());
    writeln!(
        text,
        "<p class=\"soft\">Run <code>{run}</code> of the {}, by {}</p>",
        report.workflow,
        escaped(by)
    )
    .ok();
}

fn questions(report: &Report, text: &mut String) {
    if report.questions.is_empty() {
        return;
    }
    text.push_str("<h2>Asked of a person</h2>\n<ol>\n");
    for question in &report.questions {
        let (asks, words) = (escaped(&question.asks), escaped(&question.question));
        let answer = escaped(&question.answer_with);
        writeln!(text, "<li>{words} <span class=\"soft\">({asks})</span><br><code>{answer}</code></li>").ok();
    }
    text.push_str("</ol>\n");
}

fn findings(report: &Report, text: &mut String) {
    if report.findings.is_empty() {
        text.push_str("<p class=\"soft\">There are no findings.</p>\n");
        return;
    }
    text.push_str("<h2>Findings</h2>\n<ol>\n");
    for finding in &report.findings {
        let tone = match weight(finding.state, report.what).0 {
            Weight::Error => "bad",
            Weight::Warning | Weight::Note => "soft",
        };
        let rule = escaped(finding.rule.as_deref().unwrap_or("jury"));
        let (state, severity) = (finding.state, finding.severity.as_str());
        let mut place = String::new();
        if let Some(file) = &finding.place.file {
            write!(place, ", {}", escaped(file)).ok();
        }
        if let Some(line) = finding.place.line {
            write!(place, " line {line}").ok();
        }
        write!(
            text,
            "<li id=\"{}\"><span class=\"{tone}\">{state}</span>: {} <span class=\"soft\">({rule}, {severity}{place})</span>",
            escaped(finding.id.as_str()),
            escaped(&finding.text)
        )
        .ok();
        if let Some(quote) = &finding.place.quote {
            write!(text, "<pre>{}</pre>", escaped(quote)).ok();
        }
        if let Some(suggestion) = &finding.suggestion {
            write!(text, "<br>{}", escaped(suggestion)).ok();
        }
        text.push_str("</li>\n");
    }
    text.push_str("</ol>\n");
    for waiver in &report.waivers {
        writeln!(text, "<p class=\"soft\">{}</p>", escaped(&waiver.line())).ok();
    }
}

fn parts(report: &Report, text: &mut String) {
    if report.parts.is_empty() {
        return;
    }
    text.push_str("<h2>Who looked</h2>\n<table>\n<thead><tr><th scope=\"col\">Part</th><th scope=\"col\">Result</th><th scope=\"col\">What it says</th></tr></thead>\n<tbody>\n");
    for part in &report.parts {
        let said = [part.message.as_str(), part.body.as_str()].join("\n");
        writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td><pre>{}</pre></td></tr>",
            escaped(&part.name),
            part.result,
            escaped(said.trim())
        )
        .ok();
    }
    text.push_str("</tbody>\n</table>\n");
}
