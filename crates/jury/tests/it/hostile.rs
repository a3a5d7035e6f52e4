//! An agent that writes to whoever reads it: control characters, markup, workflow commands, other formats.

use crate::harness::{Context, GOOD_PAGE};

const ATTACK: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}x &lt;script&gt;alert(1)&lt;/script&gt; ::error::boo %0A | `rm` [a](javascript:b) ]]&gt; &quot;&apos;&amp;";

/// A context in which an agent has said this in every place it can.
pub(crate) fn attacked() -> Context {
    let cx = Context::new();
    let transcript = format!(
        "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><NOTES>{ATTACK}</NOTES><ARTIFACT><![CDATA[{GOOD_PAGE}]]></ARTIFACT></PANELIST>\
         <PANELIST role=\"critic\" score=\"7\"><DIM name=\"{ATTACK}\" score=\"7\">{ATTACK}</DIM><MUST_FIX>{ATTACK}</MUST_FIX></PANELIST>\
         <PANELIST role=\"brand\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST><PANELIST role=\"a11y\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST><PANELIST role=\"copy\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST>\
         <ROUND_END n=\"1\" decision=\"continue\"><REASON>{ATTACK}</REASON></ROUND_END></ROUND></CRITIQUE_RUN>"
    );
    cx.write("said.txt", transcript);
    cx.write("jury.toml", "[agents.rude]\ncommand = [\"cat\", \"said.txt\"]\n");
    cx.write("page.html", GOOD_PAGE);
    cx
}

fn output(cx: &Context, args: &[&str]) -> String {
    let output = cx.jury().args(args).output().unwrap();
    format!("{}{}", String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn nothing_that_reaches_a_terminal_can_steer_it() {
    let cx = attacked();
    for args in
        [&["run", "page.html", "--agent", "rude", "--verbose"][..], &["replay", "last", "--speed", "instant"]]
    {
        let shown = output(&cx, args);
        assert!(shown.contains("<script>alert(1)</script>"), "{shown}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn a_report_has_no_markup_but_its_own() {
    let cx = attacked();
    output(&cx, &["run", "page.html", "--agent", "rude", "--quiet"]);
    let report = output(&cx, &["report", "last"]);
    assert!(report.contains("\\<script\\>alert(1)\\</script\\>"), "{report}");
    assert!(report.contains("\\[a\\](javascript:b)"), "{report}");
    assert!(!report.contains("<script>"), "{report}");
}

#[test]
fn junit_is_well_formed_and_github_gets_one_command_per_line() {
    let cx = attacked();
    let junit = output(&cx, &["run", "page.html", "--agent", "rude", "--quiet", "--format", "junit"]);
    assert!(junit.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{junit}");
    assert!(!junit.contains("<script>"), "{junit}");
    let github = output(&cx, &["run", "page.html", "--agent", "rude", "--quiet", "--format", "github"]);
    assert!(github.lines().all(|line| line.starts_with("::error file=page.html,title=jury")), "{github}");
    assert!(github.contains("%250A"), "{github}");
    let sarif = output(&cx, &["run", "page.html", "--agent", "rude", "--quiet", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(
        sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "page.html"
    );
}
