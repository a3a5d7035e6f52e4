//! Settings from flags, variables and the file.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::harness::{Context, GOOD_PAGE};

#[test]
fn a_variable_that_does_not_parse_is_named_with_its_range() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"]).env("OD_CRITIQUE_MAX_ROUNDS", "many")), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: OD_CRITIQUE_MAX_ROUNDS is 'many': it must be a whole number from 1 to 20
    ");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html", "--threshold", "11"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --threshold is '11': it must be between 0 and the score scale, which is 10
    ");
}

#[test]
fn the_file_is_read_and_its_mistakes_have_a_line() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("jury.toml", "[critique]\nmax_rounds = 2\nscore_threshold = 9.95\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.contains("ships at 9.95 of 10 with no must-fix open, within 2 rounds"), "{shown}");
    cx.write("jury.toml", "[critique]\nmax_rounds = 2\nrounds = 3\n");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"])), @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: critique.rounds in jury.toml is not a setting; did you mean max_rounds? The settings are enabled, max_rounds, score_scale, score_threshold, weights, round_timeout_ms, total_timeout_ms, run_timeout_ms, parser_max_block_bytes, fallback_policy, max_concurrent_runs, rollout_phase, evidence, spool_max_bytes
    ");
    cx.write("jury.toml", "[critique]\nmax_rounds = \n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.contains("error: jury.toml line 2:"), "{shown}");
    cx.write("jury.toml", "[agents.mine]\ncommand = []\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.contains("error: agents.mine in jury.toml says nothing"), "{shown}");
}

#[test]
fn weights_may_be_a_table() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("jury.toml", "[critique.weights]\ncritic = 1\na11y = 1.5\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(!shown.contains("  copy          "), "copy has no weight, so no row: {shown}");
}

/// An agent that gives every panelist this score and asks for nothing.
fn praise(cx: &Context, score: &str) {
    let draft = format!("<ARTIFACT mime=\"text/html\"><![CDATA[{GOOD_PAGE}]]></ARTIFACT>");
    let panel = ["critic", "brand", "a11y", "copy"]
        .map(|role| {
            format!(
                "<PANELIST role=\"{role}\" score=\"{score}\" must_fix=\"0\"><DIM name=\"whole\" score=\"{score}\">Looked at \
                 every part of it.</DIM><NOTES>Read it all.</NOTES></PANELIST>"
            )
        })
        .concat();
    let answer = format!(
        "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\"><ROUND n=\"1\">\
         <PANELIST role=\"designer\"><NOTES>As it is.</NOTES>{draft}</PANELIST>{panel}\
         <ROUND_END n=\"1\" composite=\"{score}\" must_fix=\"0\" decision=\"ship\"/></ROUND>\
         <SHIP round=\"1\" composite=\"{score}\">{draft}<SUMMARY>Read.</SUMMARY></SHIP></CRITIQUE_RUN>"
    );
    cx.write("answer.txt", answer);
    cx.write("page.html", GOOD_PAGE);
    cx.write("jury.toml", "[agents.mine]\ncommand = [\"cat\", \"answer.txt\"]\n");
}

const RUN: [&str; 4] = ["run", "page.html", "--agent", "mine"];

#[test]
fn a_scale_without_a_bar_scales_the_bar_of_a_run() {
    let cx = Context::new();
    praise(&cx, "9");
    let shown = cx.show(cx.jury().args(RUN).env("OD_CRITIQUE_SCORE_SCALE", "100"));
    assert!(shown.starts_with("exit: 1") && shown.contains("ships at 80.0 of 100"), "{shown}");
    let shown = cx.show(cx.jury().args(["run", "page.html"]).env("OD_CRITIQUE_SCORE_SCALE", "5"));
    assert!(shown.contains("ships at 4.0 of 5"), "{shown}");
}

#[test]
fn a_low_bar_is_forced_or_spelled_out_and_every_verdict_says_so() {
    let cx = Context::new();
    praise(&cx, "9");
    assert_snapshot!(cx.show(cx.jury().args(RUN).args(["--threshold", "3"])), @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --threshold is '3': it must be 5 or more, half of the score scale; add --force to ship with less
    ");
    assert_snapshot!(cx.show(cx.jury().args(["check", "page.html", "--threshold", "3"])), @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --threshold is '3': it must be 5 or more, half of the score scale; add --force to pass with less
    ");
    let said = "bar 3.0 of 10, below half of the scale";
    let forced = cx.show(cx.jury().args(RUN).args(["--threshold", "3", "--force", "-q"]));
    assert!(forced.starts_with("exit: 0") && forced.contains(said), "{forced}");
    let spelled = cx.show(cx.jury().args(RUN).arg("-q").env("OD_CRITIQUE_SCORE_THRESHOLD", "3"));
    assert!(spelled.starts_with("exit: 0") && spelled.contains(said), "{spelled}");
    let checked = cx.show(cx.jury().args(["check", "page.html", "--threshold", "3", "--force"]));
    assert!(checked.contains(said), "{checked}");
    let half = cx.show(cx.jury().args(RUN).args(["--threshold", "5", "-q"]));
    assert!(half.starts_with("exit: 0") && !half.contains("below half"), "{half}");
}

#[test]
fn every_format_says_which_setting_made_it_easier() {
    let cx = Context::new();
    praise(&cx, "9");
    for format in ["human", "json", "sarif", "junit", "github", "markdown", "html"] {
        let mut jury = cx.jury();
        jury.args(RUN).args(["--threshold", "3", "--force", "--evidence", "warn", "-q", "--format", format]);
        let shown = cx.show(&mut jury);
        assert!(shown.starts_with("exit: 0"), "{format}: {shown}");
        for said in [
            "bar 3.0 of 10, below half of the scale",
            "evidence: warn (measured failures do not hold a ship)",
        ] {
            assert!(shown.contains(said), "{format} does not say '{said}': {shown}");
        }
    }
    let off = cx.show(cx.jury().args(RUN).args(["--evidence", "off", "-q"]));
    assert!(off.contains("evidence: off (nothing was measured)"), "{off}");
    let plain = cx.jury().args(RUN).args(["-q", "--format", "json"]).output().unwrap();
    let plain: Value = serde_json::from_slice(&plain.stdout).unwrap();
    assert_eq!((&plain["status"], plain.get("conditions")), (&json!("shipped"), None));
    assert_snapshot!(cx.show(cx.jury().args(RUN).args(["--evidence", "loud"])), @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --evidence is 'loud': it must be off, warn or gate
    ");
}

#[test]
fn a_variable_that_nobody_knows_is_an_error_of_every_command() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let line =
        "error: OD_CRITIQUE_TRESHOLD is not a variable of jury; did you mean OD_CRITIQUE_SCORE_THRESHOLD?";
    for words in [
        &["run", "page.html"][..],
        &["check", "page.html"],
        &["runs"],
        &["judge", "run.json"],
        &["critic", "run", "plan.md", "--criteria", "docs"],
        &["content", "recipes"],
        &["serve", "--addr", "127.0.0.1:0"],
        &["agents", "list"],
    ] {
        let shown = cx.show(cx.jury().args(words).env("OD_CRITIQUE_TRESHOLD", "9"));
        assert!(shown.starts_with("exit: 2") && shown.ends_with(&format!("{line}\n")), "{words:?}: {shown}");
    }
    for (name, nearest) in [("JUDGE_MODELL", "JUDGE_MODEL"), ("JURY_TOKN", "JURY_TOKEN")] {
        let shown = cx.show(cx.jury().args(["checks"]).env(name, "x"));
        assert!(
            shown.starts_with("exit: 2") && shown.contains(&format!("did you mean {nearest}?")),
            "{shown}"
        );
    }
    let doctor = cx.show(cx.jury().arg("doctor").env("OD_CRITIQUE_TRESHOLD", "9").env("JURY_TOKN", "x"));
    assert!(doctor.starts_with("exit: 2"), "{doctor}");
    assert_eq!(doctor.matches("is not a variable of jury").count(), 2, "{doctor}");
    cx.write("jury.toml", "[judge]\nmodell = \"x\"\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(
        shown.contains("error: judge.modell in jury.toml is not a setting; did you mean model?"),
        "{shown}"
    );
}

#[test]
fn a_design_that_is_none_is_an_error_and_not_a_brand() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("brand.html", "<!doctype html><title>x</title><h1>Colors</h1><p style='color:#123456'>x</p>");
    cx.write("tokens.json", "{\"ink\": \"#101010\"}");
    cx.write("letter.md", "Dear Anna, see you on Friday.\n");
    cx.write("empty.md", "");
    cx.write("picture.png", [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]);
    for (file, why) in [
        ("brand.html", "it is HTML or other markup"),
        ("tokens.json", "it is JSON"),
        ("letter.md", "it declares nothing of a brand"),
        ("empty.md", "is empty"),
        ("picture.png", "is a binary file"),
    ] {
        for command in ["run", "check"] {
            let shown = cx.show(cx.jury().args([command, "page.html", "--design", file]));
            assert!(shown.starts_with("exit: 2") && shown.contains(why), "{command} {file}: {shown}");
        }
    }
    cx.example("DESIGN.md");
    let shown = cx.show(cx.jury().args(["check", "page.html", "--design", "DESIGN.md"]));
    assert!(!shown.starts_with("exit: 2"), "{shown}");
}
