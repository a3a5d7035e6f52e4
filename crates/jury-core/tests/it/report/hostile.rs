//! Texts and pages that want to be more than that.

use std::fmt::Write as _;

use jury_core::artifact::{Blob, Digest};
use jury_core::event::{Event, PanelistClose, PanelistOpen, TheaterEvent};
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::report::ReportCase;
use jury_core::report::html::{self, Pages};
use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use jury_core::unit::{Millis, Round, Seq};
use proptest::prelude::*;
use uuid::Uuid;

use super::{bundle, log};
use crate::theater::stage::Stage;

const ATTACK: &str = "</script><script>alert(1)</script><!--<script>\u{2028}\u{2029}</style></title></textarea>\
    <link rel=preconnect href=//evil.example><img src=x onerror=alert(2)>\"'><iframe srcdoc='x'></iframe><meta http-equiv=refresh content=0;url=//evil.example>\
    &lt;script&gt; ]]> --> \u{202e}desrever\u{0} javascript:alert(3) {{t}} ${1}\\u003c/script>";

/// Elements that a report has of its own.
const OURS: &[&str] = &[
    "article",
    "b",
    "blockquote",
    "body",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "i",
    "iframe",
    "li",
    "meta",
    "p",
    "path",
    "script",
    "section",
    "small",
    "span",
    "style",
    "svg",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "ul",
];

/// Reads the file as a browser would, as far as it is ours, and fails at anything that is not.
fn inspect(html: &str, pages: usize) {
    assert!(!html.contains("<!--"), "{html}");
    let mut rest = html.strip_prefix("<!doctype html>").unwrap();
    let (mut scripts, mut frames) = (0, 0);
    while let Some((_, after)) = rest.split_once('<') {
        let closing = after.starts_with('/');
        let name: String =
            after.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(OURS.contains(&name.as_str()), "<{name}> is none of ours: {html}");
        // No value of ours has a bracket or another quote in it, so a tag ends at the first.
        let (tag, then) = after.split_once('>').unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let outside: String = tag.split('"').step_by(2).collect();
        assert!(!outside.contains('\'') && !outside.contains(" on"), "{outside}");
        assert!(!outside.contains("src=") && !outside.contains("href="), "{outside}");
        rest = then;
        if closing {
            continue;
        }
        if name == "iframe" {
            frames += 1;
            assert!(tag.contains("sandbox=\"\""), "{tag}");
        }
        if name == "script" {
            scripts += 1;
            let (body, then) = then.split_once("</script>").unwrap();
            if tag.contains("application/json") {
                serde_json::from_str::<serde_json::Value>(body).unwrap();
                assert!(!body.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{body}");
            } else {
                assert_eq!(body, bundle().script);
            }
            rest = then;
        }
    }
    assert_eq!((scripts, frames), (3, pages), "{html}");
}

/// The page in a frame, as a browser would read it.
fn source(html: &str, digest: &Digest) -> String {
    let key: String = digest.to_string().chars().take(12).collect();
    let (_, after) = html.split_once(&format!("data-page=\"{key}\" srcdoc=\"")).unwrap();
    let value = after.split_once('"').unwrap().0;
    // The parser of a browser takes away what is a carriage return as such.
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#13;", "\r")
        .replace("&amp;", "&")
        .replace(" rEl=\"\"", "")
        .replace(" sRcdoc=\"\"", "")
}

#[test]
fn nothing_that_anybody_wrote_gets_out_of_its_place() {
    let mut escaped = String::new();
    for character in ATTACK.chars().filter(|character| *character != '\0') {
        write!(escaped, "&#{};", u32::from(character)).unwrap();
    }
    let page = ATTACK.replace("]]>", "]]]]><![CDATA[>");
    let transcript = format!(
        "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><NOTES>{escaped}</NOTES>\
         <ARTIFACT mime=\"{escaped}\"><![CDATA[{page}]]></ARTIFACT></PANELIST>\
         <PANELIST role=\"critic\" score=\"7\"><DIM name=\"{escaped}\" score=\"7\">{escaped}</DIM>\
         <MUST_FIX>{escaped}</MUST_FIX></PANELIST><PANELIST role=\"brand\" score=\"7\"/>\
         <PANELIST role=\"a11y\" score=\"7\"/><PANELIST role=\"copy\" score=\"7\"/>\
         <ROUND_END n=\"1\" decision=\"continue\"><REASON>{escaped}</REASON></ROUND_END></ROUND></CRITIQUE_RUN>"
    );
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start");
    stage.feed(transcript.as_bytes());
    stage.play("exit 0");
    let (records, pages) = log(&stage, ATTACK);
    assert_eq!(pages.len(), 1, "the page was taken");
    let html = html::document(&ReportCase::new(&records), &records, &pages, &bundle()).unwrap();
    inspect(&html, 1);
    assert!(html.contains("alert(1)"), "it is shown");
    let (digest, body) = pages.first_key_value().unwrap();
    assert_eq!(source(&html, digest), String::from_utf8_lossy(body).replace('\0', "\u{fffd}"));
}

#[test]
fn a_report_loads_nothing_and_runs_its_own_script_alone() {
    let html = super::report("start");
    let policy = bundle().policy();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    for loose in ["http", "*", "'unsafe-eval'", "'self'", "blob:", "script-src 'unsafe"] {
        assert!(!policy.contains(loose), "{policy}");
    }
    let written = policy.replace('\'', "&#39;");
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{written}\">");
    let (before, _) = html.split_once(&meta).unwrap();
    assert_eq!(before, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    assert!(!html.contains("://"), "{html}");
}

proptest! {
    #[test]
    fn no_text_and_no_page_gets_out_of_its_place(title in "\\PC*|[<>&\"'!/a-z-]{0,40}", page in any::<String>()) {
        let blob = Blob::of(page.as_bytes(), &title);
        let close = PanelistClose {
            round: Round(1), role: Role::Designer, score: None, notes: title, artifact: Some(blob.clone()),
        };
        let open = PanelistOpen { round: Round(1), role: Role::Designer };
        let records: Vec<Record> = [Event::Theater(TheaterEvent::PanelistOpen(open)), Event::Theater(TheaterEvent::PanelistClose(close))]
            .into_iter()
            .zip(1..)
            .map(|(event, number)| Record { seq: Seq(number), at: Millis(0), run_id: RunId(Uuid::nil()), event })
            .collect();
        let pages = Pages::from([(blob.sha256, page.clone().into_bytes())]);
        let html = html::document(&ReportCase::new(&records), &records, &pages, &bundle()).unwrap();
        inspect(&html, 1);
        prop_assert_eq!(source(&html, &blob.sha256), page.replace('\0', "\u{fffd}"));
    }
}
