//! What a panel says, held against what was measured, as whoever runs the program sees it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::harness::{Context, GOOD_PAGE};

/// A page with text that can hardly be read, and no language.
const POOR: &str = "<!doctype html><html><title>A page</title><main><h1>A page</h1><p style=\"color:#bbb\">Words that \
                    nobody can read on white, and there are many of them.</p></main></html>";

/// An agent that finds every page splendid, and says of this one that it is.
fn flatterer(cx: &Context, page: &str) {
    let draft = format!("<ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>");
    let panel = ["critic", "brand", "a11y", "copy"]
        .map(|role| {
            format!(
                "<PANELIST role=\"{role}\" score=\"9.5\" must_fix=\"0\"><NOTES>H1 is 90px.</NOTES></PANELIST>"
            )
        })
        .concat();
    let answer = format!(
        "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\"><ROUND n=\"1\">\
         <PANELIST role=\"designer\"><NOTES>As it is.</NOTES>{draft}</PANELIST>{panel}\
         <ROUND_END n=\"1\" composite=\"9.5\" must_fix=\"0\" decision=\"ship\"/></ROUND>\
         <SHIP round=\"1\" composite=\"9.5\">{draft}<SUMMARY>Splendid.</SUMMARY></SHIP></CRITIQUE_RUN>"
    );
    cx.write("answer.txt", answer);
    cx.write("page.html", page);
    cx.write("jury.toml", "[agents.flatterer]\ncommand = [\"sh\", \"-c\", \"cat answer.txt\"]\n");
}

const RUN: [&str; 4] = ["run", "page.html", "--agent", "flatterer"];

#[test]
fn a_mode_that_is_none_is_refused_in_one_line() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let shown = cx.show(cx.jury().env("OD_CRITIQUE_EVIDENCE", "nonsense").args(["run", "page.html"]));
    assert_snapshot!(shown, @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: OD_CRITIQUE_EVIDENCE is 'nonsense': it must be off, warn or gate
    ");
}

#[test]
fn a_page_that_cannot_be_measured_is_inconclusive_at_the_gate_and_ships_with_a_warning() {
    let cx = Context::new();
    flatterer(&cx, &format!("<!doctype html><title>A page</title>{}deep</body>", "<div>".repeat(5000)));
    let run = |mode: &str| {
        let output = cx
            .jury()
            .env("OD_CRITIQUE_EVIDENCE", mode)
            .args(RUN)
            .args(["--format", "json", "-q"])
            .output()
            .unwrap();
        let run: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), run)
    };
    let (code, held) = run("gate");
    assert_eq!((code, &held["status"]), (Some(3), &json!("degraded")), "{held:#}");
    let reason = held["reason"].as_str().unwrap();
    assert!(reason.starts_with("unmeasured: ") && reason.contains("elements are nested"), "{reason}");
    let (code, warned) = run("warn");
    assert_eq!((code, &warned["status"]), (Some(0), &json!("shipped")), "{warned:#}");
}

#[test]
fn a_page_that_the_house_saw_in_part_does_not_pass_its_gate() {
    let cx = Context::new();
    let link = "<link rel=\"stylesheet\" href=\"https://example.org/x.css\">";
    cx.write("page.html", GOOD_PAGE.replacen("<title>", &format!("{link}<title>"), 1));
    let mut jury = cx.jury();
    jury.env("OD_CRITIQUE_EVIDENCE", "gate").args(["run", "page.html", "--threshold", "7", "-q"]);
    let held = cx.show(&mut jury);
    assert!(!held.starts_with("exit: 0") && held.contains("NOT SHIPPED"), "{held}");
    assert!(held.contains("not measured: partial measurement, capped at 7.9: external_css"), "{held}");
}

#[test]
fn the_honesty_of_an_agent_is_listed() {
    let cx = Context::new();
    flatterer(&cx, POOR);
    let shown = cx.show(cx.jury().args(RUN).args(["-q", "--evidence", "warn"]));
    assert!(shown.starts_with("exit: 0"), "a warning lets it ship: {shown}");
    let held = cx.show(cx.jury().args(RUN).arg("-q"));
    assert!(held.starts_with("exit: 1"), "without a word about it, the gate holds: {held}");
    let listed = cx.show(cx.jury().args(["agents", "list"]));
    let line = listed.lines().find(|line| line.starts_with("flatterer ")).unwrap();
    let output = cx.jury().args(["agents", "list", "--json"]).output().unwrap();
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |id: &str| {
        list.as_array().unwrap().iter().find(|agent| agent["id"] == id).unwrap()["honesty"].clone()
    };
    let honesty = of("flatterer");
    let number = |name: &str| honesty[name].as_u64().unwrap();
    let (checked, wrong) = (number("checked"), number("wrong"));
    // Two scores at least are too high, and four say the same wrong size.
    assert!(wrong >= 5 && wrong <= checked, "{honesty}");
    let stood = checked - wrong;
    assert_eq!(honesty["rate"], json!(f64::from(u32::try_from(stood * 1000 / checked).unwrap()) / 1000.0));
    assert!(line.contains(&format!("{} % of {checked} ", stood * 100 / checked)), "{line}");
    assert_eq!(of("house"), Value::Null);
}
