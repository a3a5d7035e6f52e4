//! The report of a run over HTTP, in its three forms.

use super::harness::{Daemon, agents};

#[test]
fn a_report_comes_in_the_form_that_is_asked_for() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("scripted");
    daemon.finish(&run);
    let path = format!("{}/report", run.path());
    let kind = |query: &str, accept: Option<&str>| {
        let headers: Vec<(&str, &str)> = accept.map(|accept| ("accept", accept)).into_iter().collect();
        let answer = daemon.client.send("GET", &format!("{path}{query}"), &headers, b"").unwrap();
        assert_eq!((answer.status, answer.header("vary")), (200, Some("accept")), "{query} {accept:?}");
        answer.header("content-type").unwrap_or_default().to_owned()
    };
    let (json, markdown, html) =
        ("application/json", "text/markdown; charset=utf-8", "text/html; charset=utf-8");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (query, accept, expected) in [
        ("", None, json),
        ("", Some("*/*"), json),
        ("", Some("image/png"), json),
        ("", Some("application/json, text/html"), json),
        ("", Some(browser), html),
        ("", Some("text/markdown"), markdown),
        ("?format=json", Some(browser), json),
        ("?format=markdown", None, markdown),
        ("?format=html", None, html),
    ] {
        assert_eq!(kind(query, accept), expected, "{query} {accept:?}");
    }
    let refused = daemon.get(&format!("{path}?format=pdf"));
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert!(refused.text().contains("'pdf' is none of json, markdown, html"), "{}", refused.text());
    let unknown = "/api/projects/default/critique/0198c0de-0000-7000-8000-000000000001/report?format=html";
    assert_eq!(daemon.get(unknown).status, 404);
}

#[test]
fn a_report_is_the_file_that_the_program_writes_and_a_stranger_to_the_site() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("scripted");
    daemon.finish(&run);
    let answer = daemon.get(&format!("{}/report?format=html", run.path()));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(policy.ends_with("; frame-ancestors 'none'; sandbox allow-scripts allow-modals"), "{policy}");
    let own = policy.split_once("; frame-ancestors").unwrap().0.replace('\'', "&#39;");
    let text = answer.text();
    assert!(text.contains(&format!("content=\"{own}\"")), "the file has the same rules by itself");
    assert_eq!(
        answer.header("content-disposition"),
        Some(format!("inline; filename=\"jury-{}.html\"", run.id).as_str())
    );
    assert!(text.contains("&lt;p&gt;draft&lt;/p&gt;"), "the page of the first round is in it");
    let printed = cx.jury().args(["report", &run.id, "--html", "-"]).output().unwrap();
    assert_eq!(text, String::from_utf8(printed.stdout).unwrap());
}
